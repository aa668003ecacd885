"""Sealing what was there before there were seals: once, when a database comes to them.

A note in the instance folder says that it is due, so that a server stopped meanwhile goes on at
its next start. It names the seals to which the histories come, which only who has the key can
write and only these very histories lead to: a note of somebody else's seals nothing, nor does one
from before for rows that were altered since. The doctor tells what is left unsealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from flask import current_app
from sqlalchemy import case, inspect, select, tuple_
from sqlalchemy.orm import Session

from companion.games.locking import lock_league
from companion.games.seals import add_seals, beginning, seal_of
from companion.store.database import writing
from companion.store.disk import put_in_place, sync_folder
from companion.store.event_log import log_refusal
from companion.store.models import Game, History, Seal, db

from .recount import leagues

BATCH = 500
NOTE = "to-be-sealed"
Place = tuple[int, int]


def has_no_seals() -> bool:
    """Return whether the database holds histories and has no place for seals yet."""
    tables = inspect(db.engine)
    return tables.has_table("history") and not tables.has_table("seal")


def note_unsealed() -> None:
    """Note that all histories are to be sealed; their tables are those just before seals."""
    part = _note().with_suffix(".part")
    part.write_bytes(msgspec.json.encode(_due()))
    put_in_place(part, _note())


def seal_noted() -> None:
    """Seal every history of a database that was noted, league by league, game by game."""
    if not _note().exists():
        return
    due = _due()
    if _note().read_bytes() == msgspec.json.encode(due):
        for league in due:
            _seal_league(int(league))
    else:
        log_refusal("a note that asks for seals is not ours, or histories were altered since")
    _note().unlink()
    sync_folder(_note().parent)


def _note() -> Path:
    return Path(current_app.instance_path) / NOTE


def _due() -> dict[str, str]:
    """Work out the last seal to which the history of each league comes, by the league's number."""
    key: bytes = current_app.config["SEAL_KEY"]
    due = {}
    with Session(db.engine) as session:
        for league in leagues(session):
            seal = beginning(league)
            for change in _all_changes(session, league):
                seal = seal_of(key, seal, change)
            due[str(league)] = seal
    return due


def _all_changes(session: Session, league_id: int) -> Iterator[Mapping[str, Any]]:
    """Give the whole history of a league, a part at a time."""
    after = (0, 0)
    while found := _changes(session, league_id, after):
        yield from found
        after = (found[-1]["game_id"], found[-1]["revision"])


def _changes(
    session: Session, league_id: int, after: Place, *, unsealed: bool = False
) -> list[dict[str, Any]]:
    """List some changes as they are sealed, in the order in which they are."""
    rules = case((History.revision == 1, Game.rules), else_="").label("rules")
    key = (History.game_id, History.revision)
    rows = (
        select(*History.__table__.columns, rules)
        .join(Game, Game.id == History.game_id)
        .where(History.league_id == league_id, tuple_(*key) > after)
        .order_by(*key)
        .limit(BATCH)
    )
    if unsealed:
        theirs = (Seal.game_id == key[0]) & (Seal.revision == key[1])
        rows = rows.outerjoin(Seal, theirs).where(Seal.number.is_(None))
    return [dict(row) for row in session.execute(rows).mappings()]


def _seal_league(league_id: int) -> None:
    done: Place | None = (0, 0)
    while done:
        with writing() as session:
            lock_league(session, league_id)
            done = _seal_some(session, league_id, done)


def _seal_some(session: Session, league_id: int, after: Place) -> Place | None:
    """Seal some changes that are not sealed; tell the last of them, None if there was none."""
    changes = _changes(session, league_id, after, unsealed=True)
    add_seals(session, league_id, changes)
    return (changes[-1]["game_id"], changes[-1]["revision"]) if changes else None
