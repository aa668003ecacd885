"""The app on real databases, and the people of the stories: Ann, Bob, Cleo, and Dev elsewhere."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp

import pytest
from flask import Flask
from hypothesis import settings
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url

from companion import create_app
from companion.people import leagues
from companion.store import database
from companion.store.authors import Author
from companion.store.models import Base, db
from companion.upkeep import startup

from .pages import Phone, Site, watched

# A shared machine may be slow: what takes long is measured by benchmarks, never by a test.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

POSTGRES = os.environ.get("TEST_DATABASE_URL", "")
REQUIRED = os.environ.get("REQUIRE_EVERYTHING") == "1"


def lacking(what: str) -> None:
    """Skip a test for want of a server or a browser, or fail where they are required."""
    if REQUIRED:
        pytest.fail(f"{what}, and everything is required here")
    pytest.skip(what)


@cache
def _migrated() -> Path:
    """An empty database whose tables were made by the migrations, once for all tests."""
    folder = Path(mkdtemp(prefix="companion-"))
    atexit.register(rmtree, folder)
    app = built(folder, None)
    with app.app_context():
        startup.prepare()
        db.engine.dispose()
    return folder / "companion.sqlite"


def fresh_app(
    folder: Path, url: str | None = None, settings: Mapping[str, object] | None = None
) -> Flask:
    """The app with an empty database; SQLite's is a copy of one that the migrations made."""
    if url is None and not (folder / "companion.sqlite").exists():
        copyfile(_migrated(), folder / "companion.sqlite")
    app = built(folder, url, settings)
    with app.app_context():
        startup.prepare()
        db.engine.dispose()  # the migration's own connection has settings of its own
    return app


def built(folder: Path, url: str | None, settings: Mapping[str, object] | None = None) -> Flask:
    os.environ["INSTANCE_PATH"] = str(folder)
    try:
        app = create_app({"DATABASE_URL": url, "TESTING": True, **(settings or {})})
    finally:
        del os.environ["INSTANCE_PATH"]
    return app


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """An empty PostgreSQL database, its tables made by the migrations; one for each worker."""
    if not POSTGRES:
        lacking("TEST_DATABASE_URL names no PostgreSQL")
    url = _of_worker(os.environ.get("PYTEST_XDIST_WORKER", ""))
    engine = create_engine(database.database_url(url, Path()))
    empty(engine)
    engine.dispose()
    return url


def _of_worker(worker: str) -> str:
    """Make a database beside the one that is named for tests, so that workers do not meet."""
    if not worker:
        return POSTGRES
    named = make_url(POSTGRES)
    own = f"{named.database}_{worker}"
    engine = create_engine(database.database_url(POSTGRES, Path()), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        there = text("SELECT 1 FROM pg_database WHERE datname = :own")
        if connection.execute(there, {"own": own}).first() is None:
            connection.execute(text(f'CREATE DATABASE "{own}"'))
    engine.dispose()
    return named.set(database=own).render_as_string(hide_password=False)


def empty(engine: Engine) -> None:
    """Take everything out of a PostgreSQL database made for tests."""
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))


@pytest.fixture(scope="module")
def on_postgres(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The app on PostgreSQL, once for the tests of a file: they find its tables empty."""
    return fresh_app(tmp_path_factory.mktemp("postgres"), postgres_url)


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    """The app on each kind of database in turn, empty."""
    on_sqlite = request.param == "sqlite"
    app = fresh_app(tmp_path) if on_sqlite else request.getfixturevalue("on_postgres")
    with app.app_context():
        if not on_sqlite:
            tables = ", ".join(Base.metadata.tables)
            with db.engine.begin() as connection:
                connection.execute(text("SET lock_timeout = '30s'"))  # fail, never hang
                connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))
        yield app
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def site(app: Flask) -> Site:
    """The app with everybody's phones, on each kind of database in turn."""
    return watched(app)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Site]:
    """The app with everybody's phones, on SQLite only."""
    site = watched(fresh_app(tmp_path))
    yield site
    site.engine.dispose()


@pytest.fixture
def phone(site: Site) -> Phone:
    """A phone that never was here."""
    return site.phone()


@pytest.fixture
def lone(house: Site) -> Phone:
    """A phone that never was here, on SQLite only."""
    return house.phone()


@pytest.fixture
def ann(app: Flask) -> Author:
    """Ann's phone, which owns the Harpers' league."""
    return leagues.open_league("The Harpers", "ann's token")


@pytest.fixture
def dev(app: Flask) -> Author:
    """Dev's phone in a league of his own: he must see nothing of the Harpers."""
    return leagues.open_league("Dev's club", "dev's token")
