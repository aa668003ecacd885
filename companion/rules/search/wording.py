"""How much of a query a rule says in its own words.

What was learned of a subject holds for every game that has it. Which of its rules is meant, and
what one game alone calls its own, the words of that game's book say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ..book import Book, stored_book
from ..variant import Variant
from .model import rarity, stems_of
from .text import words_of


class Wording(NamedTuple):
    """The stems that each rule of a book says, and in how many rules each stands."""

    rules: dict[str, frozenset[str]]
    having: Counter[str]

    def said(self, words: Iterable[str]) -> dict[str, float]:
        """Return for each rule the share of these words that it says, rare ones counting more."""
        idf = {each: rarity(len(self.rules), self.having[each] or 1) for each in stems_of(words)}
        whole = sum(idf.values()) or 1.0
        return {
            rule: sum(idf[each] for each in idf.keys() & stems) / whole
            for rule, stems in self.rules.items()
        }


def wording_of(variant: Variant) -> Wording:
    """Read the words of a game's book once."""
    return _wording(msgspec.json.encode(variant))


@lru_cache(maxsize=128)
def _wording(stored: bytes) -> Wording:
    return read_wording(stored_book(stored))


def read_wording(book: Book) -> Wording:
    """Read the words of a book."""
    rules = {
        entry.id: stems_of(words_of(" ".join((entry.ask, entry.title, entry.text, *entry.search))))
        for entry in book.entries
    }
    return Wording(rules, Counter(each for stems in rules.values() for each in stems))
