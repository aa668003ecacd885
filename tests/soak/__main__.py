"""All trials: `python -m tests.soak [share [trial …]]`; pytest runs small doses of them.

The share is 1 unless given: 0.01 is a hundredth of everything. Whole they take three hours and
more; with names, such as `1 siege`, only those trials run. Uses fresh SQLite files, and then
the empty PostgreSQL of TEST_DATABASE_URL if there is one. Pulling the plug and filling a disk need
root, and are said to be left out otherwise.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from sqlalchemy import create_engine

from companion.store import database
from tests.conftest import empty

from . import (
    full_disk,
    kills,
    live_backups,
    migrations,
    power_cuts,
    races,
    siege,
    strangers,
    twenty_tables,
)


def on_both(trial: Callable[[Path, str | None, int], None], size: int) -> None:
    """Run a trial on a file, then on PostgreSQL where it is named."""
    for url in filter(lambda url: url != "", (None, os.environ.get("TEST_DATABASE_URL", ""))):
        if url:
            engine = create_engine(database.database_url(url, Path()))
            empty(engine)
            engine.dispose()
        with tempfile.TemporaryDirectory() as place:
            trial(Path(place), url, size)


def on_a_file(trial: Callable[[Path, int], None], size: int) -> None:
    """Run a trial on SQLite."""
    with tempfile.TemporaryDirectory() as place:
        trial(Path(place), size)


def main(share: float, *only: str) -> None:
    """Run all trials, or those named, at so large a share of their full size."""

    def of(size: int) -> int:
        return max(1, round(size * share))

    trials: dict[str, Callable[[], None]] = {
        "kills": lambda: on_both(kills.kill, of(1000)),
        "races": lambda: on_both(races.race, of(10_000)),
        "migrations": lambda: on_both(migrations.migrate, max(1, round(1 / share))),
        "backups": lambda: on_a_file(live_backups.back_up, of(500)),
        "strangers": lambda: on_a_file(strangers.pester, of(100_000)),
        "power": lambda: as_root(cut_power, of(500)),
        "disks": lambda: as_root(full_disk.fill_up, of(200)),
        "siege": lambda: on_a_file(besiege, of(600)),
        "evening": lambda: on_a_file(twenty_tables.play, of(3600)),
    }
    if unknown := set(only) - set(trials):
        raise SystemExit(f"There is no {', '.join(unknown)}; there are {', '.join(trials)}.")
    for name in only or trials:
        trials[name]()


def as_root(trial: Callable[[Path, int], None], size: int) -> None:
    """Run a trial that mounts a disk, or say that it is left out."""
    if power_cuts.can_cut():
        on_a_file(trial, size)
    else:
        print("A trial with a disk of its own is left out: only root may mount one.")


def cut_power(place: Path, cuts: int) -> None:
    """Cut the power at random moments."""
    power_cuts.cut_power(place, cuts, Random())


def besiege(place: Path, seconds: int) -> None:
    """Share the seconds among all attacks, and raise `AssertionError` where one is too much."""
    slow = siege.besiege(place, seconds / len(siege.ATTACKS) / 2, siege.ATTACKS)
    assert not slow, slow


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 1, *sys.argv[2:])
