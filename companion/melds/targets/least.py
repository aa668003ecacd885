"""What a meld lacks at least for the cards that others leave, remembered from hand to hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from ..places import MOST_CARDS
from .counts import (
    LARGER,
    OF_A_SUIT,
    SUIT_BITS,
    at_least,
    by_rank,
    in_all_suits,
    number_of,
    one_of_each,
)
from .counts import ONES as ANY_CARD
from .filling import Choice

A_SUIT = SUIT_BITS // 8
"""How many cells a suit has."""

MOST_ALIKE = MOST_CARDS // 2
"""Of no more melds that are alike it is told what they lack together."""


Most = tuple[int, int]
"""How many cards one meld takes at most, and how many several that are like it do."""


@dataclass(slots=True)
class Lacking:
    """The fewest places of a meld that lack a steady card, and the fewest that need a natural one.

    The second number may be less than nothing, where there are natural cards enough. If no more
    places lack a card than must, one more of the cards to be had `again` may have a place though
    one of them is there. The `takers`, suits or ranks, tell what several melds of the smallest
    size, and with the least need, may take.
    """

    missing: int
    lack: int
    again: int
    size: int
    steady: list[Most]
    need: int
    naturals: list[Most]
    _missing_of: tuple[int, ...] = ()
    _lack_of: tuple[int, ...] = ()

    def missing_of(self, melds: int) -> int:
        """Tell how many places of so many such melds lack a steady card; none shares its cards."""
        if melds < 2:
            return self.missing if melds else 0
        if not self._missing_of:
            self._missing_of = _together(self.size, self.steady)
        return self._missing_of[melds]

    def lack_of(self, melds: int) -> int:
        """Tell how many natural cards they need, none of them less than nothing."""
        if melds < 2:
            return max(0, self.lack) if melds else 0
        if not self._lack_of:
            self._lack_of = _together(self.need, self.naturals)
        return self._lack_of[melds]


class OfRuns(NamedTuple):
    """What a run of one suit, or of any, lacks at least, as above.

    And how many steady and natural cards the suit has for one run and for several together.
    """

    missing: int
    lack: int
    steady: Most
    naturals: Most


class Least:
    """What one meld lacks at least, and several that are like it.

    It takes no more than `most` of one card, or of a rank where suits do not matter.
    """

    MOST_REMEMBERED = 1_024

    def __init__(self, choices: Sequence[Choice], steady: int) -> None:
        """Prepare for one meld's choices, `steady` being the cards that are not wild."""
        self.steady = steady
        sizes = [1 + bool(choice.again) if choice.window else choice.size for choice in choices]
        self.most = max(sizes, default=0)
        self._smallest = min([choice.size for choice in choices], default=0)
        self._largest = max([choice.size for choice in choices], default=0)
        self._need = max(0, min([choice.need for choice in choices], default=0))
        self.is_in_suit = bool(choices) and choices[0].suit >= 0
        in_suits = [[choice for choice in choices if choice.suit == suit] for suit in range(4)]
        self._in_suits = [(255 * _marks(own), own) for own in in_suits if own]
        self._mixed = [choice for choice in choices if choice.suit < 0 and choice.window]
        self._sets = {choice.size: choice.need for choice in choices if choice.window is None}
        self._bars = choices[0].bars.bit_count() if choices else 0
        self.again = 0 if self.is_in_suit or self._mixed else ANY_CARD
        for choice in choices:
            self.again |= choice.again
        self._shifts = sorted({8 * choice.rank for choice in choices if choice.window is None})
        self._ranks = sum([1 << shift for shift in self._shifts])
        self._known: dict[int, Lacking] = {}
        self._suits: dict[tuple[int, int], OfRuns] = {}
        self._near: dict[tuple[int, int], list[int]] = {}

    def of(self, rest: int, barred: int) -> Lacking:
        """Tell it for the cards left, of which some are barred from runs of one suit."""
        if not self._in_suits:
            cards = by_rank(rest)
        elif self._bars:
            cards = one_of_each(rest) & ~barred
        else:
            cards = rest & ~barred | barred & LARGER
        return self._known.get(cards) or self._find(cards)

    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place if no more than so many places lack one."""
        if self._in_suits:
            there = one_of_each(rest) & ~barred
            near = [self._near_of(there & cells, own, most) for cells, own in self._in_suits]
            return reduce(or_, near) & ~barred
        ranks = by_rank(rest)
        if self._mixed:
            return self._near_of(one_of_each(ranks), self._mixed, most)
        return in_all_suits(at_least(ranks, max(0, self._smallest - most)) & self._ranks)

    def with_many(self, cards: int, number: int) -> int:
        """Name the cards of which there are so many, of their rank where suits do not matter."""
        if self._in_suits:
            return at_least(cards, number)
        return in_all_suits(at_least(by_rank(cards), number) & OF_A_SUIT)

    def _near_of(self, there: int, choices: list[Choice], most: int) -> int:
        """Name the cards of runs of which at most so many places lack a card."""
        near = self._near.get((there, choices[0].suit))
        if near is None:
            if len(self._near) >= self.MOST_REMEMBERED:
                self._near.clear()
            near = [0] * (self._largest + 1)
            steady = there & self.steady
            for choice in choices:
                near[choice.size - _taken(choice, steady)] |= choice.cells
            near = self._near[there, choices[0].suit] = list(accumulate(near, or_))
        return near[min(most, len(near) - 1)] if most >= 0 else 0

    def _find(self, cards: int) -> Lacking:
        for known in (self._known, self._suits):
            if len(known) >= self.MOST_REMEMBERED:
                known.clear()
        if self._in_suits:
            least = self._of_runs(
                [self._of_suit(cards & own, runs) for own, runs in self._in_suits]
            )
        elif self._mixed:
            least = self._of_runs([self._of_suit(cards, self._mixed)])
        else:
            least = self._of_sets(cards)
        self._known[cards] = least
        return least

    def _of_suit(self, cards: int, choices: list[Choice]) -> OfRuns:
        key = cards, choices[0].suit
        if key not in self._suits:
            self._suits[key] = self._of_one_suit(cards, choices)
        return self._suits[key]

    def _of_one_suit(self, cards: int, choices: list[Choice]) -> OfRuns:
        """Tell it for runs; a larger one lacks no less than the smallest within it."""
        if cards & LARGER:
            cards &= ~LARGER
            choices = [choice for choice in choices if not choice.marks & LARGER]
        there = one_of_each(cards)
        steady = there & self.steady
        small = [choice for choice in choices if choice.size == self._smallest]
        missing = min([self._smallest - _taken(choice, steady) for choice in small], default=99)
        lack = _lack(there, choices)
        one, natural = self._smallest - missing, self._need - max(0, lack)
        if self._bars == A_SUIT:
            several = one, natural
        elif self._bars:
            # Two runs may share the rank of an ace.
            several = steady.bit_count() + 1, there.bit_count() + 1
        else:
            several = number_of(cards & 255 * self.steady), number_of(cards)
        return OfRuns(missing, lack, (one, several[0]), (natural, several[1]))

    def _of_runs(self, runs: list[OfRuns]) -> Lacking:
        missing, lack = min([run.missing for run in runs]), min([run.lack for run in runs])
        steady, naturals = [run.steady for run in runs], [run.naturals for run in runs]
        return Lacking(missing, lack, self.again, self._smallest, steady, self._need, naturals)

    def _of_sets(self, rest: int) -> Lacking:
        naturals = [rest >> shift & 255 for shift in self._shifts]
        steady = [rest >> shift & 255 for shift in self._shifts if self.steady >> shift & 1]
        smallest, most = self._smallest, max(steady, default=0)
        missing = smallest - min(smallest, most)
        lack = min([need - min(size, max(naturals)) for size, need in self._sets.items()])
        best = at_least(rest, most) & self._ranks & self.steady
        again = in_all_suits(best) if missing else 0
        of_steady = [(smallest, many) for many in steady]
        of_naturals = [(self._need, many) for many in naturals]
        return Lacking(missing, lack, again, smallest, of_steady, self._need, of_naturals)


def _together(size: int, most: Iterable[Most]) -> tuple[int, ...]:
    """Tell how many places melds of a size lack together, none, one and more of them."""
    taken = [0] * MOST_ALIKE
    for one, several in most:
        if one > 0:
            taken += [min(one, left) for left in range(several, 0, -one)]
    taken.sort(reverse=True)
    return tuple(accumulate([size - many for many in taken[:MOST_ALIKE]], initial=0))


def _lack(there: int, choices: list[Choice]) -> int:
    """Tell how many natural cards runs are short of at least."""
    least = 99
    for choice in choices:
        least = min(least, choice.need - _taken(choice, there))
        if least <= 0:
            break
    return least


def _taken(choice: Choice, there: int) -> int:
    """Tell how many places of a run one of each of some cards fills."""
    return (choice.units & there).bit_count() + (choice.again & there).bit_count()


def _marks(choices: list[Choice]) -> int:
    """Name the cards of runs, and whether some must connect."""
    return reduce(or_, [choice.marks for choice in choices])
