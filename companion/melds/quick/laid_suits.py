"""The best runs of one suit laid out card by card, where a meld may take any number of wilds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.melds.remembered import Remembered

from ..meld import MeldRules
from ..melds_layout import joined
from ..places import Window, windows
from ..suit_runs import Run
from .laid_melds import LaidMeld, laid_run
from .runs import BITS, Costs, Openings, lowest, ranks_held


class LaidSuit(NamedTuple):
    """The runs of a suit and the wilds that lie in them."""

    runs: tuple[LaidMeld, ...]
    wilds: int


class LaidSuits(Remembered[tuple[int, int, int, int], LaidSuit]):
    """Suits laid out to leave the least with at most so many wilds, and some to spare.

    A suit is asked for by its index, its cards, the wilds and those to spare: they lie at an end
    of its last run.
    """

    MOST = 3_000

    def __init__(self, openings: Openings, costs: Costs, meld_rules: MeldRules) -> None:
        super().__init__()
        self._openings, self._costs, self._rules = openings, costs, meld_rules

    def find(self, asked: tuple[int, int, int, int]) -> LaidSuit:
        """Lay out one suit."""
        index, suit, wilds, spare = asked
        runs = list(self._best_runs(suit, wilds))
        if spare:
            runs[-1] = _lengthened(runs[-1], spare, self._rules)
        laid = tuple([laid_run(index, *run) for run in joined(runs, self._rules)])
        return LaidSuit(laid, sum([len(run.steps) for run in laid]))

    def _best_runs(self, suit: int, wilds: int) -> Iterator[Run]:
        costs = self._costs[suit]
        # With no more than are needed, a run that wants no wild stays as it is.
        wilds = costs.index(costs[wilds])
        while wilds >= costs[-1]:
            rank = lowest(suit)
            rest = suit - (1 << BITS * rank)
            if self._costs[rest][wilds] + self._openings.weights[rank] > costs[wilds]:
                window, steps, rest = self._first(suit, rank, wilds)
                yield window, steps
                wilds -= steps.bit_count()
            suit, costs = rest, self._costs[rest]

    def _first(self, suit: int, rank: int, wilds: int) -> tuple[Window, int, int]:
        """Find the best run with the lowest card of a suit: its wilds, the cards it leaves."""
        least = self._costs[suit][wilds]
        held = ranks_held(suit, 1)
        for places, size, must, window in self._openings.with_lowest[rank]:
            filled = held & places
            used = size - filled.bit_count()
            if used <= wilds and filled & must == must:
                rest = suit - filled
                if self._costs[rest][wilds - used] == least:
                    return window, _empty_steps(window, filled), rest
        raise AssertionError("A cost that no run has.")


def _lengthened(run: Run, spare: int, meld_rules: MeldRules) -> Run:
    """Put wilds at the end of a run, before it where there is no place behind."""
    window, steps = run
    longer = windows(meld_rules.ace, window.size + spare)
    start = min(window.start, longer[-1].start)
    lent = (1 << window.size + spare) - 1
    lent ^= ((1 << window.size) - 1 ^ steps) << window.start - start
    return next(wider for wider in longer if wider.start == start), lent


def _empty_steps(window: Window, filled: int) -> int:
    return sum(1 << step for step, rank in enumerate(window.ranks) if not filled >> BITS * rank & 1)
