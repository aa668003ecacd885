"""What one suit of a hand offers to the runs of a contract.

A suit is one whole number (`runs`). Places that use the same cards of it are one offer: it
does not matter to anything else where just they lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.cards import Hand
from companion.melds.meld import MeldRules
from companion.melds.places import CARDS, windows
from companion.melds.remembered import Remembered
from companion.melds.same_suit import CONNECTED, agreement

from .runs import BITS, ranks_held, units


class FilledRun(NamedTuple):
    """The places of a run: one card for each, in all and one by one, and the cards by suit."""

    places: int
    each: tuple[int, ...]
    cards: tuple[Hand, ...]


@dataclass(slots=True, eq=False)
class Offer:
    """Cards of a suit in runs: how many are missing, those used, and all places that lack one.

    `twice` are the cards used by two runs, one of each; `laid` is one way in which they lie.
    """

    missing: int
    used: int
    twice: int
    gaps: int
    laid: tuple[FilledRun, ...]


class Alone(Remembered[int, tuple[Offer, ...]]):
    """The offers to one run, the least missing first, remembered from hand to hand.

    A suit is told by one card of each rank held.
    """

    MOST = 4_000

    def __init__(self, size: int, ace: str) -> None:
        super().__init__()
        self._size = size
        self._laid = [(_lay(window.ranks),) for window in windows(ace, size)]

    def find(self, held: int) -> tuple[Offer, ...]:
        """List what a suit offers to one run."""
        found: dict[int, Offer] = {}
        for laid in self._laid:
            places = laid[0].places
            used = held & places
            if used in found:
                found[used].gaps |= places ^ used
            else:
                found[used] = Offer(self._size - used.bit_count(), used, 0, places ^ used, laid)
        return tuple(sorted(found.values(), key=_missing))


def _missing(offer: Offer) -> int:
    return offer.missing


@lru_cache(maxsize=8)
def offers_alone(size: int, ace: str) -> Alone:
    """Remember the offers to one run of a size, for all contracts that ask for one."""
    return Alone(size, ace)


Ranks = tuple[int, ...]

Pair = tuple[int, int, int, FilledRun, FilledRun]
"""Two runs: how many cards are missing, those that they use, those that both use, the places."""


class Both:
    """The offers to two runs at once, of just the sizes asked or connected.

    `twice` are the ranks of which both may ask for a card.
    """

    def __init__(self, sizes: tuple[int, int], meld_rules: MeldRules) -> None:
        pairs = [*_pairs(sizes, meld_rules)]
        every = list(dict.fromkeys(run for pair in pairs for run in pair))
        self._size = sum(sizes)
        self._laid = [_lay(run) for run in every]
        self._places = [units(run) for run in every]
        self._beside = [
            [(every.index(b), units(a) & units(b)) for a, b in pairs if a == one] for one in every
        ]
        self.twice = units({rank for one, other in pairs for rank in {*one} & {*other}})

    def pairs(self, suit: int, scarce: int, most: int) -> list[Pair]:
        """List the runs of which a suit lacks at most so many cards.

        A card of the scarce ranks counts for none: elsewhere one is lacking then.
        """
        held, again = ranks_held(suit, 1), ranks_held(suit, 2) & self.twice
        free = held & ~scarce | again
        if self._size - free.bit_count() - again.bit_count() > most:
            return []
        lacking = [(places & ~free).bit_count() for places in self._places]
        room = most - min(lacking, default=most)
        found = []
        for one, lack in enumerate(lacking):
            if lack > room:
                continue
            for other, shared in self._beside[one]:
                # A place that both have needs two cards.
                both_lack = lack + lacking[other] + (shared & free & ~again).bit_count()
                if both_lack <= most:
                    first, second = self._laid[one], self._laid[other]
                    used, twice = (first.places | second.places) & held, shared & again
                    missing = len(first.each) + len(second.each)
                    missing -= used.bit_count() + twice.bit_count()
                    found.append((missing, used, twice, first, second))
        return found

    def offer(self, pair: Pair) -> Offer:
        """Return what a pair of runs uses, and which places lack a card."""
        missing, used, twice, one, other = pair
        gaps = (one.places | other.places) & ~used | one.places & other.places & ~twice
        return Offer(missing, used, twice, gaps, (one, other))


def _pairs(sizes: tuple[int, int], meld_rules: MeldRules) -> Iterator[tuple[Ranks, Ranks]]:
    """List the ranks of two runs in one suit, of just the sizes asked or connected."""
    rule, ace = meld_rules.same_suit_runs, meld_rules.ace
    if rule == "different_suits":
        return
    first, second = (
        [(ranks, (start, size, size, True)) for start, _, ranks in windows(ace, size)]
        for size in sizes
    )
    for (one, placed), (other, beside) in product(first, second):
        if first == second and placed > beside:
            continue
        if agreement(rule, ace, placed, beside):
            yield one, other
    if rule == "adjacent_needs_9" and sum(sizes) < CONNECTED:
        for _, _, ranks in windows(ace, CONNECTED):
            yield ranks[: sizes[0]], ranks[sizes[0] :]


def _lay(ranks: Ranks) -> FilledRun:
    return FilledRun(
        units(ranks),
        tuple(1 << BITS * rank for rank in ranks),
        tuple(tuple(of_suit[rank] for rank in ranks) for of_suit in CARDS),
    )
