"""Melds laid out once and remembered; the wilds of a hand are put in their places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.cards import Card

from ..meld import Meld
from ..places import CARDS, SUIT_UNTOLD, Window

Laid = tuple[Meld, tuple[int, ...]]
"""A meld of the cards that are meant, and the steps at which wilds lie in their places."""


def laid_run(suit: int, window: Window, lent: int) -> Laid:
    """Lay out a run; the steps at which wilds lie are told as bits."""
    of_suit = CARDS[suit]
    meant = tuple([of_suit[rank] for rank in window.ranks])
    return Meld("run", meant, meant), tuple([s for s in range(window.size) if lent >> s & 1])


@lru_cache(maxsize=4_000)
def laid_set(rank: int, by_suit: tuple[int, ...], wilds: int) -> Laid:
    """Lay out a set of so many cards of each suit and so many wilds."""
    naturals = [CARDS[suit][rank] for suit, held in enumerate(by_suit) for _ in range(held)]
    meant = (*naturals, *[SUIT_UNTOLD[rank]] * wilds)
    return Meld("set", meant, meant), tuple(range(len(naturals), len(meant)))


def lay_wilds(laid: Laid, wilds: Iterator[Card]) -> Meld:
    """Put the next of these wilds in their places."""
    meld, steps = laid
    if not steps:
        return meld
    cards = list(meld.cards)
    for step in steps:
        cards[step] = next(wilds)
    return Meld(meld.kind, tuple(cards), meld.stands_for)
