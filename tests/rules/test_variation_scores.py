"""The variations of Contract Rummy as scored and played: sums, bonuses, melds, turns.

Every expectation was written from the sources by hand.
"""

import pytest

from companion.cards import read_hand
from companion.melds import is_contract
from companion.rules import Variant, load, with_choices
from companion.scoring import Tally, TallyError, score_deal
from companion.scoring.cards_left import sum_of_values

# Sums

SIX = "A X 10 K 9 2"


@pytest.mark.parametrize(
    ("key", "house", "cards", "sum_of_six"),
    [
        ("contract-bicycle", {}, SIX, 61),
        ("progressive", {}, SIX, 71),
        ("king", {}, SIX, 71),
        ("liverpool", {}, SIX, 71),
        ("liverpool", {"joker": 15}, SIX, 61),
        ("liverpool-seven", {}, SIX, 71),
        ("liverpool-seven", {"joker": 15, "number_cards": 5}, SIX, 60),
        ("shanghai", {}, SIX, 70),
        ("shanghai", {"number_cards": "ten_too"}, SIX, 65),
        ("carioca", {}, SIX, 71),
        ("carioca", {"values": "by_rank"}, "A J Q K 10 2", 49),
        ("carioca-chile", {}, SIX, 81),
        ("carioca-chile", {"values": "fives"}, SIX, 85),
        ("continental-spain", {}, SIX, 101),
        ("continental-spain", {"number_cards": "fives", "joker": 25}, SIX, 80),
        ("deuces-wild", {}, SIX, 94),
        ("deuces-wild", {"deuces_wild": 15}, SIX, 84),
        ("deuces-wild", {"number_cards": 5}, SIX, 90),
        ("jo", {}, SIX, 71),
        ("hollywood", {}, "A 10 K 9 2", 46),
        ("crummy", {}, SIX, 94),
        ("kalooki-jamaica", {}, "AH X 10 K 9 2", 82),
        ("kalooki-jamaica", {}, "AC X 10 K 9 2", 96),
        ("kalooki-jamaica", {"aces": 15, "joker": 25}, SIX, 71),
        ("telefunken", {}, SIX, 57),
        ("frustration", {}, SIX, 94),
        ("telefunken", {"joker": 50, "ace": 15, "number_cards": 5}, SIX, 95),
        ("the-ten-contracts", {}, SIX, 94),
    ],
)
def test_the_same_six_cards_in_each_game(
    key: str, house: dict[str, str | int | bool], cards: str, sum_of_six: int
) -> None:
    assert sum_of_values(with_choices(load(key), house).melds, read_hand(cards)) == sum_of_six


def test_hollywood_has_no_jokers() -> None:
    hollywood = load("hollywood")
    assert "joker" not in hollywood.melds.values
    with pytest.raises(TallyError, match="there are none in this game"):
        score_deal(
            hollywood, 1, [Tally(declared="out"), Tally(cards=read_hand("X")), None, None], [0] * 4
        )


# Bonuses


def deal_points(variant: Variant, bonuses: dict[str, int], *, out: bool = True) -> int:
    """What a player with these bonuses scores who goes out, or holds a king."""
    first = Tally(declared="out", bonuses=bonuses)
    if not out:
        first = Tally(cards=read_hand("K"), bonuses=bonuses)
    others = [
        Tally(cards=read_hand("9")) if out else Tally(declared="out"),
        Tally(cards=read_hand("9")),
    ]
    line = score_deal(variant, 1, [first, *others], [0, 0, 0]).lines[0]
    assert line
    return line.points


def test_down_and_out_in_one_turn_is_worth_ten_in_spain() -> None:
    assert deal_points(load("continental-spain"), {"at_once": 1}) == -10
    assert deal_points(load("continental-spain"), {}) == 0
    assert with_choices(load("continental-spain"), {"at_once": 0}).scoring.bonuses == ()


def test_jamaica_doubles_the_cards_of_the_others() -> None:
    """Down and out: the king costs twenty, the nine eighteen; else ten and nine."""
    kalooki = load("kalooki-jamaica")
    left = [Tally(cards=read_hand("K")), Tally(cards=read_hand("9"))]
    for bonuses, points_left in (({"down_and_out": 1}, [20, 18]), ({}, [10, 9])):
        scored = score_deal(kalooki, 1, [Tally(declared="out", bonuses=bonuses), *left], [0, 0, 0])
        assert [line.points for line in scored.lines if line] == [0, *points_left]


