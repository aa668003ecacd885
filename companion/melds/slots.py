"""Slots in a run: which ranks follow which, under each reading of the ace (`H-10`, `C-18`).

A slot is a number: the ace low is 1, the king 13, the ace high 14; round the corner the two is
15 and so on. An ace that is wild has no slot. Cards are kept by index of suit (as in `SUITS`)
and rank. Whether two runs of a suit may lie together is decided here as well, once for all
(`Z-5`, `C-5`, `C-6`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.cards import SUITS, Card, Rank, Refusal

from .meld import MeldRules

MOST_CARDS = 20
"""The most cards in a hand that is judged."""

CARDS = tuple(tuple(Card(rank, suit) for rank in Rank) for suit in SUITS)
"""Every natural card, by index of its suit and by rank."""

SUITLESS = tuple(Card(rank) for rank in Rank)
"""A card of every rank, its suit untold."""

SUIT_INDEX = {suit: index for index, suit in enumerate(SUITS)}


class Window(NamedTuple):
    """A stretch of slots that a run may fill."""

    start: int
    size: int
    ranks: tuple[int, ...]

    @property
    def mask(self) -> int:
        """The ranks as bits."""
        return sum({1 << rank for rank in self.ranks})


def rank_at(slot: int) -> int:
    """Return which rank lies at a slot.

    >>> rank_at(14), rank_at(13), rank_at(16)
    (1, 13, 3)
    """
    return (slot - 1) % 13 + 1


@lru_cache
def windows(ace: str, size: int) -> tuple[Window, ...]:
    """Find every stretch of so many slots in which a run may lie.

    >>> [window.ranks for window in windows("low", 12)]
    [(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)]
    """
    if ace == "corner":
        # Fourteen hold the ace twice; one more would hold the two twice as well.
        starts = range(1, 14) if size <= 14 else range(0)
    else:
        first, last = {"low": (1, 13), "high": (2, 14), "either": (1, 14), "wild": (2, 13)}[ace]
        starts = range(first, last - size + 2)
    return tuple(
        Window(start, size, tuple(rank_at(start + step) for step in range(size)))
        for start in starts
    )


def set_ranks(rules: MeldRules) -> list[int]:
    """Return of which ranks there are sets."""
    never = frozenset[int]() if rules.natural_wilds else rules.free_ranks
    return [rank for rank in range(2 if rules.ace == "wild" else 1, 14) if rank not in never]


def has_room(meld_rules: MeldRules) -> bool:
    """Return whether under these rules wilds left over always find room in any meld."""
    # The longest run that is not two runs, and the most wilds that are no set by themselves.
    longest = 2 * meld_rules.run_size + meld_rules.set_size - 2
    return not (
        meld_rules.limits_wilds
        or longest > min(meld_rules.run_max, 13)
        or not windows(meld_rules.ace, longest)
        or min(meld_rules.set_size, meld_rules.run_size) < 2
    )


def suit_index(card: Card) -> int:
    """Return the index of a natural card's suit.

    Raises `Refusal` if the suit is untold: without it a run cannot be judged.
    """
    index = SUIT_INDEX.get(card.suit) if card.suit else None
    if index is None:
        raise Refusal(f"Say the suit of the {card.name}: without it a run cannot be judged.")
    return index


def sort_out(hand: Iterable[Card], meld_rules: MeldRules) -> tuple[list[Card], list[Card]]:
    """Part a hand into natural cards and wilds that stand for any card.

    Raises `Refusal` for too many cards and for a joker in a game in which it is not wild.
    """
    free = meld_rules.free_ranks
    naturals: list[Card] = []
    wilds: list[Card] = []
    for card in hand:
        (wilds if card[0] in free else naturals).append(card)
    if len(naturals) + len(wilds) > MOST_CARDS:
        raise Refusal(f"That is more than {MOST_CARDS} cards: too many to judge.")
    if any(card.rank is Rank.JOKER for card in naturals):
        raise Refusal("This game is played without jokers.")
    return naturals, wilds


@lru_cache
def wild_cards(ranks: frozenset[Rank]) -> tuple[Card, ...]:
    """Name every card of ranks that stand for any card."""
    suits = {Rank.JOKER: (None,)}
    return tuple(Card(rank, suit) for rank in sorted(ranks) for suit in suits.get(rank, SUITS))


Placed = tuple[int, int, int, bool]
"""A run's start, its size, the size that the contract asks, and whether it may be no larger."""

CONNECTED = 9
"""How many cards two runs that connect must hold together (`Z-5`)."""


@lru_cache(maxsize=4096)
def agreement(rule: str, ace: str, first: Placed, second: Placed) -> int:
    """Return whether two runs in one suit may lie together: 0 no, 1 yes, 2 as a connected pair."""
    if rule == "any":
        return 1
    if rule == "different_suits":
        return 0
    between = _between(ace, first, second)
    if rule == "gap_only":
        return int(between > 0)
    if between != 0:
        return 1
    # Two runs of five are ten cards already, and each must have what the contract asks.
    needed = max(CONNECTED, first[2] + second[2])
    total = first[1] + second[1]
    # `Z-4`: sizes are exact but for the card more that runs which touch need.
    enough = total == needed if first[3] and second[3] else total >= needed
    return 2 if rule == "adjacent_needs_9" and enough else 0


def _between(ace: str, first: Placed, second: Placed) -> int:
    """Return how many slots lie between two runs; 0 where they touch, less where they overlap."""
    ahead = second[0] - first[0]
    if ace != "corner":
        return max(ahead - first[1], -ahead - second[1])
    # Round the corner both gaps count, each taken the short way round the thirteen ranks.
    return min(ahead % 13 - first[1], -ahead % 13 - second[1])
