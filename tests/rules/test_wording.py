"""How much of a question a rule says itself, of books of few words."""

from __future__ import annotations

from math import log

import msgspec
import pytest

from companion.rules import find_variant
from companion.rules.book import Book, load_book
from companion.rules.wording import Wording

ENTRY = load_book(find_variant("contract rummy")).entries[0]


def book(*rules: tuple[str, str]) -> Wording:
    """A book of rules with these titles and texts, called 0, 1, 2 …"""
    entries = [
        msgspec.structs.replace(ENTRY, id=f"{number}", ask="", title=title, text=text, search=())
        for number, (title, text) in enumerate(rules)
    ]
    return Wording(Book(tuple(entries), {}))


def test_a_word_counts_more_in_the_title_than_in_the_text() -> None:
    said = book(("joker", "joker"), ("joker", "king"), ("king", "joker")).said(["joker"])
    assert said == {"0": 1.0, "1": pytest.approx(0.6), "2": pytest.approx(0.4)}


def test_a_rare_word_counts_more() -> None:
    """Of two rules both say joker, ln(1 + 0.5 / 2.5), and one says king, ln(1 + 1.5 / 1.5)."""
    said = book(("joker king", "joker king"), ("joker", "joker")).said(["joker", "king"])
    assert said["0"] == pytest.approx(1)
    assert said["1"] == pytest.approx(log(1.2) / (log(1.2) + log(2)))


def test_a_word_that_stands_nowhere_counts_most() -> None:
    """In one rule joker stands once, ln(1 + 0.5 / 1.5), zebra never, ln(1 + 1.5 / 0.5)."""
    said = book(("joker", "joker")).said(["joker", "zebra"])
    assert said["0"] == pytest.approx(log(4 / 3) / (log(4 / 3) + log(4)))


def test_of_no_word_that_tells_nothing_is_said() -> None:
    assert book(("joker", "joker")).said([]) == {"0": 0}
