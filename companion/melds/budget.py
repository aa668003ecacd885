"""How long a search may take: seconds of the processor, looked at inside the search.

Without a limit a search goes on to its end. A page sets one, for anybody may ask about any hand
under rules of their own making; what is cut off then is undecided, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time

from companion.cards import Refusal


class UndecidedError(Refusal):
    """A hand that could be laid in more ways than there is time to look at."""

    def __init__(self) -> None:
        super().__init__(
            "There are too many ways to judge this hand. Try it with fewer cards, or with fewer "
            "melds to lay down."
        )


_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def limit(seconds: float | None) -> None:
    """Let searches of this thread take no more of the processor from now on; None: no limit."""
    _deadline.set(None if seconds is None else thread_time() + seconds)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Let what is searched here take so long, whatever limit holds outside."""
    before = _deadline.get()
    limit(seconds)
    try:
        yield
    finally:
        _deadline.set(before)


def check() -> None:
    """Look at the clock; raises `UndecidedError` where the time is used up."""
    deadline = _deadline.get()
    if deadline is not None and thread_time() > deadline:
        raise UndecidedError
