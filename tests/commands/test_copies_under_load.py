"""Backups and copies by hand of a database that a server writes to."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from flask import Flask, current_app

from companion.people import leagues
from companion.store import database
from companion.store.models import db
from companion.upkeep import backups
from companion.upkeep.backups import in_use, is_plain_copy, mark
from tests.conftest import fresh_app
from tests.leagues.game_driver import Table
from tests.processes.commands import flask
from tests.processes.served import PROJECT
from tests.support.command_runner import refused, run
from tests.support.patience import HANGS, wait_until


class Server:
    """A process that keeps score as fast as it can, on a database marked as in use."""

    def __init__(self) -> None:
        url = db.engine.url.render_as_string(hide_password=False)
        mark(Path(database.sqlite_path()))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.processes.scorekeeper", url, "1", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=PROJECT,
            env=os.environ | {"INSTANCE_PATH": current_app.instance_path},
            text=True,
        )
        assert self.process.stdin
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self.child = int(self.next()[1])

    def next(self) -> list[str]:
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        assert words, "the server died by itself"
        return words

    def acknowledged(self, count: int) -> list[str]:
        """Read on until so many submissions were answered; give their keys."""
        keys: list[str] = []
        while len(keys) < count:
            words = self.next()
            keys += [words[1]] if words[0] == "done" else []
        return keys

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.child, signal.SIGKILL)
        self.process.communicate(timeout=HANGS)


def keys_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as copy:
        return {key for (key,) in copy.execute("SELECT key FROM history")}


@pytest.mark.slow
def test_a_backup_under_load_holds_every_answer_before_it(here: Flask, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite"
    known: set[str] = set()
    with Server() as server:
        for _ in range(4):
            target.unlink(missing_ok=True)
            known.update(server.acknowledged(7))
            told = run(here, "backup", str(target))
            assert told.exit_code == 0, told.output
            assert known <= keys_in(target)
    with closing(sqlite3.connect(target)) as copy:
        whole = {name: _rows(copy, name) for (name,) in copy.execute(TABLES)}
    assert run(here, "restore", str(target)).exit_code == 0
    with closing(sqlite3.connect(database.sqlite_path())) as live:
        assert {name: _rows(live, name) for (name,) in live.execute(TABLES)} == whole
    assert run(here, "doctor").stdout == "The database is whole.\n"


TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


def _rows(connection: sqlite3.Connection, table: str) -> list[str]:
    return sorted(repr(row) for row in connection.execute(f"SELECT * FROM {table}"))


@pytest.mark.slow
def test_a_copy_by_hand_under_load_is_told(here: Flask, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy = elsewhere / "companion.sqlite"
    with Server() as server:
        known = set(server.acknowledged(15))
        shutil.copyfile(database.sqlite_path(), copy)
    assert known - keys_in(copy), "the copy by hand lacks what was acknowledged"
    assert is_plain_copy(copy)
    assert not is_plain_copy(Path(database.sqlite_path()))
    told = flask(elsewhere, "doctor")
    assert told.returncode == 1
    assert "was copied by hand from a server in use" in told.stdout
    assert "It holds 1 league, " in told.stdout
    assert "Warning: " in flask(elsewhere, "prepare").stderr
    assert "was copied by hand from a running server" in refused(here, "restore", str(copy))
    assert run(here, "restore", str(copy), "--anyway").exit_code == 0
    assert run(here, "doctor").stdout == "The database is whole.\n"


def test_copies_of_a_server_that_stopped_and_backups_are_not_told(
    here: Flask, tmp_path: Path
) -> None:
    live, copy, backup = Path(database.sqlite_path()), tmp_path / "copy", tmp_path / "backup"
    with in_use():
        database.copy_database(live, backup)
        with in_use():
            pass
        db.engine.dispose()
        shutil.copyfile(live, copy)
        assert is_plain_copy(copy)
    db.engine.dispose()
    shutil.copyfile(live, copy)
    assert not is_plain_copy(copy)
    assert not is_plain_copy(backup)


def test_a_copy_by_hand_soon_has_what_was_saved(
    here: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it stands in the log at first, which nobody copies."""
    monkeypatch.setattr(backups, "KEPT_UP_EVERY", 0.05)
    copy = tmp_path / "copy.sqlite"

    def games() -> int:
        # By another process: opening the live file drops the locks of this one.
        subprocess.run(["cp", database.sqlite_path(), copy], check=True)
        with suppress(sqlite3.Error):
            return backups.contents(copy).games
        return 0

    before = games()
    with in_use(), db.engine.connect() as reader:
        reader.exec_driver_sql("SELECT 1").all()
        Table.start(leagues.open_league("The Harpers", "ann's token"))
        wait_until(lambda: games() == before + 1, "the file has the game")


@pytest.mark.slow
def test_a_served_database_is_marked_until_the_server_stops(tmp_path: Path) -> None:
    fresh_app(tmp_path)
    command = [sys.executable, "-m", "flask", "serve", "--host", "127.0.0.1", "--port", "0"]
    server = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=os.environ | {"INSTANCE_PATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    while "Stop with Ctrl+C" not in server.stdout.readline():
        pass
    shutil.copyfile(tmp_path / "companion.sqlite", tmp_path / "copy")
    assert is_plain_copy(tmp_path / "copy")
    server.terminate()
    server.communicate(timeout=HANGS)
    shutil.copyfile(tmp_path / "companion.sqlite", tmp_path / "copy")
    assert not is_plain_copy(tmp_path / "copy")
