"""What a meld lacks at least for the cards that others leave, remembered from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence

from .counts import ONES, by_rank, one_of_each
from .filling import Choice


class Least:
    """The fewest places of a meld that lack a steady card, and the fewest that need a natural one.

    The second number is less than nothing where there are more natural cards than are needed.
    """

    MOST_REMEMBERED = 1_024

    def __init__(self, choices: Sequence[Choice], steady: int) -> None:
        """Prepare for one meld's choices, `steady` being the cards that are not wild."""
        self._steady = steady
        in_suits = [[choice for choice in choices if choice.suit == suit] for suit in range(4)]
        self._in_suits = [(_cells(own), own) for own in in_suits if own]
        self._mixed = [choice for choice in choices if choice.suit < 0 and choice.window]
        self._sets = {choice.size: choice.need for choice in choices if choice.window is None}
        self._ranks = sum({1 << 8 * choice.rank for choice in choices if choice.window is None})
        self._known: dict[int, tuple[int, int]] = {}
        self._suits: dict[int, tuple[int, int]] = {}

    def of(self, rest: int, barred: int) -> tuple[int, int]:
        """Tell both for the cards left, of which some are barred from runs of one suit."""
        cards = one_of_each(rest) & ~barred if self._in_suits else rest
        return self._known.get(cards) or self._find(cards)

    def _find(self, cards: int) -> tuple[int, int]:
        for known in (self._known, self._suits):
            if len(known) >= self.MOST_REMEMBERED:
                known.clear()
        if self._in_suits:
            found = [self._of_suit(cards & cells, own) for cells, own in self._in_suits]
            least = min([missing for missing, _ in found]), min([lack for _, lack in found])
        elif self._mixed:
            least = self._of_runs(one_of_each(by_rank(cards)), self._mixed)
        else:
            least = self._of_sets(by_rank(cards))
        self._known[cards] = least
        return least

    def _of_suit(self, there: int, choices: list[Choice]) -> tuple[int, int]:
        if there not in self._suits:
            self._suits[there] = self._of_runs(there, choices)
        return self._suits[there]

    def _of_runs(self, there: int, choices: list[Choice]) -> tuple[int, int]:
        steady, missing, lack = there & self._steady, 99, 99
        for choice in choices:
            again = choice.again
            held = (choice.units & steady).bit_count() + (again & steady).bit_count()
            natural = (choice.units & there).bit_count() + (again & there).bit_count()
            missing = min(missing, choice.size - held)
            lack = min(lack, choice.need - natural)
        return missing, lack

    def _of_sets(self, rest: int) -> tuple[int, int]:
        most = _most(rest, self._ranks)
        steady = _most(rest, self._ranks & self._steady)
        missing = min([size - min(size, steady) for size in self._sets])
        return missing, min([need - min(size, most) for size, need in self._sets.items()])


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
