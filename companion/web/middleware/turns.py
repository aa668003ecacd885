"""Dear work comes one at a time, and steps aside while others are served.

A thread that computes makes every other wait for Python's own lock, again and again: one question
to the judge could triple the time of all saves. So whatever is dear asks between its steps whether
anybody else's page is being made, and lets it go first. Each process has its own lines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Condition
from time import monotonic, sleep

from flask import Flask, g, has_request_context, request
from msgspec import Struct, field

from companion.melds.effort import Effort, limit, limited

MOST_STEPS = 5_000
"""What any request may search, half a second's work; the judge's own limit is wider."""
JUDGE_STEPS = 30_000
QUICK_STEPS = 1_000
"""A question that takes no more than so many steps never waits for its turn."""
BETWEEN = 5
"""How many steps of a search are made before it looks whether others are served."""
ASIDE = 0.05
"""How many seconds dear work steps aside at once: a save's time, and then it goes on."""
LARGE_FILE = 256 * 1024
"""A file up to this size is read without waiting for a turn."""
REST = 0.5
"""How many seconds whoever stores a large file rests at most between two transactions."""


class BusyError(Exception):
    """Others wait for the same dear thing already; `seconds` is when to come again."""

    seconds = 5


class GoneError(Exception):
    """Nobody waits for the answer any more."""


class _Place(str):
    """A place in a line, by the address of whoever has it; two of one address are two places."""

    __slots__ = ()


class WaitingLine(Struct):
    """People who wait for the same dear thing: the first is served, a few wait.

    `once`: an address waits once. Where the same tap may come again, each of them waits.
    """

    most_waiting: int
    patience: float
    once: bool = True
    places: list[_Place] = field(default_factory=list)
    moved: Condition = field(default_factory=Condition)

    @contextmanager
    def turn(self, whose: str) -> Iterator[None]:
        """Wait for one's turn and have it; raises `BusyError` where that would take long.

        Whoever stands in one line leaves that of heavy users: they need not wait for what is dear.
        """
        let_the_next_heavy_in()
        _be_dear()
        mine = _Place(whose)
        with self.moved:
            if len(self.places) > self.most_waiting or (self.once and whose in self.places[1:]):
                raise BusyError
            self.places.append(mine)
        try:
            self._wait(mine)
            yield
        finally:
            with self.moved:
                self.places[:] = [place for place in self.places if place is not mine]
                self.moved.notify_all()

    def _wait(self, mine: _Place) -> None:
        end = monotonic() + self.patience
        with self.moved:
            while self.places[0] is not mine:
                _refuse_absent()
                if monotonic() > end:
                    raise BusyError
                self.moved.wait(0.5)


JUDGE, FILES = WaitingLine(2, 5), WaitingLine(2, 30)
SAMPLES = WaitingLine(3, 10, once=False)
HEAVY_USERS = WaitingLine(15, 10, once=False)
_moved = Condition()
_count = {"served": 0, "dear": 0}


def init_app(app: Flask) -> None:
    """Count who is being served, and limit what anybody may search."""
    app.before_request(_begin)
    app.teardown_request(_end)


def _begin() -> None:
    g.served, g.dear = True, False
    limit(Effort(MOST_STEPS))
    with _moved:
        _count["served"] += 1


def _end(_: BaseException | None) -> None:
    limit(None)
    let_the_next_heavy_in()
    if g.pop("served", False):
        with _moved:
            _count["served"] -= 1
            _count["dear"] -= g.dear
            _moved.notify_all()


def _be_dear() -> None:
    """Stand back from now on: nobody dear waits for anybody else dear."""
    if not has_request_context():
        return
    with _moved:
        _count["dear"] += not g.dear
        g.dear = True
        _moved.notify_all()


def step_aside() -> None:
    """Let others be served first, for a moment; raises `GoneError` where nobody waits for this."""
    _refuse_absent()
    _be_dear()
    with _moved:
        _moved.wait_for(lambda: _count["served"] <= _count["dear"], ASIDE)


def queue_as_heavy(whose: str) -> None:
    """Wait for the other heavy users, and keep the next ones waiting until this request ends.

    Raises `BusyError` where too many wait already, and `GoneError`.
    """
    turn = ExitStack()
    turn.enter_context(HEAVY_USERS.turn(whose))
    g.heavy_turn = turn
    step_aside()


def let_the_next_heavy_in() -> None:
    """Let the next heavy user be served."""
    if has_request_context() and (turn := g.pop("heavy_turn", None)):
        turn.close()


def _refuse_absent() -> None:
    if not has_request_context():
        return
    is_gone = request.environ.get("waitress.client_disconnected")
    if is_gone and is_gone():
        raise GoneError


@contextmanager
def judging(whose: str) -> Iterator[None]:
    """Let the judge search further than others do; what is dear waits for its turn.

    Raises `BusyError` where others wait already, and `GoneError`.
    """
    with ExitStack() as turn:
        seen = 0

        def between(made: int) -> None:
            nonlocal seen
            if made - seen < BETWEEN:
                return
            if seen <= QUICK_STEPS < made:
                turn.enter_context(JUDGE.turn(whose))
            seen = made
            step_aside()

        with limited(Effort(JUDGE_STEPS, between)):
            yield


@contextmanager
def filing(whose: str, size: int = LARGE_FILE + 1) -> Iterator[None]:
    """Read or write a file of a league as long as that takes; a large one waits for its turn.

    Raises `BusyError` where others wait already, and `GoneError`.
    """
    with ExitStack() as turn:
        if size > LARGE_FILE:
            turn.enter_context(FILES.turn(whose))
        turn.enter_context(limited(Effort(sys.maxsize, lambda _: step_aside())))
        yield


@contextmanager
def sampling(whose: str) -> Iterator[None]:
    """Make a sample league, whose games are many: one after the other.

    Raises `BusyError` where others wait already, and `GoneError`.
    """
    with SAMPLES.turn(whose):
        yield


class Rest:
    """What is done between two of many transactions: as long a rest as they worked."""

    def __init__(self) -> None:
        self._since = monotonic()

    def __call__(self) -> None:
        """Let others have the database for as long as it was worked with, and step aside."""
        sleep(min(monotonic() - self._since, REST))
        step_aside()
        self._since = monotonic()
