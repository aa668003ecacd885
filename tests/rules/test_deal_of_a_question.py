"""Which deal a question means, and where its rule stands among the answers."""

from __future__ import annotations

import pytest

from companion.rules import card_games, load
from companion.rules.search import search
from companion.rules.search.figures import deal_meant, read_figures


def deal_asked(words: str, game: str = "contract-rummy") -> int | None:
    return deal_meant(load(game), read_figures(words.split()))


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("deal 3", 3),
        ("the last deal", 7),
        ("the next to last deal", 6),
        ("which deal has two sets and a run", 5),
        ("which deal has a set and two runs", 6),
        ("what comes after two sets", 2),
        ("what comes before three runs", 6),
        ("which deal has a set of three and a run", 2),
        ("which deal has a set of five and a run", None),
        ("which deal has four sets", None),
        ("how many cards", None),
        ("deal 12", 0),
        ("deal 0", 0),
        ("what comes before round 0", 0),
        ("what comes before the first deal", 0),
        ("we were dealt 10 cards each", None),
        ("we were dealt 9 cards each", None),
    ],
)
def test_a_deal_is_meant_by_its_number_its_place_or_its_contract(
    words: str, step: int | None
) -> None:
    """Ten cards are dealt four times in Contract Rummy, nine never."""
    assert deal_asked(words) == step


def test_a_set_alone_names_no_deal() -> None:
    """The contract of Telefunken's first deal is one set."""
    assert deal_asked("may i lay off on a set", "telefunken") is None
    assert deal_asked("which deal asks for one set of three", "telefunken") == 1


@pytest.mark.parametrize(("cards", "step"), [(3, 1), (5, 3), (13, 11), (2, None)])
def test_a_deal_is_meant_by_its_cards_where_no_other_has_so_many(
    cards: int, step: int | None
) -> None:
    """Three Thirteen deals three cards, then one more each time."""
    assert deal_asked(f"we were dealt {cards} cards each", "three-thirteen") == step


@pytest.mark.parametrize(
    ("key", "asked", "rule"),
    [
        ("king", "what do we need for number 3", "CR-4.23"),
        ("frustration", "my wife is up to 8 now, what does she need", "CR-4.28"),
        ("carioca", "what is the contract in the next to last hand", "CR-4.27"),
        ("telefunken", "in which deal do we need one set of five", "CR-4.25"),
        ("contract-rummy", "we are on the 5th deal. what do we need to put down", "CR-4.25"),
        ("frustration", "im on number 12 what do i need", "CR-4.32"),
        ("kalooki-jamaica", "we were dealt 15 cards each now, what is the contract", "CR-4.28"),
        ("kalooki-jamaica", "which contract comes with 13 cards each", "CR-4.26"),
    ],
)
def test_a_deal_is_named_by_its_number_or_by_its_cards(key: str, asked: str, rule: str) -> None:
    reply = search(load(key), asked, card_games())
    assert reply.certain
    assert reply.entries[0].id == rule


@pytest.mark.parametrize(
    ("asked", "step"),
    [
        ("may i come out with four jacks instead of three in the opening round", 1),
        ("third deal, grandma bought twice already, is that too often", 3),
        ("how do you finish number four when no card is left to throw", 4),
    ],
)
def test_what_the_deal_asks_that_is_named_is_among_the_first_three(asked: str, step: int) -> None:
    assert step in [entry.step for entry in search(load("king"), asked).shown[:3]]
