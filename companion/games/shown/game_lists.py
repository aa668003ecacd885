"""Lists of a league's games, and its regular players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session, aliased

from companion.games.entries import Person, with_names
from companion.games.reading import is_among, of_games
from companion.store.database import Statement, execute
from companion.store.models import Deal, Game, Player, Seat, TeamMember

LISTED = (
    Game.id,
    Game.variant_key,
    Game.variant_name,
    Game.status,
    Game.started_at,
    Game.played_on,
    Game.note,
    Game.margin,
    Game.counted,
)


class ListedGame(Struct, frozen=True):
    """A game as a line in a list: who played, in seat order, and who won.

    `people` are the numbers of those who played, `stayed` the seats of those who were there at the
    end, `ranking` has those with a place in its order,
    equals in seat order; `margin` are the points between first and second where they decided.
    """

    game_id: int
    variant_key: str
    variant_name: str
    status: str
    started_at: datetime
    played_on: date
    note: str
    margin: int | None
    names: tuple[str, ...]
    people: tuple[int, ...]
    stayed: tuple[int, ...]
    winners: tuple[str, ...]
    ranking: tuple[tuple[int, str], ...]
    deals: int
    counted: bool

    @property
    def table(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The names and numbers of those who would play again: nobody who left before the end."""
        names = tuple(self.names[seat] for seat in self.stayed)
        return names, tuple(self.people[seat] for seat in self.stayed)

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Who played and has no place."""
        placed = {name for _, name in self.ranking}
        return tuple(name for name in self.names if name not in placed)


def regulars(session: Session, league_id: int, most: int = 24, *, teams: bool = False) -> list[str]:
    """Name the players of a league, those who played last first, in their seat order.

    With `teams` those who played as one line stand among them.
    """
    entry = aliased(Player)
    no_team = () if teams else (Player.id.not_in(select(TeamMember.team_id)),)
    seat = (
        select(Seat.number)
        .join(entry, entry.id == Seat.player_id)
        .where(Seat.game_id == Player.last_game, entry.person_id == Player.id)
        .limit(1)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Player.name)
        .where(
            Player.league_id == league_id,
            Player.person_id == Player.id,
            Player.archived.is_(False),
            *no_team,
        )
        .order_by(func.coalesce(Player.last_game, 0).desc(), seat, Player.id)
        .limit(most)
    )
    return list(rows.scalars())


def list_games(
    session: Session, league_id: int, *, status: str | None = None, most: int = 20
) -> list[ListedGame]:
    """List games of a league, the latest begun first; of one status if asked."""
    values: dict[str, Any] = {"league_id": league_id, "most": most}
    if status is not None:
        values["status"] = status
    return as_listed(session, execute(session, _list(of_status=status is not None), **values).all())


@cache
def _list(*, of_status: bool) -> Statement:
    shown = (Game.league_id == bindparam("league_id"), Game.hidden.is_(False))
    rows = select(*LISTED).where(*shown)
    if of_status:
        rows = rows.where(Game.status == bindparam("status"))
    return rows.order_by(Game.id.desc()).limit(bindparam("most"))


def as_listed(session: Session, games: Sequence[Any]) -> list[ListedGame]:
    """Lay rows of `LISTED` out as lines of a list, with two more queries however many they are."""
    numbers = [game.id for game in games]
    seats: dict[int, list[tuple[str, int, int | None, int | None]]] = {
        number: [] for number in numbers
    }
    for game_id, *seat in of_games(session, _seat_rows(), numbers):
        seats[game_id].append(tuple(seat))
    deals: dict[int, int] = dict(of_games(session, _deals_played(), numbers).all())
    return [_listed(game, seats[game.id], deals.get(game.id, 0)) for game in games]


@cache
def _seat_rows() -> Statement:
    seats = with_names(select(Seat.game_id, Person.name, Person.id, Seat.place, Seat.left))
    return seats.where(is_among(Seat.game_id)).order_by(Seat.game_id, Seat.number)


@cache
def _deals_played() -> Statement:
    of_these = is_among(Deal.game_id)
    scored = select(Deal.game_id, func.count()).where(of_these, Deal.void.is_(False))
    return scored.group_by(Deal.game_id)


def _listed(
    game: Any, seats: Sequence[tuple[str, int, int | None, int | None]], deals: int
) -> ListedGame:
    placed = [(place, name) for name, _, place, _ in seats if place is not None]
    return ListedGame(
        game_id=game.id,
        variant_key=game.variant_key,
        variant_name=game.variant_name,
        status=game.status,
        started_at=game.started_at,
        played_on=game.played_on,
        note=game.note,
        margin=game.margin,
        names=tuple(name for name, *_ in seats),
        people=tuple(person for _, person, *_ in seats),
        stayed=tuple(number for number, seat in enumerate(seats) if seat[3] is None),
        winners=tuple(name for name, _, place, _ in seats if place == 1),
        ranking=tuple(sorted(placed, key=lambda ranked: ranked[0])),
        deals=deals,
        counted=game.counted,
    )
