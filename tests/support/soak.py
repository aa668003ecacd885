"""Kill the writer a thousand times: `python -m tests.support.soak [KILLS]`; pytest never runs this.

Then let sixteen phones write one game on three servers, of which one is killed a third as often.

Uses a fresh SQLite file, and then the empty PostgreSQL of TEST_DATABASE_URL if there is one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from sqlalchemy import create_engine

from companion.people import leagues
from companion.store import database
from companion.store.models import db
from tests.conftest import empty, fresh_app

from .crash import Writer, check_database, kill_and_check
from .load import crowd_and_check


def soak(folder: Path, url: str | None, kills: int) -> None:
    """Kill, check, and tell how it goes."""
    with fresh_app(folder, url).app_context():
        engine, began = db.engine.dialect.name, time.monotonic()
        chance, answers = Random(), 0
        with Writer.start(leagues.open_league("The Harpers", "ann's token")) as writer:
            for number in range(1, kills + 1):
                answers += kill_and_check(writer, chance)
                if number % 50 == 0 or number == kills:
                    check_database()
                    took = round(time.monotonic() - began)
                    print(f"{engine}: {number} kills, {answers} answers, none lost, {took} s")
                    sys.stdout.flush()
        db.session.remove()
        began = time.monotonic()
        told = dict(sorted(crowd_and_check(kills // 3).items()))
        took = round(time.monotonic() - began)
        print(f"{engine}: {kills // 3} kills of 3 servers, answers {told}, none lost, {took} s")
        db.session.remove()
        db.engine.dispose()


def databases() -> Iterator[str | None]:
    """A file, then PostgreSQL where it is named."""
    yield None
    if url := os.environ.get("TEST_DATABASE_URL"):
        engine = create_engine(database.database_url(url, Path()))
        empty(engine)
        engine.dispose()
        yield url


if __name__ == "__main__":
    for address in databases():
        with tempfile.TemporaryDirectory() as place:
            soak(Path(place), address, int(sys.argv[1]) if sys.argv[1:] else 1000)
