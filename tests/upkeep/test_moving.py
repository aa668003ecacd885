"""A server moves to PostgreSQL as a whole, and back, or stays whole where it is."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from sqlalchemy import create_engine, inspect

from companion.people import leagues
from companion.store import database
from companion.store.authors import Author
from companion.store.models import db
from companion.upkeep.backups import in_use
from tests.conftest import built, empty, fresh_app, postgres_beside
from tests.leagues.copies import finished
from tests.leagues.full_league import play_with_second_thoughts
from tests.leagues.game_driver import Table, dump
from tests.processes.served import PROJECT, command, environment
from tests.support.command_runner import run
from tests.support.doses import doses
from tests.visits.phones import watched

pytestmark = pytest.mark.sql


@pytest.fixture
def url() -> str:
    """An empty database of PostgreSQL that is nobody else's."""
    return emptied(postgres_beside("moving"))


def emptied(url: str) -> str:
    engine = create_engine(database.database_url(url, Path()))
    empty(engine)
    engine.dispose()
    return url


@pytest.fixture
def lived_in(tmp_path: Path) -> Flask:
    """A server with three leagues, in which things were undone, removed and merged."""
    app = fresh_app(tmp_path)
    with app.app_context():
        for name in ("The Harpers", "The Club", "Elsewhere"):
            leagues.open_league(name, f"token of {name}")
        play_with_second_thoughts(Author(1, 1))
        finished(Author(2, 2), 0, 5, 9)
        db.session.remove()
        db.engine.dispose()
    return app


def rows(app: Flask) -> dict[str, list[str]]:
    with app.app_context():
        found = dump()
        db.session.remove()
        db.engine.dispose()
    return found


def test_a_server_moves_as_a_whole_and_back(lived_in: Flask, url: str, tmp_path: Path) -> None:
    before = rows(lived_in)
    with lived_in.app_context():
        told = run(lived_in, "move", url)
        assert told.exit_code == 0, told.output
        assert re.search(r"Moved and proved: \d+ rows\.", told.stdout)
        assert re.search(r"Put \S+\.sqlite away", told.stdout)
    moved = built(tmp_path, url)
    assert rows(moved) == before == rows(lived_in)
    with moved.app_context():
        assert run(moved, "doctor").stdout == "The database is whole.\n"
        table = Table.start(Author(1, 1))  # its number is the next one
        table.score(0, 5, 9)
        assert table.game_id == 3
        leagues.open_league("A fourth", "another token")
        after = dump()
        back = run(moved, "move", f"sqlite:///{tmp_path / 'back.sqlite'}")
        assert back.exit_code == 0, back.output
        db.session.remove()
        db.engine.dispose()
    again = built(tmp_path, f"sqlite:///{tmp_path / 'back.sqlite'}")
    assert rows(again) == after
    with again.app_context():
        assert run(again, "doctor").stdout == "The database is whole.\n"
        db.engine.dispose()


def test_a_phone_goes_on_as_if_nothing_had_happened(tmp_path: Path, url: str) -> None:
    app = fresh_app(tmp_path)
    here = watched(app)
    ann = here.phone()
    form = ann.show("/games/new/zioncheck").form()
    ann.press(form.fill("names", "Ann, Bob, Cleo"))
    with app.app_context():
        assert run(app, "move", url).exit_code == 0
    here.close()
    on_postgresql = built(tmp_path, url)
    moved = watched(on_postgresql)
    phone = moved.phone()
    for cookie in (ann.client._cookies or {}).values():
        phone.client.set_cookie(cookie.key, cookie.value)
    assert "Bob" in phone.show("/games/1").text
    moved.close()
    with on_postgresql.app_context():
        db.engine.dispose()


WRONG = [
    ("scores.sqlite", "TARGET is not the address of a database. Write postgresql://"),
    ("mysql://x/y", "TARGET names mysql"),
    ("postgresql://companion@127.0.0.1:1/x", "Nothing was moved. Of TARGET: The database server"),
    ("sqlite:////nowhere/at/all.sqlite", "TARGET /nowhere/at/all.sqlite cannot be made: is there"),
]


def test_a_place_that_cannot_be_moved_to_is_named(lived_in: Flask) -> None:
    before = rows(lived_in)
    for target, words in WRONG:
        with lived_in.app_context():
            told = run(lived_in, "move", target)
        assert (told.exit_code, words in told.stderr) == (1, True), told.output
        assert "DATABASE_URL" not in told.stderr
        assert rows(lived_in) == before, target


@pytest.mark.parametrize("version", ["0001", "9999", None])
def test_a_place_of_other_tables_is_left_as_it_is(
    lived_in: Flask, tmp_path: Path, version: str | None
) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        if version:
            connection.execute("INSERT INTO alembic_version VALUES (?)", (version,))
        connection.commit()
    before = other.read_bytes()
    with lived_in.app_context():
        told = run(lived_in, "move", f"sqlite:///{other}")
    assert "TARGET has not the tables of this version, and was left as it is." in told.stderr
    assert other.read_bytes() == before


def test_a_place_that_is_not_empty_is_left_as_it_is(
    lived_in: Flask, url: str, tmp_path: Path
) -> None:
    with lived_in.app_context():
        itself = run(lived_in, "move", f"sqlite:///{database.sqlite_path()}")
        assert "TARGET is the database that the scores are in." in itself.stderr
        missing = run(lived_in, "move", url.replace("_moving", "_nowhere"))
        assert "Nothing was moved. Of TARGET: The database server has no database" in missing.stderr
        assert run(lived_in, "move", url).exit_code == 0
        before = rows(built(tmp_path, url))
        again = run(lived_in, "move", url)
        assert again.exit_code == 1
        assert "TARGET is not empty, and was left as it is." in again.stderr
    assert rows(built(tmp_path, url)) == before


def test_nothing_moves_from_under_a_server(lived_in: Flask, url: str) -> None:
    with lived_in.app_context(), in_use():
        told = run(lived_in, "move", url)
    assert "The server is running: stop it first." in told.stderr


@pytest.mark.slow
@doses("kills", 4, 50)
def test_a_move_that_is_killed_leaves_both_whole(
    lived_in: Flask, url: str, tmp_path: Path, kills: int
) -> None:
    before, chance = rows(lived_in), Random(kills)
    target = built(tmp_path, url)
    for _ in range(kills):
        moving = subprocess.Popen(
            command("move", url), cwd=PROJECT, env=environment(tmp_path), stderr=subprocess.DEVNULL
        )
        try:
            moving.wait(chance.uniform(0.5, 6))
        except subprocess.TimeoutExpired:
            moving.send_signal(signal.SIGKILL)
        moving.wait()
        assert rows(lived_in) == before
        with target.app_context():
            has_tables = inspect(db.engine).has_table("line")
            db.engine.dispose()
        if has_tables and any((found := rows(target)).values()):
            assert found == before, "all or nothing"
            emptied(url)
    last = command("move", url)
    told = subprocess.run(last, cwd=PROJECT, env=environment(tmp_path), check=False)
    assert told.returncode == 0
    assert rows(target) == before
