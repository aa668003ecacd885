"""The best runs within one suit, for every number of wilds that they may take.

A suit is one whole number: four bits for each rank say how many of its cards are held. The cost
of a play is one number too, in which loose points weigh most, then loose cards, then wilds melded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, combinations

from .meld import MeldRules
from .places import Window, windows

POINT, LOOSE_CARD, WILD_USED = 1 << 10, 1 << 5, 1
NEVER = 1 << 60

Run = tuple[Window, int]
"""A window and, as bits by step from its start, which of its places wilds fill."""

Plays = tuple[tuple[int, tuple[Run, ...]], ...]
"""For 0, 1, 2 … wilds used: the least cost and the runs that reach it."""

NOTHING: tuple[int, tuple[Run, ...]] = (NEVER, ())


class SuitRuns:
    """The best runs of a suit under one game's rules, remembered from hand to hand."""

    MOST_REMEMBERED = 4_000

    def __init__(self, meld_rules: MeldRules, weights: tuple[int, ...]) -> None:
        self._rules = meld_rules
        self._weights = weights
        # A run of twice the least size falls into two, so that longer ones need no look, unless
        # the limits make the whole differ from its parts.
        self.limited = (
            meld_rules.limits_wilds
            or meld_rules.run_max < 2 * meld_rules.run_size
            or meld_rules.run_size > 6
        )
        longest = meld_rules.run_max if self.limited else 2 * meld_rules.run_size - 1
        self._windows: list[list[tuple[Window, int]]] = [[] for _ in range(14)]
        for size in range(meld_rules.run_size, longest + 1):
            for window in windows(meld_rules.ace, size):
                for rank in set(window.ranks):
                    self._windows[rank].append((window, window.mask))
        self._plays: dict[int, Plays] = {}
        # Without limits no more is left loose.
        free = replace(
            meld_rules, min_naturals=0, max_wilds=None, wild_share="any", wild_table=(), run_max=14
        )
        self._unlimited = SuitRuns(free, weights) if free != meld_rules and self.limited else None
        self._useful: dict[tuple[int, int], int] = {}

    def best(self, suit: int, wilds: int) -> Plays:
        """Find the best plays of a suit with exactly 0 to `wilds` wilds in its runs, or more."""
        plays = self._plays.get(suit, ())
        if len(plays) <= wilds:
            if len(self._plays) > self.MOST_REMEMBERED:
                self._plays.clear()
            nothing = (0, ()), *[NOTHING] * wilds
            self._plays[suit] = plays = self._solve(suit, wilds) if suit else nothing
        return plays

    def useful(self, mask: int, wilds: int) -> int:
        """Tell which ranks of a suit are worth keeping out of a set, for a run.

        Without limits a natural card alone with wilds lies as well in the set.
        """
        key = mask, wilds
        if key not in self._useful:
            self._useful[key] = sum(
                1 << rank
                for rank in range(1, 14)
                if mask >> rank & 1 and self._is_useful(mask, rank, wilds)
            )
        return self._useful[key]

    def _is_useful(self, mask: int, rank: int, wilds: int) -> bool:
        least = 1 if self.limited else 2
        return any(
            (window_mask & mask).bit_count() >= least and (window_mask & ~mask).bit_count() <= wilds
            for _, window_mask in self._windows[rank]
        )

    def _solve(self, suit: int, wilds: int) -> Plays:
        rank = ((suit & -suit).bit_length() - 1) // 4
        weight = self._weights[rank]
        rest = self.best(suit - (1 << 4 * rank), wilds)
        plays = [(cost + weight, runs) for cost, runs in rest[: wilds + 1]]
        mask = sum(1 << held for held in range(1, 14) if suit >> 4 * held & 15)
        most, floor = wilds, self._least_loose(suit, wilds)
        for window, window_mask in self._windows[rank]:
            # With so many wilds it cannot be done better.
            while most >= 0 and plays[most][0] <= floor[most]:
                most -= 1
            if (window_mask & ~mask).bit_count() > most:
                continue
            for filled, used, wild_places in self._fillings(window, suit, rank, most):
                run = (window, wild_places)
                rest = self.best(suit - filled, most - used)
                for number, (cost, runs) in enumerate(rest[: most - used + 1], start=used):
                    if cost < plays[number][0]:
                        plays[number] = (cost, (run, *runs))
        return tuple(plays)

    def _least_loose(self, suit: int, wilds: int) -> list[int]:
        """Tell what a suit leaves loose at least with at most 0, 1, 2 … wilds."""
        if not self._unlimited:
            return [0] * (wilds + 1)
        plays = self._unlimited.best(suit, wilds)
        return [*accumulate([cost for cost, _ in plays], min)]

    def _fillings(
        self, window: Window, suit: int, rank: int, wilds: int
    ) -> Iterator[tuple[int, int, int]]:
        """Ways to fill a window with at least one card of a rank: cards, wilds, places of wilds."""
        ranks, rest, held, missing, places = window.ranks, suit, [], 0, 0
        once = ranks.count(rank) == 1
        for step, place_rank in enumerate(ranks):
            if rest >> 4 * place_rank & 15:
                rest -= 1 << 4 * place_rank
                if not once or place_rank != rank:
                    held.append(step)
            else:
                missing += 1
                places |= 1 << step
        filled, most = suit - rest, min(wilds, self._rules.wild_cap(window.size))
        # Under limits it may pay to let a wild lie where a natural card is held.
        for extra in range(most - missing + 1 if self.limited else missing <= most):
            for given_up in combinations(held, extra):
                kept, lent = filled, places
                for step in given_up:
                    kept -= 1 << 4 * ranks[step]
                    lent |= 1 << step
                if once or kept >> 4 * rank & 15:
                    yield kept, missing + extra, lent
