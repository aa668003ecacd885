"""The database itself: connections that lose nothing, and copies that are sound.

The settings are those under which no acknowledged write was lost and nobody met a locked
database: WAL with `synchronous=FULL`, and a write takes its lock when it begins.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from threading import Event, Lock
from typing import Any

from flask import Flask
from sqlalchemy import Connection, Engine, Result, Row, Select, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import ORMExecuteState, Session

from .disk import sync_file, sync_folder
from .installation import ROOT
from .models import db

MIGRATIONS = ROOT / "migrations"
PRAGMAS = (
    "busy_timeout=10000",
    # NORMAL in WAL may lose the last commits at a power cut: a score that was acknowledged.
    "synchronous=FULL",
    "foreign_keys=ON",
    # Without it a REPLACE deletes a row and the trigger that forbids this is silent.
    "recursive_triggers=ON",
    # A database file that somebody hands over may hold views that call functions.
    "trusted_schema=OFF",
    # macOS only: its plain fsync leaves the bytes in the disk's own cache.
    "fullfsync=ON",
    "checkpoint_fullfsync=ON",
)


WRITING: dict[str, dict[str, Any]] = {
    "sqlite": {},
    "postgresql": {"isolation_level": "READ COMMITTED"},
}
"""A page reads one state of a game though it asks several times; a writer that waited for the
lock must see what the others did meanwhile."""


class SettingError(ValueError):
    """A setting with which the server refuses to start, in one sentence."""


class ReadOnlySessionError(RuntimeError):
    """A write in a session that was opened for reading: a fault of the program."""


ADDRESSES = "Write postgresql://user:password@host/name, or sqlite:////folder/scores.sqlite."


def database_url(setting: str | None, instance: Path, called: str = "DATABASE_URL") -> str:
    """Read the setting `DATABASE_URL`; without it the database is a file in the instance folder.

    `called` is where an address comes from. Raises `SettingError` for a text that is no address,
    or a database we do not know.
    """
    if not setting:
        return f"sqlite:///{instance / 'companion.sqlite'}"
    try:
        url = make_url(setting)
    except (ArgumentError, ValueError):
        raise SettingError(f"{called} is not the address of a database. {ADDRESSES}") from None
    kind = url.get_backend_name()
    if kind in ("postgres", "postgresql"):
        if find_spec("psycopg") is None:
            raise SettingError("PostgreSQL needs one more package: pip install 'psycopg[binary]'.")
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    if kind == "sqlite" and url.database:
        return setting
    raise SettingError(f"{called} names {kind}; SQLite files and PostgreSQL are supported.")


def engine_options(url: str) -> dict[str, Any]:
    """Return the engine settings for this address; no fault repeats what people entered."""
    if url.startswith("sqlite"):
        # Python's driver would begin transactions by itself, and late; `_on_begin` begins them.
        return {"hide_parameters": True, "connect_args": {"isolation_level": None}}
    return {"hide_parameters": True, "pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}


def init_app(app: Flask) -> None:
    """Tie the database to the app; opens no connection."""
    db.init_app(app)
    with app.app_context():
        watch(db.engine)


def load_migrations(app: Flask) -> None:
    """Let Flask-Migrate know the app: imported only where the tables are behind or looked at."""
    # Importing Alembic would make each start slower, and few starts migrate.
    if "migrate" not in app.extensions:
        from flask_migrate import Migrate

        Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)


def versions() -> list[str]:
    """List the versions of the tables, oldest first, by the names of their files."""
    return sorted(path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/[0-9]*.py"))


def watch(engine: Engine) -> None:
    """Apply the connection settings to an engine, once."""
    if engine.dialect.name == "sqlite" and not event.contains(engine, "connect", _on_connect):
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)


def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    """Take the lock at once where a write follows: a later upgrade of the lock would fail."""
    writes = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@event.listens_for(Session, "before_flush")
def _refuse_writes_in_read_session(session: Session, *_: object) -> None:
    if not session.info.get("writing"):
        raise ReadOnlySessionError("this session was opened for reading")


@event.listens_for(Session, "do_orm_execute")
def _refuse_statements_that_write(state: ORMExecuteState) -> None:
    if not state.is_select and state.is_orm_statement and not state.session.info.get("writing"):
        raise ReadOnlySessionError("this session was opened for reading")


AnyRow = Row[*tuple[Any, ...]]
"""A row whose columns nobody has typed."""
Statement = Select[*tuple[Any, ...]]
"""What selects such rows."""


def execute(session: Session, statement: Statement, **values: Any) -> Result[*tuple[Any, ...]]:
    """Run a statement of columns that was built once, with its values bound.

    Building a statement takes ten times as long as SQLite takes to answer it: what every page
    asks is built at its first use and kept.
    """
    # This goes past the ORM, which would have flushed by itself before a query.
    if session.new or session.dirty or session.deleted:
        session.flush()
    return session.connection().execute(statement, values)


@contextmanager
def writing() -> Iterator[Session]:
    """Open one transaction that writes, and commit it at the end or change nothing."""
    db.session.rollback()  # end this request's reading transaction: what it saw is history now
    engine = db.engine.execution_options(writing=True, **WRITING[db.engine.dialect.name])
    writer = Session(engine, info={"writing": True})
    with _turn_to_write(engine), writer as session, session.begin():
        yield session


@contextmanager
def _turn_to_write(engine: Engine) -> Iterator[None]:
    """Let those who write to one file do so in the order in which they came.

    SQLite retries at random, so among many writers one may starve. Processes of one file know
    nothing of each other here: between them SQLite decides, and also for a writer that has waited
    as long as its busy timeout.
    """
    if engine.dialect.name != "sqlite":
        yield
        return
    with _lines_door:
        line = _lines.setdefault(str(engine.url), deque())
        line.append(turn := Event())
        line[0].set()
    try:
        # Who is not let go in this time writes all the same: SQLite's lock decides, and is safe.
        turn.wait(LONGEST_WAIT)
        yield
    finally:
        with _lines_door:
            line.remove(turn)
            if line:
                line[0].set()


LONGEST_WAIT = 10
_lines: dict[str, deque[Event]] = {}
_lines_door = Lock()


def free_backup_path(instance: Path, before: str) -> Path:
    """Return a name that is free in the folder of backups, for a copy made before something.

    A start that was killed may be followed by another in the same second.
    """
    folder = instance / "backups"
    folder.mkdir(exist_ok=True)
    name = f"before-{before}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(path for one in names if not (path := folder / f"{one}.sqlite").exists())


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite database while it may be in use, and check the copy.

    Raises `SettingError` if the copy is not sound or the target exists.
    """
    if target.exists():
        raise SettingError(f"{target} exists already.")
    with closing(sqlite3.connect(source)) as live:
        # A copy of the bytes would lack what still lies in the write-ahead log.
        live.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target)) as copy:
        (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
        copy.execute("PRAGMA user_version=0")  # no server uses the copy
    if verdict != "ok":
        raise SettingError(f"The copy {target} is damaged: {verdict}.")
    sync_file(target)
    sync_folder(target.parent)


def sqlite_path() -> str:
    """Return the path of the SQLite file."""
    return db.engine.url.database or ""


def shown() -> str:
    """Name the database for people: the file, or what lies where on which server."""
    if path := sqlite_file():
        return str(path)
    url = db.engine.url
    return f"PostgreSQL, {url.database} at {url.host or 'this machine'}"


def has_database() -> bool:
    """Return whether there is one: what holds nothing is none. Nothing is made."""
    path = sqlite_file()
    return path is None or (path.exists() and path.stat().st_size > 0)


def sqlite_file() -> Path | None:
    """Return the SQLite file, None where there is another database."""
    return Path(sqlite_path()) if db.engine.dialect.name == "sqlite" else None
