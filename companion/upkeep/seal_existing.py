"""Sealing what was there before there were seals: once, when a database comes to them.

A note in the instance folder says that it is due, so that a server stopped meanwhile goes on at
its next start. Without the note nothing is ever sealed later: the doctor tells it instead.
"""

from __future__ import annotations

from pathlib import Path

from flask import current_app
from sqlalchemy import case, inspect, select, tuple_
from sqlalchemy.orm import Session

from companion.games.locking import lock_league
from companion.games.seals import add_seals
from companion.store.database import writing
from companion.store.disk import sync_folder
from companion.store.models import Game, History, Seal, db

from .rebuild import leagues

BATCH = 500
NOTE = "to-be-sealed"


def note_unsealed() -> None:
    """Note a database that holds histories and has no place for seals yet."""
    tables = inspect(db.engine)
    if tables.has_table("history") and not tables.has_table("seal"):
        _note().touch()
        sync_folder(_note().parent)


def seal_noted() -> None:
    """Seal every history of a database that was noted, league by league, game by game."""
    if not _note().exists():
        return
    with Session(db.engine) as session:
        waiting = leagues(session)
    for league in waiting:
        _seal_league(league)
    _note().unlink()
    sync_folder(_note().parent)


def _note() -> Path:
    return Path(current_app.instance_path) / NOTE


def _seal_league(league_id: int) -> None:
    done: tuple[int, int] | None = (0, 0)
    while done:
        with writing() as session:
            lock_league(session, league_id)
            done = _seal_some(session, league_id, done)


def _seal_some(session: Session, league_id: int, after: tuple[int, int]) -> tuple[int, int] | None:
    """Seal some changes that are not sealed; tell the last of them, None if there was none."""
    rules = case((History.revision == 1, Game.rules), else_="").label("rules")
    key = (History.game_id, History.revision)
    rows = session.execute(
        select(*History.__table__.columns, rules)
        .join(Game, Game.id == History.game_id)
        .outerjoin(Seal, (Seal.game_id == key[0]) & (Seal.revision == key[1]))
        .where(History.league_id == league_id, Seal.number.is_(None), tuple_(*key) > after)
        .order_by(*key)
        .limit(BATCH)
    ).all()
    add_seals(session, league_id, [dict(row._mapping) for row in rows])
    return (rows[-1].game_id, rows[-1].revision) if rows else None
