"""The database as a file: known from a careless copy, watched while a server uses it.

A server that starts writes the number of its file (the inode) into the file's own header, and
takes it out when it stops. A copy made by hand in between has the number of another file. It
lacks what stood in the log beside it, and nothing else about it looks wrong.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from flask import current_app
from msgspec import Struct

from companion.store.database import PRAGMAS, SettingError, sqlite_file

LOCK = "serving.lock"
KEPT_UP_EVERY = 20
"""Seconds after which the file has what was saved, unless somebody is just reading."""


class Contents(Struct, frozen=True):
    """What a database file holds, in numbers people can compare."""

    leagues: int
    games: int
    latest: str

    @property
    def words(self) -> str:
        """Say it in a few words."""
        latest = f"the latest change is of {self.latest} (UTC)" if self.latest else "nothing played"
        counted = f"{_count(self.leagues, 'league')}, {_count(self.games, 'game')}"
        return f"{counted}; {latest}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@contextmanager
def in_use() -> Iterator[None]:
    """Mark the database as used by a server, and hold a lock that dies with the process."""
    path = sqlite_file()
    if path is None:
        yield
        return
    with closing(sqlite3.connect(_lock_file(), isolation_level=None)) as lock:
        lock.execute("BEGIN")
        # BEGIN alone takes no lock: the shared one comes with the first read.
        lock.execute("SELECT count(*) FROM sqlite_master").fetchone()
        stopped = Event()
        keeper = Thread(target=_keep_up, args=(path, stopped), name="checkpoints", daemon=True)
        try:
            mark(path)
            keeper.start()
            yield
        finally:
            stopped.set()
            keeper.join()
            lock.execute("COMMIT")
            _last_one_out(lock, path)


def _keep_up(path: Path, stopped: Event) -> None:
    """Bring what stands in the log into the file itself, again and again until stopped.

    So a copy of the file by hand is never old by more than a minute; nobody waits for it.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        while not stopped.wait(KEPT_UP_EVERY):
            # A full disk says so to whoever saves; here the next time is soon enough.
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _last_one_out(lock: sqlite3.Connection, path: Path) -> None:
    """Take the mark out, unless another server goes on."""
    try:
        lock.execute("PRAGMA busy_timeout=0")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return
    _set_mark(path, 0)


@contextmanager
def nobody_else() -> Iterator[None]:
    """Hold the lock that every server shares, alone.

    Raises `SettingError` while a server runs.
    """
    with closing(sqlite3.connect(_lock_file(), timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise SettingError("The server is running: stop it first.") from None
        yield


def _lock_file() -> Path:
    return Path(current_app.instance_path) / LOCK


def mark(path: Path) -> None:
    """Write the number of the file into the file."""
    _set_mark(path, _number(path))


def _set_mark(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version={number}")
        # Out of the log and into the header, which a copy by hand takes along.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _number(path: Path) -> int:
    # user_version is a signed number of 32 bits, in which 0 means no server.
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
