"""Phones that wait for news of a game over HTTP, each on a connection of its own."""

from __future__ import annotations

import secrets
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

from sqlalchemy import create_engine, text

from companion.store.authors import token_hash
from companion.store.database import database_url
from tests.support.patience import HANGS, wait_until

PAUSE = 0.5
"""Seconds before a phone asks again whose answer did not come, as `follow.js` has it."""


class WaitingPhone:
    """One page of a game: it asks what is newer than it has seen, again and again.

    `marks` are all that it was told, each with the moment; `asked` is when each of the questions
    was sent that brought them; `answers` counts also what was no news, and `let_go` what came as
    the server would wait no longer.
    """

    def __init__(self, port: int, game: str, cookies: str, tls: ssl.SSLContext | None) -> None:
        self.port, self.game, self.cookies, self.tls = port, game, cookies, tls
        self.marks: list[tuple[float, str]] = []
        self.asked: list[float] = []
        self.answers = self.let_go = 0
        self.connections = 0
        self._line: HTTPConnection | None = None

    @property
    def seen(self) -> str:
        """The state of the game that the phone knows."""
        return self.marks[-1][1] if self.marks else ""

    def heard_at(self, revision: int) -> float | None:
        """When the phone first knew this revision or a later one."""
        known = (at for at, mark in self.marks if int(mark.partition(".")[0]) >= revision)
        return next(known, None)

    def waited_for(self, revision: int, since: float) -> bool:
        """Return whether the question that brought a revision was waiting already at a moment."""
        both = zip(self.marks, self.asked, strict=True)
        asked = (at for (_, mark), at in both if int(mark.partition(".")[0]) >= revision)
        return next(asked, since) < since

    def follow(self, over: threading.Event) -> None:
        """Ask until it is over; a connection that is cut off is opened anew."""
        while not over.is_set():
            line = self._line = self._connection()
            try:
                while not over.is_set():
                    over.wait(self._ask(line))
            except (OSError, HTTPException):
                over.wait(PAUSE)
            finally:
                line.close()

    def hang_up(self) -> None:
        """Let go of the answer that it waits for."""
        if self._line and self._line.sock:
            with suppress(OSError):
                self._line.sock.shutdown(socket.SHUT_RDWR)

    def _connection(self) -> HTTPConnection:
        self.connections += 1
        if self.tls is None:
            return HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        return HTTPSConnection("localhost", self.port, timeout=HANGS, context=self.tls)

    def _ask(self, line: HTTPConnection) -> float:
        """Ask once; returns after how many seconds to ask again."""
        path = f"{self.game}/live?stays=1&wait=1&seen={self.seen}"
        asked = time.monotonic()
        line.request("GET", path, headers={"Cookie": self.cookies})
        answer = line.getresponse()
        mark = answer.read().decode()
        if answer.status >= 500:  # a proxy whose server is gone
            raise HTTPException(mark[:80])
        assert answer.status == 200, mark[:300]
        self.answers += 1
        self.let_go += "Retry-After" in answer.headers
        if mark != self.seen:
            self.asked.append(asked)
            self.marks.append((time.monotonic(), mark))
        return float(answer.headers.get("Retry-After", 0))


def joined(folder: Path, count: int, database: str | None = None) -> list[str]:
    """Let so many phones into the first league at once, past its pages; returns their cookies."""
    tokens = [secrets.token_urlsafe(16) for _ in range(count)]
    engine = create_engine(database_url(database, folder))
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO device (league_id, name, role, token_hash, created_at) "
                "VALUES (1, 'Phone', 'viewer', :token_hash, CURRENT_TIMESTAMP)"
            ),
            [{"token_hash": token_hash(token)} for token in tokens],
        )
    engine.dispose()
    return [f"device={token}" for token in tokens]


@contextmanager
def waiting_phones(
    count: int,
    port: int,
    game: str,
    folder: Path,
    tls: ssl.SSLContext | None = None,
    database: str | None = None,
) -> Iterator[list[WaitingPhone]]:
    """Have so many phones wait for news of a game; all know its state before the test goes on."""
    over = threading.Event()
    phones = [WaitingPhone(port, game, cookies, tls) for cookies in joined(folder, count, database)]
    threads = [threading.Thread(target=phone.follow, args=(over,), daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: all(phone.marks for phone in phones), "all phones know the game")
        yield phones
    finally:
        over.set()
        for phone, thread in zip(phones, threads, strict=True):
            phone.hang_up()
            thread.join(HANGS)
