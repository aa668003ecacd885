"""A hand and its pack as bits: of each suit which ranks are there once, twice, thrice."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, Refusal
from .meld import MeldRules
from .places import MOST_CARDS, suit_index

CELL_CARDS = {16 * suit + rank: Card(rank, SUITS[suit]) for rank in NATURALS for suit in range(4)}
CELL_OF = {card: cell for cell, card in CELL_CARDS.items()}
JOKER = Card(Rank.JOKER)

LEVELS = 12
Levels = tuple[int, ...]
"""Ranks of a suit as bits: those held once or more, twice or more, thrice …"""


class Held:
    """What is held: natural cards by suit, how many of each rank, and the wilds.

    `steady` are the cards that are never wild. Where wilds are limited, `natural` holds those in
    their own place too: there they count as natural cards, and are wilds all the same.
    """

    __slots__ = ("cells", "natural", "natural_of", "steady", "steady_of", "wilds")

    def __init__(self, hand: Hand, rules: MeldRules, limited: bool) -> None:
        free = rules.free_ranks
        self.wilds = 0
        steady = [[0] * LEVELS for _ in SUITS]
        natural = [[0] * LEVELS for _ in SUITS]
        self.steady_of, self.natural_of = [0] * 14, [0] * 14
        self.cells: Counter[int] = Counter()
        for card in hand:
            rank = card.rank
            is_wild = rank in free
            if is_wild:
                self.wilds += 1
            if rank is Rank.JOKER:
                if not is_wild:
                    raise Refusal("This game is played without jokers.")
                continue
            if is_wild and not limited:
                continue
            suit = suit_index(card)
            bit = 1 << rank
            self.cells[16 * suit + rank] += 1
            for levels, of_rank in (
                (natural, self.natural_of),
                *(() if is_wild else ((steady, self.steady_of),)),
            ):
                of_rank[rank] += 1
                own = levels[suit]
                for level, there in enumerate(own):
                    if not there & bit:
                        own[level] |= bit
                        break
        self.steady = [tuple(levels) for levels in steady]
        self.natural = self.steady if not limited else [tuple(levels) for levels in natural]


def check(hand: Hand) -> None:
    if len(hand) > MOST_CARDS:
        raise Refusal(f"That is more than {MOST_CARDS} cards: too many to judge.")


class Unseen:
    """How many of each card can still be drawn."""

    def __init__(self, hand: Hand, pack: Pack, rules: MeldRules) -> None:
        self._held = Counter(hand)
        self._pack = pack

    def __getitem__(self, card: Card) -> int:
        return max(0, self._pack.copies(card) - self._held[card])


@lru_cache
def pack_wilds(pack: Pack, free: frozenset[Rank]) -> int:
    return sum(pack.jokers if rank is Rank.JOKER else 4 * pack.decks for rank in free)
