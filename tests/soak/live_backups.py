"""Backups while a table is being scored: each holds what was acknowledged before it began."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from tests.processes.commands import flask
from tests.processes.served import BEHIND_A_PROXY, Browser, Scorer, another_address, served

OF_A_HOUSE = 50
"""Backups of one house before another is founded: games add up, and a restore proves each."""


def back_up(folder: Path, times: int) -> None:
    """Back up and restore so many times, and compare with what the table was told."""
    began, scores = time.monotonic(), 0
    for first in range(0, times, OF_A_HOUSE):
        scores += _of_a_house(folder / f"house{first}", min(OF_A_HOUSE, times - first))
    took = round(time.monotonic() - began)
    print(f"sqlite: {times} backups beside {scores} scores, each restored, none lost, {took} s")


def _of_a_house(folder: Path, times: int) -> int:
    """Back up and restore a house while it is scored; how many changes it was promised."""
    instance, other, promised = folder / "instance", folder / "other", dict[str, int]()
    folder.mkdir()
    with served(instance, **BEHIND_A_PROXY) as server:
        over = Event()
        player = Thread(target=_play, args=(server.port, promised, over))
        player.start()
        try:
            for number in range(times):
                before, copy = dict(promised), folder / f"{number}.sqlite"
                assert "Copied and checked" in flask(instance, "backup", str(copy)).stdout
                other.mkdir(exist_ok=True)
                shutil.copy(instance / "secret_key", other)
                done = flask(other, "restore", str(copy))
                assert done.returncode == 0, done.stderr
                compare(other / "companion.sqlite", before)
                copy.unlink()
        finally:
            over.set()
            player.join()
    return sum(promised.values())


def _play(port: int, promised: dict[str, int], over: Event) -> None:
    browser = Browser(port, address=another_address())
    while not over.is_set():
        scorer = Scorer.start(browser)
        for _ in range(5):
            promised[scorer.game] = scorer.score(10)


def compare(copy: Path, before: dict[str, int]) -> None:
    """Raise `AssertionError` where a game has fewer changes than were promised."""
    with closing(sqlite3.connect(copy)) as connection:
        stored = dict(connection.execute("SELECT id, revision FROM game").fetchall())
    for game, revision in before.items():
        assert stored.get(int(game.rpartition("/")[2]), 0) >= revision, (game, before)
