"""A writer that is killed a thousand times, and three servers under eighty phones."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from companion.people import leagues
from companion.store.models import db
from tests.conftest import fresh_app
from tests.processes.crash import Writer, check_database, kill_and_check
from tests.processes.load import crowd_and_check

WAITING = 64
"""Phones beside the sixteen that write: eighty at the tables that the kills meet."""


def kill(folder: Path, url: str | None, kills: int) -> None:
    """Kill and check, then kill one of three servers a third as often."""
    with fresh_app(folder, url).app_context():
        engine, began = db.engine.dialect.name, time.monotonic()
        chance, answers = Random(), 0
        with Writer(leagues.open_league("The Harpers", "ann's token")) as writer:
            for number in range(1, kills + 1):
                answers += kill_and_check(writer, chance)
                if number % 50 == 0 or number == kills:
                    check_database()
                    took = round(time.monotonic() - began)
                    print(f"{engine}: {number} kills, {answers} answers, none lost, {took} s")
                    sys.stdout.flush()
        db.session.remove()
        began = time.monotonic()
        told = dict(sorted(crowd_and_check(kills // 3, WAITING).items()))
        took = round(time.monotonic() - began)
        print(f"{engine}: {kills // 3} kills of 3 servers, answers {told}, none lost, {took} s")
        db.session.remove()
        db.engine.dispose()
