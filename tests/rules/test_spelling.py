"""Misspelt words, among few that are known: which of them each is read as."""

from __future__ import annotations

import pytest

from companion.rules.asking.spelling import LONGEST, Speller

SAID = dict.fromkeys(
    ("ace", "barn", "discard", "king", "meld", "player", "tardy", "trade", "wild", "2nd", "4card"),
    9,
) | {"turn": 2, "burn": 1, "trade": 1, "knock": 5, "nick": 1}


def read(word: str) -> str:
    return Speller(SAID, ["the", "axe"]).read(word)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("dicard", "discard"),
        ("disscard", "discard"),
        ("dixcard", "discard"),
        ("idscard", "discard"),
        ("discadr", "discard"),
        ("melf", "meld"),
        ("mel", "mel"),
        ("aec", "ace"),
        ("acd", "acd"),
        ("ca", "ca"),
    ],
)
def test_one_slip_is_mended_and_in_three_letters_only_their_order(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("descord", "discard"), ("pleier", "player"), ("troda", "troda"), ("deskord", "deskord")],
)
def test_two_slips_are_mended_in_a_long_word_that_sounds_alike(typed: str, meant: str) -> None:
    """Six letters are long, five are not; the last has three slips."""
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("durn", "turn"),
        ("tarn", "turn"),
        ("tarde", "trade"),
        ("nock", "knock"),
    ],
)
def test_of_several_words_the_nearest_is_meant(typed: str, meant: str) -> None:
    """Turn is said more often than burn, begins as tarn does, which barn does not; letters that
    only changed places are nearer than another letter in tardy. What sounds alike begins alike."""
    assert read(typed) == meant


@pytest.mark.parametrize("word", ["the", "axe", "kings", "2nd", "xq", "b4", "bcard"])
def test_what_is_known_or_no_word_stays_as_it_is(word: str) -> None:
    """Another form of a known word is known; figures mend nothing and are not mended."""
    assert read(word) == word


def test_a_word_too_long_to_be_one_stays_as_it_is() -> None:
    longest = "abcdefghijklmnopqrstuvwxyz"[:LONGEST]
    speller = Speller({longest: 1}, ())
    assert speller.read(longest[:-1] + "b") == longest
    assert speller.read(longest + "b") == longest + "b"


def test_words_of_less_than_three_letters_and_figures_are_known() -> None:
    speller = Speller(SAID, ())
    asked = ("xq", "xqz", "7up", "melding", "melt")
    assert [speller.knows(word) for word in asked] == [True, False, True, True, False]
