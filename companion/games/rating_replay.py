"""Ratings as they are stored: a row for each game of each person, in the order of the games.

The write that changes how a game ended rates it and every game after it again, in its own
transaction, so that no page ever sees ratings of other games than those it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, delete, func, insert, select, tuple_
from sqlalchemy.orm import Session

from companion.store.models import Game, League, Player, Rating, Seat

from .entries import with_people
from .rating_model import Forms, Placed, RatingState, rate_each, replay

STRIDE = 500
GameKey = tuple[date, int]
BEGINNING: GameKey = (date.min, 0)
GAME_KEY = tuple_(Game.played_on, Game.id)
RATED_KEY = tuple_(Rating.played_on, Rating.game_id)
STATE = [getattr(Rating, name) for name in RatingState.__struct_fields__]


class RatedGame(Struct, frozen=True):
    """One counted game in order: when, and who came where."""

    key: GameKey
    placed: tuple[Placed, ...]

    @property
    def people(self) -> Iterator[int]:
        """Everybody with a place."""
        return chain.from_iterable(who for who, _ in self.placed if isinstance(who, tuple))


def rate_from(session: Session, league_id: int, first: GameKey = BEGINNING) -> None:
    """Rate a league's games again from this one on, in their order; the league must be held."""
    session.flush()
    stale = (Rating.league_id == league_id, first <= RATED_KEY)
    session.execute(delete(Rating).where(*stale), execution_options={"synchronize_session": False})
    for rows in _rated_batches(session, league_id, first):
        if rows:
            session.execute(insert(Rating), rows)


def replayed(session: Session, league_id: int) -> Iterator[dict[str, Any]]:
    """Rate every game of a league from nothing; yield the rows that should be stored."""
    return chain.from_iterable(_rated_batches(session, league_id, BEGINNING))


def _rated_batches(
    session: Session, league_id: int, first: GameKey
) -> Iterator[list[dict[str, Any]]]:
    forms: dict[int, RatingState] = {}
    for games in _batches(session, league_id, Game.played_on >= first[0], first <= GAME_KEY):
        at_table = {person for game in games for person in game.people}
        forms |= _before(session, at_table - forms.keys(), first)
        rated = zip(games, rate_each((game.placed for game in games), forms), strict=True)
        yield [
            {
                "league_id": league_id,
                "person_id": person,
                "played_on": game.key[0],
                "game_id": game.key[1],
            }
            | asdict(state)
            for game, states in rated
            for person, state in states.items()
        ]


def _before(session: Session, people: Iterable[int], first: GameKey) -> dict[int, RatingState]:
    """Read the ratings of some people as they were before a game."""
    latest = (
        select(func.max(Rating.games))
        .where(Rating.person_id == Player.id, first > RATED_KEY)
        .correlate(Player)
        .scalar_subquery()
    )
    return _states(session, latest, Player.id.in_(list(people)))


def current_forms(session: Session, league_id: int) -> dict[int, RatingState]:
    """Read everybody's form over all time, by person."""
    return _states(session, _latest(), Player.league_id == league_id)


def person_form(session: Session, person_id: int) -> RatingState | None:
    """Read a person's form over all time; None before the first rated game."""
    return _states(session, _latest(), Player.id == person_id).get(person_id)


def _latest() -> Any:
    last = select(func.max(Rating.games)).where(Rating.person_id == Player.id)
    return last.correlate(Player).scalar_subquery()


def _states(session: Session, number: Any, *which: ColumnElement[bool]) -> dict[int, RatingState]:
    """Read one row of each of these players: the one after so many games."""
    rows = select(Player.id, *STATE).join(Rating, Rating.person_id == Player.id)
    ratings = session.execute(rows.where(*which, Rating.games == number))
    return {person: RatingState(*state) for person, *state in ratings}


def forms_of(session: Session, league_id: int, *which: ColumnElement[bool]) -> Forms:
    """Rate some games of a league by themselves, such as those of a season."""
    batches = _batches(session, league_id, *which)
    return replay(game.placed for games in batches for game in games)


def _batches(
    session: Session, league_id: int, *which: ColumnElement[bool]
) -> Iterator[Sequence[RatedGame]]:
    """Read the counted games in their order, some hundreds at a time.

    Where the league chose one game for its standings, no other is rated.
    """
    chosen = select(League.standings_variant).where(League.id == league_id).scalar_subquery()
    # By evening and number, never by a clock, so that every replay comes out the same (I17).
    in_order = (
        select(Game.id, Game.played_on)
        .where(Game.league_id == league_id, Game.counted, *which)
        .where(chosen.in_(("", Game.variant_key)))
        .order_by(Game.played_on, Game.id)
    )
    games = session.execute(in_order.limit(STRIDE)).all()
    while games:
        yield _placed(session, games)
        last = (games[-1].played_on, games[-1].id)
        following = in_order.where(Game.played_on >= last[0], last < GAME_KEY)
        games = session.execute(following.limit(STRIDE)).all() if len(games) == STRIDE else []


def _placed(session: Session, games: Sequence[Any]) -> list[RatedGame]:
    placed: dict[int, dict[int, tuple[tuple[int, ...], int]]] = {game.id: {} for game in games}
    seats = select(Seat.game_id, Player.person_id, Seat.place, Seat.number).select_from(Seat)
    for game_id, person, place, number in session.execute(
        with_people(seats)
        .where(Seat.game_id.in_(placed), Seat.place.is_not(None))
        .order_by(Seat.game_id, Seat.number, Player.person_id)
    ):
        seat = placed[game_id].setdefault(number, ((), place or 0))
        placed[game_id][number] = ((*seat[0], person or 0), place or 0)
    return [RatedGame((game.played_on, game.id), tuple(placed[game.id].values())) for game in games]
