"""The league's records: the highest and the closest, of one variant, and the longest nights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, ScalarSelect, Select, func, literal, select, union_all
from sqlalchemy.orm import Session

from companion.games.entries import Person, with_names
from companion.games.rating_replay import current_forms
from companion.store.models import Game, Player, Seat

OF_GAME = (Game.id, Game.played_on, Game.variant_name)
Where = Sequence[ColumnElement[bool]]
SHOWN = 3


class RecordEntry(Struct, frozen=True):
    """Something worth remembering: how much, who, in which game.

    A game's closeness belongs to its first and second.
    """

    value: int
    name: str
    game_id: int
    played_on: date
    variant_name: str


class Evening(Struct, frozen=True):
    """One date, and how many games of it count."""

    played_on: date
    games: int


class Run(Struct, frozen=True):
    """Somebody's longest run of wins."""

    name: str
    wins: int


OF_SEATS = {
    "lowest_total": (Seat.total, False),
    "highest_total": (Seat.total, True),
    "highest_deal": (Seat.high, True),
    "lowest_deal": (Seat.low, False),
    "comeback": (Seat.comeback, True),
}
CLOSEST = "closest"


def records(session: Session, league_id: int, variant_key: str) -> dict[str, list[RecordEntry]]:
    """Return the first three of every record of one variant, in one query.

    The keys are those of `OF_SEATS` and `closest`. Only counted games; totals only of players who
    played from the first deal to the last.
    """
    return feats(
        session,
        (Player.league_id == league_id, Seat.variant_key == variant_key),
        (Game.league_id == league_id, Game.variant_key == variant_key),
    )


def feats(
    session: Session, seats: Where, games: Where, kinds: Iterable[str] = OF_SEATS, most: int = SHOWN
) -> dict[str, list[RecordEntry]]:
    """Return the first few of these kinds and of `closest`, in one query.

    `seats`, beside whose player they stand, and `games` say where to look.
    """
    parts = [_of_seats(seats, kind, most) for kind in kinds]
    by_kind: dict[str, list[RecordEntry]] = {kind: [] for kind in (*kinds, CLOSEST)}
    rows = session.execute(union_all(*parts, _closest(games, most)))
    for kind, _, *feat in sorted(rows, key=_order):
        by_kind[kind].append(RecordEntry(*feat))
    return by_kind


def _order(feat: Sequence[Any]) -> tuple[Any, ...]:
    kind, seat, value, _, game_id, *_ = feat
    _, is_most = OF_SEATS.get(kind, (None, False))
    return kind, -value if is_most else value, game_id, seat


def _of_seats(seats: Where, kind: str, most: int) -> Select[Any]:
    column, highest = OF_SEATS[kind]
    best = (
        select(column.label("value"), Seat.player_id, Seat.game_id, Seat.number)
        .join(Player, Player.id == Seat.player_id)
        .where(
            *seats,
            Seat.counted,
            column.is_not(None),
            *((column > 0,) if kind == "comeback" else ()),
        )
        .order_by(column.desc() if highest else column, Seat.game_id, Seat.number)
        .limit(most)
        .subquery()
    )
    named = select(literal(kind), best.c.number, best.c.value, Person.name, *OF_GAME)
    return with_names(named.join(Game, Game.id == best.c.game_id), best.c.player_id)


def _closest(games: Where, most: int) -> Select[Any]:
    best = (
        select(Game.margin, *OF_GAME)
        .where(*games, Game.counted, Game.margin.is_not(None))
        .order_by(Game.margin, Game.id)
        .limit(most)
        .subquery()
    )
    both_names = _name_of(best.c.id, 0) + literal(", ") + _name_of(best.c.id, 1)
    margin, *of_game = best.c
    return select(literal(CLOSEST), literal(0), margin, both_names, *of_game)


def _name_of(game_id: ColumnElement[int], number: int) -> ScalarSelect[str]:
    """Name whoever came first (0), second (1) … in a game."""
    return (
        with_names(select(Person.name).select_from(Seat))
        .where(Seat.game_id == game_id, Seat.place.is_not(None))
        .order_by(Seat.place, Seat.number)
        .offset(number)
        .limit(1)
        .scalar_subquery()
    )


def games_by_day(league_id: int, *which: ColumnElement[bool]) -> Select[date, int]:
    """Ask for the dates of counted games, and how many of each."""
    counted = select(Game.played_on, func.count()).group_by(Game.played_on)
    return counted.where(Game.league_id == league_id, Game.counted, *which)


def longest_nights(
    session: Session,
    league_id: int,
    first: date = date.min,
    last: date = date.max,
    most: int = SHOWN,
) -> list[Evening]:
    """Return the dates with the most counted games; a single game makes no night of records."""
    rows = session.execute(
        games_by_day(league_id, Game.played_on.between(first, last))
        .having(func.count() > 1)
        .order_by(func.count().desc(), Game.played_on.desc())
        .limit(most)
    )
    return [Evening(*row) for row in rows]


def longest_runs(session: Session, league_id: int) -> list[Run]:
    """Return the longest runs of wins over all counted games; a single win is no run."""
    forms = current_forms(session, league_id)
    best = {who: form.longest for who, form in forms.items() if form.longest > 1}
    names = session.execute(select(Player.id, Player.name).where(Player.id.in_(best)))
    runs = [Run(name, best[person]) for person, name in names]
    ordered = sorted(runs, key=lambda run: (-run.wins, run.name))
    return ordered[:SHOWN]
