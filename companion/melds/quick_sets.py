"""The best sets of one size that the cards held of each rank make, however wilds fill them.

Sets are made of the ranks of which most cards are held: as many first cards lie in them as there
are sets of which one card is held, as many second cards as there are of which two are held, and so
on, each time up to the number of sets asked.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from .quick_runs import BITS, ONES, lowest, ranks_held

Levels = tuple[int, ...]
"""Of which ranks at least 1, 2, 3 … cards are held: one card for each (`quick_runs`)."""


def levels_of(counts: int, ranks: int) -> Levels:
    """Tell of which of some ranks at least 1, 2, 3 … cards are held."""
    levels, least = [], 1
    while level := ranks_held(counts, least) & ranks:
        levels.append(level)
        least += 1
    return tuple(levels)


def less(levels: Levels, held: int) -> Levels:
    """Take one card away of each of some ranks.

    >>> less((0b1110, 0b0110, 0b0010), 0b1010)
    (6, 6, 0)
    """
    above = (*levels[1:], 0)
    return tuple(
        [level ^ (level & ~more & held) for level, more in zip(levels, above, strict=False)]
    )


_AT_LEAST = [(32 - least) * ONES for least in range(32)]
"""What to add to counts of ranks so that the top bit tells of which so many are held."""


class SetsAsked(NamedTuple):
    """So many sets of one size, of ranks that are told by one card of each."""

    number: int
    size: int
    same_rank: bool
    ranks: int

    def steps(self, levels: Levels) -> list[tuple[int, int]]:
        """Tell for the first, second … cards of sets: how many there are, and the ranks they end.

        A rank ends with its last card; taking one card of it away takes it from that step.
        """
        size = self.size
        above = (*levels[1:], 0)
        steps = [
            (level.bit_count(), level & ~more) for level, more in zip(levels, above, strict=False)
        ]
        if len(steps) > size:
            if self.same_rank:
                for step, (many, ends) in enumerate(steps[size:]):
                    before = steps[step % size]
                    steps[step % size] = before[0] + many, before[1] | ends
            del steps[size:]
        return steps + [(0, 0)] * (size - len(steps))

    def missing(self, levels: Levels) -> int:
        """Tell how many cards the best sets lack."""
        number, size = self.number, self.size
        lacking = number * size
        if self.same_rank and len(levels) > size:
            return lacking - sum([min(number, many) for many, _ in self.steps(levels)])
        for level in levels[:size]:
            many = level.bit_count()
            lacking -= many if many < number else number
        return lacking

    def missing_of(self, counts: int, most: int) -> int:
        """Tell how many cards the best sets lack, where no rank is held more often than told."""
        if most > self.size:
            return self.missing(levels_of(counts, self.ranks))
        number, ranks = self.number, self.ranks
        lacking = number * self.size
        for offset in _AT_LEAST[1 : most + 1]:
            many = (counts + offset >> 5 & ranks).bit_count()
            lacking -= many if many < number else number
        return lacking

    def at_stake(self, levels: Levels) -> list[tuple[int, int]]:
        """Tell which ranks the sets can ill spare: how many of them may be taken, and the ranks."""
        number = self.number
        return [
            (many - number if many > number else 0, ends)
            for many, ends in self.steps(levels)
            if ends and many - ends.bit_count() < number
        ]

    def may_reach_none(self, levels: Levels, held: int) -> bool:
        """Tell whether, some cards taken away, one of the best sets might have no card held."""
        often = levels[0].bit_count() if levels else 0
        return 0 < self.number > often - held.bit_count()

    def best(self, levels: Levels) -> tuple[int, ...]:
        """Name the ranks of the best sets."""
        chosen: list[int] = []
        whole = (
            levels[self.size - 1 :: self.size] if self.same_rank else levels[self.size - 1 :][:1]
        )
        steps = self.steps(levels)
        begun = [steps[held - 1][1] for held in range(self.size - 1, 0, -1)]
        for ranks in (*whole, *begun, self._not_begun(levels, steps)):
            while ranks and len(chosen) < self.number:
                rank = lowest(ranks)
                ranks ^= 1 << BITS * rank
                chosen.append(rank)
        return tuple(chosen)

    def _not_begun(self, levels: Levels, steps: list[tuple[int, int]]) -> int:
        """Tell of which ranks a set can be made with none of its cards held."""
        begun = 0 if self.same_rank or not levels else levels[0]
        for _, ends in steps[:-1]:
            begun |= ends
        return self.ranks & ~begun

    def helping(self, levels: Levels) -> int:
        """Tell of which ranks one more card makes the best sets better."""
        steps, found = self.steps(levels), 0
        for (_, ends), (more, _) in pairwise(steps):
            if more < self.number:
                found |= ends
        if steps[0][0] < self.number:
            found |= self._not_begun(levels, steps)
        return found
