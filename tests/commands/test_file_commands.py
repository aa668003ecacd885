"""Keeping the scores safe from a terminal: backups, files, checks; each refusal is one sentence."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from flask import Flask, current_app
from sqlalchemy import create_engine, update

from companion.people import leagues
from companion.phones import owner_links
from companion.statistics.standings import standings
from companion.store import authors, database
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Game, Line, PlayerSum, Seat, db
from companion.upkeep.backups import in_use, is_plain_copy, mark
from tests.conftest import fresh_app
from tests.leagues.full_league import play_with_second_thoughts
from tests.leagues.game_driver import Table, dump, unchanged
from tests.processes.commands import flask
from tests.processes.served import PROJECT
from tests.support.command_runner import refused, run
from tests.support.patience import HANGS
from tests.support.reports import THREE


def without_seal(file: Path) -> dict[str, object]:
    """What is in a file, but for the seal: a copy has a chain of its own."""
    document: dict[str, object] = json.loads(file.read_bytes())
    assert document.pop("seal")
    return document


def finished(author: Author) -> Table:
    table = Table.start(author, *THREE)
    for _ in range(7):
        table.score(0, 5, 9)
    return table


@pytest.fixture(scope="module")
def harpers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folder with the Harpers' league, one game finished."""
    folder = tmp_path_factory.mktemp("harpers")
    with fresh_app(folder).app_context():
        finished(leagues.open_league("The Harpers", "ann's token"))
        db.session.remove()
        db.engine.dispose()
    return folder


@pytest.fixture
def here(harpers: Path, tmp_path: Path) -> Iterator[Flask]:
    """The app on a copy of their folder, which is this test's own."""
    shutil.copytree(harpers, tmp_path, dirs_exist_ok=True)
    app = fresh_app(tmp_path)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


def test_a_league_goes_out_and_comes_in(app: Flask, ann: Author, tmp_path: Path) -> None:
    play_with_second_thoughts(ann)
    finished(ann)
    file, again = tmp_path / "harpers.json", tmp_path / "again.json"
    assert run(app, "export", "The Harpers", str(file)).output == (
        f"The Harpers: 2 games in {file}.\n"
    )
    assert "exists already" in refused(app, "export", "1", str(file))
    with unchanged():
        dry = run(app, "import", str(file), "--dry-run")
    assert dry.output.splitlines()[:2] == ["A new league, The Harpers.", "2 games are new."]
    assert dry.output.endswith("Nothing was changed.\n")
    told = run(app, "import", str(file)).output
    assert "Imported into league 2.\n" in told
    assert owner_links.claimed_league(db.session(), told.split("/")[-1].strip()) == (
        2,
        "The Harpers",
    )
    assert run(app, "export", "2", str(again)).exit_code == 0
    assert without_seal(again) == without_seal(file)
    into = run(app, "import", str(file), "--into", "1")
    assert into.output.startswith("2 games are here already.\n")
    assert into.output.endswith("There is nothing new in this file.\n")


