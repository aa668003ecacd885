"""How much of a question a rule says itself, of books of few words."""

from __future__ import annotations

from math import log

import msgspec
import pytest

from companion.rules import find_variant
from companion.rules.book import Book, load_book
from companion.rules.search.wording import Wording, read_wording

ENTRY = load_book(find_variant("contract rummy")).entries[0]


def book(*rules: tuple[str, str]) -> Wording:
    """A book of rules with these titles and texts, called 0, 1, 2 …"""
    entries = [
        msgspec.structs.replace(ENTRY, id=f"{number}", ask="", title=title, text=text, search=())
        for number, (title, text) in enumerate(rules)
    ]
    return read_wording(Book(tuple(entries), {}))


def test_a_rule_says_a_word_in_its_title_or_its_text() -> None:
    said = book(("joker", "king"), ("king", "joker"), ("king", "king")).said(["joker"])
    assert said == {"0": 1, "1": 1, "2": 0}


def test_a_rare_word_counts_more() -> None:
    """Of two rules both say joker, ln(1 + 2/2), and one says king, ln(1 + 2/1)."""
    said = book(("joker king", ""), ("joker", "")).said(["joker", "king"])
    assert said["0"] == pytest.approx(1)
    assert said["1"] == pytest.approx(log(2) / (log(2) + log(3)))


def test_a_word_that_stands_nowhere_counts_as_one_that_stands_once() -> None:
    said = book(("joker", ""), ("king", "")).said(["joker", "zebra"])
    assert said["0"] == pytest.approx(0.5)


def test_of_no_word_nothing_is_said() -> None:
    assert book(("joker", "joker")).said([]) == {"0": 0}
