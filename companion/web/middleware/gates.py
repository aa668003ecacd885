"""What is expensive goes through a gate, one request at a time: the judge's, and that of files.

Whoever waits too long is asked to come again. Each process has its own gates, and no search of any
request goes on beyond a limit of time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from companion.melds.budget import limit, limited
from companion.phones.gate import Gate

SEARCH_SECONDS = 0.3
"""The seconds of the processor that the searches of any request may take."""
JUDGE_SECONDS, OWN_GAME_SECONDS = 5.0, 0.3
"""Those for a hand that the judge is asked about: of a game we ship, of one of one's own.

No hand of ours needs a second, though its tables have still to be made, so that none is refused and
the same hand has the same answer. Under rules of a stranger's making a hand may take hours.
"""
LARGE_FILE = 16 * 1024
"""A file up to this size is read without waiting at the gate, even packed: it may hold 16 MB."""
JUDGE, FILES = Gate(5), Gate(10)


def init_app(app: Flask) -> None:
    """Limit what any request may search."""
    app.before_request(lambda: limit(SEARCH_SECONDS))
    # A thread keeps its context, and with it the limit, from one request to the next.
    app.teardown_request(lambda _: limit(None))


@contextmanager
def judge_slot(seconds: float) -> Iterator[None]:
    """Let the judge search so long, one question at a time.

    Raises `BusyError` where others ask already.
    """
    with JUDGE.passed(), limited(seconds):
        yield


@contextmanager
def file_slot(size: int = LARGE_FILE + 1) -> Iterator[None]:
    """Read or write a file of a league as long as that takes, one large file at a time.

    Raises `BusyError` where others have the gate for too long.
    """
    if size <= LARGE_FILE:
        with limited(None):
            yield
        return
    with FILES.passed(), limited(None):
        yield
