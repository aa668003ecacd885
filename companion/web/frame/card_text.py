"""What a page says and draws: cards in a rule's text, contracts in pictures and words, days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from companion.cards import NATURALS, Card, Hand, Suit, read_hand, sort_hand
from companion.melds import RANK_NAMES, RANKS, Contract, MeldSpec
from companion.rules import VariantError
from companion.rules.contracts import contract_words, read_contract
from companion.rules.words import many, number

_CARDS = re.compile(r"\[([^\]]+)\]")


class TextPart(NamedTuple):
    """A stretch of a rule's text: words, or cards in their place."""

    text: str
    hand: Hand = ()


def parts(text: str) -> list[TextPart]:
    """Part a rule's text into words and cards.

    >>> [(part.text, len(part.hand)) for part in parts("A run is [4C 5C 6C 7C] or longer.")]
    [('A run is ', 0), ('4C 5C 6C 7C', 4), (' or longer.', 0)]

    Raises `NotationError` for brackets that hold no cards.
    """
    pieces = enumerate(_CARDS.split(text))
    return [TextPart(one, read_hand(one) if index % 2 else ()) for index, one in pieces if one]


def picture(contract: Contract) -> list[list[tuple[str, Hand]]]:
    """Return cards to draw a contract with: for each way to meet it, its melds and their kinds.

    >>> from companion.cards import write_hand
    >>> two = Contract(melds=(MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)))
    >>> [(kind, write_hand(hand)) for kind, hand in picture(two)[0]]
    [('set', '7S 7H 7D'), ('run', '9C 10C JC QC')]
    """
    return [
        [(spec.kind, _example(spec, index)) for index, spec in enumerate(melds)]
        for melds in (contract.melds, *contract.or_melds)
    ]


_SETS = ("7", "K", "9", "5", "J", "8")
_RUNS = (
    (4, Suit.DIAMONDS),
    (9, Suit.CLUBS),
    (3, Suit.HEARTS),
    (5, Suit.SPADES),
    (8, Suit.DIAMONDS),
)
"""Ranks that hardly any house has wild: a wild two drawn as a two would start a quarrel."""


def _example(spec: MeldSpec, index: int) -> Hand:
    suits = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
    if spec.kind == "set":
        rank = RANKS[spec.ranks[0] if spec.ranks else _SETS[index % len(_SETS)]]
        return tuple(Card(rank, suits[n % 4]) for n in range(spec.size))
    start, suit = _RUNS[index % len(_RUNS)]
    first = min(start, max(1, len(NATURALS) + 1 - spec.size))
    ranks = [NATURALS[(first - 1 + n) % len(NATURALS)] for n in range(spec.size)]
    mixed = spec.suits == "any"
    return tuple(Card(rank, suits[n % 4] if mixed else suit) for n, rank in enumerate(ranks))


def picture_width(melds: list[tuple[str, Hand]]) -> float:
    """Return how wide a contract is drawn, in the height of its cards' letters.

    Of each meld all cards but the last show their edge alone.
    """
    return sum(2.5 + 1.2 * (len(cards) - 1) for _, cards in melds)


def counted(cards: Iterable[Card]) -> list[tuple[Card, int]]:
    """Count the cards of a hand that are alike, in the order of the pad.

    >>> [(card.name, times) for card, times in counted(read_hand("7 K 7"))]
    [('7', 2), ('king', 1)]
    """
    return list(Counter(sort_hand(cards)).items())


def cards_words(card: Card, times: int) -> str:
    """Say how many of a card: two kings, one four.

    >>> cards_words(read_hand("K")[0], 2), cards_words(read_hand("4")[0], 1)
    ('2 kings', '1 four')
    """
    rank = RANK_NAMES[card.rank]
    if times > 1:
        return f"{times} {many(rank)}"
    return f"1 {number(int(rank)) if rank.isdecimal() else card.rank.word}"


def contract_in_words(signs: str) -> str:
    """Say a contract that is kept in signs, in the middle of a sentence.

    >>> contract_in_words("1 set of 3 + 2 runs of 4")
    'one set of three and two runs of four'
    """
    try:
        contract = read_contract(signs)
    except VariantError:
        return signs
    words = contract_words(contract) if contract else "no contract"
    return words[:1].lower() + words[1:]
