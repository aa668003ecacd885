"""What a league has of old scores already: its games, by day and points."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.store.models import Game, Player, Seat
from companion.store.names import name_key

from .plan_questions import Fingerprint


def stored_games(session: Session, league_id: int, first: date, last: date) -> set[Fingerprint]:
    """Return the fingerprints of a league's games that were played between two days."""
    rows = session.execute(
        select(Game.id, Game.played_on, Player.name, Seat.total)
        .join(Seat, Seat.game_id == Game.id)
        .join(Player, Player.id == Seat.player_id)
        .where(Game.league_id == league_id, Game.hidden.is_(False))
        .where(Game.played_on.between(first, last))
    )
    return set(_fingerprints(rows))


def _fingerprints(rows: Iterable[tuple[int, date, str, int | None]]) -> Iterable[Fingerprint]:
    games: dict[int, tuple[str, set[tuple[str, int]]]] = {}
    for number, day, name, total in rows:
        games.setdefault(number, (str(day), set()))[1].add((name_key(name), total or 0))
    return ((day, frozenset(scores)) for day, scores in games.values())
