"""Melds laid out once and remembered; the wilds of a hand are put in their places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.cards import Card, sort_hand
from companion.melds.meld import Meld
from companion.melds.places import CARDS, CELLS, SUIT_UNTOLD, Window

NATURAL_CARDS = sort_hand(CELLS)
"""Every natural card once, in the order of a hand: rank by rank, and in it suit by suit."""


class LaidMeld(NamedTuple):
    """A meld of the cards that are meant, the steps at which wilds lie in it, and its naturals.

    These are told by their numbers in `NATURAL_CARDS`.
    """

    meld: Meld
    steps: tuple[int, ...]
    naturals: tuple[int, ...]


def laid_run(suit: int, window: Window, lent: int) -> LaidMeld:
    """Lay out a run; the steps at which wilds lie are told as bits."""
    meant = tuple([CARDS[suit][rank] for rank in window.ranks])
    steps = tuple([step for step in range(window.size) if lent >> step & 1])
    naturals = [_number(rank, suit) for n, rank in enumerate(window.ranks) if not lent >> n & 1]
    return LaidMeld(Meld("run", meant, meant), steps, tuple(naturals))


@lru_cache(maxsize=4_000)
def laid_set(rank: int, by_suit: tuple[int, ...], wilds: int) -> LaidMeld:
    """Lay out a set of so many cards of each suit and so many wilds."""
    naturals = [_number(rank, suit) for suit, held in enumerate(by_suit) for _ in range(held)]
    cards = [NATURAL_CARDS[number] for number in naturals]
    meant = (*cards, *[SUIT_UNTOLD[rank]] * wilds)
    return LaidMeld(
        Meld("set", meant, meant), tuple(range(len(cards), len(meant))), tuple(naturals)
    )


def _number(rank: int, suit: int) -> int:
    return 4 * (rank - 1) + suit


def lay_wilds(laid: LaidMeld, wilds: Iterator[Card]) -> Meld:
    """Put the next of these wilds in their places."""
    meld, steps, _ = laid
    if not steps:
        return meld
    kind, meant, _ = meld
    cards = list(meant)
    for step in steps:
        cards[step] = next(wilds)
    return Meld(kind, tuple(cards), meant)
