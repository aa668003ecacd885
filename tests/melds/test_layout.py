"""Melds as they are laid: runs made one, sets parted, wilds alone, cards added at the table."""

from __future__ import annotations

import operator
from dataclasses import replace

import pytest

from companion.cards import Pack, Rank, read_hand, sort_hand, write_hand
from companion.melds import (
    RANK_NAMES,
    Contract,
    Meld,
    MeldRules,
    MeldSpec,
    best_beside,
    best_melds,
    is_contract,
    judge_contract,
)
from tests.melds.proof.rules_of_games import CHICAGO

LOW = MeldRules(run_size=3, ace="low")
CORNER = replace(LOW, ace="corner")
VALUES = dict.fromkeys(RANK_NAMES.values(), 5)


@pytest.mark.parametrize(
    ("rules", "hand", "laid"),
    [
        (LOW, "AC 2C 3C 4C 5C 6C", ["AC 2C 3C 4C 5C 6C"]),
        (LOW, "AC 2C 3C 5C 6C 7C", ["AC 2C 3C", "5C 6C 7C"]),
        (LOW, "10C JC QC KC X", ["X 10C JC QC KC"]),
        (replace(LOW, run_max=6), "AC 2C 3C 4C 5C 6C", ["AC 2C 3C 4C 5C 6C"]),
        (replace(LOW, run_max=5), "AC 2C 3C 4C 5C 6C", ["AC 2C 3C", "4C 5C 6C"]),
        (replace(LOW, max_wilds=1), "AC 2C 3C 5C X", ["AC 2C 3C X 5C"]),
        (CORNER, "9C 10C JC QC KC AC 2C", ["9C 10C JC QC KC AC 2C"]),
    ],
)
def test_runs_that_follow_one_another_are_one_run(
    rules: MeldRules, hand: str, laid: list[str]
) -> None:
    """As long as a run may be."""
    found = best_melds(read_hand(hand), replace(rules, values=VALUES))
    assert [write_hand(meld.cards) for meld in found.melds] == laid
    assert not found.loose


@pytest.mark.parametrize(
    ("limits", "wilds", "sizes"),
    [
        ({}, 2, None),
        ({}, 3, (3,)),
        ({}, 5, (5,)),
        ({"max_wilds": 3}, 3, (3,)),
        ({"max_wilds": 3}, 4, None),
        ({"max_wilds": 3}, 5, None),
        ({"max_wilds": 3}, 6, (3, 3)),
        ({"max_wilds": 4}, 7, (4, 3)),
        ({"max_wilds": 5}, 8, (5, 3)),
        ({"min_naturals": 1}, 3, None),
        ({"wild_share": "half"}, 3, None),
        ({"set_naturals": 1}, 3, None),
        ({"set_naturals": 1}, 4, (4,)),
        ({"set_naturals": 1, "wilds_apart": True}, 4, None),
        ({"wilds_apart": True}, 4, (4,)),
        ({"set_naturals": 1, "run_max": 5}, 9, (5, 4)),
        ({"set_naturals": 1, "run_max": 5}, 5, (5,)),
        ({"set_naturals": 1, "run_max": 5}, 6, None),
        ({"set_naturals": 1, "run_size": 1, "wilds_apart": True}, 2, (1, 1)),
    ],
)
def test_in_which_melds_wilds_lie_alone(
    limits: dict[str, object], wilds: int, sizes: tuple[int, ...] | None
) -> None:
    """Sets of three or more, or runs of four or more; of two neighbours in a run one is natural."""
    found = best_melds(read_hand("X " * wilds), MeldRules(**limits, values=VALUES))  # type: ignore[arg-type]
    assert (tuple(len(meld.cards) for meld in found.melds) == sizes) == (not found.loose)
    assert bool(found.loose) == (sizes is None)


@pytest.mark.parametrize(
    ("limits", "wilds", "stand_for"),
    [
        ({"ace": "low"}, "X X X", Rank.ACE),
        ({"ace": "wild"}, "X X X", Rank.TWO),
        ({"ace": "low", "wilds": ("joker", "2")}, "X 2C 2D", Rank.TWO),
        ({"ace": "low", "wilds": ("joker", "2", "3")}, "X 3C 2C", Rank.TWO),
        ({"ace": "wild", "wilds": ("joker", "A")}, "AC AD X", Rank.TWO),
    ],
)
def test_a_set_of_wilds_is_of_their_own_rank_or_of_the_lowest(
    limits: dict[str, object], wilds: str, stand_for: Rank
) -> None:
    rules = MeldRules(**limits, values=VALUES)  # type: ignore[arg-type]
    (meld,) = best_melds(read_hand(wilds), rules).melds
    assert (meld.kind, len(meld.cards)) == ("set", 3)
    assert {card.rank for card in meld.stands_for} == {stand_for}


@pytest.mark.parametrize(("ace", "means"), [("low", "AC 2C 3C 4C"), ("high", "2C 3C 4C 5C")])
def test_a_run_of_wilds_lies_at_the_lowest_places_of_clubs(ace: str, means: str) -> None:
    rules = MeldRules(ace=ace, set_naturals=1, values=VALUES)  # type: ignore[arg-type]
    assert best_melds(read_hand("X X X X"), rules).melds == (
        Meld("run", read_hand("X X X X"), read_hand(means)),
    )


def test_three_wilds_and_no_other_card_are_a_set() -> None:
    """Runs are of four cards or more."""
    jokers = replace(CHICAGO, run_size=4, wilds=("joker",), values={**CHICAGO.values, "joker": 20})
    for rules in (jokers, replace(jokers, max_wilds=3)):
        alone = best_melds(read_hand("X X X"), rules)
        assert (alone.points, [meld.kind for meld in alone.melds]) == (0, ["set"])


