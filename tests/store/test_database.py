"""The database: its settings, its migrations, what it refuses, and starting it."""

import hashlib
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from alembic.script import ScriptDirectory
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from companion.games import writer
from companion.games.game_season import seasons
from companion.games.reading import load_game
from companion.games.shown.scoreboard import scoreboard
from companion.rules import find_variant
from companion.statistics.standings import standings
from companion.store import database, dates
from companion.store.authors import Author
from companion.store.models import Base, League, db
from companion.store.schema import schema_faults
from companion.upkeep import recount, startup
from companion.upkeep.integrity import all_faults
from tests.conftest import built, fresh_app
from tests.leagues.old_database import played_under_0002
from tests.support.doses import doses

pytestmark = pytest.mark.sql


def test_writes_of_one_process_come_in_the_order_in_which_they_asked(tmp_path: Path) -> None:
    """SQLite lets each try again now and then, so that somebody may never find it free."""
    app, done = fresh_app(tmp_path), list[int]()

    def write(number: int) -> None:
        with app.app_context(), database.writing():
            done.append(number)

    with app.app_context():
        with database.writing():
            (line,) = (line for line in database._lines.values() if line)
            threads = [Thread(target=write, args=(number,)) for number in range(8)]
            for number, thread in enumerate(threads):
                thread.start()
                while len(line) < number + 2:
                    time.sleep(0.001)
        for thread in threads:
            thread.join()
        db.engine.dispose()
    assert done == list(range(8))


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
    return {name: sorted(_parts(sql)) for name, sql in rows}


def _parts(sql: str) -> Iterator[str]:
    """Take a definition apart: a column that a migration added stands in the last line."""
    for part in re.split(r"[,\n]", sql.replace('"', "")):
        if named := part.strip(" \t()"):
            yield named


LANDED = {
    "0001_the_first_tables.py": "f795dc30a490395175a17c7af9831b20f9a01ee390dcdd16b25ce602223d52d4",
    "0002_house_rules.py": "e2445bd973c643c69328fd0e71a2a1f61dc45f5de655c4826845970899c13059",
    "0003_the_league.py": "667e3c15e697ce4b11f993f41a060c770ae007609dfea6020bd09e8a2d0860af",
    "0004_phones.py": "d2aec758f49a4613fba874c5bf3afecdf43b8b0904b4e9445a49637db35f5cc8",
    "0005_phone_links.py": "45f1980d3b124b1fcf9cb14b3aae7196a42436f4135d124557e42ac0b985394e",
    "0006_right_events.py": "5d00add2f43d0fa3539beffda5b5d08d036dda15b2c651e85f5ccc277e7974a9",
    "0007_where_they_sit.py": "61949a8b8719421cd4a1895f12cf8d377e332c3f85c66bca92e62c95e4678039",
    "0008_standings_variant.py": (
        "a7ff4c9d0795e3710e5af290fb3a542e1c67620328a8da7d3e9253c8db0b78e4"
    ),
    "0009_teams.py": "657ee72c7a446bd19572ee6ba39af419322188c13305c741378a3ce47e5f3371",
    "0010_reported_tallies.py": (
        "482c13cdf75207f3987315b8d346aadebec94f1f8143a96933212188d94aafc9"
    ),
    "0011_no_seals.py": "6c98d4345516a77e928ef09e66a979e7c0eeeb928e77d245c6bbb2a90bc8c457",
    "0012_one_line_a_team.py": ("f275969279573a2d6e2011446610095212a83498b4a00266d6b682edaf930bf8"),
    "0013_ratings_by_game.py": ("be2dedb5379b4be032cc8da7543b7d331ff80e2c622f66ab44809ff734125660"),
}
"""What landed is in families' databases: a change of it would never reach them."""


def test_a_landed_migration_never_changes() -> None:
    folder = database.MIGRATIONS / "versions"
    there = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.glob("*.py")}
    assert there == LANDED


SPOILED = [
    ("DROP TRIGGER history_no_update", "The database lacks the trigger history_no_update."),
    ("DROP INDEX uq_line_one_ending", "The database lacks the rule uq_line_one_ending of line."),
    ("ALTER TABLE device DROP COLUMN name", "The database lacks the column device.name."),
    ("DROP TABLE report", "The database lacks the table report."),
    ("CREATE TABLE recipe (name TEXT)", "The column recipe.name (may be empty) is none of ours."),
]


@pytest.mark.parametrize(("statement", "words"), SPOILED)
def test_tables_of_the_right_number_that_are_not_ours_are_refused(
    tmp_path: Path, statement: str, words: str
) -> None:
    app = fresh_app(tmp_path)
    with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as connection:
        connection.execute(statement)
    with app.app_context():
        with pytest.raises(database.SettingError, match=re.escape(words)):
            startup.prepare()
        assert words in all_faults(db.session())
        db.session.remove()
        db.engine.dispose()


def test_tables_that_did_not_change_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = fresh_app(tmp_path)
    looks: list[Connection] = []

    def look(connection: Connection) -> list[str]:
        looks.append(connection)
        return []

    monkeypatch.setattr(startup, "schema_faults", look)
    with app.app_context():
        startup.prepare()
        assert not looks
        with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as connection:
            connection.execute("CREATE TABLE recipe (name TEXT)")
        startup.prepare()
        assert len(looks) == 1
        db.session.remove()
        db.engine.dispose()


