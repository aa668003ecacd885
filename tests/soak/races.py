"""Eight phones save on one revision at the same moment, again and again: one of them wins."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from uuid import uuid4

from flask import Flask

from companion.games.writer import StaleError, change_game
from companion.people import leagues
from companion.store.models import db
from tests.conftest import fresh_app
from tests.leagues.game_driver import Table, check_sound, scoring, told
from tests.processes.crash import check_database
from tests.processes.load import ENDLESS
from tests.support.patience import HANGS

PHONES = 8
A_GAME = 100
"""Rounds of one game: then it is looked over, and the next one begins."""


def race(folder: Path, url: str | None, rounds: int) -> None:
    """Let eight threads save at once, so many times, and count who won."""
    app = fresh_app(folder, url)
    with app.app_context(), ThreadPoolExecutor(PHONES) as pool:
        ann, began = leagues.open_league("The Harpers", "ann's token"), time.monotonic()
        table = Table.start(ann, "Ann", "Bob", "Cleo", variant=ENDLESS)
        for turn in range(rounds):
            saved = _at_once(app, pool, table)
            assert saved == {"saved": 1, "stale": PHONES - 1}, saved
            table.revision += 1
            if turn % A_GAME == A_GAME - 1:
                check_sound(table.game_id)
                table = Table.start(ann, "Ann", "Bob", "Cleo", variant=ENDLESS)
        check_database()
        took = round(time.monotonic() - began)
        print(f"{db.engine.dialect.name}: {rounds} races of {PHONES}, one winner each, {took} s")
        db.session.remove()
        db.engine.dispose()


def _at_once(app: Flask, pool: ThreadPoolExecutor, table: Table) -> Counter[str]:
    barrier, seen = Barrier(PHONES), table.revision

    def save(phone: int) -> str:
        with app.app_context():
            deal = scoring(told(0, phone + 2, 5))
            barrier.wait(HANGS)
            try:
                change_game(table.author, table.game_id, seen, uuid4().hex, "scored", deal)
                return "saved"
            except StaleError:
                return "stale"
            finally:
                db.session.remove()

    return Counter(pool.map(save, range(PHONES), timeout=HANGS))
