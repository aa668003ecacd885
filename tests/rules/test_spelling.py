"""Misspelt words: which of those that are said of the games each is read as."""

from __future__ import annotations

import pytest

from companion.rules import card_games
from companion.rules.search.model import spelled

SHELF = card_games()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("dicard", "discard"),
        ("disscard", "discard"),
        ("dixcard", "discard"),
        ("idscard", "discard"),
        ("discadr", "discard"),
        ("jokre", "joker"),
        ("nock", "knock"),
        ("Waht", "what"),
    ],
)
def test_one_slip_is_mended(typed: str, meant: str) -> None:
    assert spelled(typed, SHELF) == [meant]


@pytest.mark.parametrize("word", ["the", "kings", "xq", "b4", "xyzzy", "uno", "kalooki"])
def test_what_is_known_or_like_no_word_stays_as_it_is(word: str) -> None:
    """Figures mend nothing and are not mended, nor are names of games, ours or not."""
    assert spelled(word, SHELF) == [word]


@pytest.mark.parametrize("word", ["finale", "decider", "opener"])
def test_what_sayings_know_stays_as_it_is(word: str) -> None:
    """Few questions say them, and each is one slip from a word of many."""
    assert spelled(word, SHELF) == [word]


def test_of_several_words_the_one_said_most_often_is_meant() -> None:
    """Trade is nearer than nothing else, turn is said more often than torn or burn."""
    assert spelled("tarde durn", SHELF) == ["trade", "turn"]
