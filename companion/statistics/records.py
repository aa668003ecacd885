"""The league's records: the highest and the closest, of one variant, and the longest nights."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, ScalarSelect, Select, literal, select, union_all
from sqlalchemy.orm import Session

from companion.store.aliases import shared_alias
from companion.store.models import EveningSum, Game, Player, RatingRow, Seat

from .ratings import read_form

Person = shared_alias(Player)
SHOWN = 3


class RecordEntry(Struct, frozen=True):
    """Something worth remembering: how much, who, in which game.

    A game's closeness belongs to its first and second; a year names the game and not them.
    """

    value: int
    name: str
    game_id: int
    played_on: date
    variant_name: str = ""


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
    parts = [_of_seats(league_id, variant_key, kind) for kind in OF_SEATS]
    rows = session.execute(union_all(*parts, _closest(league_id, variant_key)))
    found: dict[str, list[RecordEntry]] = {kind: [] for kind in (*OF_SEATS, CLOSEST)}
    for kind, value, name, game_id, played_on in rows:
        found[kind].append(RecordEntry(value, name, game_id, played_on))
    down = {kind: highest for kind, (_, highest) in OF_SEATS.items()}
    return {
        kind: sorted(feats, key=lambda f: (-f.value if down.get(kind) else f.value, f.game_id))
        for kind, feats in found.items()
    }


def _of_seats(league_id: int, variant_key: str, kind: str) -> Select[Any]:
    column, highest = OF_SEATS[kind]
    best = (
        select(column.label("value"), Seat.player_id, Seat.game_id, Seat.played_on)
        .where(
            Seat.counted,
            Seat.league_id == league_id,
            Seat.variant_key == variant_key,
            column.is_not(None),
            *((column > 0,) if kind == "comeback" else ()),
        )
        .order_by(column.desc() if highest else column, Seat.game_id)
        .limit(SHOWN)
        .subquery()
    )
    return (
        select(literal(kind), best.c.value, Person.name, best.c.game_id, best.c.played_on)
        .join(Player, Player.id == best.c.player_id)
        .join(Person, Person.id == Player.person_id)
    )


def _closest(league_id: int, variant_key: str) -> Select[Any]:
    best = (
        select(Game.margin.label("value"), Game.id.label("game_id"), Game.played_on)
        .where(
            Game.counted,
            Game.league_id == league_id,
            Game.variant_key == variant_key,
            Game.margin.is_not(None),
        )
        .order_by(Game.margin, Game.id)
        .limit(SHOWN)
        .subquery()
    )
    both = _name_of(best.c.game_id, 0) + literal(", ") + _name_of(best.c.game_id, 1)
    return select(literal(CLOSEST), best.c.value, both, best.c.game_id, best.c.played_on)


def _name_of(game_id: ColumnElement[int], number: int) -> ScalarSelect[str]:
    """Name whoever came first (0), second (1) … in a game."""
    return (
        select(Person.name)
        .select_from(Seat)
        .join(Player, Player.id == Seat.player_id)
        .join(Person, Person.id == Player.person_id)
        .where(Seat.game_id == game_id, Seat.place.is_not(None))
        .order_by(Seat.place, Seat.number)
        .offset(number)
        .limit(1)
        .scalar_subquery()
    )


def longest_nights(
    session: Session,
    league_id: int,
    first: date = date.min,
    last: date = date.max,
    most: int = SHOWN,
) -> list[Evening]:
    """Return the dates with the most counted games; a single game makes no night of records."""
    rows = session.execute(
        select(EveningSum.played_on, EveningSum.games)
        .where(
            EveningSum.league_id == league_id,
            EveningSum.games > 1,
            EveningSum.played_on.between(first, last),
        )
        .order_by(EveningSum.games.desc(), EveningSum.played_on.desc())
        .limit(most)
    )
    return [Evening(*row) for row in rows]


def longest_runs(session: Session, league_id: int) -> list[Run]:
    """Return the longest runs of wins over all counted games; a single win is no run."""
    rows = session.execute(
        select(Player.name, RatingRow.facts)
        .join(Player, Player.id == RatingRow.person_id)
        .where(RatingRow.league_id == league_id, RatingRow.season_id == 0)
    )
    runs = [Run(name, read_form(facts).longest) for name, facts in rows]
    ordered = sorted(runs, key=lambda run: (-run.wins, run.name))
    return [run for run in ordered if run.wins > 1][:SHOWN]
