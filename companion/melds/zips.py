"""Zips: cards that sum to zero, black for and red against (`P-1`, `P-7`, `P-9`).

Zips laid apart also sum to zero together, so that the most a hand can zip is the greatest sum that
some of its black cards and some of its red cards both reach. Sums reached are bits of a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.cards import NATURALS, Card, Hand, Rank, RuleError, Suit, sort_hand

from .places import MOST_CARDS


class Zips(NamedTuple):
    """The most points a hand can zip, zips that reach it, none of which holds two, and the rest."""

    value: int
    zips: tuple[Hand, ...]
    left: Hand


def best_zips(hand: Hand, keep_one: bool = False) -> Zips:
    """Find the zips worth most, each card counting its points whatever its colour.

    With `keep_one` at least one card is left to discard (`P-1`).

    >>> from companion.cards import read_hand, write_hand
    >>> zips = best_zips(read_hand("6H 6S KS 2D 3H 8D 7C"))
    >>> zips.value, [write_hand(zip_) for zip_ in zips.zips], write_hand(zips.left)
    (38, ['6S 6H', 'KS 2D 3H 8D'], '7C')

    Raises `RuleError` for more than 20 cards, a joker, or a card whose colour is untold.
    """
    black, red = _by_colour(hand)
    black_sums, red_sums = _sums(black), _sums(red)
    common = black_sums[-1] & red_sums[-1]
    most = common.bit_length() - 1
    if keep_one and most and black_sums[-1].bit_length() == red_sums[-1].bit_length() == most + 1:
        most = (common ^ (1 << most)).bit_length() - 1
    blacks, black_left = _reach(black, black_sums, most)
    reds, red_left = _reach(red, red_sums, most)
    return Zips(2 * most, _split(blacks, reds), sort_hand(black_left + red_left))


def is_zip(cards: Sequence[Card]) -> bool:
    """Tell whether these cards are a zip: two or more that sum to zero.

    >>> from companion.cards import read_hand
    >>> is_zip(read_hand("KS 2D 3H 8D")), is_zip(read_hand("6H 6D"))
    (True, False)
    """
    return len(cards) > 1 and sum(signed_value(card) for card in cards) == 0


def go_out_discards(hand: Hand) -> Hand:
    """Name the cards of which one, discarded, leaves a hand that is zipped in whole.

    >>> from companion.cards import read_hand, write_hand
    >>> write_hand(go_out_discards(read_hand("9C 9R 4D")))
    '4D'
    """
    total = sum(signed_value(card) for card in hand)
    return sort_hand({card for card in hand if signed_value(card) == total})


def useful_discards(hand: Hand, pile: Sequence[Card]) -> tuple[int, ...]:
    """Tell which deeper discards can be taken: all above come along, that card is zipped at once.

    The pile is given from its first discard to its last, the top; the places in it are given
    back, the top's not among them, for it may be taken freely. A card is left to discard (`P-1`).

    >>> from companion.cards import read_hand
    >>> useful_discards(read_hand("9C 4S"), read_hand("5H 9H KS"))
    (1,)
    """
    return tuple(
        place for place in range(len(pile) - 1) if _is_useful((*hand, *pile[place:]), pile[place])
    )


def signed_value(card: Card) -> int:
    """Tell the value of a card: black above zero, red below.

    Raises `RuleError` for a joker and for a card whose colour is untold.
    """
    if card.rank is Rank.JOKER:
        raise RuleError("Zip is played without jokers.")
    if card.suit is None:
        raise RuleError(f"Say whether the {card.name} is red or black.")
    return -int(card.rank) if card.suit.is_red else int(card.rank)


_BLACK, _RED = (
    frozenset(Card(rank, suit) for rank in NATURALS for suit in Suit if suit.is_red is red)
    for red in (False, True)
)


def _by_colour(hand: Hand) -> tuple[list[Card], list[Card]]:
    if len(hand) > MOST_CARDS:
        raise RuleError(f"That is more than {MOST_CARDS} cards: too many to judge.")
    black = [card for card in hand if card in _BLACK]
    red = [card for card in hand if card in _RED]
    if len(black) + len(red) < len(hand):
        for card in hand:
            signed_value(card)
    return black, red


def _sums(cards: list[Card]) -> list[int]:
    """List the sums that the first 0, 1, 2 … cards reach, as bits."""
    sums = 1
    reached = [sums]
    for rank, _ in cards:
        sums |= sums << rank
        reached.append(sums)
    return reached


def _reach(cards: list[Card], sums: list[int], total: int) -> tuple[list[Card], list[Card]]:
    """Part the cards into some that sum to a total that they reach, and the others."""
    if sums[-1] >> total == 1:
        return cards, []
    chosen, left = [], []
    for card, reached in zip(reversed(cards), sums[-2::-1], strict=True):
        if reached >> total & 1:
            left.append(card)
        else:
            chosen.append(card)
            total -= card[0]
    return chosen, left


def _split(black: list[Card], red: list[Card]) -> tuple[Hand, ...]:
    """Split cards that sum to zero into zips that cannot be split: pairs, then the smallest sums.

    Each holds a black card and a red one, so that cards among which one is alone are one zip.
    """
    zips, black, red = _pairs(black, red)
    while len(black) > 1 < len(red):
        black_sums, red_sums = _sums(black), _sums(red)
        common = (black_sums[-1] & red_sums[-1]) - 1
        least = (common & -common).bit_length() - 1
        blacks, black = _reach(black, black_sums, least)
        reds, red = _reach(red, red_sums, least)
        zips.append((*sort_hand(blacks), *sort_hand(reds)))
    if black:
        zips.append((*sort_hand(black), *sort_hand(red)))
    return tuple(zips)


def _pairs(black: list[Card], red: list[Card]) -> tuple[list[Hand], list[Card], list[Card]]:
    """Pair black and red cards of a rank, the lowest first, and tell which are left."""
    alone: list[Card] = []
    zips: list[Hand] = []
    red = [*sort_hand(red)]
    ranks = [rank for rank, _ in red]
    for card in sort_hand(black):
        if card[0] in ranks:
            place = ranks.index(card[0])
            zips.append((card, red.pop(place)))
            del ranks[place]
        else:
            alone.append(card)
    return zips, alone, red


def _is_useful(cards: Hand, bound: Card) -> bool:
    """Tell whether a zip holds this card and leaves another to discard."""
    rest = list(cards)
    rest.remove(bound)
    own, against = _by_sign(rest, signed_value(bound) > 0)
    reached = _sums(own)[-1] << bound.rank & _sums(against)[-1]
    total = sum(card.rank for card in against)
    if total == sum(card.rank for card in own) + bound.rank:
        reached &= ~(1 << total)
    return reached > 0


def _by_sign(cards: list[Card], is_black: bool) -> tuple[list[Card], list[Card]]:
    same = [card for card in cards if (signed_value(card) > 0) == is_black]
    return same, [card for card in cards if (signed_value(card) > 0) != is_black]
