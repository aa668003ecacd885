"""How much of a question a rule says in its own words.

What was learned of a subject holds for every game that has it. Which of its rules is meant, and
what one game alone calls its own, the words of that game's book say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log

import msgspec

from .asking.language import language, stem, words_of
from .book import Book, stored_book
from .variant import Variant

TITLE, TEXT = 0.6, 0.4
"""What a word counts in the title or question of a rule, and what in its text."""


class Wording:
    """The words of a book: in which titles and texts each stands, and how rare it is."""

    def __init__(self, book: Book) -> None:
        self.titles = {entry.id: _stems(f"{entry.ask} {entry.title}") for entry in book.entries}
        self.texts = {
            entry.id: _stems(" ".join((entry.text, *entry.search))) for entry in book.entries
        }
        rules = len(book.entries)
        often = Counter(
            word for rule, title in self.titles.items() for word in title | self.texts[rule]
        )
        self.rare = {word: _rare(rules, times) for word, times in often.items()}
        self.rarest = _rare(rules, 0)

    def said(self, words: Iterable[str]) -> Mapping[str, float]:
        """Return for each rule the share of these words that it says, rare ones counting more.

        1 is a rule that says all of them both in its title and in its text. A word counts as in
        inverse document frequency; one that stands nowhere in the book, like the rarest.
        """
        asked = {stem(word) for word in words} - language().silent_stems
        counts = {word: self.rare.get(word, self.rarest) for word in asked}
        whole = sum(counts.values()) or 1.0

        def share(stems: frozenset[str]) -> float:
            return sum(counts[word] for word in asked & stems) / whole

        return {
            rule: TITLE * share(title) + TEXT * share(self.texts[rule])
            for rule, title in self.titles.items()
        }


def wording_of(variant: Variant) -> Wording:
    """Read the words of a game's book once."""
    return _wording(msgspec.json.encode(variant))


@lru_cache(maxsize=128)
def _wording(stored: bytes) -> Wording:
    return Wording(stored_book(stored))


@lru_cache(maxsize=10_000)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text))) - language().silent_stems


def _rare(rules: int, times: int) -> float:
    return log(1 + (rules - times + 0.5) / (times + 0.5))
