"""Sealing what was there before there were seals: in the transaction that brings their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, case, select, tuple_
from sqlalchemy.orm import Session

from companion.games.seals import add_seals
from companion.store.models import Game, History

from .recount import leagues

BATCH = 500


def seal_all(connection: Connection) -> None:
    """Seal every history there is, league by league, in a transaction that is open."""
    with Session(connection) as session:
        for league in leagues(session):
            for changes in _histories(session, league):
                add_seals(session, league, changes)


def _histories(session: Session, league_id: int) -> Iterator[list[Mapping[str, Any]]]:
    """Give the changes of a league as they are sealed, game by game, a part at a time."""
    key = (History.game_id, History.revision)
    rules = case((History.revision == 1, Game.rules), else_="").label("rules")
    mine = select(*History.__table__.columns, rules).join(Game, Game.id == History.game_id)
    mine = mine.where(History.league_id == league_id).order_by(*key).limit(BATCH)
    after = (0, 0)
    while rows := session.execute(mine.where(tuple_(*key) > after)).mappings().all():
        yield [dict(row) for row in rows]
        after = (rows[-1]["game_id"], rows[-1]["revision"])
