"""What a league has of old scores already: marks of its games, by day and points."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.store.models import Game, Player, Seat
from companion.store.names import name_key

Mark = tuple[str, frozenset[tuple[str, int]]]


def stored_marks(session: Session, league_id: int, first: date, last: date) -> set[Mark]:
    """Return what tells each game of a league that was played between two days from others."""
    rows = session.execute(
        select(Game.id, Game.played_on, Player.name, Seat.total)
        .join(Seat, Seat.game_id == Game.id)
        .join(Player, Player.id == Seat.player_id)
        .where(Game.league_id == league_id, Game.hidden.is_(False))
        .where(Game.played_on.between(first, last))
    )
    return set(_marks(rows))


def _marks(rows: Iterable[tuple[int, date, str, int | None]]) -> Iterable[Mark]:
    games: dict[int, tuple[str, set[tuple[str, int]]]] = {}
    for number, day, name, total in rows:
        games.setdefault(number, (str(day), set()))[1].add((name_key(name), total or 0))
    return ((day, frozenset(scores)) for day, scores in games.values())
