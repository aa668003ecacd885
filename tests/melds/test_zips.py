"""Zips: signs of cards, and what is looked at."""

from __future__ import annotations

import pytest

from companion.cards import read_hand, write_hand
from companion.melds import best_zips, zips


def test_black_cards_are_for_and_red_cards_against() -> None:
    assert [zips.signed_value(card) for card in read_hand("AS KC 9D QH 4B 5R")] == [
        1,
        13,
        -9,
        -12,
        4,
        -5,
    ]


@pytest.mark.parametrize(("cards", "is_zip"), [("", False), ("9C", False), ("9C 9D", True)])
def test_no_card_is_no_zip(cards: str, is_zip: bool) -> None:
    assert zips.is_zip(read_hand(cards)) == is_zip


@pytest.mark.parametrize("hand", ["KS 2D 3H 8D 7D", "KH 2C 3S 8S 7S", "9C 9D KS 2D 3H 8D 7D"])
def test_where_all_of_a_colour_is_zipped_no_pair_is_broken_on_trial(
    monkeypatch: pytest.MonkeyPatch, hand: str
) -> None:
    monkeypatch.delattr(zips, "_most_with")
    assert write_hand(best_zips(read_hand(hand)).left)[0] == "7"
