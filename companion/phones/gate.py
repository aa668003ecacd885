"""What is expensive goes through a gate, one at a time; who would wait too long comes again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from msgspec import Struct, field

MOST_WAITING = 4
"""How many wait at a gate; whoever comes then is asked to come again."""


class BusyError(Exception):
    """Others do this expensive work already; `seconds` is when to come again."""

    seconds = 5


class Gate(Struct, frozen=True):
    """Lets one in at a time; few others wait, `patience` seconds at most.

    Whoever waits holds a thread: were there no limit, those who hang up would take all of them.
    """

    patience: float
    free: BoundedSemaphore = field(default_factory=BoundedSemaphore)
    room: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(1 + MOST_WAITING))

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Be the one inside; raises `BusyError` where that would take too long."""
        if not self.room.acquire(blocking=False):
            raise BusyError
        try:
            if not self.free.acquire(timeout=self.patience):
                raise BusyError
            try:
                yield
            finally:
                self.free.release()
        finally:
            self.room.release()
