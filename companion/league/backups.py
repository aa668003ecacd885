"""The database as a file: told from a careless copy, exchanged for a backup, watched while in use.

A server that starts writes the number of its file (the inode) into the file's own header, and
takes it out when it stops. A copy made by hand in between has the number of another file. It
lacks what stood in the log beside it, and nothing else about it looks wrong.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import current_app
from sqlalchemy import create_engine, inspect
from sqlalchemy.orm import Session

from .disk import put_in_place, sync_file, sync_folder
from .models import db
from .seals import heads
from .starting import one_at_a_time, prepare
from .store import MIGRATIONS, SettingError, copy_database, sqlite_path

BESIDE = ("-wal", "-shm")
LOCK = "serving.lock"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database file holds, in numbers people can compare."""

    leagues: int
    games: int
    latest: str

    @property
    def words(self) -> str:
        """Say it in a few words."""
        latest = f"the latest change is of {self.latest} (UTC)" if self.latest else "nothing played"
        return f"{self.leagues} leagues, {self.games} games; {latest}"


@contextmanager
def in_use() -> Iterator[None]:
    """Mark the database as used by a server, and hold a lock that dies with the process."""
    if db.engine.dialect.name != "sqlite":
        yield
        return
    path = Path(sqlite_path())
    with closing(sqlite3.connect(_lock_file(), isolation_level=None)) as lock:
        lock.execute("BEGIN")
        lock.execute("SELECT count(*) FROM sqlite_master").fetchone()
        try:
            mark(path)
            yield
        finally:
            lock.execute("COMMIT")
            _last_one_out(lock, path)


def _last_one_out(lock: sqlite3.Connection, path: Path) -> None:
    """Take the mark out, unless another server goes on."""
    try:
        lock.execute("PRAGMA busy_timeout=0")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return
    _set_mark(path, 0)


def mark(path: Path) -> None:
    """Write the number of the file into the file."""
    _set_mark(path, _number(path))


def _set_mark(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version={number}")
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _number(path: Path) -> int:
    return path.stat().st_ino % (2**31 - 1) + 1


def is_plain_copy(path: Path) -> bool:
    """Return whether a file was copied by hand from one that a server was using.

    Only SQLite looks at the file: a process that opens its live database by itself drops every
    lock that it holds on it when it closes it, and the next command that stops deletes the log
    under the server.
    """
    untouched = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(untouched, uri=True)) as connection:
            (marked,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError:
        return False
    return marked not in (0, _number(path))


def contents(path: Path) -> Contents:
    """Count what a file holds."""
    with closing(sqlite3.connect(path)) as connection:
        (leagues,) = connection.execute("SELECT count(*) FROM league").fetchone()
        (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
        (latest,) = connection.execute("SELECT max(at) FROM history").fetchone()
    return Contents(leagues, games, str(latest or "")[:16])


def heads_in(path: Path) -> list[str]:
    """Say where the chain of each league stands in a file, so that a print can be compared."""
    engine = create_engine(f"sqlite:///{path}")
    with Session(engine) as session:
        sealed = heads(session) if inspect(engine).has_table("seal") else []
    engine.dispose()
    return [f"League {number}, {name}: {seal}" for number, name, seal in sealed]


def restore_database(source: Path, *, anyway: bool = False) -> tuple[Contents, Path | None]:
    """Put a backup in the place of the database; tell what it holds, and where the old one is.

    Raises `SettingError` in a sentence where the source is no sound database of ours, was copied
    by hand from a server in use (unless `anyway`), or a server is running. Then nothing changed.
    """
    if db.engine.dialect.name != "sqlite":
        raise SettingError("PostgreSQL is restored with its own pg_restore.")
    target = Path(sqlite_path())
    db.session.remove()
    db.engine.dispose()
    with one_at_a_time(Path(current_app.instance_path)), _nobody_else():
        fresh = _checked_copy(source, target, anyway=anyway)
        try:
            held = contents(fresh)
            kept = _put_aside(target)
            put_in_place(fresh, target)
        finally:
            _remove(fresh)
    prepare()
    return held, kept


@contextmanager
def _nobody_else() -> Iterator[None]:
    """Hold the lock that every server shares, alone."""
    with closing(sqlite3.connect(_lock_file(), timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise SettingError("The server is running: stop it first.") from None
        yield


def _lock_file() -> Path:
    return Path(current_app.instance_path) / LOCK


def _checked_copy(source: Path, target: Path, *, anyway: bool) -> Path:
    """Copy a source beside the target, its log as well, and look it over there."""
    if not source.is_file():
        raise SettingError(f"There is no file {source}.")
    with source.open("rb") as file:
        if not file.read(16).startswith(b"SQLite format 3\0"):
            raise SettingError(f"{source} is no database.")
    if is_plain_copy(source) and not anyway:
        raise SettingError(
            f"{source} was copied by hand from a server in use: its latest scores may be missing. "
            "Take the original or a copy made by flask backup; if there is none, add --anyway."
        )
    fresh = target.with_name(f".restoring-{os.getpid()}.sqlite")
    _remove(fresh)
    try:
        for ending in ("", "-wal"):
            if Path(f"{source}{ending}").exists():
                shutil.copyfile(f"{source}{ending}", f"{fresh}{ending}")
        _look_over(source, fresh)
    except BaseException:
        _remove(fresh)
        raise
    return fresh


def _look_over(source: Path, fresh: Path) -> None:
    try:
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                raise SettingError(f"{source} is damaged: {verdict}.")
            if connection.execute("PRAGMA foreign_key_check").fetchone():
                raise SettingError(f"{source} is damaged: some of its rows belong to nothing.")
            _check_version(source, connection)
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA user_version=0")
    except sqlite3.DatabaseError as fault:
        raise SettingError(f"{source} is damaged or no database of ours: {fault}.") from None


def _check_version(source: Path, connection: sqlite3.Connection) -> None:
    """Refuse a database of another program, or of a later version of this one."""
    from alembic.script import ScriptDirectory

    wanted = "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'game', 'line')"
    if connection.execute(wanted).fetchone() != (3,):
        raise SettingError(f"{source} is a database of another program.")
    found = {version for (version,) in connection.execute("SELECT * FROM alembic_version")}
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if not found or not found <= known:
        raise SettingError(f"{source} was made by a later version of this program.")


def _put_aside(target: Path) -> Path | None:
    """Back the present database up; then make sure that nobody has it open, and fold its log in."""
    if not target.exists() or not target.stat().st_size:
        return None
    folder = Path(current_app.instance_path) / "backups"
    folder.mkdir(exist_ok=True)
    kept = folder / f"before-restore-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.sqlite"
    try:
        with closing(sqlite3.connect(target, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        copy_database(target, kept)
    except sqlite3.OperationalError:
        raise SettingError("Somebody has the database open: stop the server first.") from None
    except (sqlite3.DatabaseError, SettingError):
        shutil.copyfile(target, kept)  # damaged: kept as it is
        sync_file(kept)
    sync_folder(folder)
    return kept


def _remove(path: Path) -> None:
    for ending in ("", *BESIDE):
        Path(f"{path}{ending}").unlink(missing_ok=True)