def test_what_cannot_be_brought_in_is_said(app: Flask, ann: Author, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    assert "There are: 1 The Harpers." in refused(app, "export", "7", str(file))
    assert "No such file" in refused(app, "import", str(file))
    file.write_text("{}")
    assert "This file holds no league." in refused(app, "import", str(file))
    file.write_text('{"format')
    assert "This is no JSON" in refused(app, "import", str(file), "--into", "1")


def test_commands_ask_for_tables_first(tmp_path: Path) -> None:
    for words in (
        ["export", "1", "x"],
        ["archive", "1", "x"],
        ["import", "README.md"],
        ["recount"],
        ["doctor"],
    ):
        told = flask(tmp_path, *words)
        assert told.returncode == 1
        assert told.stderr == "Error: The database is not ready: run flask prepare first.\n"


def test_recount_finds_what_is_out_of_date_and_mends_it(app: Flask, ann: Author) -> None:
    finished(ann)
    first = run(app, "recount")
    assert first.output.startswith("League 1: The ratings are still to be worked out.\n")
    assert run(app, "recount", "--mend").exit_code == 0
    assert run(app, "recount").output == "Everything is as it should be.\n"
    with writing() as session:
        everywhere = {"synchronize_session": False}
        session.execute(update(PlayerSum).values(games=9), execution_options=everywhere)
        session.execute(update(Seat).where(Seat.number == 1).values(place=3))
    told = run(app, "recount", "--league", "The Harpers")
    assert told.exit_code == 1
    assert "League 1: A sum is out of date: player_sum" in told.output
    assert "the result of Bob is out of date." in told.output
    assert run(app, "recount", "--mend").exit_code == 0
    assert run(app, "recount").output == "Everything is as it should be.\n"


def test_games_taken_out_are_looked_over_like_the_rest_and_count_nowhere(
    app: Flask, ann: Author
) -> None:
    table = finished(ann)
    with writing() as session:
        session.execute(update(Game).where(Game.id == table.game_id).values(hidden=True))
    assert "what it came to is out of date" in run(app, "recount").output
    assert run(app, "recount", "--mend").exit_code == 0
    assert run(app, "doctor").output == "The database is whole.\n"
    assert standings(db.session(), ann.league_id) == []


def test_recount_tells_posted_points_and_never_changes_them(app: Flask, ann: Author) -> None:
    table = finished(ann)
    assert run(app, "recount", "--mend").exit_code == 0
    with writing() as session:
        mine = (Line.game_id == table.game_id, Line.position == 2, Line.seat == 1)
        session.execute(update(Line).where(*mine).values(points=7))
    told = run(app, "recount", "--mend")
    assert told.exit_code == 1
    assert "deal 2: Bob has 7 posted, the rules give 5." in told.output
    assert table.record.deals[1].lines[1].points == 7
    again = run(app, "recount")
    assert again.output.count("\n") == 1
    assert again.exit_code == 1


def test_the_doctor_finds_a_whole_league_whole(app: Flask, ann: Author) -> None:
    play_with_second_thoughts(ann)
    assert run(app, "doctor").output == "The database is whole.\n"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "UPDATE line SET points = 12 WHERE position = 3 AND seat = 1",
            "is not what its history says.",
        ),
        ("UPDATE deal SET step = 3 WHERE position = 2", "is not what its history says."),
        ("DELETE FROM line WHERE position = 2", "Game 1: deal 2 has no points."),
        ("UPDATE line SET points = 12.5 WHERE position = 2", "points is not a whole number."),
        (
            "UPDATE seat SET joined = 9 WHERE number = 1",
            "has points for a player who was not there.",
        ),
        ("UPDATE season SET league_id = 2, name = 'X' WHERE id = 1", "than their season."),
        ("UPDATE game SET rules = '{}'", "Game 1 cannot be read: "),
        ("UPDATE game SET revision = 99", " is missing from its history."),
        ("UPDATE game SET revision = 1", "its history goes on after its latest change, 1."),
        ("UPDATE seat SET start = 50", "is not what its history says."),
        ("UPDATE deal SET void = 1 WHERE position = 2", "deal 2 is cancelled but has points."),
    ],
)
def test_the_doctor_says_what_is_broken(here: Flask, statement: str, words: str) -> None:
    leagues.open_league("Dev's club", "dev's token")
    db.session.remove()
    db.engine.dispose()
    path = Path(database.sqlite_path())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute(statement)
    told = run(here, "doctor")
    assert told.exit_code == 1
    assert words in told.output
    assert "Traceback" not in told.output


def test_the_doctor_finds_who_sits_twice_by_two_names(here: Flask) -> None:
    with closing(sqlite3.connect(database.sqlite_path(), isolation_level=None)) as connection:
        connection.execute("UPDATE player SET person_id = 1 WHERE id = 2")
    assert "Game 1: one person has two seats, under two names." in run(here, "doctor").output


def test_a_missing_deal_is_found(here: Flask) -> None:
    with closing(sqlite3.connect(database.sqlite_path(), isolation_level=None)) as connection:
        connection.execute("DELETE FROM line WHERE position = 3")
        connection.execute("DELETE FROM deal WHERE position = 3")
    assert "Game 1: a deal is missing." in run(here, "doctor").output


