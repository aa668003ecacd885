"""Points beside the rules: not down, by agreement, cards taken out of turn."""

import pytest

from companion.rules import Variant, extend, load, with_choices
from companion.scoring import Tally, deal_doubts, score_deal
from companion.scoring.cards_left import LARGEST_TOTAL
from companion.scoring.deal import picked_up
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CONTRACT,
    FAMILY,
    OUT,
    ZIONCHECK,
    ZIP,
    left,
    total,
)

from .bonuses_in_short import CONTINENTAL, SHANGHAI, faults, out, reasons, scored

# Not down, and points by agreement


@pytest.mark.parametrize(
    ("stuck", "down", "stranded"),
    [("cards", 15, 15), (25, 15, 40), ("double", 15, 30)],
)
def test_what_it_costs_to_be_stuck(stuck: object, down: int, stranded: int) -> None:
    """Z-20: ace, alone or not, is 15."""
    house = with_choices(ZIONCHECK, {"stuck": str(stuck)})
    met = Tally(cards=left("A").cards, met=True)
    assert scored(house, OUT, met, left("A")) == [0, down, stranded]


def test_stuck_may_cost_both_and_is_told_step_by_step() -> None:
    house = extend(ZIONCHECK, {"scoring": {"not_down": {"double": True, "points": 25}}})
    assert reasons(house, [OUT, left("A 9")], BOB) == [
        ("A 9: 15 + 5", 20),
        ("Not down: counts double", 20),
        ("Not down", 25),
    ]
    assert reasons(house, [OUT, left("A 9")], ANN) == [("Went out", 0)]


def agreed(points: int, why: str, cards: str = "K") -> Tally:
    return Tally(cards=left(cards).cards, adjust=points, why=why)


def test_points_by_agreement_have_the_reason_the_table_gave() -> None:
    told = [OUT, agreed(-7, "Cleo misdealt")]
    assert reasons(CONTRACT, told, BOB) == [("K: 10", 10), ("Cleo misdealt", -7)]
    score = score_deal(CONTRACT, 1, told, [0, 12])
    assert score.totals == (0, 15)


def test_points_by_agreement_count_in_every_kind_of_game() -> None:
    more = Tally(adjust=3, why="Late")
    assert scored(CONTINENTAL, out(joker=1), more) == [3, 0]
    assert scored(CHICAGO, Tally(declared="rummy"), Tally(total=5, adjust=3, why="Late")) == [0, 8]
    zipping = Tally(declared="out", zipped=6)
    assert scored(ZIP, zipping, Tally(zipped=4, total=1, adjust=3, why="Late")) == [6, 6]


def test_points_by_agreement_may_put_a_player_out() -> None:
    told = [Tally(declared="rummy"), Tally(total=5, adjust=3, why="Late"), total(1)]
    assert score_deal(CHICAGO, 1, told, [0, 92, 0]).eliminated == (BOB,)
    assert score_deal(CHICAGO, 1, told, [0, 91, 0]).eliminated == ()


def test_points_by_agreement_need_a_reason_and_a_bound() -> None:
    assert faults(CONTRACT, OUT, agreed(5, "")) == ["Say why Bob gets or loses points."]
    beyond = LARGEST_TOTAL + 1
    assert faults(CONTRACT, OUT, agreed(-beyond, "Lost")) == [
        f"Bob can't have -{beyond} points added."
    ]
    assert scored(CONTRACT, OUT, agreed(-LARGEST_TOTAL, "Lost")) == [0, 10 - LARGEST_TOTAL]


# Cards taken out of turn


@pytest.mark.parametrize(
    ("variant", "deal", "more"),
    [
        (CHICAGO, 1, 0),  # nobody may
        (CONTRACT, 1, 2),  # no limit: the discard and its penalty card
        (ZIONCHECK, 1, 2),  # no limit and no penalty card: two discards
        (SHANGHAI, 1, 3 * 2),
        (SHANGHAI, 9, 4 * 2),
        (load("the-ten-contracts"), 1, 3),  # no limit: the discard and its two penalty cards
        (extend(CONTRACT, {"pickup": {"limit": 3, "penalty_cards": 2}}), 1, 3 * 3),
    ],
    ids=lambda value: value.key if isinstance(value, Variant) else "",
)
def test_a_hand_may_be_longer_by_what_was_taken_out_of_turn(
    variant: Variant, deal: int, more: int
) -> None:
    assert picked_up(variant, deal) == more


def test_one_buy_of_two_cards_is_not_odd() -> None:
    """Eleven dealt, and one discard bought with two cards from the stock."""
    ten = load("the-ten-contracts")
    fourteen, fifteen = left("3 3 3 4 4 4 5 5 5 6 6 6 7 7"), left("3 3 3 4 4 4 5 5 5 6 6 6 7 7 7")
    pack = ten.pack(2)
    assert deal_doubts(ten, 1, [OUT, fourteen], [0, 0], pack) == []
    assert [
        doubt.in_words(FAMILY) for doubt in deal_doubts(ten, 1, [OUT, fifteen], [0, 0], pack)
    ] == ["Bob has 15 cards, 11 were dealt."]
