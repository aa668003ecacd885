"""What a meld lacks at least for the cards that others leave, remembered from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .counts import ONES, at_least, by_rank, in_all_suits, one_of_each
from .filling import Choice


class Lacking(NamedTuple):
    """The fewest places of a meld that lack a steady card, and the fewest that need a natural one.

    The second number may be less than nothing, where there are natural cards enough. Without any
    one of its `vital` cards, if there is no second of it, more places lack a card. Though one of
    them is there, one more of the cards to be had `again` may have a place.
    """

    missing: int
    lack: int
    vital: int
    again: int


class Least:
    """What one meld lacks at least."""

    MOST_REMEMBERED = 1_024

    def __init__(self, choices: Sequence[Choice], steady: int) -> None:
        """Prepare for one meld's choices, `steady` being the cards that are not wild."""
        self._steady = steady
        self._smallest = min([choice.size for choice in choices], default=0)
        in_suits = [[choice for choice in choices if choice.suit == suit] for suit in range(4)]
        self._in_suits = [(_cells(own), own) for own in in_suits if own]
        self._mixed = [choice for choice in choices if choice.suit < 0 and choice.window]
        self._sets = {choice.size: choice.need for choice in choices if choice.window is None}
        self._again = 0
        for choice in choices:
            self._again |= choice.again
        self._ranks = sum({1 << 8 * choice.rank for choice in choices if choice.window is None})
        self._known: dict[int, Lacking] = {}
        self._suits: dict[int, Lacking] = {}

    def of(self, rest: int, barred: int) -> Lacking:
        """Tell it for the cards left, of which some are barred from runs of one suit."""
        cards = one_of_each(rest) & ~barred if self._in_suits else rest
        return self._known.get(cards) or self._find(cards)

    def vital(self, rest: int, barred: int) -> int:
        """Name the cards left of which each, once taken, makes the meld lack one more."""
        vital = self.of(rest, barred).vital
        return vital & ~at_least(rest, 2) if self._in_suits else vital

    def _find(self, cards: int) -> Lacking:
        for known in (self._known, self._suits):
            if len(known) >= self.MOST_REMEMBERED:
                known.clear()
        if self._in_suits:
            found = [self._of_suit(cards & cells, own) for cells, own in self._in_suits]
            least = _least(found)
        elif self._mixed:
            least = self._of_runs(one_of_each(by_rank(cards)), self._mixed)
        else:
            least = self._of_sets(by_rank(cards))
        self._known[cards] = least
        return least

    def _of_suit(self, there: int, choices: list[Choice]) -> Lacking:
        if there not in self._suits:
            self._suits[there] = self._of_runs(there, choices)
        return self._suits[there]

    def _of_runs(self, there: int, choices: list[Choice]) -> Lacking:
        """Tell it for runs; a larger one lacks no less than the smallest within it."""
        steady, missing, vital = there & self._steady, 99, 0
        for choice in choices:
            if choice.size > self._smallest:
                continue
            taken = choice.units & steady
            lacks = choice.size - taken.bit_count() - (choice.again & steady).bit_count()
            if lacks <= missing:
                vital = taken if lacks < missing else vital & taken
                missing = lacks
        return Lacking(missing, _lack(there, choices), 0 if self._mixed else vital, self._again)

    def _of_sets(self, rest: int) -> Lacking:
        most = _most(rest, self._ranks)
        steady = _most(rest, self._ranks & self._steady)
        missing = min([size - min(size, steady) for size in self._sets])
        lack = min([need - min(size, most) for size, need in self._sets.items()])
        best = at_least(rest, steady) & self._ranks & self._steady
        is_vital = best.bit_count() == 1 and steady <= min(self._sets)
        cards = in_all_suits(best)
        return Lacking(missing, lack, cards if is_vital else 0, cards if missing else 0)


def _least(found: list[Lacking]) -> Lacking:
    """Give the least of runs in several suits."""
    missing = min([lacking.missing for lacking in found])
    lack = min([lacking.lack for lacking in found])
    best = [lacking.vital for lacking in found if lacking.missing == missing]
    return Lacking(missing, lack, best[0] if len(best) == 1 else 0, found[0].again)


def _lack(there: int, choices: list[Choice]) -> int:
    """Tell how many natural cards runs are short of at least."""
    least = 99
    for choice in choices:
        natural = (choice.units & there).bit_count() + (choice.again & there).bit_count()
        least = min(least, choice.need - natural)
        if least <= 0:
            break
    return least


def _cells(choices: list[Choice]) -> int:
    cells = 0
    for choice in choices:
        cells |= choice.cells
    return cells


def _most(counts: int, ranks: int) -> int:
    """Tell of how many cards the rank is of which there are most."""
    most = 0
    while counts + (127 - most) * ONES >> 7 & ranks:
        most += 1
    return most
