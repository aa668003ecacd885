"""What one suit of a hand offers to the runs of a contract, remembered from hand to hand.

A suit is one whole number (`quick_runs`). Places that use the same cards of it are one offer: it
does not matter to anything else where just they lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from .choices import CONNECTED, agreement
from .meld import MeldRules
from .places import Window, windows
from .quick_runs import ranks_held, units

Laid = tuple[Window, int]
"""A window of a run, and one card for each of its places."""


class Offer(NamedTuple):
    """Cards of a suit in runs: how many are missing, those used, and all places that lack one.

    `twice` are the cards used by two runs, one of each; `laid` is one way in which they lie.
    """

    missing: int
    used: int
    twice: int
    gaps: int
    laid: tuple[Laid, ...]


class Alone(dict[int, tuple[Offer, ...]]):
    """The offers of suits to one run of a size, the least missing first."""

    MOST_REMEMBERED = 4_096

    def __init__(self, size: int, meld_rules: MeldRules) -> None:
        super().__init__()
        self._laid = [((window, units(window)),) for window in windows(meld_rules.ace, size)]

    def __missing__(self, held: int) -> tuple[Offer, ...]:
        if len(self) >= self.MOST_REMEMBERED:
            self.clear()
        offers = []
        for laid in self._laid:
            ((_, places),) = laid
            gaps = places & ~held
            offers.append(Offer(gaps.bit_count(), places & held, 0, gaps, laid))
        self[held] = found = _joined(offers)
        return found


class Both:
    """The offers of suits to two runs at once, the least missing first."""

    MOST_REMEMBERED = 4_096

    def __init__(self, sizes: tuple[int, int], meld_rules: MeldRules) -> None:
        self.size = sum(sizes)
        self._pairs = [*_pairs(sizes, meld_rules)]
        self.twice = reduce(or_, [one & other for (_, one), (_, other) in self._pairs], 0)
        self._known: dict[int, tuple[int, tuple[Offer, ...]]] = {}

    def offers(self, suit: int, most: int) -> tuple[Offer, ...]:
        """List the offers of a suit that miss at most so many cards, and maybe others."""
        asked, offers = self._known.get(suit, (-1, ()))
        if asked >= most:
            return offers
        if len(self._known) >= self.MOST_REMEMBERED:
            self._known.clear()
        held, again = ranks_held(suit, 1), ranks_held(suit, 2)
        found = []
        for laid in self._pairs:
            (_, places), (_, others) = laid
            # A place that both have needs two cards: the first run takes its own.
            for_other = held & ~places | again
            used, more = places & held, others & for_other
            missing = (places ^ used).bit_count() + (others ^ more).bit_count()
            if missing <= most:
                gaps = places ^ used | others ^ more
                found.append(Offer(missing, used | more, used & more, gaps, laid))
        self._known[suit] = most, _joined(found)
        return self._known[suit][1]


def _pairs(sizes: tuple[int, int], meld_rules: MeldRules) -> Iterator[tuple[Laid, Laid]]:
    """List the places of two runs in one suit, of just the sizes asked or connected."""
    rule, ace = meld_rules.same_suit_runs, meld_rules.ace
    if rule == "different_suits":
        return
    first, second = (windows(ace, size) for size in sizes)
    for one, other in product(first, second):
        if sizes[0] == sizes[1] and one.start > other.start:
            continue
        placed = (one.start, sizes[0], sizes[0], True), (other.start, sizes[1], sizes[1], True)
        if agreement(rule, ace, *placed):
            yield (one, units(one)), (other, units(other))
    if rule == "adjacent_needs_9" and sum(sizes) < CONNECTED:
        for start, _, ranks in windows(ace, CONNECTED):
            one = Window(start, sizes[0], ranks[: sizes[0]])
            other = Window(start + sizes[0], CONNECTED - sizes[0], ranks[sizes[0] :])
            yield (one, units(one)), (other, units(other))


def _joined(offers: list[Offer]) -> tuple[Offer, ...]:
    """Make one of offers that use the same cards, and bring them in order."""
    found: dict[tuple[int, int, int], Offer] = {}
    for offer in offers:
        key = offer.missing, offer.used, offer.twice
        known = found.get(key)
        found[key] = known._replace(gaps=known.gaps | offer.gaps) if known else offer
    return tuple(sorted(found.values(), key=lambda offer: offer.missing))
