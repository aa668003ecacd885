"""How much a search may work: counted in steps and not in seconds, alike on every machine.

Without a limit a search goes on to its end. A page sets one, for anybody may ask about any hand
under rules of their own making; a step is a tenth of a millisecond, more or less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from companion.cards import Refusal


class TooManyWaysError(Refusal):
    """A hand that could be laid in more ways than a page has time to look at."""

    def __init__(self) -> None:
        super().__init__(
            "There are too many ways to judge this hand. Try it with fewer cards, or with fewer "
            "melds to lay down."
        )


@dataclass(slots=True)
class Effort:
    """The steps that are left, and what is called `between` them, with how many were made."""

    most: int
    between: Callable[[int], None] | None = None
    made: int = 0

    def spend(self, steps: int) -> None:
        """Make some steps; raises `TooManyWaysError` where none are left."""
        self.made += steps
        if self.made > self.most:
            raise TooManyWaysError
        if self.between:
            self.between(self.made)


_effort: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def limited(effort: Effort) -> Iterator[Effort]:
    """Let what is searched here make no more steps than these; a narrower limit may lie inside."""
    before = _effort.get()
    limit(effort)
    try:
        yield effort
    finally:
        limit(before)


def limit(effort: Effort | None) -> None:
    """Let searches make no more steps than these from now on, None: as many as they need."""
    _effort.set(effort)


def spend(steps: int = 1) -> None:
    """Make some steps of a search.

    Raises `TooManyWaysError` where a limit is set and none are left.
    """
    effort = _effort.get()
    if effort is not None:
        effort.spend(steps)
