"""No page is made of tables of an earlier version: the way out is said instead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import create_engine, text

from companion.store import database
from companion.store.models import db
from companion.upkeep import startup
from tests.conftest import built, empty, postgres_beside
from tests.leagues.old_database import played_under_0002
from tests.processes.served import PROJECT, environment

NOT_READY = "The database is not ready: run flask prepare first."


@pytest.fixture
def old(tmp_path: Path) -> Flask:
    app = built(tmp_path, None)
    with app.app_context():
        played_under_0002(app)
        db.engine.dispose()
    return app


def test_no_page_is_made_of_tables_that_are_behind(old: Flask) -> None:
    client = old.test_client()
    assert client.get("/healthz").status_code == 200
    for path in ("/", "/readyz", "/rules", "/games/1"):
        answer = client.get(path)
        assert (answer.status_code, NOT_READY in answer.text) == (503, True), path
    assert client.post("/games", data={"names": "Ann, Bob"}).status_code == 503
    with old.app_context():
        startup.prepare()
        db.engine.dispose()
    assert [client.get(path).status_code for path in ("/", "/readyz")] == [200, 200]


def test_tables_that_fall_behind_under_a_running_process_are_noticed(old: Flask) -> None:
    earlier = live(old).read_bytes()
    with old.app_context():
        startup.prepare()
        db.engine.dispose()
    client = old.test_client()
    paths = ("/games/new/zioncheck", "/readyz", "/rules")
    assert [client.get(path).status_code for path in paths] == [200, 200, 200]
    with old.app_context():
        db.session.remove()
        db.engine.dispose()
    live(old).write_bytes(earlier)
    for path in ("/league", *paths):
        answer = client.get(path)
        assert (answer.status_code, NOT_READY in answer.text) == (503, True), path


def live(app: Flask) -> Path:
    return Path(app.instance_path) / "companion.sqlite"


@pytest.mark.slow
def test_a_server_of_a_module_refuses_to_start(old: Flask) -> None:
    folder = Path(old.instance_path)
    for place in (folder, folder / "empty"):
        begun = subprocess.run(
            [sys.executable, "-c", "import app"],
            cwd=PROJECT,
            env=environment(place),
            capture_output=True,
            text=True,
            check=False,
        )
        assert begun.returncode == 3
        assert begun.stderr == f"Card Table Companion cannot start. {NOT_READY}\n"
    assert not (folder / "empty" / "companion.sqlite").exists()


@pytest.mark.sql
def test_tables_of_postgresql_are_changed_once_there_is_a_backup(tmp_path: Path) -> None:
    url = postgres_beside("behind")
    engine = create_engine(database.database_url(url, Path()))
    empty(engine)
    app = built(tmp_path, url)
    with app.app_context():
        played_under_0002(app)
        with pytest.raises(database.SettingError, match="pg_dump, then run flask prepare --backed"):
            startup.prepare()
        with engine.connect() as connection:
            number = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        assert number == "0002", "nothing was changed"
        told = app.test_cli_runner().invoke(args=["prepare", "--backed-up"])
        assert (told.exit_code, told.stdout) == (0, "The database is ready.\n")
        assert told.stderr == f"Database: PostgreSQL, {engine.url.database} at 127.0.0.1\n"
        db.session.remove()
        db.engine.dispose()
    engine.dispose()