def test_a_backup_comes_back(here: Flask, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite"
    assert run(here, "backup", str(target)).exit_code == 0
    before = dump()
    finished(Author(1, 1))
    later = dump()
    told = run(here, "restore", str(target))
    assert told.exit_code == 0, told.output
    assert told.output.startswith("Restored: 1 leagues, 1 games; the latest change is of ")
    assert dump() == before
    (kept,) = (tmp_path / "backups").glob("before-restore-*.sqlite")
    assert str(kept) in told.output
    assert run(here, "restore", str(kept)).exit_code == 0
    assert dump() == later
    assert run(here, "doctor").output == "The database is whole.\n"


def test_what_cannot_be_restored_is_said(here: Flask, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.sqlite", tmp_path / "bad.sqlite"
    assert "There is no file" in refused(here, "restore", str(tmp_path / "nowhere"))
    bad.write_bytes(b"")
    assert "is no database." in refused(here, "restore", str(bad))
    run(here, "backup", str(good))
    bad.write_bytes(good.read_bytes()[:40_000])
    assert "is damaged" in refused(here, "restore", str(bad))
    bad.unlink()
    with closing(sqlite3.connect(bad, isolation_level=None)) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    assert "is a database of another program." in refused(here, "restore", str(bad))
    shutil.copyfile(good, bad)
    with closing(sqlite3.connect(bad, isolation_level=None)) as later:
        later.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "was made by a later version" in refused(here, "restore", str(bad))
    shutil.copyfile(good, bad)
    with closing(sqlite3.connect(bad, isolation_level=None)) as lost:
        lost.execute("UPDATE game SET season_id = 77")
    assert "some of its rows belong to nothing" in refused(here, "restore", str(bad))
    shutil.copyfile(good, bad)
    with closing(sqlite3.connect(bad, isolation_level=None)) as unguarded:
        unguarded.execute("DROP TRIGGER history_no_update")
    said = refused(here, "restore", str(bad), "--anyway")
    assert "The database lacks the trigger history_no_update." in said
    assert not list(tmp_path.glob(".restoring*"))


def spoiled(good: Path, bad: Path, *statements: str) -> Path:
    """A copy in which somebody changed what is stored, and left no other trace."""
    shutil.copyfile(good, bad)
    with closing(sqlite3.connect(bad, isolation_level=None)) as connection:
        guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(guards).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *(sql for _, sql in triggers)):
            connection.execute(statement)
    return bad


DIGIT = "UPDATE line SET points = points + 1 WHERE position = 3 AND seat = 1"
REWRITTEN = "UPDATE history SET action = 'thrown in' WHERE revision = 3"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (DIGIT, "League 1: Game 1: what is stored is not what its history says."),
        (REWRITTEN, "is not what was sealed as number 3."),
        ("DELETE FROM seal", "was never sealed."),
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
    assert told.output.startswith("Restored: 1 leagues, 1 games;")
    assert {name: rows for name, rows in dump().items() if name in ("line", "history")} == {
        name: rows for name, rows in before.items() if name in ("line", "history")
    }


def migrate_to(path: Path, revision: str) -> None:
    """Take a database back to an earlier version of its tables."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"isolation_level": None})
    database.watch(engine)
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
    assert told.stderr == "Error: The server is running: stop it first.\n"
    with closing(sqlite3.connect(database.sqlite_path())) as somebody:
        somebody.execute("SELECT count(*) FROM game").fetchone()
        told = flask(tmp_path, "restore", str(target))
    assert told.stderr == "Error: The database is open in another program: stop that first.\n"
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
    assert run(here, "doctor").output == "The database is whole.\n"


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
    assert "It holds 1 leagues, " in told.stdout
    assert "Warning: " in flask(elsewhere, "prepare").stderr
    assert "was copied by hand from a running server" in refused(here, "restore", str(copy))
    assert run(here, "restore", str(copy), "--anyway").exit_code == 0
    assert run(here, "doctor").output == "The database is whole.\n"


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


def test_export_names_no_token(here: Flask, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    run(here, "export", "1", str(file))
    assert authors.token_hash("ann's token") not in file.read_text()
    assert json.loads(file.read_text())["devices"] == [{"number": 1, "role": "owner"}]
