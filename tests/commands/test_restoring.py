"""Backups come back, and what cannot be restored is said."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from flask import Flask, current_app
from sqlalchemy import create_engine

from companion.store import database
from companion.store.authors import Author
from companion.store.models import db
from companion.upkeep.backups import in_use
from tests.leagues.copies import finished
from tests.leagues.game_driver import dump
from tests.processes.commands import flask
from tests.support.command_runner import refused, run

from .altered import alter


def test_a_backup_comes_back(here: Flask, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite"
    assert run(here, "backup", str(target)).exit_code == 0
    before = dump()
    finished(Author(1, 1), 0, 5, 9)
    later = dump()
    told = run(here, "restore", str(target))
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("Restored: 1 league, 1 game; the latest change is of ")
    assert dump() == before
    (kept,) = (tmp_path / "backups").glob("before-restore-*.sqlite")
    assert str(kept) in told.output
    assert run(here, "restore", str(kept)).exit_code == 0
    assert dump() == later
    assert run(here, "doctor").stdout == "The database is whole.\n"


def test_what_cannot_be_restored_is_said(here: Flask, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.sqlite", tmp_path / "bad.sqlite"
    assert "There is no file" in refused(here, "restore", str(tmp_path / "nowhere"))
    bad.write_bytes(b"")
    assert "is no database." in refused(here, "restore", str(bad))
    run(here, "backup", str(good))
    bad.write_bytes(good.read_bytes()[:40_000])
    assert "is damaged" in refused(here, "restore", str(bad))
    bad.unlink()
    alter(bad, "CREATE TABLE recipe (name TEXT)")
    assert "is a database of another program." in refused(here, "restore", str(bad))
    for statement, words, *anyway in (
        ("UPDATE alembic_version SET version_num = '9999'", "was made by a later version"),
        ("UPDATE game SET act_id = 77", "some of its rows belong to nothing"),
        (
            "DROP TRIGGER history_no_update",
            "The database lacks the trigger history_no_update.",
            "--anyway",
        ),
    ):
        shutil.copyfile(good, bad)
        alter(bad, statement)
        assert words in refused(here, "restore", str(bad), *anyway)
    assert not list(tmp_path.glob(".restoring*"))


def spoiled(good: Path, bad: Path, *statements: str) -> Path:
    """A copy in which somebody changed what is stored, and left no other trace."""
    shutil.copyfile(good, bad)
    with closing(sqlite3.connect(bad)) as connection:
        all_of_them = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(all_of_them).fetchall()
    dropped = (f"DROP TRIGGER {name}" for name, _ in triggers)
    alter(bad, *dropped, *statements, *(sql for _, sql in triggers))
    return bad


DIGIT = "UPDATE line SET points = points + 1 WHERE position = 3 AND seat = 1"
CUT_OFF = "DELETE FROM history WHERE revision = 3"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (DIGIT, "League 1: Game 1: what is stored is not what its history says."),
        (CUT_OFF, "League 1: Game 1: change 3 is missing from its history."),
    ],
)
def test_a_backup_that_is_not_what_its_history_says_comes_back_only_when_told_so(
    here: Flask, tmp_path: Path, statement: str, words: str
) -> None:
    good, bad = tmp_path / "good.sqlite", tmp_path / "bad.sqlite"
    run(here, "backup", str(good))
    said = refused(here, "restore", str(spoiled(good, bad, statement)))
    assert words in said
    assert f"{bad} is not sound, and nothing was changed." in said
    assert "--anyway" in said
    assert not list(tmp_path.glob(".restoring*"))
    assert not list(tmp_path.glob(".proving*"))
    anyway = run(here, "restore", str(bad), "--anyway")
    assert anyway.exit_code == 0
    assert words in anyway.output
    assert "Restored: " in anyway.output


def test_a_backup_of_an_earlier_version_is_proved_by_its_history_too(
    here: Flask, tmp_path: Path
) -> None:
    old, bad = tmp_path / "old.sqlite", tmp_path / "bad.sqlite"
    run(here, "backup", str(old))
    before = dump()
    migrate_to(old, "0003")
    assert "is not what its history says." in refused(
        here, "restore", str(spoiled(old, bad, DIGIT))
    )
    told = run(here, "restore", str(old))
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("Restored: 1 league, 1 game;")
    assert {name: rows for name, rows in dump().items() if name in ("line", "history")} == {
        name: rows for name, rows in before.items() if name in ("line", "history")
    }


def migrate_to(path: Path, revision: str) -> None:
    """Take a database back to an earlier version of its tables."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"isolation_level": None})
    database.watch(engine)
    database.load_migrations(current_app)
    config = current_app.extensions["migrate"].migrate.get_config(str(database.MIGRATIONS))
    config.attributes["engine"] = engine
    command.downgrade(config, revision)
    engine.dispose()


def test_nothing_is_restored_while_a_server_runs(here: Flask, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite"
    run(here, "backup", str(target))
    db.engine.dispose()
    with in_use():
        told = flask(tmp_path, "restore", str(target))
    assert told.stderr.endswith("Error: The server is running: stop it first.\n")
    with closing(sqlite3.connect(database.sqlite_path())) as somebody:
        somebody.execute("SELECT count(*) FROM game").fetchone()
        told = flask(tmp_path, "restore", str(target))
    assert "Error: The database is open in another program: stop that first.\n" in told.stderr
    assert flask(tmp_path, "restore", str(target)).returncode == 0


def test_a_damaged_database_is_kept_and_replaced(here: Flask, tmp_path: Path) -> None:
    target, live = tmp_path / "backup.sqlite", Path(database.sqlite_path())
    run(here, "backup", str(target))
    before = dump()
    db.session.remove()
    db.engine.dispose()
    live.write_bytes(b"SQLite format 3\0" + b"\x07" * 5_000)
    assert run(here, "restore", str(target)).exit_code == 0
    assert dump() == before
    (kept,) = (tmp_path / "backups").glob("before-restore-*.sqlite")
    assert kept.stat().st_size == 5_016
