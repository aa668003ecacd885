"""What a table should know before it plays by its own rules."""

from typing import Any

import pytest

from companion.rules import Variant, advice, extend
from tests.support.reports import CHICAGO, CONTRACT, ZIONCHECK, ZIP

from .edited_games import LIVERPOOL, SHANGHAI

ADVICE = [
    (
        CONTRACT,
        {"melds": {"ace": "wild"}},
        "The ace has no place of its own in runs, as if it were wild, but aces aren't wild.",
    ),
    (
        CHICAGO,
        {"deals": {"1": {"wilds": ["2", "joker"]}}},
        "Jokers are wild in round 1, but there are none in the decks.",
    ),
    (
        CHICAGO,
        {"deals": {"1": {"dealt": 3}}},
        "Nobody can hold seven twos: a hand has 4 cards.",
    ),
    (
        CHICAGO,
        {"scoring": {"instant_win": {"count": 9}}, "deals": {"1": {"dealt": 9}}},
        "Nobody can hold nine twos: there are 8 in the decks.",
    ),
    (
        CHICAGO,
        {"ending": {"eliminate": {"at": 5}}},
        "Players are out at 5, but the knock limit falls towards 100: nobody gets so far.",
    ),
    (
        CHICAGO,
        {"melds": {"min_naturals": 9}},
        "A meld needs 9 natural cards, and a hand has 8: nobody can meld.",
    ),
    (
        CONTRACT,
        {"melds": {"min_naturals": 9}},
        "A meld of 3 cards is allowed, but it needs 9 natural cards.",
    ),
    (
        CONTRACT,
        {"choices": [], "melds": {"wilds": []}},
        "Wild cards may be taken off the table, but no card is wild.",
    ),
    (CONTRACT, {"melds": {"max_wilds": 0}}, "Cards are wild, but no meld may hold one."),
    (CONTRACT, {"scoring": {"out_points": 1000}}, "Going out costs 1000 points."),
    (
        CONTRACT,
        {"ending": {"floor": 500}},
        "Nobody's total can be below 500, where all begin with nothing.",
    ),
    (
        SHANGHAI,
        {},
        (
            "Deal 7 asks for 12 cards and 11 are dealt: "
            "going down in one turn takes a discard bought before it."
        ),
    ),
    (
        SHANGHAI,
        {},
        (
            "Deal 10 asks for 15 cards and 11 are dealt: "
            "going down in one turn takes 2 discards bought before it."
        ),
    ),
    (
        LIVERPOOL,
        {"deals": {"last": {"goout": "discard"}}},
        "Deal 6 wants every card melded at once, but also a discard.",
    ),
    (
        ZIONCHECK,
        {"deals": {"3": {"contract": None}}},
        "Hand 3 has no contract: nobody needs to go down first.",
    ),
    (
        CONTRACT,
        {"deals": {"last": {"dealt": 18}}},
        "With 8 players only 13 cards are left as a stock: 1 turn each before it runs out.",
    ),
    (
        CONTRACT,
        {"deals": {"last": {"dealt": 17}}},
        "With 8 players only 21 cards are left as a stock: 2 turns each before it runs out.",
    ),
    (
        CONTRACT,
        {"deals": {"last": {"dealt": 19}}},
        (
            "With 8 players only 5 cards are left as a stock: "
            "less than a turn each before it runs out."
        ),
    ),
    (
        CONTRACT,
        {"choices": [], "packs": [{"players": [3, 8], "decks": 3, "jokers": 0}]},
        "Jokers are wild, but there are none in the decks.",
    ),
    (
        CONTRACT,
        {"melds": {"wilds": ["2"]}},
        "There are jokers in the decks, but they aren't wild.",
    ),
    (
        CONTRACT,
        {"melds": {"values": {"K": 0, "Q": 0}}},
        "Cards that count nothing in hand: Q, K.",
    ),
    (
        CONTRACT,
        {"ending": {"winner": "highest"}},
        "Cards left in hand count against you, but the highest total wins.",
    ),
]


@pytest.mark.parametrize(("base", "changes", "said"), ADVICE)
def test_what_a_table_should_know(base: Variant, changes: dict[str, Any], said: str) -> None:
    assert said in advice(extend(base, changes))
    if changes:
        assert said not in advice(base)


@pytest.mark.parametrize("variant", [CONTRACT, ZIONCHECK, CHICAGO, ZIP], ids=lambda v: v.key)
def test_the_books_need_no_advice(variant: Variant) -> None:
    assert advice(variant) == []


def test_a_stock_of_three_turns_each_is_enough() -> None:
    """Two packs for five: 104, less the upcard and the hands."""
    house = extend(CONTRACT, {"players": {"max": 5}, "packs": [{"players": [3, 5], "decks": 2}]})
    enough = extend(house, {"deals": [{"dealt": 17}]})  # 104 − 85 − 1 = 18
    assert [words for words in advice(enough) if "stock" in words] == []
    short = extend(house, {"deals": [{"dealt": 18}]})  # 104 − 90 − 1 = 13
    assert [words for words in advice(short) if "stock" in words] == [
        "With 5 players only 13 cards are left as a stock: 2 turns each before it runs out."
    ]
