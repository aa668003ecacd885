"""A hand as bits: of each suit the ranks held once or more, twice or more, thrice and so on.

Every search for a contract reads cards in this one form. A rank is the bit of its number, 1 to 13;
a card of all suits, a *cell*, is the bit `16 * suit + rank`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement, product
from operator import or_
from typing import NamedTuple

from companion.cards import NATURALS, SUITS, Card, Hand, Rank

from .meld import MeldRules
from .slots import MOST_CARDS, sort_out, suit_index

ALL_RANKS = 0x3FFE
CELLS = (1 << 64) - 1
CELL_CARDS = {16 * suit + rank: Card(rank, SUITS[suit]) for rank in NATURALS for suit in range(4)}
"""Every natural card by its cell, in the order of a hand."""
RANK_CELLS = [sum(1 << 16 * suit + rank for suit in range(4)) for rank in range(14)]

Levels = tuple[int, ...]
"""Ranks of a suit as bits: those there once or more, twice or more …

A rank is in a level only if it is in all before it, so that counts are compared bit by bit.
"""
LEVELS = MOST_CARDS + 1
"""No card is there more often than a hand has cards."""


def bits(ranks: Iterable[int]) -> tuple[int, int]:
    """Return ranks in which none is there more than twice, as those there once and twice.

    >>> bits((1, 2, 1)) == (0b110, 0b010)
    True
    """
    once = twice = 0
    for rank in ranks:
        twice |= once & 1 << rank
        once |= 1 << rank
    return once, twice


def add(levels: Levels, ranks: int) -> Levels:
    """Add one card of some ranks: those there already rise a level."""
    found = []
    for there in levels:
        found.append(there | ranks)
        ranks &= there
    return (*found, ranks) if ranks else tuple(found)


def without(levels: Levels, ranks: int) -> Levels:
    """Take one card of some ranks away, all of which are there: the next level moves down."""
    if not ranks:
        return levels
    return tuple([
        here & ~ranks | after & ranks for here, after in zip(levels, (*levels[1:], 0), strict=True)
    ])  # fmt: skip


_SPREAD = [sum(1 << 4 * bit for bit in range(7) if mask >> bit & 1) for mask in range(128)]


def spread(ranks: int) -> int:
    """Give each rank four bits, so that cards are counted by adding.

    >>> hex(spread(0b1010) + spread(0b0010))
    '0x1020'
    """
    return _SPREAD[ranks & 127] | _SPREAD[ranks >> 7] << 28


class SuitCards(NamedTuple):
    """Cards of a suit: those never wild, and with them the wilds that are of the suit.

    In its own slot a wild is natural. It is then counted twice on purpose: as natural by the
    limits on wilds, and as one of the wilds, of which its slot, not being `steady`, takes one.
    """

    steady: Levels
    natural: Levels


class Held(NamedTuple):
    """What is held: by suit, how many of each rank, and all wilds."""

    suits: tuple[SuitCards, ...]
    steady_of: tuple[int, ...]
    natural_of: tuple[int, ...]
    wilds: int

    def without(self, rank: int, suits: Collection[int]) -> Held:
        """Take the card of a rank out of some suits."""
        steady, natural = list(self.steady_of), list(self.natural_of)
        steady[rank] = max(0, steady[rank] - len(suits))  # of a wild rank there is none
        natural[rank] -= len(suits)
        cards = less(self.suits, rank, suits)
        return Held(cards, tuple(steady), tuple(natural), self.wilds)


def less(cards: Sequence[SuitCards], rank: int, suits: Collection[int]) -> tuple[SuitCards, ...]:
    """Take the card of a rank out of some suits."""
    bit = 1 << rank
    return tuple(
        # A card of a wild rank is not steady, and only what is there can be taken away.
        SuitCards(without(own.steady, bit & own.steady[0]), without(own.natural, bit))
        if suit in suits
        else own
        for suit, own in enumerate(cards)
    )


def held_as(hand: Hand, meld_rules: MeldRules, in_runs: bool) -> Iterator[Held]:
    """Yield what is held; where wilds are bound to their rank, for each way to give them suits.

    Unless they may lie `in_runs` one way will do: suit after suit, as sets like them best.

    Raises `Refusal` as `sort_out` does.
    """
    naturals, wilds = sort_out(hand, meld_rules)
    natural = wilds if meld_rules.natural_wilds else ()
    own = [(card.rank, suit_index(card)) for card in natural if card.rank]
    fixed = [(c.rank, suit_index(c)) for c in naturals if c.rank not in meld_rules.bound_ranks]
    bound = Counter(card.rank for card in naturals if card.rank in meld_rules.bound_ranks)
    of_rank = [
        [[(rank, suit) for suit in suits] for suits in _suits_lent(many, in_runs)]
        for rank, many in bound.items()
    ]
    for lent in product(*of_rank):
        yield _held([*fixed, *chain.from_iterable(lent)], own, len(wilds))


def _suits_lent(many: int, in_runs: bool) -> Iterable[tuple[int, ...]]:
    if in_runs:
        return combinations_with_replacement(range(4), many)
    return [tuple([at % 4 for at in range(many)])]


def _held(steady: list[tuple[Rank, int]], own: list[tuple[Rank, int]], wilds: int) -> Held:
    of_suit, natural = _levels(steady), _levels(steady + own)
    return Held(
        tuple(map(SuitCards, of_suit, natural)), _by_rank(steady), _by_rank(steady + own), wilds
    )


def _levels(cards: list[tuple[Rank, int]]) -> list[Levels]:
    """Sort cards by suit."""
    suits = [[0] * LEVELS for _ in range(4)]
    for rank, suit in cards:
        level, bit = 0, 1 << rank
        while suits[suit][level] & bit:
            level += 1
        suits[suit][level] |= bit
    return [tuple(levels) for levels in suits]


def _by_rank(cards: list[tuple[Rank, int]]) -> tuple[int, ...]:
    found = [0] * 14
    for rank, _ in cards:
        found[rank] += 1
    return tuple(found)


class InPlay(NamedTuple):
    """The cards of the pack, by suit and how many of each rank.

    At most `beyond` slots may be left to wilds for want of a card; -1: there is always one.
    """

    suits: tuple[SuitCards, ...]
    of_rank: tuple[int, ...]
    beyond: int

    def without(self, rank: int, suits: Collection[int]) -> InPlay:
        """Take the card of a rank out of some suits."""
        copies = [many - len(suits) * (of == rank) for of, many in enumerate(self.of_rank)]
        return InPlay(less(self.suits, rank, suits), tuple(copies), self.beyond)

    def beside(self, held: Held, unseen: Counter[Card], wilds: int) -> InPlay:
        """Add what is held though no pack has so many of it; there are so many wilds in all."""
        suits = [
            SuitCards(
                tuple(map(or_, own.steady, more.steady)), tuple(map(or_, own.natural, more.natural))
            )
            for own, more in zip(self.suits, held.suits, strict=True)
        ]
        of_rank = list(held.natural_of)
        for cell, card in CELL_CARDS.items():
            of_rank[cell & 15] += unseen[card]
        return InPlay(tuple(suits), tuple(of_rank), wilds if self.beyond >= 0 else -1)
