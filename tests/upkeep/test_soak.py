"""Small doses of the trials of `make soak`, so that each of them is known to work."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.soak import (
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
from tests.support.doses import first_in_every_run

pytestmark = pytest.mark.slow
NEEDS_ROOT = pytest.mark.skipif(not power_cuts.can_cut(), reason="only root may mount a disk")
TRIALS: dict[str, tuple[Callable[[Path, int], object], int, str]] = {
    "kills": (lambda folder, size: kills.kill(folder, None, size), 3, "none lost"),
    "races": (lambda folder, size: races.race(folder, None, size), 20, "one winner each"),
    "migrations": (lambda folder, size: migrations.migrate(folder, None, size), 120, "none lost"),
    "backups": (live_backups.back_up, 2, "each restored"),
    "strangers": (strangers.pester, 1000, "hostile requests"),
    "siege": (lambda folder, _: siege.besiege(folder, 0.1, siege.ATTACKS[::8]), 1, "a save takes"),
    "evening": (twenty_tables.play, 4, "saves of a deal"),
}


@pytest.mark.parametrize("trial", first_in_every_run(TRIALS, 2, pytest.mark.long))
def test_a_small_dose(trial: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, size, said = TRIALS[trial]
    run(tmp_path, size)
    assert said in capsys.readouterr().out


@NEEDS_ROOT
@pytest.mark.long
def test_a_small_dose_of_power_cuts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    power_cuts.cut_power(tmp_path, 2, Random(2))
    assert "2 power cuts" in capsys.readouterr().out


@NEEDS_ROOT
@pytest.mark.long
def test_a_small_dose_of_full_disks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full_disk.fill_up(tmp_path, 6)
    assert "'503':" in capsys.readouterr().out


def test_a_promise_that_is_not_kept_is_seen(tmp_path: Path) -> None:
    """The comparisons themselves: a score that is not there ends a trial."""
    (tmp_path / "instance").mkdir()
    database = tmp_path / "instance" / "companion.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE game (id INT, revision INT)")
        connection.execute("INSERT INTO game VALUES (1, 1)")
        connection.commit()
    live_backups.compare(database, {"/games/1": 1})
    with pytest.raises(AssertionError):
        live_backups.compare(database, {"/games/1": 2})
