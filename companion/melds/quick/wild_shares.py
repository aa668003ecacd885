"""Wilds shared among the runs of the suits so that the least is left loose."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

SuitCosts = tuple[int, ...]
"""What a suit leaves loose with 0, 1, 2 … wilds, and at last the fewest with which a run lies."""

Shares = tuple[tuple[int, int], ...]
"""The index of each suit in which runs lie, and the most wilds that they may take."""


def share(
    clubs: SuitCosts, diamonds: SuitCosts, hearts: SuitCosts, spades: SuitCosts, wilds: int
) -> tuple[int, Shares]:
    """Share so many wilds among four suits: what is left loose at least, and the shares.

    The later suits get the more.

    >>> share((9, 5, 0, 1), (7, 7, 7, 3), (8, 0, 0, 1), (9, 9, 9, 3), 2)
    (21, ((0, 1), (2, 1)))
    """
    splits = _splits(clubs[-1], diamonds[-1], hearts[-1], spades[-1], wilds)
    if len(splits) == 1:
        return clubs[wilds] + diamonds[wilds] + hearts[wilds] + spades[wilds], splits[0][4]
    loose = [clubs[c] + diamonds[d] + hearts[h] + spades[s] for c, d, h, s, _ in splits]
    least = min(loose)
    return least, splits[loose.index(least)][4]


_Split = tuple[int, int, int, int, Shares]
"""The most wilds of each suit, and the shares."""


@lru_cache(maxsize=1_000)
def _splits(clubs: int, diamonds: int, hearts: int, spades: int, wilds: int) -> list[_Split]:
    """List every way to share so many wilds so that a run lies in each suit that gets some."""
    fewest = (clubs, diamonds, hearts, spades)
    suits = [suit for suit in range(4) if fewest[suit] <= wilds]
    splits: list[_Split] = []
    for suits_of_wilds in combinations_with_replacement(suits[::-1], wilds):
        c, d, h, s = most = [suits_of_wilds.count(suit) for suit in range(4)]
        shares = tuple([(suit, most[suit]) for suit in suits if most[suit] >= fewest[suit]])
        if sum([share for _, share in shares]) == wilds:
            splits.append((c, d, h, s, shares))
    return splits or [(0, 0, 0, 0, ())]
