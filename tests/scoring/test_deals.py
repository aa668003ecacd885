"""One deal scored: Ann, Bob, Cleo and Dev report, and every point has its reason."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.cards import read_hand
from companion.rules import Variant, find_variant, with_choices
from companion.scoring import Reason, SeatStay, Tally, is_zip, score_deal
from companion.scoring.deal import asks_cards
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    OUT,
    RUMMY,
    SEVEN_TWOS,
    ZIP,
    knock,
    left,
    points,
    scored_deal,
    stand,
    total,
    zipped,
)

from .deals_in_short import NOBODY_OUT, doubts, faults, scored


def reasons(variant: Variant, tallies: Sequence[Tally], start: Sequence[int]) -> list[list[Reason]]:
    lines = score_deal(variant, 1, tallies, start).lines
    return [list(line.reasons) if line else [] for line in lines]


# One deal


def test_the_reasons_read_like_an_addition_on_paper() -> None:
    assert reasons(CONTRACT, [left("7H K 7S A X"), OUT], [0, 0]) == [
        [Reason("A 7H 7S K X: 15 + 2 × 7 + 10 + 25", 64, "values")],
        [Reason("Went out", 0, "out")],
    ]


@pytest.mark.parametrize(
    ("variant", "ended", "declared", "asked"),
    [
        (CONTRACT, "out", "", True),
        (CONTRACT, "out", "out", False),
        (CHICAGO, "knock", "knock", True),
        (CHICAGO, "knock", "", True),
        (CHICAGO, "rummy", "rummy", False),
        (CHICAGO, "instant_win", "instant_win", False),
        (CHICAGO, "instant_win", "", False),
        (find_variant("continental"), "out", "", False),
        (find_variant("continental"), "out", "out", False),
    ],
)
def test_who_is_asked_for_cards(variant: Variant, ended: Any, declared: Any, asked: bool) -> None:
    """Whoever has some left: nobody where cards cost nothing, or seven twos end it all."""
    assert asks_cards(variant, ended, declared) == asked


def test_a_beaten_knock_is_told_in_two_steps() -> None:
    assert reasons(CHICAGO, [knock(7), total(5)], [40, 0]) == [
        [
            Reason("Typed as a total", 7, "values"),
            Reason("Knocked without the lowest count", 15, "knock"),
        ],
        [Reason("Typed as a total", 5, "values")],
    ]


def test_zips_are_told_one_by_one() -> None:
    told = zipped("6R 6B", "KB 2R 3R 8R", rest="7B 3R")
    ann, _ = reasons(ZIP, [told, zipped("9R 9B")], [0, 0])
    assert [reason.points for reason in ann] == [12, 26, -10]
    assert ann[-1].words == "Left over: 3R 7B: 3 + 7"


def test_nothing_zipped_is_called_nothing() -> None:
    ann, _ = reasons(ZIP, [left("KR"), zipped("9R 9B")], [0, 0])
    assert ann == [Reason("Zipped nothing", 0, "zips"), Reason("Left over: KR: 13", -13, "values")]


def test_zips_may_be_told_as_a_total() -> None:
    told = Tally(zipped=38, total=10)
    ann, bob = reasons(ZIP, [told, Tally(declared="out", zipped=6)], [0, 0])
    assert ann == [
        Reason("Zipped, typed as a total", 38, "zips"),
        Reason("Left over, typed as a total", -10, "values"),
    ]
    assert [reason.points for reason in bob] == [6, 0]
    assert doubts(ZIP, [told, Tally(declared="out", zipped=6)]) == []


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("6R 6B", True),
        ("KB 2R 3R 8R", True),
        ("7D 2C 5S", True),
        ("7R 9B 2R", True),
        ("6R 6R", False),
        ("6 6", False),
        ("6R", False),
        ("", False),
    ],
)
def test_what_is_a_zip(cards: str, expected: bool) -> None:
    """ZZ-3.1 and ZZ-3.3, the lesson's own example among them."""
    assert is_zip(ZIP, read_hand(cards)) == expected


def test_a_player_who_is_not_in_the_deal_has_no_line() -> None:
    score = score_deal(CHICAGO, 3, [None, knock(4), total(9)], [104, 20, 30])
    assert points(score) == [None, 4, 9]
    assert score.totals == (104, 24, 39)
    assert score.eliminated == ()


