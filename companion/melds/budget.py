"""How long searches may take: seconds of the processor, looked at inside each search.

Without a limit a search goes on to its end. A page sets one, for anybody may ask about any hand
under rules of their own making; what is cut off then is undecided, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import thread_time

from companion.cards import Refusal


class UndecidedError(Refusal):
    """A hand that could be laid in more ways than there is time to look at."""

    def __init__(self) -> None:
        super().__init__("This hand has too many ways to work out here.")


@dataclass(slots=True)
class _Budget:
    """The seconds that are left, and while a search runs, when they end."""

    left: float
    deadline: float | None = None


_budget: ContextVar[_Budget | None] = ContextVar("budget", default=None)


def limit(seconds: float | None) -> None:
    """Let all searches from now on together take no longer; None: as long as they need."""
    _budget.set(None if seconds is None else _Budget(seconds))


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Let what is searched here together take so long, whatever limit holds outside."""
    before = _budget.get()
    limit(seconds)
    try:
        yield
    finally:
        _budget.set(before)


@contextmanager
def searching() -> Iterator[None]:
    """Let the clock run for a search; what a search asks of another is part of it."""
    budget = _budget.get()
    if budget is None or budget.deadline is not None:
        yield
        return
    # Not the wall's clock: others at work on the machine would take time from this question.
    started = thread_time()
    budget.deadline = started + budget.left
    try:
        yield
    finally:
        budget.left = budget.deadline - thread_time()
        budget.deadline = None


def check() -> None:
    """Look at the clock.

    Raises `UndecidedError` where a limit is set and the time is used up.
    """
    budget = _budget.get()
    if budget is not None and budget.deadline is not None and thread_time() > budget.deadline:
        raise UndecidedError