def test_a_database_knows_its_own_tables(app: Flask) -> None:
    with db.engine.connect() as connection:
        assert schema_faults(connection) == []


@pytest.mark.parametrize("app", ["postgresql"], indirect=True)
def test_a_trigger_that_was_switched_off_is_missed(app: Flask) -> None:
    with db.engine.connect() as connection:
        connection.execute(text("ALTER TABLE history DISABLE TRIGGER history_append_only"))
        found = schema_faults(connection)
        connection.rollback()
    assert found == ["The database lacks the trigger history_append_only."]


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
    db.session.add(League(name="Sneaky", created_at=dates.now()))
    with pytest.raises(database.ReadOnlySessionError):
        db.session.commit()
    db.session.rollback()


def test_history_cannot_be_changed_or_deleted(app: Flask, ann: Author) -> None:
    writer.start_game(ann, "key", find_variant("zip"), ["Ann", "Bob", "Cleo"])
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
    saved = writer.start_game(ann, "key", find_variant("zip"), ["Ann", "Bob", "Cleo"])
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
    assert database.database_url(setting, Path("/data")) == meant


@pytest.mark.parametrize("setting", ["mysql://x/y", "sqlite://", "nonsense", "://"])
def test_an_unknown_database_refuses_to_start(setting: str) -> None:
    with pytest.raises(database.SettingError):
        database.database_url(setting, Path("/data"))


def test_a_database_server_without_tls_is_refused_where_tls_is_asked_for(postgres_url: str) -> None:
    """The tests' own PostgreSQL speaks none; the words of docs/hosting.md ask for it."""
    asked = f"{postgres_url}?sslmode=verify-full&sslrootcert=system"
    engine = create_engine(database.database_url(asked, Path()))
    with pytest.raises(OperationalError, match="SSL"):
        engine.connect()
    engine.dispose()


@pytest.mark.slow
@doses("many", 2, 4)
def test_servers_starting_at_once_all_start(tmp_path: Path, many: int) -> None:
    start = "from companion import create_app; from companion.upkeep import startup as starting\n"
    start += "app = create_app()\nwith app.app_context(): starting.prepare()"
    environment = os.environ | {"INSTANCE_PATH": str(tmp_path)}
    servers = [
        subprocess.Popen([sys.executable, "-c", start], env=environment) for _ in range(many)
    ]
    assert [server.wait() for server in servers] == [0] * many


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_copy_is_whole_and_never_overwrites(app: Flask, ann: Author, tmp_path: Path) -> None:
    source, target = Path(database.sqlite_path()), tmp_path / "copy.sqlite"
    database.copy_database(source, target)
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT name FROM league").fetchall() == [("The Harpers",)]
    with pytest.raises(database.SettingError, match="exists already"):
        database.copy_database(source, target)


def test_a_database_of_the_version_before_keeps_its_games_and_gains_their_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = built(tmp_path, None)
    with app.app_context():
        played_under_0002(app)
        with monkeypatch.context() as broken:
            broken.setattr(recount, "derive", flat_battery)
            with pytest.raises(OSError, match="flat battery"):
                startup.prepare()
        db.engine.dispose()
        startup.prepare()
        rows = standings(db.session(), 1)
        assert [(row.name, row.games, int(row.wins)) for row in rows] == [
            ("Ann", 1, 1),
            ("Bob", 1, 0),
            ("Cleo", 1, 0),
        ]
        assert [row.total for row in scoreboard(load_game(db.session(), 1, 1)).rows] == [0, 35, 63]
        dated = {season.name: season.season_id for season in seasons(db.session(), 1)}
        assert [row.games for row in standings(db.session(), 1, dated["2026"])] == [1, 1, 1]
        db.session.remove()
        db.engine.dispose()


def test_a_migration_that_leaves_a_row_pointing_nowhere_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = built(tmp_path, None)
    with app.app_context():
        played_under_0002(app)
        db.engine.dispose()
        with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as raw, raw:
            raw.execute("UPDATE seat SET player_id = 99 WHERE number = 2")
        with pytest.raises(SystemExit):
            upgrade(directory=str(database.MIGRATIONS))
        assert "1 rows pointing nowhere" in caplog.text
        db.engine.dispose()
        with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as raw:
            assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]


def flat_battery(*_: object) -> None:
    raise OSError("flat battery")


PREPARED = """
import sys
from companion import create_app
from companion.upkeep.startup import prepare
with create_app().app_context():
    prepare()
print(*({"alembic", "sqlalchemy.dialects.postgresql"} & sys.modules.keys()))
"""


def test_the_versions_of_the_tables_are_those_of_the_migrations() -> None:
    scripts = ScriptDirectory(str(database.MIGRATIONS))
    walked = [script.revision for script in scripts.walk_revisions()]
    assert database.versions() == walked[::-1]
    assert scripts.get_heads() == walked[:1]


@pytest.mark.slow
def test_a_start_loads_neither_migrations_nor_the_other_database(tmp_path: Path) -> None:
    there = {**os.environ, "INSTANCE_PATH": str(tmp_path)}
    loaded = [
        subprocess.run(
            [sys.executable, "-c", PREPARED], env=there, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert "alembic" in loaded[0]
    assert loaded[1] == "\n"