@pytest.mark.parametrize(
    ("limits", "naturals", "wilds", "parts"),
    [
        ({"max_wilds": 1}, 3, 1, ((3, 1),)),
        ({"max_wilds": 1}, 4, 2, ((2, 1), (2, 1))),
        ({"max_wilds": 1}, 3, 2, None),
        ({"max_wilds": 2}, 4, 3, ((3, 1), (1, 2))),
        ({"min_naturals": 2}, 4, 4, ((4, 4),)),
        ({"min_naturals": 2}, 1, 2, None),
        ({"min_naturals": 4}, 3, 0, None),
        ({"min_naturals": 4}, 4, 0, ((4, 0),)),
        ({}, 2, 5, ((2, 5),)),
        ({}, 1, 1, None),
        ({"wild_share": "half"}, 3, 3, ((3, 3),)),
        ({"wild_share": "half"}, 2, 3, None),
        ({"set_size": 4, "max_wilds": 2}, 2, 2, ((2, 2),)),
        ({"set_size": 4, "max_wilds": 2}, 2, 1, None),
    ],
)
def test_cards_of_a_rank_are_parted_into_as_few_sets_as_hold_them(
    limits: dict[str, object], naturals: int, wilds: int, parts: tuple[tuple[int, int], ...] | None
) -> None:
    """Told by their natural cards and their wilds; None: some cards are left."""
    rules = MeldRules(run_size=9, **limits, values=VALUES)  # type: ignore[arg-type]
    found = best_melds(read_hand("7C " * naturals + "X " * wilds), rules)
    assert bool(found.loose) == (parts is None)
    if parts is not None:
        laid = [[*map(bool, map(operator.attrgetter("rank"), meld.cards))] for meld in found.melds]
        assert tuple((each.count(True), each.count(False)) for each in laid) == parts


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("AC 2H 3C", ["AC 2H 3C"]),
        ("AH 2H 3H AC 2C 3C", ["AC 2C 3C", "AH 2H 3H"]),
        ("AH 2D 3H AC 2C 3C", ["AC 2C 3C", "AH 2D 3H"]),
        ("AC 2H 3C 4C 7C 7D X", ["7C 7D X", "AC 2H 3C 4C"]),
        ("2C 2D 2H", ["2C 2D 2H"]),
        ("AC 2H 3C X 5C", ["AC 2H 3C X 5C"]),
    ],
)
def test_a_two_of_any_suit_lies_as_the_two_that_a_run_wants(hand: str, laid: list[str]) -> None:
    """Its own suit's two lies in a run if it is held."""
    rules = replace(CHICAGO, wilds=("2", "joker"), wild_scope="own_rank_any_suit")
    rules = replace(rules, values={**CHICAGO.values, "joker": 20})
    for limits in (None, 2):
        melds = best_melds(read_hand(hand), replace(rules, max_wilds=limits)).melds
        assert [write_hand(meld.cards) for meld in melds] == laid


@pytest.mark.parametrize(
    ("ace", "lies", "cards", "laid_off"),
    [
        ("corner", "QH KH AH", "2H 3H JH 5H", "2H 3H JH"),
        ("corner", "KH AH 2H", "3H 4H JH", "3H 4H"),
        ("either", "QH KH AH", "2H 3H JH", "JH"),
        ("either", "AH 2H 3H", "KH 4H", "4H"),
        ("high", "JH QH KH", "AH 9H", "AH"),
    ],
)
def test_a_run_goes_on_past_the_ace_only_round_the_corner(
    ace: str, lies: str, cards: str, laid_off: str
) -> None:
    rules = replace(LOW, ace=ace, wilds=(), values=CHICAGO.values)  # type: ignore[arg-type]
    meld = Meld("run", read_hand(lies), read_hand(lies))
    beside = best_beside(read_hand(cards), [meld], rules)
    assert set(beside.laid_off) == set(read_hand(laid_off))


@pytest.mark.parametrize(
    ("run_max", "cards", "laid_off"),
    [(5, "8H KC", ""), (6, "8H KC", "8H"), (6, "8H 9H", "8H"), (7, "8H 9H", "8H 9H")],
)
def test_no_run_grows_longer_than_a_run_may_be(run_max: int, cards: str, laid_off: str) -> None:
    """3 to 7 of hearts lie there."""
    rules = replace(LOW, run_max=run_max, values={**CHICAGO.values, "joker": 0})
    lies = Meld("run", read_hand("3H 4H 5H 6H 7H"), read_hand("3H 4H 5H 6H 7H"))
    assert write_hand(best_beside(read_hand(cards), [lies], rules).laid_off) == laid_off


def test_a_run_of_any_suits_leaves_the_suits_that_a_set_wants() -> None:
    """Eights of three suits for two runs and a set: one of each suit may lie in the set."""
    run = MeldSpec(kind="run", size=3, suits="any", wilds=0)
    unlike = MeldSpec(kind="set", size=2, suits="different", wilds=1)
    rules = MeldRules(ace="corner", laydown="exact", same_suit_runs="adjacent_needs_9")
    hand = read_hand("9D 9D JD 10D 8S 8D 8C 10D")
    asked = Contract(melds=(run, run, unlike))
    judgement = judge_contract(hand, asked, rules, Pack(1, 0))
    laid = [meld.cards for meld in judgement.layout]
    assert judgement.holds
    assert is_contract(laid, asked, rules) == []
    assert sort_hand(hand) == sort_hand(card for cards in laid for card in cards)
