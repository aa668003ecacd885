"""The best runs within one suit, for every number of wilds that they may take.

A suit is one whole number: four bits for each rank say how many of its cards are held. The cost
of a play is one number too, in which loose points weigh most, then loose cards, then wilds melded.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .meld import MeldRules
from .places import Window, windows

POINT, LOOSE_CARD, WILD_USED = 1 << 10, 1 << 5, 1
NEVER = 1 << 60

Run = tuple[Window, int]
"""A window and, as bits by step from its start, which of its places wilds fill."""

Plays = tuple[tuple[int, tuple[Run, ...]], ...]
"""For 0, 1, 2 … wilds used: the least cost and the runs that reach it."""

Fillings = list[tuple[int, int, int]]
"""Ways to fill a window: the cards that it takes, how many wilds, and the places of the wilds."""

NOTHING: tuple[int, tuple[Run, ...]] = (NEVER, ())


class _Stretch(NamedTuple):
    """A window: its ranks as bits, one card of each, the ranks it has twice, the most wilds.

    The ways found to fill it are remembered by the cards held of its ranks and the most wilds.
    """

    window: Window
    mask: int
    ones: int
    twice: tuple[int, ...]
    most_wilds: int
    first: int
    found: dict[tuple[int, int], Fillings]


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
        self._stretches: list[list[_Stretch]] = [[] for _ in range(14)]
        for size in range(meld_rules.run_size, longest + 1):
            every = windows(meld_rules.ace, size)
            for window in every:
                # A run that begins with a wild lies as well one place further, if there is one.
                is_last = window == every[-1] and meld_rules.ace != "corner"
                first = 0 if is_last else 1 << 4 * window.ranks[0]
                ranks = set(window.ranks)
                ones = sum(1 << 4 * rank for rank in ranks)
                twice = tuple(rank for rank in ranks if window.ranks.count(rank) > 1)
                cap = meld_rules.wild_cap(size)
                stretch = _Stretch(window, window.mask, ones, twice, cap, first, {})
                for rank in ranks:
                    self._stretches[rank].append(stretch)
        self._plays: dict[int, Plays] = {}
        self._useful: dict[tuple[int, int], int] = {}
        self._falls_apart = lru_cache(4_096)(self._is_two)

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
            (stretch.mask & mask).bit_count() >= least
            and (stretch.mask & ~mask).bit_count() <= wilds
            for stretch in self._stretches[rank]
        )

    def _solve(self, suit: int, wilds: int) -> Plays:
        rank = ((suit & -suit).bit_length() - 1) // 4
        weight = self._weights[rank]
        rest = self.best(suit - (1 << 4 * rank), wilds)
        plays = [(cost + weight, runs) for cost, runs in rest[: wilds + 1]]
        costs = [cost for cost, _ in plays]
        there = sum([1 << 4 * held for held in range(1, 14) if suit >> 4 * held & 15])
        most, known = wilds, self._plays
        for stretch in self._stretches[rank]:
            # With so many wilds nothing is loose.
            while most >= 0 and costs[most] <= most * WILD_USED:
                most -= 1
            if stretch.first & ~there:
                continue
            missing = (stretch.ones & ~there).bit_count()
            if missing > most or missing > stretch.most_wilds:
                continue
            for taken, used, wild_places in self._fillings(stretch, suit, there, most):
                rest = known.get(suit - taken, ())
                if len(rest) <= most - used:
                    rest = self.best(suit - taken, most - used)
                for number in range(used, most + 1):
                    cost, runs = rest[number - used]
                    if cost < costs[number]:
                        costs[number] = cost
                        plays[number] = (cost, ((stretch.window, wild_places), *runs))
        return tuple(plays)

    def _fillings(self, stretch: _Stretch, suit: int, there: int, wilds: int) -> Fillings:
        """Find the ways to fill a window with the least card held, if it has that rank."""
        held = stretch.ones & there
        for rank in stretch.twice:
            if suit >> 4 * rank & 15 > 1:
                held += 1 << 4 * rank
        ways = stretch.found.get((held, wilds))
        if ways is None:
            most = min(wilds, stretch.most_wilds)
            ways = stretch.found[held, wilds] = self._fill(stretch, held, most)
        return ways

    def _fill(self, stretch: _Stretch, held: int, most: int) -> Fillings:
        ranks, rest, there, places = stretch.window.ranks, held, [], 0
        for step, rank in enumerate(ranks):
            if rest >> 4 * rank & 15:
                rest -= 1 << 4 * rank
                there.append(step)
            else:
                places |= 1 << step
        missing, least = places.bit_count(), (held & -held).bit_length() - 1
        found: Fillings = []
        # Under limits it may pay to let a wild lie where a natural card is held.
        for extra in range(most - missing + 1 if self.limited else missing <= most):
            for given_up in combinations(there, extra):
                kept = held - sum([1 << 4 * ranks[step] for step in given_up])
                lent = places + sum([1 << step for step in given_up])
                if (
                    kept >> least & 15
                    and not (stretch.first and lent & 1)
                    and not self._falls_apart(len(ranks), lent)
                ):
                    found.append((kept, missing + extra, lent))
        return found

    def _is_two(self, size: int, wild_places: int) -> bool:
        """Tell whether a run is two that are each allowed."""
        shortest, cap = self._rules.run_size, self._rules.wild_cap
        return any(
            (wild_places & (1 << part) - 1).bit_count() <= cap(part)
            and (wild_places >> part).bit_count() <= cap(size - part)
            for part in range(shortest, size - shortest + 1)
        )
