"""Questions that wait: a page asks what is newer than it shows, and hears when there is something.

A question holds nothing of the database while it waits. One thread, alive only while somebody
waits, looks whether anything was committed, and reads the states of all games that are waited for
in one statement. It hears at once of what this process saved; of what others did on SQLite five
times a second, by SQLite's own counter, and on PostgreSQL twice a second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from threading import Condition, Event, Thread
from time import monotonic, sleep

from flask import Flask, Response, request
from sqlalchemy.exc import SQLAlchemyError

from companion.phones.pending_deal import live_states
from companion.store.database import AnyRow, sqlite_file
from companion.store.models import db

LONGEST = 15.0
"""Seconds for which a question waits; proxies and phones give up on an answer after 30 or more."""
SPREAD = 5.0
"""Seconds over which the ends of waiting are spread: eight hundred pages that asked after one
start would else come back in the same moment, and a save then waits for all of them."""
OFTEN, SELDOM = 0.2, 0.5
"""Seconds between two looks at SQLite's counter, and between two questions to PostgreSQL."""
THREADS = 64
"""Of a server that says nothing else, such as gunicorn: six tables of eight phones."""
MOST_OF_A_PHONE = 8
"""How many questions of one phone wait: as many pages as somebody may have open there."""
FREE_THREADS = 16
"""Threads that never wait: pages and saves are served by them."""


def init_app(app: Flask) -> None:
    """Let pages of a game wait for what is new."""
    held = app.extensions["waiting"] = LiveQuestions(app)

    @app.after_request
    def hear(response: Response) -> Response:
        if request.method == "POST":
            held.nudge()
        return response


def patience() -> float:
    """Return for how many seconds a question waits."""
    return LONGEST - randbelow(int(1000 * SPREAD)) / 1000


class Waiter:
    """A question that waits for another state of any of its games than the one that was `seen`."""

    def __init__(self, game_id: int, phone: int) -> None:
        self.phone = phone
        self.seen: Mapping[int, AnyRow | None] = {game_id: None}
        self.woken = Event()


class LiveQuestions:
    """The questions of this process that wait: at most so many as leave some threads free."""

    def __init__(self, app: Flask) -> None:
        self.app, self.most = app, THREADS - FREE_THREADS
        with app.app_context():
            self._file = sqlite_file()
        self._moved = Condition()
        self._waiters: list[Waiter] = []
        self._is_new = False
        self._watcher: Thread | None = None
        self._stopped = False

    def allow(self, threads: int) -> None:
        """Let as many wait as a server with so many threads can hold."""
        self.most = max(0, threads - FREE_THREADS)

    @contextmanager
    def waiter(self, game_id: int, phone: int) -> Iterator[Waiter | None]:
        """Have a phone's question wait for a game; None where too many wait, or the server stops.

        It is known here before its asker looks at the game, so that no change falls between.
        """
        with self._moved:
            waiter = None if self.is_full_for(phone) else Waiter(game_id, phone)
            if waiter:
                self._waiters.append(waiter)
            if waiter and not (self._watcher and self._watcher.is_alive()):
                # Its first look finds what was committed before it had SQLite's counter.
                self._is_new = True
                self._watcher = Thread(target=self._watch, name="watcher", daemon=True)
                self._watcher.start()
        try:
            yield waiter
        finally:
            with self._moved:
                self._waiters = [one for one in self._waiters if one is not waiter]
                self._moved.notify_all()

    def wait(self, waiter: Waiter, seen: Mapping[int, AnyRow], until: float) -> bool:
        """Wait until a game may be in another state than was seen, or until this moment."""
        waiter.seen = seen
        # A server that stopped before the waiter was in the list has nobody to wake it.
        is_woken = not self._stopped and waiter.woken.wait(max(0, until - monotonic()))
        waiter.woken.clear()
        return is_woken and not self._stopped

    def nudge(self) -> None:
        """Look at once: this process has saved something."""
        with self._moved:
            self._is_new = True
            self._moved.notify_all()

    def is_full_for(self, phone: int) -> bool:
        """Return whether one more question of a phone would be answered at once."""
        waiters = self._waiters
        return (
            self._stopped
            or len(waiters) >= self.most
            or sum(waiter.phone == phone for waiter in waiters) >= MOST_OF_A_PHONE
        )

    @property
    def is_stopped(self) -> bool:
        """Whether the server has been told to stop."""
        return self._stopped

    def stop(self, seconds: float = 0) -> None:
        """Let every question go, as a server that stops does, one by one over so many seconds.

        A signal may call it: no lock.
        """
        self._stopped = True
        for waiter in (waiters := self._waiters):
            waiter.woken.set()
            sleep(seconds / len(waiters))

    def _watch(self) -> None:
        """Wake whoever waits for a game that changed, until nobody waits any more."""
        counter = Commits(self._file) if self._file else None
        pause = OFTEN if counter else SELDOM
        while True:
            with self._moved:
                if not self._waiters:
                    # Under the lock: a question that comes a moment later starts another watcher.
                    self._watcher = None
                    break
                self._moved.wait_for(lambda: self._is_new or not self._waiters, pause)
                is_new, self._is_new = self._is_new, False
                waiters = self._waiters
            if is_new or counter is None or counter.moved():
                self._wake(waiters)
        if counter:
            counter.close()

    def _wake(self, waiters: list[Waiter]) -> None:
        games = {game for waiter in waiters for game in waiter.seen}
        try:
            with self.app.app_context(), db.engine.connect() as connection:
                states = live_states(connection, games)
        except (SQLAlchemyError, sqlite3.Error):
            return  # a database out of reach says nothing new; the next look asks again
        for waiter in waiters:
            if any(states.get(game) != state for game, state in waiter.seen.items()):
                waiter.woken.set()


class Commits:
    """SQLite's own counter of commits by other connections, of this process and of any other.

    The file is opened by SQLite alone: a plain `open` of it would drop this process's locks.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._last = -1

    def moved(self) -> bool:
        """Return whether anything was committed since the last look, as far as can be seen.

        Where the counter cannot be read something may have been.
        """
        before = self._last
        try:
            self._last = self._now()
        except sqlite3.Error:
            self.close()  # the next look opens the file anew
            return True
        return self._last != before

    def _now(self) -> int:
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._file, check_same_thread=False, isolation_level=None
            )
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    def close(self) -> None:
        """Give the connection back."""
        if self._connection:
            self._connection.close()
        self._connection, self._last = None, -1
