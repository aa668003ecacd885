"""The best runs within one suit, for every number of wilds that they may take.

A suit is one whole number: four bits for each rank say how many of its cards are held. The cost
of a play is one number too, in which loose points weigh most, then loose cards, then wilds melded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

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

    MOST_REMEMBERED = 2_000

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
        self._plays: list[dict[int, Plays]] = []
        self._useful: dict[tuple[int, int], int] = {}

    def best(self, suit: int, wilds: int) -> Plays:
        """Find the best plays of a suit with exactly 0 to `wilds` wilds in its runs."""
        while len(self._plays) <= wilds:
            self._plays.append({0: ((0, ()), *[NOTHING] * len(self._plays))})
        known = self._plays[wilds]
        if suit not in known:
            if len(known) > self.MOST_REMEMBERED:
                self._plays.clear()
                return self.best(suit, wilds)
            known[suit] = self._solve(suit, wilds)
        return known[suit]

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
        plays = [(cost + weight, runs) for cost, runs in self.best(suit - (1 << 4 * rank), wilds)]
        mask = sum(1 << held for held in range(1, 14) if suit >> 4 * held & 15)
        for window, window_mask in self._windows[rank]:
            if (window_mask & ~mask).bit_count() > wilds:
                continue
            for filled, used, wild_places in self._fillings(window, suit, rank, wilds):
                run = (window, wild_places)
                for more, (cost, runs) in enumerate(self.best(suit - filled, wilds - used)):
                    if cost < plays[used + more][0]:
                        plays[used + more] = (cost, (run, *runs))
        return tuple(plays)

    def _fillings(
        self, window: Window, suit: int, rank: int, wilds: int
    ) -> Iterator[tuple[int, int, int]]:
        """Ways to fill a window with at least one card of a rank: cards, wilds, places of wilds."""
        rest, filled, missing, held = suit, 0, [], []
        for step, place_rank in enumerate(window.ranks):
            unit = 1 << 4 * place_rank
            if rest >> 4 * place_rank & 15:
                rest, filled = rest - unit, filled + unit
                held.append(step)
            else:
                missing.append(step)
        most = min(wilds, self._rules.wild_cap(window.size))
        # Under limits it may pay to let a wild lie where a natural card is held.
        spare = most - len(missing) if self.limited else 0
        for extra in range(spare + 1):
            for given_up in combinations(held, extra):
                kept = filled - sum(1 << 4 * window.ranks[step] for step in given_up)
                if kept >> 4 * rank & 15:
                    places = sum(1 << step for step in (*missing, *given_up))
                    yield kept, len(missing) + extra, places
