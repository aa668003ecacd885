"""The best sets of one size that the cards held of each rank make, however wilds fill them.

Sets are made of the ranks of which most cards are held: as many first cards lie in them as there
are sets of which one card is held, as many second cards as there are of which two are held, and so
on, each time up to the number of sets asked. A rank is told by one card of it (`runs`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from .runs import BITS, lowest, ranks_held

Step = tuple[int, int, int, int]
"""The first cards of sets, or the second, or the third …

First how many more are held than the sets need; below 0, how many they lack. Then ranks: those of
which the last card held lies here, of which the last but one does, of which one card more would.
"""


def lacking(steps: list[Step], used: int = 0, twice: int = 0) -> int:
    """Return how many cards the best sets miss, without one or two cards of some ranks."""
    lack = 0
    for spare, last, last_but_one, _ in steps:
        taken = (last & used).bit_count()
        if twice:
            taken += (last_but_one & twice).bit_count()
        if taken > spare:
            lack += taken - spare
    return lack


def scarce_ranks(steps: list[Step]) -> int:
    """Return of which ranks the best sets lack one card more for the first card that is taken."""
    ranks = 0
    for spare, last, _, _ in steps:
        if spare <= 0:
            ranks |= last
    return ranks


def wanted(steps: list[Step], used: int, twice: int) -> int:
    """Return of which ranks the best sets want one card more without those cards."""
    ranks = 0
    for spare, last, last_but_one, more in steps:
        gone = last & used
        if spare < gone.bit_count() + (last_but_one & twice).bit_count():
            ranks |= more & ~used | gone & ~twice | last_but_one & twice
    return ranks


class SetsAsked(NamedTuple):
    """So many sets of one size, of ranks that are told by one card of each."""

    number: int
    size: int
    same_rank: bool
    ranks: int

    def may_run_out(self, counts: int, left: int) -> bool:
        """Return whether the sets could ask for more cards of a rank than so many."""
        most = left // self.size
        if not self.number or most >= (self.number if self.same_rank else 1):
            return False
        return not most or bool(ranks_held(counts, most * self.size) & self.ranks)

    def steps(self, counts: int) -> list[Step]:
        """Look at the first, second … cards of sets where so many cards of each rank are held.

        What is held beyond one set is the first, second … card of another, where there may be
        sets of the same rank.
        """
        size, number, levels = self.size, self.number, self._levels(counts)
        just = [level ^ more for level, more in pairwise(levels)]
        spare = [level.bit_count() - number for level in levels[1 : size + 1]]
        last, last_but_one, more = just[1 : size + 1], just[2 : size + 2], just[:size]
        if self.same_rank:
            for many in range(size + 1, len(just) - 1):
                step = (many - 1) % size
                spare[step] += levels[many].bit_count()
                last[step] |= just[many]
                last_but_one[step] |= just[many + 1]
                more[step] |= just[many - 1]
        return [*zip(spare, last, last_but_one, more, strict=True)]

    def _levels(self, counts: int) -> list[int]:
        """Return of which ranks at least 0, 1, 2 … cards are held, past the most."""
        levels = [self.ranks]
        while levels[-1] or len(levels) <= self.size:
            levels.append(ranks_held(counts, len(levels)) & self.ranks)
        return [*levels, 0, 0]

    def best(self, counts: int) -> list[int]:
        """Name the ranks of the best sets, each time one of which most cards are left."""
        chosen: list[int] = []
        ranks = self.ranks
        while len(chosen) < self.number:
            held = self.size
            while not (often := ranks_held(counts, held) & ranks):
                held -= 1
            rank = lowest(often)
            chosen.append(rank)
            if held == self.size and self.same_rank:
                counts -= held << BITS * rank
            else:
                ranks ^= 1 << BITS * rank
        return chosen
