"""Zips: cards that sum to zero, black for and red against (`P-1`, `P-7`, `P-9`).

Zips laid apart also sum to zero together, so that the most a hand can zip is the greatest sum that
some of its black cards and some of its red cards both reach. Sums reached are bits of a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.cards import Card, Hand, Rank, Refusal, Suit, sort_hand

from .slots import MOST_CARDS


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

    Pairs of a rank are zipped first: only where they cost points are they broken, the lowest
    first, until they do not. The other zips are those of the smallest sums.

    Raises `Refusal` for more than 20 cards, a joker, or a card whose colour is untold.
    """
    if len(hand) > MOST_CARDS:
        raise Refusal(_TOO_MANY)
    zips, paired, black, red = _pair(sorted(map(_NUMBERS.__getitem__, hand)))
    blacks, reds = _reached(black), _reached(red)
    black_total, red_total = blacks[-1].bit_length() - 1, reds[-1].bit_length() - 1
    # Nothing is worth more than every pair and all that is left of a colour.
    rest = min(black_total, red_total)
    broken = 0
    if keep_one or not (blacks[-1] & reds[-1]) >> rest:
        rest = _most_with(zips, blacks[-1], reds[-1], keep_one) - paired
        while rest < 0 or not (blacks[-1] & reds[-1]) >> rest & 1:
            rank = _put_back(zips[broken][0], black, blacks)
            _put_back(zips[broken][1], red, reds)
            broken, paired, rest = broken + 1, paired - rank, rest + rank
            black_total, red_total = black_total + rank, red_total + rank
    left = _take(black, blacks, black_total - rest) + _take(red, reds, red_total - rest)
    if broken:
        again, _, black, red = _pair(sorted(black + red))
        zips = again + zips[broken:]
    if black:
        _split(black, red, zips)
    return Zips(2 * (paired + rest), tuple(zips), sort_hand(map(_CARDS.__getitem__, left)))


def is_zip(cards: Sequence[Card]) -> bool:
    """Return whether these cards are a zip: two or more that sum to zero.

    >>> from companion.cards import read_hand
    >>> is_zip(read_hand("KS 2D 3H 8D")), is_zip(read_hand("6H 6D"))
    (True, False)
    """
    return bool(cards) and sum(signed_value(card) for card in cards) == 0


def go_out_discards(hand: Hand) -> Hand:
    """Name the cards of which one, discarded, leaves a hand that is zipped in whole.

    >>> from companion.cards import read_hand, write_hand
    >>> write_hand(go_out_discards(read_hand("9C 9R 4D")))
    '4D'
    """
    total = sum(signed_value(card) for card in hand)
    return sort_hand({card for card in hand if signed_value(card) == total})


def useful_discards(hand: Hand, pile: Sequence[Card]) -> tuple[int, ...]:
    """Return which deeper discards can be taken: all above come along, that card is zipped at once.

    The pile is given from its first discard to its last, the top; the indexes in it are given
    back, the top's not among them, for it may be taken freely. A card is left to discard (`P-1`).

    >>> from companion.cards import read_hand
    >>> useful_discards(read_hand("9C 4S"), read_hand("5H 9H KS"))
    (1,)
    """
    return tuple(
        index for index in range(len(pile) - 1) if _is_useful((*hand, *pile[index:]), pile[index])
    )


def signed_value(card: Card) -> int:
    """Return the value of a card: black above zero, red below.

    Raises `Refusal` for a joker and for a card whose colour is untold.
    """
    if card.rank is Rank.JOKER:
        raise Refusal("Zip is played without jokers.")
    if card.suit is None:
        raise Refusal(f"Say whether the {card.name} is red or black.")
    return -int(card.rank) if card.suit.is_red else int(card.rank)


class _ByCard(dict[Card, int]):
    """A number for each card; asked for that of a card that has none, it says why."""

    def __missing__(self, card: Card) -> int:
        return signed_value(card)


