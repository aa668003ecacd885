"""Rules in words: numbers, packs and card values as people say them at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from companion.cards import Card, Pack
from companion.melds import RANK_NAMES, RANKS
from companion.spoken import NUMBERS

MOST_CHANGES = 2
"""More changes of how many cards are dealt are not told one by one."""


def number(count: int) -> str:
    """Say a small number as a word."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)


def ordinal(number: int) -> str:
    """Say a small place in a row as a word.

    >>> ordinal(2), ordinal(13)
    ('second', '13th')
    """
    return ORDINALS[number - 1] if 0 < number <= len(ORDINALS) else f"{number}th"


def list_words(names: Sequence[str], last: str = "and") -> str:
    """Join names as people do.

    >>> list_words(["jokers", "twos", "aces"])
    'jokers, twos and aces'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def many(rank: str) -> str:
    """Name all cards of a rank.

    >>> many("joker"), many("2"), many("6")
    ('jokers', 'twos', 'sixes')
    """
    names = {
        "joker": "jokers",
        "A": "aces",
        "J": "jacks",
        "Q": "queens",
        "K": "kings",
        "6": "sixes",
    }
    return names.get(rank) or f"{number(int(rank))}s"


def many_of(card: Card, count: int) -> str:
    """Say how many of a card there are, with as much of its suit as is known.

    >>> from companion.cards import read_hand
    >>> [many_of(card, 3) for card in read_hand("X 7H 6R")], many_of(read_hand("K")[0], 1)
    (['3 jokers', '3 sevens of hearts', '3 red sixes'], '1 king')
    """
    rank = many(RANK_NAMES[card.rank]) if count != 1 else card.rank.word
    if card.suit is None:
        return f"{count} {rank}"
    if card.suit.is_colour:
        return f"{count} {card.suit.word} {rank}"
    return f"{count} {rank} of {card.suit.word}"


def pack_words(pack: Pack) -> str:
    """Say which cards to fetch.

    >>> pack_words(Pack(3, 2)), pack_words(Pack(1, 0))
    ('3 decks and 2 jokers', '1 deck, no jokers')
    """
    decks = f"{pack.decks} deck{'s'[: pack.decks > 1]}"
    if not pack.jokers:
        return f"{decks}, no jokers"
    return f"{decks} and {pack.jokers} joker{'s'[: pack.jokers > 1]}"


def dealing_words(sizes: Sequence[int], word: str) -> str:
    """Say how many cards are dealt, from the cards of each deal in their order.

    >>> dealing_words([10, 10, 10, 10, 12, 12, 12], "deal"), dealing_words([7], "round")
    ('Deal 10 cards each, 12 from deal 5.', 'Deal 7 cards each.')
    >>> dealing_words([7, 8, 9, 10], "deal"), dealing_words([9, 10, 11, 12, 12, 13, 16], "deal")
    ('Deal 7 cards each, one more every deal.', 'Deal 9 cards each, rising to 16.')
    """
    if not any(sizes):
        return ""
    changes = [n for n in range(1, len(sizes)) if sizes[n] != sizes[n - 1]]
    if [*sizes] == [*range(sizes[0], sizes[0] + len(sizes))] and changes:
        then = f", one more every {word}"
    elif len(changes) > MOST_CHANGES:
        then = f", rising to {max(sizes)}"
    else:
        then = "".join(f", {sizes[n]} from {word} {n + 1}" for n in changes)
    return f"Deal {sizes[0]} card{'s'[: sizes[0] != 1]} each{then}."


def wild_table_words(table: Sequence[tuple[int, int]]) -> str:
    """Say how many wilds a meld may hold, by its size.

    >>> wild_table_words([(3, 1), (4, 1), (5, 2)])
    '1 from 3 cards, 2 from 5 cards'
    """
    by_wilds = [next(rows) for _, rows in groupby(table, key=lambda row: row[1])]
    return ", ".join(f"{wilds} from {size} cards" for size, wilds in by_wilds) or "no limit"


TEN = 10
"""From here on number and court cards count alike in most games, so they are not parted."""


def value_signs(values: Mapping[str, int]) -> list[tuple[str, str]]:
    """List what cards count as briefly as possible: number cards at face value together.

    >>> value_signs({"A": 15, "2": 2, "3": 3, "4": 4, "J": 10, "Q": 10})
    [('A', '15'), ('2 to 4', 'as shown'), ('J, Q', '10')]
    """
    rows: list[tuple[str, str]] = []
    for said, group in groupby(values, key=lambda name: _value_sign(name, values)):
        ranks = list(group)
        rows.append((f"{ranks[0]} to {ranks[-1]}" if len(ranks) > 2 else ", ".join(ranks), said))
    return rows


def _value_sign(name: str, values: Mapping[str, int]) -> str:
    """Say a value, or that a number card and its neighbour count what they show."""
    at_face = [n for n in RANKS if n.isdecimal() and values.get(n) == int(n) < TEN]
    beside = {str(int(name) - 1), str(int(name) + 1)} if name.isdecimal() else set()
    return "as shown" if name in at_face and beside & set(at_face) else str(values[name])


def value_rows(values: Mapping[str, int]) -> list[tuple[str, int]]:
    """List what cards count, ranks of one value and next to each other together.

    >>> value_rows({"A": 15, "2": 5, "3": 5, "joker": 15})
    [('A', 15), ('2, 3', 5), ('joker', 15)]
    """
    rows: list[tuple[str, int]] = []
    for value, group in groupby(values, key=values.__getitem__):
        ranks = list(group)
        said = f"{ranks[0]} to {ranks[-1]}" if len(ranks) > 2 else ", ".join(ranks)
        rows.append((said, value))
    return rows
