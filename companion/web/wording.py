"""Rule texts in parts: plain words, and the cards that a page draws."""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.cards import Hand, read_hand

_CARDS = re.compile(r"\[([^\]]+)\]")


class Part(NamedTuple):
    """A stretch of a rule's text: words, or cards in their place."""

    text: str
    hand: Hand = ()


def parts(text: str) -> list[Part]:
    """Part a rule's text into words and cards.

    >>> [(part.text, len(part.hand)) for part in parts("A run is [4C 5C 6C 7C] or longer.")]
    [('A run is ', 0), ('4C 5C 6C 7C', 4), (' or longer.', 0)]

    Raises `NotationError` for brackets that hold no cards.
    """
    found = []
    for number, piece in enumerate(_CARDS.split(text)):
        if piece:
            found.append(Part(piece, read_hand(piece) if number % 2 else ()))
    return found
