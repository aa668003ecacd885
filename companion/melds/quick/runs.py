"""The runs of one suit that leave the least loose, for any number of wilds, without limits.

A suit is one whole number: six bits for each rank say how many of its cards are held. Then a wild
left over joins any meld, so that it only matters how many wilds the runs take at most.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.cards import Rank
from companion.melds.remembered import Remembered

from ..meld import MeldRules
from ..places import CELLS, Window, windows

BITS = 6
"""Room for twenty cards of a rank, and a bit to carry into when ranks are compared at once."""
ONES = sum(1 << BITS * rank for rank in range(1, 14))
SUIT_BITS = 14 * BITS
SUIT = (1 << SUIT_BITS) - 1

WANTED = 1 << BITS - 1
"""The bit of a rank that no number of cards reaches."""

UNITS = {card: 1 << (cell >> 4) * SUIT_BITS + BITS * (cell & 15) for card, cell in CELLS.items()}
"""What each natural card adds to the number that is a hand: four suits in their order."""


def ranks_held(cards: int, least: int) -> int:
    """Return as one bit for each rank of which ranks at least so many cards are held.

    >>> ranks_held(2 << BITS * 7 | 1 << BITS * 9, 2) == 1 << BITS * 7
    True
    """
    return cards + _TO_CARRY[least] >> 5 & ONES


_TO_CARRY = [(32 - least) * ONES for least in range(32)]
"""What to add to counts of ranks so that just those carry of which so many are held."""


def lowest(cards: int) -> int:
    """Return the lowest rank held."""
    return ((cards & -cards).bit_length() - 1) // BITS


def units(ranks: Iterable[int]) -> int:
    """One card of each of some ranks."""
    return sum(1 << BITS * rank for rank in ranks)


class Openings:
    """The stretches of places in which runs may lie, and what each rank left loose counts."""

    def __init__(self, meld_rules: MeldRules, weights: tuple[int, ...]) -> None:
        self.weights = weights
        # A run of twice the least size falls into two, so that longer ones need no look.
        sizes = range(meld_rules.run_size, 2 * meld_rules.run_size)
        every = [window for size in sizes for window in windows(meld_rules.ace, size)]
        self.windows = [(units(window.ranks), window.size) for window in every]
        self.with_lowest = [
            [
                (units(window.ranks), window.size, _must_hold(window, meld_rules), window)
                for window in every
                if _may_open(window, rank, meld_rules)
            ]
            for rank in Rank
        ]


class Costs(Remembered[int, tuple[int, ...]]):
    """What suits leave loose with at most 0, 1, 2 … wilds in their runs.

    At last, the fewest wilds with which a run lies; one more than there are if none does.
    A suit not seen before is found from what its lowest card leaves: loose, or in a run with it.
    """

    def __init__(self, openings: Openings, wilds: int) -> None:
        super().__init__()
        self._openings, self._wilds = openings, wilds

    def find(self, suit: int) -> tuple[int, ...]:
        """Find what one suit leaves loose."""
        if not suit:
            return (0,) * (self._wilds + 1) + (self._wilds + 1,)
        rank = lowest(suit)
        weight = self._openings.weights[rank]
        *rest, fewest = self[suit - (1 << BITS * rank)]
        costs = [cost + weight for cost in rest]
        most = len(costs)
        held = ranks_held(suit, 1)
        for places, size, must, _ in self._openings.with_lowest[rank]:
            filled = held & places
            used = size - filled.bit_count()
            if used < most and filled & must == must:
                if used < fewest:
                    fewest = used
                for wilds, cost in enumerate(self[suit - filled], used):
                    if wilds == most:
                        break
                    if cost < costs[wilds]:
                        costs[wilds] = cost
        return (*costs, fewest)


class Useful(Remembered[int, int]):
    """Which ranks of suits are worth keeping out of a set, for a run: `WANTED` of each.

    A card alone with wilds lies as well in the set.
    """

    def __init__(self, openings: Openings, wilds: int) -> None:
        super().__init__()
        # A longer run holds a shortest one around a card. If no other natural card lies in it, the
        # longer one is left by this card: the wilds beside it and what follows them are a run.
        shortest = min(size for _, size in openings.windows)
        self._windows = [places for places, size in openings.windows if size == shortest]
        self._least = max(2, shortest - wilds)

    def find(self, suit: int) -> int:
        """Find which ranks of one suit are."""
        held, found = ranks_held(suit, 1), 0
        for places in self._windows:
            if (held & places).bit_count() >= self._least:
                found |= held & places
        return found * WANTED


def _may_open(window: Window, rank: int, meld_rules: MeldRules) -> bool:
    """Return whether a run in this window may be the one with the lowest card held, of that rank.

    Its first place is that card's: one that begins lower, with a wild, lies as well one place
    higher, unless there is none. An ace may also be the highest.
    """
    if rank not in window.ranks:
        return False
    if meld_rules.ace == "corner" or rank == 1:
        return True
    return window.start == min(rank, windows(meld_rules.ace, window.size)[-1].start)


def _must_hold(window: Window, meld_rules: MeldRules) -> int:
    """Return which places natural cards must fill: a longer run needs no wild at its end.

    Round the corner any run that begins with a wild lies as well one place further on.
    """
    ends = {window.ranks[0]} if meld_rules.ace == "corner" else set()
    if window.size > meld_rules.run_size:
        ends.add(window.ranks[-1])
    return units(ends)
