"""Watches what pages show, and beside it what is stored, so that the two can be compared later."""

from __future__ import annotations

import json
import threading
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from time import sleep, time

from playwright.sync_api import Page
from sqlalchemy import Engine, text

OLDEST = 3.0
"""Seconds for which a page may show what is no longer true without saying so."""
AHEAD = 0.5
"""Seconds by which what is stored may be noticed later than a page shows it."""
PACE = 0.1
DEALS = text("SELECT count(*) FROM deal")
SUMS = text("SELECT seat, sum(points) FROM line GROUP BY seat")
ENDING = text("SELECT by FROM ending WHERE position = :position")
HANDS = text("SELECT seat, told, chosen FROM report WHERE position = :position")
LOOK = """
const number = ({ textContent }) => Number(textContent.trim().replace('−', '-'));
const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
const seat = (one) => Number(one.closest('[data-seat]').dataset.seat);
const bySeats = (one, other) => seat(one) - seat(other);
const isIn = (one) => one.querySelector('.good:not([aria-hidden])');
setInterval(() => {
  const header = document.querySelector('header.top [data-deal]');
  const late = document.querySelector('[data-late]:not([hidden])');
  const line = document.querySelector('[data-line]');
  const hands = all('[data-seat-state]', (one) => one);
  const own = all('[data-in]', (one) => Number(one.dataset.in));
  const held = [...hands.filter(isIn).map((one) => Number(one.dataset.seatState)), ...own];
  window.watched(JSON.stringify({
    at: Date.now() / 1000,
    deal: header && !late ? Number(header.dataset.deal) : null,
    totals: late ? [] : all('.board .total', (one) => one).toSorted(bySeats).map(number),
    hands: late || !hands.length ? null : held,
    warns: Boolean(line && !line.hidden && line.textContent.includes('What you see may be old')),
  }));
}, 100);
"""


@dataclass(frozen=True)
class Truth:
    """What is stored: deals saved, totals by seat, and whose hands of the ended deal are in."""

    deals: int
    totals: tuple[int, ...]
    hands: frozenset[int] | None


@dataclass
class Shown:
    """What one page showed at one moment; None and nothing where it showed none of it."""

    at: float
    deal: int | None
    totals: list[int]
    hands: list[int] | None
    warns: bool

    def agrees(self, truth: Truth) -> bool:
        """Return whether all that was shown was so."""
        return (
            self.deal in (None, truth.deals + 1)
            and (not self.totals or tuple(self.totals) == truth.totals)
            and (self.hands is None or frozenset(self.hands) == truth.hands)
        )


@dataclass
class Watch:
    """What was stored since when, and what pages showed by their names."""

    seats: int
    since: list[float] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    shown: dict[str, list[Shown]] = field(default_factory=dict)

    def look_at(self, name: str, page: Page) -> None:
        """Watch a page from its next load on, through all that it leads to."""
        seen = self.shown.setdefault(name, [])
        page.expose_function("watched", lambda text: seen.append(Shown(**json.loads(text))))
        page.add_init_script(LOOK)
        page.reload()

    def lies(self) -> list[str]:
        """List what pages showed that had not been true for a while, and that they did not say."""
        return [
            f"{name} at {one.at - self.since[0]:.1f}: {one}"
            for name, samples in self.shown.items()
            for one, stalled in _with_stalls(samples)
            if not one.warns and not any(map(one.agrees, self._within(one.at, stalled)))
        ]

    def figures(self) -> str:
        """Say how many states were compared, and how old the oldest was that nothing warned of."""
        compared = [one for samples in self.shown.values() for one in samples if not one.warns]
        warned = sum(map(len, self.shown.values())) - len(compared)
        oldest = max(map(self._age, compared), default=0.0)
        return f"{len(compared)} states compared, {warned} with a warning, oldest {oldest:.1f} s"

    def _age(self, one: Shown) -> float:
        """Return for how many seconds what was shown had not been so any more."""
        ends = [*self.since[1:], one.at]
        was_so = [
            end
            for truth, begin, end in zip(self.truths, self.since, ends, strict=True)
            if begin < one.at + AHEAD and one.agrees(truth)
        ]
        return max(0.0, one.at - max(was_so, default=one.at))

    def _within(self, at: float, stalled: float) -> list[Truth]:
        first = bisect_left(self.since, at - OLDEST - stalled)
        last = bisect_left(self.since, at + AHEAD)
        return self.truths[max(0, first - 1) : max(1, last)]


def _with_stalls(samples: list[Shown]) -> Iterator[tuple[Shown, float]]:
    """Add to each sample for how long the page itself stood still shortly before."""
    for place, one in enumerate(samples):
        before = [
            other for other in samples[max(0, place - 40) : place + 1] if one.at - other.at < 6
        ]
        gaps = [late.at - early.at - PACE for early, late in pairwise(before)]
        yield one, sum(gap for gap in gaps if gap > PACE)


@contextmanager
def watching(engine: Engine, seats: int) -> Iterator[Watch]:
    """Watch what is stored while a family plays."""
    watch, over = Watch(seats), threading.Event()

    def look() -> None:
        while not over.is_set():
            found = stored(engine, seats)
            if not watch.truths or watch.truths[-1] != found:
                watch.since.append(time())
                watch.truths.append(found)
            sleep(PACE / 5)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()


def stored(engine: Engine, seats: int) -> Truth:
    """Read the one game of a database in one moment."""
    with engine.begin() as database:
        deals = int(database.execute(DEALS).scalar_one())
        sums = {seat: int(points) for seat, points in database.execute(SUMS)}
        on_table = {"position": deals + 1}
        ending = database.execute(ENDING, on_table).first()
        hands: dict[int, list[str]] = {}
        for seat, told, chosen in database.execute(HANDS, on_table):
            hands.setdefault(seat, []).append("chosen" if chosen else str(told))
    settled = {s for s, told in hands.items() if told.count("chosen") == 1 or len({*told}) == 1}
    whose = frozenset(settled - {ending[0]}) if ending else None
    return Truth(deals, tuple(sums.get(seat, 0) for seat in range(seats)), whose)
