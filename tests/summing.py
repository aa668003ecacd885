"""What the sums of a league should be, added up game by game from the stored seats and lines."""

from __future__ import annotations

from typing import Any

from companion.league.models import ContractSum, EveningSum, PlayerSum, RivalSum, db

KEYS = {
    PlayerSum: ("season_id", "variant_key", "players", "person_id"),
    RivalSum: ("variant_key", "person_id", "other_id"),
    ContractSum: ("variant_key", "contract", "person_id"),
    EveningSum: ("played_on",),
}
SUMS = {
    PlayerSum: ("games", "shares", "places", "whole_games", "ahead"),
    RivalSum: ("games", "above", "level"),
    ContractSum: ("deals", "points", "ended"),
    EveningSum: ("games",),
}
Sums = dict[str, dict[tuple[Any, ...], tuple[int, ...]]]


def everything(league_id: int) -> Sums:
    """The stored sums of a league by table and key; those that came to nothing are left out."""
    db.session.rollback()
    found: Sums = {}
    for model, keys in KEYS.items():
        stored = db.session.query(model).filter_by(league_id=league_id)
        found[model.__tablename__] = {
            tuple(getattr(row, key) for key in keys): values
            for row in stored
            if any(values := tuple(getattr(row, name) for name in SUMS[model]))
        }
    return found