def test_jamaica_asks_for_the_colour_of_an_ace() -> None:
    kalooki = load("kalooki-jamaica")
    tallies = [Tally(declared="out"), Tally(cards=read_hand("A 9")), Tally(cards=read_hand("9"))]
    with pytest.raises(TallyError, match=r"is the ace red or black\? Write AR or AB\."):
        score_deal(kalooki, 1, tallies, [0, 0, 0])
    either = with_choices(kalooki, {"aces": 15})
    lines = score_deal(either, 1, tallies, [0] * 3).lines
    assert [line.points for line in lines if line] == [0, 24, 9]


def test_a_whole_suit_may_stand_for_three_fours() -> None:
    house = with_choices(load("kalooki-jamaica"), {"full_suit": True})
    suit = read_hand("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH")
    for variant, fits in ((house, True), (load("kalooki-jamaica"), False)):
        contract = variant.deal(4).contract
        assert contract
        assert (is_contract([suit], contract, variant.melds) == []) == fits


def test_an_exact_cut_is_worth_fifty_to_whoever_cut() -> None:
    with_cut = with_choices(load("liverpool"), {"cut": -50})
    for variant in (with_cut, load("liverpool-seven")):
        assert deal_points(variant, {"cut": 1}) == -50
        assert deal_points(variant, {"cut": 1}, out=False) == 10 - 50
    for variant in (load("liverpool"), with_choices(load("liverpool-seven"), {"cut": "False"})):
        assert variant.scoring.bonuses == ()


# What makes a meld


@pytest.mark.parametrize(
    ("key", "step", "melds", "fits"),
    [
        ("progressive", 1, "7H 7S 7C, 9H 9S 9C", True),
        ("progressive", 1, "7H 7S 7C 7D, 9H 9S 9C", False),
        ("king", 1, "7H 7S 7C, 3H 4H 5H 6H 7H", True),
        ("king", 1, "7H 7S 7C 7D, 3H 4H 5H 6H", False),
        ("king", 2, "7H 7S 7C 7D, 9H 9S 9C, KH KS KC", True),
        ("liverpool", 2, "7H 7S 7C, 3H 4H 5H 6H 7H", False),
        ("shanghai", 1, "7H 7S X, 9H 9S 9C", True),
        ("shanghai", 1, "7H X X, 9H 9S 9C", False),
        ("shanghai", 5, "9H 9S 9C, X X X 6H 7H 8H 9H", True),
        ("shanghai", 5, "9H 9S 9C, X X X X 7H 8H 9H", False),
        ("shanghai", 8, "9H 9S 9C, X X X X 7H 8H 9H 10H JH QH", True),
        ("carioca", 2, "7H 7S 7C, QH KH AH 2H", True),
        ("carioca-chile", 2, "7H 7S 7C, KH AH 2H 3H", True),
        ("continental-spain", 2, "7H 7S 7C, KH AH 2H 3H", True),
        ("continental-spain", 2, "7H X X, X AH X 3H", True),
        ("continental-spain", 2, "7H 7S 7C, KH X X 3H", False),
        ("jo", 2, "7H 7S 7C, QH KH AH 2H", False),
        ("deuces-wild", 1, "7H 2S X, 9H 2H 2D", True),
        ("hollywood", 1, "7H 7S AC, 9H AS AC", True),
        ("hollywood", 1, "7H 7S AC, AH AS AC", False),
        ("hollywood", 2, "7H 7S 7C, AH 2H 3H 4H", False),
        ("hollywood", 2, "7H 7S 7C, 2H 3H 4H AS", True),
        ("hollywood", 2, "7H 7S 7C, JH QH KH AH", False),
        ("crummy", 1, "7H 7S 2C, 9H 9S X", True),
        ("crummy", 1, "7H 2S 2C, 9H 9S X", False),
        ("crummy", 2, "7H 7S 7C, 2C X 6H 7H", True),
        ("crummy", 2, "7H 7S 7C, AH 3H 4H 5H", False),
        ("crummy", 2, "7H 7S 7C, JH QH KH AH", True),
        ("kalooki-jamaica", 1, "5H 5S X, KS KC KC, QH QS QC", True),
        ("kalooki-jamaica", 1, "5H X X, KS KC KC, QH QS QC", False),
        ("kalooki-jamaica", 1, "5H 5S X, 5D 5C 5H, QH QS QC", False),
        ("kalooki-jamaica", 4, "X AH X 3H, 5S 6S 7S 8S, JC QC KC AC", False),
        ("kalooki-jamaica", 4, "3H X 5H X, 5S 6S 7S 8S, JC QC KC AC", True),
        ("kalooki-jamaica", 4, "3H X X 6H, 5S 6S 7S 8S, JC QC KC AC", False),
        ("kalooki-jamaica", 4, "3H 4H 5H 6H, 9H 10H JH QH, JC QC KC AC", False),
        ("frustration", 2, "7H 7S 2C, 3H 2C X 6H", True),
        ("frustration", 2, "7H 2S 2C, 3H 4H X 6H", False),
        ("frustration", 2, "7H 7S 7C, 2C 2S X 6H", False),
        ("telefunken", 1, "7H 7S 7C", True),
        ("telefunken", 1, "7H 7S 7H", False),
        ("telefunken", 1, "7H 7S X", False),
        ("telefunken", 2, "7H 7H X, KS KC KC", True),
        ("telefunken", 2, "7H X X, KS KC KC", False),
        ("telefunken", 7, "7H 7S X, 3H 4H X 6H 7H 8H 9H", True),
        ("telefunken", 7, "7H 7S X, 3H 4H 6H 7H 8H 9H", False),
        ("the-ten-contracts", 1, "AH AS, 9H 9S 9C", True),
        ("the-ten-contracts", 1, "KH KS, 9H 9S 9C", False),
    ],
)
def test_melds_of_each_game(key: str, step: int, melds: str, fits: bool) -> None:
    variant = load(key)
    contract = variant.deal(step).contract
    assert contract
    hands = [read_hand(meld) for meld in melds.split(",")]
    assert (is_contract(hands, contract, variant.meld_rules(step)) == []) == fits