# A card is eight times its rank, four more if it is red, and its suit; some numbers are no card.
_RED = 4
_SUIT_BITS = (
    Suit.BLACK,
    Suit.CLUBS,
    Suit.SPADES,
    None,
    Suit.DIAMONDS,
    Suit.HEARTS,
    Suit.RED,
    None,
)
_CARDS = [Card(rank, suit) for rank in Rank for suit in _SUIT_BITS]
_NUMBERS = _ByCard((card, number) for number, card in enumerate(_CARDS) if card.rank and card.suit)
_TOO_MANY = f"That is more than {MOST_CARDS} cards: too many to judge."


def _sums_by_colour(values: Iterable[int]) -> tuple[int, int]:
    """Return the sums that black cards reach, and those that red ones do."""
    black = red = 1
    for value in values:
        if value > 0:
            black |= black << value
        else:
            red |= red << -value
    return black, red


def _most(black: int, red: int, keep_one: bool) -> int:
    """Return the most that black cards and red ones both reach, with a card left over if asked."""
    most = (black & red).bit_length() - 1
    if keep_one and most and black.bit_length() == red.bit_length() == most + 1:
        most = (black & red ^ 1 << most).bit_length() - 1
    return most


def _most_with(pairs: list[Hand], black: int, red: int, keep_one: bool) -> int:
    """Return the most that both reach when the cards of these pairs come to them."""
    for card, _ in pairs:
        black |= black << card.rank
        red |= red << card.rank
    return _most(black, red, keep_one)


def _pair(numbers: list[int]) -> tuple[list[Hand], int, list[int], list[int]]:
    """Pair sorted cards, tell the sum of the ranks paired, and the black and red cards left."""
    pairs: list[Hand] = []
    black: list[int] = []
    red: list[int] = []
    paired = 0
    for number in numbers:
        if not number & _RED:
            black.append(number)
        elif black and black[-1] >> 3 == (rank := number >> 3):
            pairs.append((_CARDS[black.pop()], _CARDS[number]))
            paired += rank
        else:
            red.append(number)
    return pairs, paired, black, red


def _reached(numbers: list[int]) -> list[int]:
    """Return the sums that no card reaches: the first, the first two, and so on to all."""
    sums, reached = 1, [1]
    for number in numbers:
        sums |= sums << (number >> 3)
        reached.append(sums)
    return reached


def _put_back(card: Card, numbers: list[int], reached: list[int]) -> int:
    """Put a card of a pair back to those of its colour, and tell its rank."""
    numbers.append(_NUMBERS[card])
    reached.append(reached[-1] | reached[-1] << card.rank)
    return card.rank


def _take(numbers: list[int], reached: list[int], total: int) -> list[int]:
    """Take out cards that sum to a total that they reach: the last only where it is needed."""
    taken = []
    index = len(numbers)
    while total:
        index -= 1
        if not reached[index] >> total & 1:
            taken.append(numbers[index])
            total -= numbers.pop(index) >> 3
    return taken


def _split(black: list[int], red: list[int], zips: list[Hand]) -> None:
    """Split cards that sum to zero, of which no two are a pair: the smallest sums first.

    What sums to least cannot be split. Each zip holds a black card, a red one and a third, so that
    fewer than six cards, or cards among which one is alone in its colour, are one zip.
    """
    while len(black) > 1 < len(red) and len(black) + len(red) > 5:
        blacks, reds = _reached(black), _reached(red)
        common = (blacks[-1] & reds[-1]) - 1
        least = common & -common
        if least == common:
            break
        total = least.bit_length() - 1
        taken = _take(red, reds, total) + _take(black, blacks, total)
        zips.append(tuple(map(_CARDS.__getitem__, reversed(taken))))
    zips.append(tuple(map(_CARDS.__getitem__, black + red)))


def _is_useful(cards: Hand, bound: Card) -> bool:
    """Return whether a zip holds this card and leaves another to discard."""
    rest = list(map(signed_value, cards))
    rest.remove(signed_value(bound))
    black, red = _sums_by_colour(rest)
    own, against = (red, black) if bound.suit and bound.suit.is_red else (black, red)
    reached = own << bound.rank & against
    total = against.bit_length() - 1
    if total == own.bit_length() - 1 + bound.rank:
        reached &= ~(1 << total)
    return reached > 0
