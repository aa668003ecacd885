"""Zips: cards that sum to zero, black for and red against (`P-1`, `P-7`, `P-9`).

Zips laid apart also sum to zero together, so that the most a hand can zip is the greatest sum that
some of its black cards and some of its red cards both reach. Sums reached are bits of a number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
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
    value = most_zipped(hand, keep_one)
    numbers = sorted(map(_NUMBERS.__getitem__, hand))
    reds = bisect_left(numbers, _RED)
    black, black_left = _part(numbers[:reds], value // 2)
    red, red_left = _part([number - _RED for number in numbers[reds:]], value // 2)
    return Zips(value, tuple(_split(black, red)), sort_hand(_cards(black_left, red_left)))


def most_zipped(hand: Hand, keep_one: bool = False) -> int:
    """Tell the most points that a hand can zip, as `best_zips` does.

    >>> from companion.cards import read_hand
    >>> most_zipped(read_hand("6H 6S KS 2D 3H 8D 7C"))
    38
    """
    if len(hand) > MOST_CARDS:
        raise RuleError(f"That is more than {MOST_CARDS} cards: too many to judge.")
    try:
        black, red = _sums_by_colour(map(_SIGNED_VALUES.__getitem__, hand))
    except KeyError as untold:
        signed_value(untold.args[0])
        raise
    common = black & red
    most = common.bit_length() - 1
    if keep_one and most and black.bit_length() == red.bit_length() == most + 1:
        most = (common ^ (1 << most)).bit_length() - 1
    return 2 * most


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


_CARDS = sort_hand(Card(rank, suit) for rank in NATURALS for suit in Suit)
_SIGNED_VALUES = {card: signed_value(card) for card in _CARDS}

# Within a colour a card is four times its rank, and one of three suits.
_BLACKS, _REDS = (
    {4 * card.rank + place % 3: card for place, card in enumerate(cards)}
    for cards in (
        [card for card in _CARDS if _SIGNED_VALUES[card] > 0],
        [card for card in _CARDS if _SIGNED_VALUES[card] < 0],
    )
)
_RED = 64
_NUMBERS = {card: number for number, card in _BLACKS.items()} | {
    card: _RED + number for number, card in _REDS.items()
}


def _cards(black: list[int], red: list[int]) -> Hand:
    return (*[_BLACKS[number] for number in black], *[_REDS[number] for number in red])


def _sums_by_colour(values: Iterable[int]) -> tuple[int, int]:
    """Tell the sums that black cards reach, and those that red ones do."""
    black = red = 1
    for value in values:
        if value > 0:
            black |= black << value
        else:
            red |= red << -value
    return black, red


def _part(numbers: list[int], total: int) -> tuple[list[int], list[int]]:
    """Part cards into some that sum to a total that they reach, low ones first, and the others."""
    sums, reached = 1, []
    for number in numbers:
        reached.append(sums)
        sums |= sums << (number >> 2)
    if sums >> total == 1:
        return numbers, []
    chosen, left = [], []
    for number in reversed(numbers):
        if reached.pop() >> total & 1:
            left.append(number)
        else:
            chosen.append(number)
            total -= number >> 2
    return chosen[::-1], left[::-1]


def _split(black: list[int], red: list[int]) -> list[Hand]:
    """Split cards that sum to zero into zips that cannot be split: pairs, then the smallest sums.

    Each holds a black card and a red one, and where there is no pair a third one, so that fewer
    than six cards, or cards among which one is alone, are one zip.
    """
    zips, black, red = _pairs(black, red)
    while len(black) > 1 < len(red) and len(black) + len(red) > 5:
        common = (_sums(black) & _sums(red)) - 1
        least = common & -common
        if least == common:
            break
        blacks, black = _part_low(black, least.bit_length() - 1)
        reds, red = _part_low(red, least.bit_length() - 1)
        zips.append(_cards(blacks, reds))
    if black:
        zips.append(_cards(black, red))
    return zips


def _pairs(black: list[int], red: list[int]) -> tuple[list[Hand], list[int], list[int]]:
    """Pair black and red cards of a rank, the lowest first, and tell which are left."""
    zips: list[Hand] = []
    alone, red = [], red.copy()
    ranks = [number >> 2 for number in red]
    for number in black:
        if number >> 2 in ranks:
            place = ranks.index(number >> 2)
            zips.append((_BLACKS[number], _REDS[red.pop(place)]))
            del ranks[place]
        else:
            alone.append(number)
    return zips, alone, red


def _sums(numbers: list[int]) -> int:
    """Tell the sums that some of these cards reach, as bits."""
    sums = 1
    for number in numbers:
        sums |= sums << (number >> 2)
    return sums


def _part_low(numbers: list[int], total: int) -> tuple[list[int], list[int]]:
    """Part cards in their order as `_part` does: none above the total is needed."""
    above = bisect_left(numbers, 4 * (total + 1))
    chosen, left = _part(numbers[:above], total)
    return chosen, left + numbers[above:]


def _is_useful(cards: Hand, bound: Card) -> bool:
    """Tell whether a zip holds this card and leaves another to discard."""
    rest = list(map(signed_value, cards))
    rest.remove(signed_value(bound))
    black, red = _sums_by_colour(rest)
    own, against = (red, black) if signed_value(bound) < 0 else (black, red)
    reached = own << bound.rank & against
    total = against.bit_length() - 1
    if total == own.bit_length() - 1 + bound.rank:
        reached &= ~(1 << total)
    return reached > 0
