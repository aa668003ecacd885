"""A migration killed before each of its statements: the next start goes on as if nothing was."""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from pathlib import Path

from flask import Flask
from sqlalchemy import create_engine

from companion.statistics.standings import standings
from companion.store import database
from companion.store.models import db
from companion.upkeep import startup
from tests.conftest import built, empty
from tests.leagues.old_database import played_under_0002
from tests.processes.crash import check_database, kill_before

WON = [("Ann", 1, 1), ("Bob", 1, 0), ("Cleo", 1, 0)]


def migrate(folder: Path, url: str | None, every: int) -> None:
    """Kill before each statement of the whole migration, or before every so many."""
    began = time.monotonic()
    for number, statement in enumerate(count(1, every)):
        place = folder / f"migration{number}"
        place.mkdir()
        app = _old(place, url)
        ended = _killed(app, statement)
        with app.app_context():
            startup.prepare(is_backed_up=True)
            rows = standings(db.session(), 1)
            assert [(row.name, row.games, int(row.wins)) for row in rows] == WON, statement
            check_database()
            db.session.remove()
            db.engine.dispose()
            kind = db.engine.dialect.name
        if not ended:
            break
        assert ended == -signal.SIGKILL, ended
    took = round(time.monotonic() - began)
    print(f"{kind}: a migration killed at {number} of {statement} statements, none lost, {took} s")


def _old(place: Path, url: str | None) -> Flask:
    if url:
        engine = create_engine(database.database_url(url, Path()))
        empty(engine)
        engine.dispose()
    app = built(place, url)
    with app.app_context():
        played_under_0002(app)
        db.session.remove()
        db.engine.dispose()
    return app


def _killed(app: Flask, statement: int) -> int:
    """Start in a child that is killed before a statement; how it ended."""
    child = os.fork()
    if not child:
        code = 1
        try:
            with app.app_context():
                kill_before(statement, db.engine)
                startup.prepare(is_backed_up=True)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
