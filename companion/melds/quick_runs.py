"""The runs of one suit that leave the least loose, for any number of wilds, without limits.

A suit is one whole number: six bits for each rank say how many of its cards are held. Then a wild
left over joins any meld, so that it only matters how many wilds the runs take at most.
"""

from __future__ import annotations

from .meld import MeldRules
from .places import Window, rank_at, windows

BITS = 6
"""Room for twenty cards of a rank, and a bit to carry into when ranks are compared at once."""
ONES = sum(1 << BITS * rank for rank in range(1, 14))
SUIT_BITS = 14 * BITS
SUIT = (1 << SUIT_BITS) - 1

Known = dict[int, tuple[int, ...]]
"""What suits leave loose with at most 0, 1, 2 … wilds in their runs; at last, without any run."""

Run = tuple[Window, int]
"""A window and, as bits by step from its start, which of its places wilds fill."""


def ranks_held(cards: int, least: int) -> int:
    """Tell as one bit for each rank of which ranks at least so many cards are held.

    >>> ranks_held(2 << BITS * 7 | 1 << BITS * 9, 2) == 1 << BITS * 7
    True
    """
    return (cards + (32 - least) * ONES) >> 5 & ONES


def units(window: Window) -> int:
    """One card for each place of a window."""
    return sum(1 << BITS * rank for rank in window.ranks)


class QuickRuns:
    """The best runs of a suit under one game's rules, remembered from hand to hand."""

    MOST_REMEMBERED = 6_000

    def __init__(self, meld_rules: MeldRules, weights: tuple[int, ...]) -> None:
        self._weights = weights
        # A run of twice the least size falls into two, so that longer ones need no look.
        sizes = range(meld_rules.run_size, 2 * meld_rules.run_size)
        every = [window for size in sizes for window in windows(meld_rules.ace, size)]
        self._windows = [(units(window), window.size) for window in every]
        self._openings = [
            [
                (units(window), window.size, _must_hold(window, meld_rules), window)
                for window in every
                if _may_open(window, rank, meld_rules)
            ]
            for rank in range(14)
        ]
        self._known: list[Known] = []
        self._useful: dict[tuple[int, int], int] = {}

    def costs(self, wilds: int) -> Known:
        """Give what is known so far of suits with at most so many wilds."""
        while len(self._known) <= wilds:
            self._known.append({0: (0,) * (len(self._known) + 2)})
        known = self._known[wilds]
        if len(known) > self.MOST_REMEMBERED:
            known.clear()
            known[0] = (0,) * (wilds + 2)
        return known

    def solve(self, suit: int, known: Known) -> tuple[int, ...]:
        """Find what a suit leaves loose: its lowest card, or what remains beside a run with it."""
        rank = ((suit & -suit).bit_length() - 1) // BITS
        rest = suit - (1 << BITS * rank)
        weight = self._weights[rank]
        costs = [cost + weight for cost in known.get(rest) or self.solve(rest, known)]
        most = len(costs) - 1
        held = ranks_held(suit, 1)
        for places, size, must, _ in self._openings[rank]:
            filled = held & places
            used = size - filled.bit_count()
            if used < most and filled & must == must:
                rest = suit - filled
                for wilds, cost in enumerate(known.get(rest) or self.solve(rest, known), used):
                    if wilds == most:
                        break
                    if cost < costs[wilds]:
                        costs[wilds] = cost
        known[suit] = found = tuple(costs)
        return found

    def runs(self, suit: int, wilds: int, known: Known) -> list[Run]:
        """Tell the runs that leave as little of a suit as can be with at most so many wilds."""
        found: list[Run] = []
        costs = known.get(suit) or self.solve(suit, known)
        while costs[wilds] < costs[-1]:
            rank = ((suit & -suit).bit_length() - 1) // BITS
            rest = suit - (1 << BITS * rank)
            after = known.get(rest) or self.solve(rest, known)
            if after[wilds] + self._weights[rank] > costs[wilds]:
                window, steps, rest = self._first_run(suit, rank, wilds, known)
                found.append((window, steps))
                wilds -= steps.bit_count()
                after = known[rest]
            suit, costs = rest, after
        return found

    def _first_run(self, suit: int, rank: int, wilds: int, known: Known) -> tuple[Window, int, int]:
        """Find the best run with the lowest card of a suit: its wilds, the cards it leaves."""
        least = known[suit][wilds]
        held = ranks_held(suit, 1)
        for places, size, must, window in self._openings[rank]:
            filled = held & places
            used = size - filled.bit_count()
            if used <= wilds and filled & must == must:
                rest = suit - filled
                if (known.get(rest) or self.solve(rest, known))[wilds - used] == least:
                    return window, _empty_steps(window, filled) if used else 0, rest
        raise AssertionError("A cost that no run has.")

    def useful(self, suit: int, wilds: int) -> int:
        """Tell which ranks of a suit are worth keeping out of a set, for a run.

        A card alone with wilds lies as well in the set.
        """
        key = ranks_held(suit, 1), wilds
        found = self._useful.get(key)
        if found is None:
            if len(self._useful) > self.MOST_REMEMBERED:
                self._useful.clear()
            held, found = key[0], 0
            for places, size in self._windows:
                cards = (held & places).bit_count()
                if cards > 1 and size - cards <= wilds:
                    found |= held & places
            self._useful[key] = found
        return found


def _may_open(window: Window, rank: int, meld_rules: MeldRules) -> bool:
    """Tell whether a run in this window may be the one with the lowest card held, of that rank.

    Its first place is that card's: one that begins lower, with a wild, lies as well one place
    higher, unless there is none. An ace may also be the highest.
    """
    if rank not in window.ranks:
        return False
    if meld_rules.ace == "corner" or rank == 1:
        return True
    last = 13 if meld_rules.ace == "low" else 14
    return window.start == min(rank, last - window.size + 1)


def _must_hold(window: Window, meld_rules: MeldRules) -> int:
    """Tell which places natural cards must fill: a longer run needs no wild at its end.

    Round the corner any run that begins with a wild lies as well one place further on.
    """
    ends = {window.ranks[0]} if meld_rules.ace == "corner" else set()
    if window.size > meld_rules.run_size:
        ends.add(rank_at(window.start + window.size - 1))
    return sum(1 << BITS * rank for rank in ends)


def _empty_steps(window: Window, filled: int) -> int:
    return sum(1 << step for step, rank in enumerate(window.ranks) if not filled >> BITS * rank & 1)
