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


@pytest.mark.parametrize(
    ("hand", "looks"),
    [
        ("KS 2D 3H 8D", 1),
        ("KS 4C 2D 7H 8D", 1),
        ("KS AD AH 2D 4D 5D", 1),
        ("9S 10S JC 5H QH KD", 2),
        ("5S 6S 8C 2H 3D AH 4H 9H", 2),
    ],
)
def test_what_cannot_be_two_zips_is_not_split(
    monkeypatch: pytest.MonkeyPatch, hand: str, looks: int
) -> None:
    """Fewer than six cards, one card against all others: no sums are looked at again."""
    asked: list[object] = []
    reached = zips._reached

    def counted(cards: list[int]) -> list[int]:
        asked.append(cards)
        return reached(cards)

    monkeypatch.setattr(zips, "_reached", counted)
    assert best_zips(read_hand(hand)).left == ()
    assert len(asked) == 2 * looks


@pytest.mark.parametrize(
    ("hand", "pile", "useful"),
    [
        ("9C", "KH 4C", ()),
        ("9C 2D", "KH 4C", (0,)),
        ("9H", "KS 4D", ()),
        ("9H 2C", "KS 4D", (0,)),
        ("9C KH AS", "AD 4C", (0,)),
        ("9C KH 2S", "AD AC", (0,)),
        ("5C 5D 5H", "5S 9C", (0,)),
    ],
)
def test_a_discard_is_taken_if_it_is_zipped_and_another_card_is_left(
    hand: str, pile: str, useful: tuple[int, ...]
) -> None:
    """King of hearts, nine and four of clubs are a zip of the whole hand; two aces are not."""
    assert zips.useful_discards(read_hand(hand), read_hand(pile)) == useful
