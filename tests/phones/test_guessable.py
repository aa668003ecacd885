"""Passphrases that others try first: by the thousand, folded, in rows of keys, with names."""

from __future__ import annotations

from itertools import islice, product

import pytest

from companion.phones.guessable import common_words, is_guessable
from companion.phones.passphrase import SHORTEST

NAMES = ("The Harpers", "Ann", "Zoë", "Bo")


def test_more_than_three_thousand_common_ones_of_the_length_we_ask_for_are_refused() -> None:
    words = sorted(common_words())
    assert len(words) > 800
    pairs = (f"{one} {two}" for one, two in product(words[::9], words[::7]))
    tried = list(islice((pair for pair in pairs if len(pair) >= SHORTEST), 4000))
    assert len(tried) == 4000
    assert [words for words in tried if not is_guessable(words)] == []


@pytest.mark.parametrize(
    "words",
    [
        "123456789012",
        "1234567812345678",
        "qwertyuiop12",
        "poiuytrewq99",
        "QWERTZUIOP17",
        "asdfghjklasdfghjkl",
        "1qaz2wsx3edc",
        "1q2w3e4r5t6y",
        "abcdefghijkl",
        "xyzxyzxyzxyzxyz",
        "aaaaaaaabbbbb",
        "P4ssw0rd!2024",
        "Pässword Pässword",
        "iloveyou-forever",
        "dragon.master.1987",
        "correct horse battery staple",
        "the harpers 2026",
        "Ann + Zoe + Harpers",
        "Zoe 1999 password",
    ],
)
def test_it_is_guessable(words: str) -> None:
    assert is_guessable(words, NAMES)


@pytest.mark.parametrize(
    "words",
    [
        "four horses eat jam",
        "tuna lamp river fog",
        "vier Esel kauen Heu",
        "kRt9vLm2xQwz",
        "Ann's blue kettle hums",
        "лошадь ест варенье",
        "🎴🎲🃏🎯🎳🎮🧩🪁🎣🤿🎿🛷",
        "",
    ],
)
def test_it_is_not(words: str) -> None:
    assert not is_guessable(words, NAMES)
