"""The app on real databases, and the people of the stories: Ann, Bob, Cleo, and Dev elsewhere."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import TemporaryDirectory, mkdtemp
from typing import ClassVar
from zlib import crc32

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2.bccache import Bucket, BytecodeCache
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url

from companion import create_app
from companion.people import leagues
from companion.store import database
from companion.store.authors import Author
from companion.store.models import Base, db
from companion.upkeep import startup
from tests.support.chromium import chromium_path, launch
from tests.visits.phones import Phone, Site, watched

POSTGRES = os.environ.get("TEST_DATABASE_URL", "")
REQUIRED = os.environ.get("REQUIRE_EVERYTHING") == "1"

# A shared machine may be slow: what takes long is measured by benchmarks, never by a test, and how
# long an example takes to draw fails none. Where a run decides what lands, it tries the same
# examples each time; every other run tries new ones.
for name, examples in (("small", 40), ("whole", 100)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=REQUIRED,
        suppress_health_check=[HealthCheck.too_slow],
    )


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples of a law where the first tier is chosen."""
    settings.load_profile("small" if config.option.markexpr == "not slow" else "whole")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tell one story in four on PostgreSQL a tier later than on SQLite, all before a release.

    Where SQL itself is the subject both are told at once. What is long is slow.
    """
    for item in items:
        given = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if "postgresql" in given and not item.get_closest_marker("sql"):
            is_late = item.get_closest_marker("slow") or crc32(item.nodeid.encode()) % 4
            item.add_marker("long" if is_late else "slow")
        if item.get_closest_marker("long"):
            item.add_marker("slow")


def lacking(what: str) -> None:
    """Skip a test for want of a server or a browser, or fail where they are required."""
    if REQUIRED:
        pytest.fail(f"{what}, and everything is required here")
    pytest.skip(what)


@cache
def migrated() -> Path:
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
        copyfile(migrated(), folder / "companion.sqlite")
    app = built(folder, url, settings)
    with app.app_context():
        startup.prepare()
        db.engine.dispose()  # the migration's own connection has settings of its own
    return app


class Compiled(BytecodeCache):
    """The templates that any app of this process has compiled."""

    known: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


def built(folder: Path, url: str | None, settings: Mapping[str, object] | None = None) -> Flask:
    os.environ["INSTANCE_PATH"] = str(folder)
    try:
        app = create_app({"DATABASE_URL": url, "TESTING": True, **(settings or {})})
    finally:
        del os.environ["INSTANCE_PATH"]
    app.jinja_env.bytecode_cache = Compiled()
    return app


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """An empty PostgreSQL database, its tables made by the migrations; one for each worker."""
    url = postgres_beside(os.environ.get("PYTEST_XDIST_WORKER", ""))
    engine = create_engine(database.database_url(url, Path()))
    empty(engine)
    engine.dispose()
    return url


def postgres_beside(name: str) -> str:
    """Make a database beside the one that is meant for tests, so that workers do not meet."""
    if not POSTGRES:
        lacking("TEST_DATABASE_URL names no PostgreSQL")
    if not name:
        return POSTGRES
    named = make_url(POSTGRES)
    own = f"{named.database}_{name}"
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


@pytest.fixture(scope="session")
def sqlite_app() -> Iterator[Flask]:
    """The app on a SQLite file, built once for all tests of a worker.

    Where the system has a folder in memory the file lies there: no test cuts the power.
    """
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with TemporaryDirectory(prefix="companion-", dir=memory) as folder:
        yield fresh_app(Path(folder))


@pytest.fixture(scope="session")
def postgresql_app(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The app on PostgreSQL, built once for all tests of a worker."""
    return fresh_app(tmp_path_factory.mktemp("postgresql"), postgres_url)


@pytest.fixture
def on_sqlite(sqlite_app: Flask) -> Iterator[Flask]:
    """The worker's app on a fresh copy of the migrated file; nothing else is in its folder."""
    folder = Path(sqlite_app.instance_path)
    for path in folder.iterdir():
        if path.is_dir():
            rmtree(path)
        elif path.name != "secret_key":  # read once when the app was built
            path.unlink()
    copyfile(migrated(), folder / "companion.sqlite")
    yield sqlite_app
    _calm_down(sqlite_app)


@pytest.fixture
def on_postgresql(postgresql_app: Flask) -> Iterator[Flask]:
    """The worker's app on its PostgreSQL database, every table empty."""
    empty_tables(postgresql_app)
    yield postgresql_app
    _calm_down(postgresql_app)


def empty_tables(app: Flask) -> None:
    """Take every row out of an app's PostgreSQL database."""
    tables = ", ".join(Base.metadata.tables)
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("SET lock_timeout = '30s'"))  # fail, never hang
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))


def _calm_down(app: Flask) -> None:
    """Leave nothing of a test in its worker: no thread, connection or count."""
    for thread in threading.enumerate():
        if thread.name in ("ratings", "watcher"):
            thread.join()
    for limiter in app.extensions["limiter"]:
        limiter.reset()
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest) -> Iterator[Flask]:
    """The app on each kind of database in turn, empty."""
    app: Flask = request.getfixturevalue(f"on_{request.param}")
    with app.app_context():
        yield app
        db.session.remove()


@pytest.fixture
def site(app: Flask) -> Iterator[Site]:
    """The app with everybody's phones, on each kind of database in turn."""
    site = watched(app)
    yield site
    site.close()


@pytest.fixture
def house(on_sqlite: Flask) -> Iterator[Site]:
    """The app with everybody's phones, on SQLite only."""
    site = watched(on_sqlite)
    yield site
    site.close()


@pytest.fixture
def phone(site: Site) -> Phone:
    """A phone that never was here."""
    return site.phone()


@pytest.fixture
def lone(house: Site) -> Phone:
    """A phone that never was here, on SQLite only."""
    return house.phone()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker; each opens a device of its own in it."""
    if not chromium_path():
        lacking("no Chromium is installed")
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture
def ann(app: Flask) -> Author:
    """Ann's phone, which owns the Harpers' league."""
    return leagues.open_league("The Harpers", "ann's token")


@pytest.fixture
def dev(app: Flask) -> Author:
    """Dev's phone in a league of his own: he must see nothing of the Harpers."""
    return leagues.open_league("Dev's club", "dev's token")