CHILE = load("carioca-chile")
THIRTEEN = "3H 4S 5H 6D 7H 8C 9H 10S JH QD KH AC 2H"


@pytest.mark.parametrize(
    ("rounds", "asked"), [("sucia", ["any"]), ("real", ["same"]), ("both", ["any", "same"])]
)
def test_the_closing_rounds_of_thirteen(rounds: str, asked: list[str]) -> None:
    house = with_choices(CHILE, {"thirteen": rounds})
    assert house.deal_count == 8 + len(asked)
    for step, suits in enumerate(asked, start=9):
        contract = house.deal(step).contract
        assert contract
        assert house.deal(step).dealt == contract.least_cards == 13
        faults = is_contract([read_hand(THIRTEEN)], contract, house.melds)
        assert (faults == []) == (suits == "any")


# Turns


@pytest.mark.parametrize(
    ("key", "answers"),
    [
        ("king", {"turn.layoff": "at_once", "joker_trade.when": "on_melding"}),
        ("jo", {"turn.upcard": False, "turn.first_player": "stock_only"}),
        ("continental-spain", {"turn.direction": "right", "melds.ace": "corner"}),
        ("hollywood", {"pickup.who": "not_down", "pickup.penalty_cards": 1}),
        ("the-ten-contracts", {"pickup.penalty_cards": 2}),
        ("kalooki-jamaica", {"joker_trade.allowed": False, "pickup.who": "not_down"}),
        ("telefunken", {"turn.draw": "stock", "turn.new_melds": True, "pickup.limit": 7}),
        ("carioca", {"pickup.allowed": False, "melds.ace": "corner"}),
        ("crummy", {"melds.ace": "high", "melds.wild_share": "half"}),
    ],
)
def test_what_is_played_otherwise_at_the_table(key: str, answers: dict[str, object]) -> None:
    for path, answer in answers.items():
        part, field = path.split(".")
        assert getattr(getattr(load(key), part), field) == answer


def test_a_family_may_stay_on_a_contract_until_it_is_met() -> None:
    ten = with_choices(load("the-ten-contracts"), {"until_met": True})
    assert ten.is_each_on_their_own
    assert ten.ending.winner == "furthest"
    assert ten.deal_count is None
    assert ten.asks_who_went_down
