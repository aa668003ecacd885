"""What runs of one suit lack at least for the cards that others leave of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.melds.remembered import Memory

from .counts import any_of, number_of, one_of_each
from .filling import Candidate

Lacks = tuple[int, int]
"""How many places lack a steady card, and how many a natural one though no wild may lie there."""


class LeastOfSuit:
    """What one run of a suit lacks at least, and several that are alike.

    Cards of other suits do not matter.
    """

    def __init__(self, runs: Sequence[Candidate], steady: int) -> None:
        """Prepare for everything that a run of this suit can be."""
        self._runs, self._steady = runs, 255 * steady
        self._size = min([run.size for run in runs])
        self._need = min([run.need for run in runs])
        self._small = [run for run in runs if run.size == self._size]
        self._cells = any_of(run.units for run in runs)
        self._bars = any_of(run.bars for run in runs)
        self._one: Memory[int, Lacks] = Memory()
        self._several: Memory[int, list[Lacks]] = Memory()
        self._missing: Memory[tuple[int, int], int] = Memory()

    def of(self, cards: int) -> Lacks:
        """Return it for one run; the second number may be less than nothing."""
        cards &= 255 * self._cells
        return self._one.get(cards) or self._of_one(cards)

    def several(self, cards: int, runs: int) -> list[Lacks]:
        """Return it for none, one and more runs up to so many, none less than nothing."""
        cards &= 255 * self._cells
        found = self._several.get(cards)
        if found is None:
            self._several[cards] = found = [(0, 0)]
        while len(found) <= runs:
            found.append(self._of_many(cards, len(found)))
        return found

    def _of_one(self, cards: int) -> Lacks:
        """Return it for one run; a larger one lacks no less than the smallest within it."""
        missing = self._missing_of(cards & self._steady, 1)
        lack = least_natural(one_of_each(cards), self._runs)
        self._one[cards] = missing, lack
        return missing, lack

    def _of_many(self, cards: int, runs: int) -> Lacks:
        least = max(0, self.of(cards)[1])
        lack = runs * self._need - min(runs * (self._need - least), self._shared(cards))
        return self._missing_of(cards & self._steady, runs), lack

    def _shared(self, held: int) -> int:
        """Return how many natural cards several runs may have together; two may share an ace."""
        if not self._bars:
            return number_of(held)
        return one_of_each(held).bit_count() + 1

    def _missing_of(self, held: int, runs: int) -> int:
        """Return how many places of so many runs of the smallest size lack a steady card."""
        known = self._missing.get((held, runs))
        if known is None:
            self._missing[held, runs] = known = self._find_missing(held, runs)
        return known

    def _find_missing(self, held: int, runs: int) -> int:
        """Choose first the run that lacks the least: none of the others then lacks less."""
        there = one_of_each(held)
        lacks = [(self._size - taken(run, there), run) for run in self._small]
        lacks.sort(key=_first)
        if runs == 1:
            return lacks[0][0]
        least = runs * self._size
        for missing, run in lacks:
            if missing * runs >= least:
                break
            rest = there & ~run.bars if run.bars else held - (run.units & there)
            least = min(least, missing + self._missing_of(rest, runs - 1))
        return least


def taken(run: Candidate, there: int) -> int:
    """Return how many places of a run one of each of some cards fills, those taken twice twice."""
    return (run.units & there).bit_count() + (run.again & there).bit_count()


def least_natural(there: int, runs: Sequence[Candidate]) -> int:
    """Return how many natural cards one of some runs is short of at least."""
    return min([run.need - taken(run, there) for run in runs])


def _first(rated: tuple[int, Candidate]) -> int:
    return rated[0]
