"""Wilds shared among the runs of the suits so that the least is left loose."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

Shares = tuple[int, int, int, int]
"""The most wilds that the runs of each suit may take."""

NO_SHARES: Shares = (0, 0, 0, 0)


def share(costs: tuple[tuple[int, ...], ...], wilds: int) -> tuple[int, Shares]:
    """Share so many wilds among four suits: what is left loose at least, and each suit's share.

    Each suit tells what it leaves loose with 0, 1, 2 … wilds. The later suits get the more.

    >>> share(((9, 5, 0), (7, 7, 7), (8, 0, 0), (9, 9, 9)), 2)
    (21, (1, 0, 1, 0))
    """
    clubs, diamonds, hearts, spades = costs
    splits = _splits(
        clubs[wilds] < clubs[0],
        diamonds[wilds] < diamonds[0],
        hearts[wilds] < hearts[0],
        spades[wilds] < spades[0],
        wilds,
    )
    loose = [clubs[c] + diamonds[d] + hearts[h] + spades[s] for c, d, h, s in splits]
    least = min(loose)
    return least, splits[loose.index(least)]


@lru_cache(maxsize=400)
def _splits(clubs: bool, diamonds: bool, hearts: bool, spades: bool, wilds: int) -> list[Shares]:
    """List every way to share so many wilds among the suits that gain by them."""
    gaining = [suit for suit, gains in enumerate((clubs, diamonds, hearts, spades)) if gains]
    suits_of_wilds = combinations_with_replacement(gaining[::-1], wilds)
    splits = [(s.count(0), s.count(1), s.count(2), s.count(3)) for s in suits_of_wilds]
    return splits or [NO_SHARES]