def test_a_bonus_for_going_out() -> None:
    assert scored(with_choices(CONTRACT, {"out_points": -25}), OUT, left("A")) == [-25, 15]
    assert scored(with_choices(ZIP, {"out_points": 10}), zipped("9R 9B"), left("A")) == [28, -1]


def test_in_zip_nobody_need_go_out_when_the_stock_runs_out() -> None:
    """P-2, and where the house shuffles instead, somebody must."""
    told = [zipped("5B 5R", rest="2R"), left("A")]
    assert points(score_deal(ZIP, 1, told, [0, 0])) == [8, -1]
    shuffled = with_choices(ZIP, {"stock_out": "reshuffle_keep_top"})
    assert faults(shuffled, told) == [NOBODY_OUT]


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({}, [22, 12, 5]),
        ({"knock_penalty": 10}, [17, 12, 5]),
        ({"knock_penalty": "double_count"}, [14, 12, 5]),
    ],
)
def test_what_a_beaten_knock_costs(house: dict[str, Any], expected: list[int]) -> None:
    """H-12."""
    variant = with_choices(CHICAGO, house)
    assert scored(variant, knock(7), total(12), total(5), start=[40, 0, 0]) == expected


def test_seven_twos_win_at_once_and_nobody_scores() -> None:
    """H-8."""
    score = score_deal(CHICAGO, 4, [SEVEN_TWOS, Tally(), total(70)], [88, 12, 95])
    assert points(score) == [0, 0, 0]
    assert (score.winner, score.eliminated) == (ANN, ())
    assert [line.reasons[-1].words for line in score.lines if line] == [
        "Wins the game at once",
        *["No points this round"] * 2,
    ]


def test_seven_twos_where_the_round_still_counts() -> None:
    house = with_choices(CHICAGO, {"seven_twos": True})
    score = score_deal(house, 4, [SEVEN_TWOS, total(20), total(70)], [88, 12, 95])
    assert points(score) == [0, 20, 70]
    assert (score.winner, score.eliminated) == (ANN, ())
    wanted = "Enter Bob's cards, or a total of 0 if none are left."
    assert faults(house, [SEVEN_TWOS, Tally()]) == [wanted]


# Everybody out at once (H-14)

ALL_OUT = ([83, 99, 90], [Tally(declared="knock", total=4), total(3), total(20)])
"""Ann's knock is beaten: 83 + 4 + 15, 99 + 3 and 90 + 20."""


@pytest.mark.parametrize(
    ("house", "totals", "eliminated"),
    [
        ("lowest", (102, 102, 110), (ANN, BOB, CLEO)),
        ("extra_deal", (102, 102, 110), (CLEO,)),
        ("replay", (83, 99, 90), ()),
    ],
)
def test_everybody_out_at_once(
    house: str, totals: tuple[int, ...], eliminated: tuple[int, ...]
) -> None:
    start, tallies = ALL_OUT
    variant = with_choices(CHICAGO, {"all_out": house})
    score = score_deal(variant, 1, tallies, start)
    assert score.totals == totals
    assert score.eliminated == eliminated
    end = stand(variant, [scored_deal(1, score)], seats=[SeatStay(start=s) for s in start])
    assert [s for s, at in enumerate(end.out_at) if at] == list(eliminated)
    assert end.over == (house == "lowest")


def test_an_extra_deal_is_played_among_the_tied_until_one_is_lower() -> None:
    variant = with_choices(CHICAGO, {"all_out": "extra_deal"})
    start, tallies = ALL_OUT
    seats = [SeatStay(start=s) for s in start]
    deals = [scored_deal(1, score_deal(variant, 1, tallies, start))]
    between = stand(variant, deals, seats=seats)
    assert (between.playing, between.over) == ((ANN, BOB), False)
    assert faults(variant, [knock(0), total(9), None], between.totals) == [
        "Ann began with 102 points and can't knock: only rummy is left."
    ]
    extra = score_deal(variant, 2, [RUMMY, total(9), None], between.totals)
    end = stand(variant, [*deals, scored_deal(2, extra)], seats=seats)
    assert end.over
    assert end.winners == (ANN,)
    assert end.places == (1, 2, 3)


def test_one_lowest_total_needs_no_extra_deal() -> None:
    variant = with_choices(CHICAGO, {"all_out": "extra_deal"})
    score = score_deal(variant, 1, [knock(7), total(14), total(5)], [79, 90, 98])
    assert score.totals == (101, 104, 103)
    assert score.eliminated == (ANN, BOB, CLEO)
