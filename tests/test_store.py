"""The database: its settings, its migrations, what it refuses, and starting it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.league import keeper, store
from companion.league.keeper import Author
from companion.league.models import Base, League, db
from companion.rules import find_variant

from .conftest import fresh_app


def test_the_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    migrated = fresh_app(tmp_path)
    with migrated.app_context():
        db.engine.dispose()
    created = tmp_path / "created.sqlite"
    engine = create_engine(f"sqlite:///{created}")
    Base.metadata.create_all(engine)
    engine.dispose()
    ours, theirs = _schema(tmp_path / "companion.sqlite"), _schema(created)
    assert {"line", "history", "history_no_update", "uq_line_one_ending"} <= ours.keys()
    assert ours == theirs


def _schema(path: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT name, sql FROM sqlite_master "
            "WHERE sql IS NOT NULL AND name <> 'alembic_version'"
        ).fetchall()
    return {
        name: sorted(part.strip(" \n\t,") for part in sql.replace('"', "").split("\n"))
        for name, sql in rows
    }


def test_both_engines_have_the_same_constraints(app: Flask) -> None:
    tables = inspect(db.engine)
    assert {key["name"] for key in tables.get_foreign_keys("line")} == {
        "fk_line_game_id_position_deal",
        "fk_line_game_id_seat_seat",
        "fk_line_league_id_game_id_game",
    }
    checks = {str(check["name"]) for check in tables.get_check_constraints("line")}
    assert {"ck_line_declared", "ck_line_points"} <= checks


def test_connections_lose_nothing(tmp_path: Path) -> None:
    app = fresh_app(tmp_path)
    with app.app_context(), db.engine.connect() as connection:
        connection.execute(text("SELECT count(*) FROM league"))
        settings = ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
        values = [connection.exec_driver_sql(f"PRAGMA {s}").scalar() for s in settings]
    assert values == ["wal", 2, 1, 1]


def test_a_session_opened_for_reading_cannot_write(app: Flask) -> None:
    db.session.add(League(name="Sneaky", created_at=keeper.now()))
    with pytest.raises(store.WriteOutsideKeeperError):
        db.session.commit()
    db.session.rollback()


def test_history_cannot_be_changed_or_deleted(app: Flask, ann: Author) -> None:
    keeper.start_game(ann, "key", find_variant("zip"), ["Ann", "Bob", "Cleo"])
    for statement in (
        "UPDATE history SET action = 'nothing'",
        "DELETE FROM history",
        "INSERT OR REPLACE INTO history SELECT * FROM history",
    ):
        if "REPLACE" in statement and db.engine.dialect.name != "sqlite":
            continue
        with (
            pytest.raises(DBAPIError, match="append-only"),
            db.engine.execution_options(writing=True).begin() as connection,
        ):
            connection.execute(text(statement))


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_half_a_point_is_refused(app: Flask, ann: Author) -> None:
    saved = keeper.start_game(ann, "key", find_variant("zip"), ["Ann", "Bob", "Cleo"])
    update = text("UPDATE seat SET start = :points WHERE game_id = :game")
    with (
        pytest.raises(IntegrityError),
        db.engine.execution_options(writing=True).begin() as connection,
    ):
        connection.execute(update, {"points": 12.5, "game": saved.game_id})


@pytest.mark.parametrize(
    ("setting", "meant"),
    [
        (None, "sqlite:////data/companion.sqlite"),
        ("sqlite:////elsewhere/x.sqlite", "sqlite:////elsewhere/x.sqlite"),
        ("postgres://ann:pw@db/cards", "postgresql+psycopg://ann:pw@db/cards"),
        ("postgresql://ann:pw@db/cards", "postgresql+psycopg://ann:pw@db/cards"),
    ],
)
def test_the_database_setting(setting: str | None, meant: str) -> None:
    assert store.database_url(setting, Path("/data")) == meant


@pytest.mark.parametrize("setting", ["mysql://x/y", "sqlite://", "nonsense", "://"])
def test_an_unknown_database_refuses_to_start(setting: str) -> None:
    with pytest.raises(store.SettingError):
        store.database_url(setting, Path("/data"))


def test_servers_starting_at_once_all_start(tmp_path: Path) -> None:
    start = "from companion import create_app; from companion.league import store\n"
    start += "app = create_app()\nwith app.app_context(): store.prepare()"
    environment = os.environ | {"INSTANCE_PATH": str(tmp_path)}
    servers = [subprocess.Popen([sys.executable, "-c", start], env=environment) for _ in range(4)]
    assert [server.wait() for server in servers] == [0, 0, 0, 0]


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_copy_is_whole_and_never_overwrites(app: Flask, ann: Author, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    store.copy_database(tmp_path / "companion.sqlite", target)
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT name FROM league").fetchall() == [("The Harpers",)]
    with pytest.raises(store.SettingError, match="exists already"):
        store.copy_database(tmp_path / "companion.sqlite", target)
