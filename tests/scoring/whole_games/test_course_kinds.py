"""Whole games of every kind by hand: contracts until met, a score to reach, floors, at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.changes import ChangeError, amend_deal, play_deal, throw_in, void_deals
from companion.games.record import Record
from companion.rules import Variant, VariantError, extend, load, with_choices
from companion.scoring import Tally, course
from tests.support.reports import (
    ANN,
    BOB,
    CLEO,
    CONTRACT,
    OUT,
    TWO_STEPS,
    total,
)

from .games_in_short import TWO_DEALS, WINNER, deal, fresh, game, objected, told

TO_FIFTY = extend(CONTRACT, {"ending": {"length": "until_score", "target": 50}})
UP_TO_FIFTY = extend(TO_FIFTY, {"ending": {"winner": "highest"}})


def down(points: int) -> Tally:
    """A player who met the contract and has so many points left."""
    return Tally(total=points, met=True)


# Each player stays on a contract until it is met


def test_who_does_not_meet_a_contract_stays_on_it() -> None:
    record = fresh(TWO_STEPS)
    before = record.standing()
    assert before.met == (0, 0, 0)
    assert before.upcoming
    assert before.upcoming.steps == (1, 1, 1)
    assert before.upcoming.contract is None
    record = deal(record, OUT, down(20), total(40))
    after = record.standing()
    assert (after.met, after.totals) == ((1, 1, 0), (0, 20, 40))
    assert after.upcoming
    assert after.upcoming.steps == (2, 2, 1)
    assert after.places == (1, 2, 3)
    assert not after.over


def test_going_out_is_meeting_the_contract() -> None:
    assert deal(fresh(TWO_STEPS), total(5), OUT, total(5)).standing().met == (0, 1, 0)


def test_the_furthest_is_ahead_whatever_the_points() -> None:
    record = deal(fresh(TWO_STEPS), down(90), OUT, total(5))
    record = deal(record, total(90), total(10), OUT)
    assert record.standing().totals == (180, 10, 5)
    assert record.standing().met == (1, 1, 1)
    assert record.standing().places == (3, 2, 1)
    record = deal(record, down(90), total(10), OUT)
    end = record.standing()
    assert end.over
    assert end.upcoming is None
    assert end.met == (2, 1, 2)
    assert end.totals == (270, 20, 5)
    assert end.places == (2, 3, 1)


def test_two_finish_in_one_deal_and_fewer_points_win() -> None:
    record = deal(fresh(TWO_STEPS), OUT, down(20), down(60))
    record = deal(record, down(30), OUT, total(5))
    end = record.standing()
    assert end.over
    assert end.met == (2, 2, 1)
    assert end.totals == (30, 20, 65)
    assert end.places == (2, 1, 3)
    assert end.winners == (BOB,)


def test_finished_together_who_went_out_on_the_last_contract_wins_where_the_game_says_so() -> None:
    """FR-7.1: Riverside's rules let the first to go out win; points part the others."""
    first_out = extend(TWO_STEPS, {"ending": {"first_out": True}})
    record = deal(fresh(first_out), OUT, down(20), down(10))
    end = deal(record, OUT, down(120), down(130)).standing()
    assert (end.places, end.totals) == ((1, 2, 2), (0, 140, 140))
    end = deal(deal(fresh(first_out), OUT, down(2), down(5)), down(5), down(120), OUT).standing()
    assert (end.places, end.totals) == ((2, 3, 1), (5, 122, 5))
    assert (end.apart(CLEO, ANN), end.apart(ANN, BOB)) == (None, 117)


def test_a_tie_is_played_on_by_everyone_where_the_game_says_so() -> None:
    """Flip 7: the tied don't part it alone, and whoever has most after another round wins."""
    on = extend(UP_TO_FIFTY, {"ending": {"tiebreak": "play_on"}})
    record = game(on, (50, 50, 0))
    tied = record.standing()
    assert (tied.over, tied.playing) == (False, (ANN, BOB, CLEO))
    record = play_deal(record, told(10, 10, 0)).record
    assert not record.standing().over
    end = play_deal(record, {ANN: OUT, BOB: total(2), CLEO: total(75)}).record.standing()
    assert (end.places, end.totals) == ((3, 2, 1), (60, 62, 75))
    assert end.regular == end.running


def test_finished_together_on_equal_points_is_shared() -> None:
    record = deal(fresh(TWO_STEPS), OUT, down(20), total(5))
    end = deal(record, down(20), OUT, total(5)).standing()
    assert end.over
    assert (end.places, end.winners) == ((1, 1, 3), (ANN, BOB))


def test_finished_together_the_last_contract_is_played_again() -> None:
    """B9: a tie of points plays the last contract once more, where the house says so."""
    again = extend(TWO_STEPS, {"ending": {"tiebreak": "extra_deal"}})
    record = deal(fresh(again), OUT, down(20), total(5))
    record = deal(record, down(20), OUT, total(2))
    tied = record.standing()
    assert not tied.over
    assert tied.playing == (ANN, BOB)
    assert tied.upcoming
    assert tied.upcoming.steps[:2] == (2, 2)
    end = deal(record, total(5), OUT).standing()
    assert end.over
    assert end.places == (2, 1, 3)


def test_a_deal_thrown_in_meets_nothing() -> None:
    record = throw_in(deal(fresh(TWO_STEPS), OUT, total(5), total(5)), "next_dealer").record
    assert record.standing().met == (1, 0, 0)
    struck = void_deals(record, [1]).record
    assert struck.standing().met == (0, 0, 0)


def test_a_correction_takes_a_contract_back() -> None:
    """Bob was not down in the first deal after all: he is one contract behind."""
    record = deal(fresh(TWO_STEPS), OUT, down(20), total(40))
    record = deal(record, total(10), down(5), OUT)
    assert record.standing().met == (1, 2, 1)
    assert record.standing().over
    change = amend_deal(record, 1, {ANN: OUT, BOB: total(20), CLEO: total(40)})
    assert change.is_certain
    mended = change.record.standing()
    assert (mended.met, mended.over) == ((1, 1, 1), False)
    assert mended.totals == (10, 25, 40)


def test_the_deals_after_the_end_are_named_and_struck_out_on_demand() -> None:
    record = deal(fresh(TWO_STEPS), OUT, total(20), down(40))
    record = deal(record, total(10), OUT, total(5))
    record = deal(record, OUT, total(5), total(5))
    reports = {ANN: total(10), BOB: OUT, CLEO: down(5)}
    change = amend_deal(record, 2, reports)
    assert objected(change) == [(3, "The game was over before this deal.")]
    struck = amend_deal(record, 2, reports, void_later=True)
    assert struck.forbidden == ()
    end = struck.record.standing()
    assert end.over
    assert end.winners == (CLEO,)
    assert end.totals == (10, 20, 45)


# Until a score is reached


def test_the_game_ends_with_the_deal_in_which_the_score_is_reached() -> None:
    record = game(TO_FIFTY, (0, 20, 48))
    assert not record.standing().over
    end = play_deal(record, told(10, 5, 0)).record
    assert not end.standing().over
    end = play_deal(end, told(10, 0, 2)).record
    assert end.standing().over
    assert end.standing().totals == (20, 25, 50)
    assert end.standing().places == (1, 2, 3)
    with pytest.raises(ChangeError, match="over"):
        play_deal(end, told(0, 5, 5))


def test_the_highest_wins_where_points_are_good() -> None:
    end = game(UP_TO_FIFTY, (0, 20, 49), (0, 40, 5)).standing()
    assert end.totals == (0, 60, 54)
    assert end.over
    assert end.places == (3, 1, 2)


def test_the_last_contract_is_dealt_again_until_the_score_is_reached() -> None:
    record = game(extend(TO_FIFTY, {"ending": {"target": 500}}), *[(0, 5, 5)] * 9)
    upcoming = record.standing().upcoming
    assert upcoming
    assert upcoming.step == 10
    assert upcoming.contract == CONTRACT.deals[6].contract


def test_a_correction_opens_a_game_that_was_over() -> None:
    record = game(TO_FIFTY, (0, 20, 50))
    assert record.status == "finished"
    mended = amend_deal(record, 1, told(0, 20, 49)).record
    assert (mended.status, mended.standing().totals) == ("running", (0, 20, 49))


def test_a_correction_ends_a_game_that_went_on() -> None:
    record = game(TO_FIFTY, (0, 20, 49), (10, 0, 10))
    change = amend_deal(record, 1, told(0, 20, 50))
    assert objected(change) == [(2, "The game was over before this deal.")]
    assert change.record.standing().totals == (10, 20, 60)


def test_tied_when_the_score_is_reached_an_extra_deal_is_played() -> None:
    again = extend(TO_FIFTY, {"ending": {"tiebreak": "extra_deal"}})
    record = game(again, (0, 10, 40), (10, 0, 10))
    tied = record.standing()
    assert tied.totals == (10, 10, 50)
    assert not tied.over
    assert tied.playing == (ANN, BOB)
    end = deal(record, total(45), OUT).standing()
    assert end.over
    assert end.totals == (55, 10, 50)
    assert end.places == (2, 1, 3)


# A number of deals that is not that of the contracts


@pytest.mark.parametrize("deals", [1, 2, 9])
def test_the_number_of_deals_may_differ_from_that_of_the_contracts(deals: int) -> None:
    variant = extend(CONTRACT, {"ending": {"deals": deals}})
    plans = list(course(variant, 3))
    assert [plan.step for plan in plans] == list(range(1, deals + 1))
    contracts = [deal.contract for deal in CONTRACT.deals]
    expected = [*contracts, contracts[-1], contracts[-1]][:deals]
    assert [plan.contract for plan in plans] == expected
    record = fresh(variant)
    for number in range(deals):
        assert not record.standing().over, number
        record = play_deal(record, told(0, 5, 5)).record
    assert record.standing().over


# A floor


def test_no_total_falls_below_the_floor() -> None:
    floored = extend(CONTRACT, {"scoring": {"out_points": -25}, "ending": {"floor": 0}})
    record = game(floored, (0, 10, 30), (0, 20, 5))
    assert record.deals[0].lines[ANN].points == -25
    assert record.standing().running == ((0, 10, 30), (0, 30, 35))
    record = play_deal(record, told(5, 5, 0)).record
    assert record.standing().totals == (5, 35, 10)


@pytest.mark.parametrize(("floor", "expected"), [(None, -25), (-20, -20), (-25, -25), (0, 0)])
def test_the_floor_is_where_the_house_has_it(floor: int | None, expected: int) -> None:
    house = extend(CONTRACT, {"scoring": {"out_points": -25}, "ending": {"floor": floor}})
    assert game(house, (0, 10, 30)).standing().totals == (expected, 10, 30)


def test_a_correction_is_floored_from_its_deal_on() -> None:
    """30 − 25 is 5; corrected to 20 − 25 it is 0, and the 7 of the third deal come on top."""
    floored = extend(CONTRACT, {"scoring": {"out_points": -25}, "ending": {"floor": 0}})
    record = game(floored, (30, 0, 5), (0, 9, 9), (7, 0, 9))
    assert record.standing().totals[ANN] == 12
    mended = amend_deal(record, 1, told(20, 0, 5)).record
    assert mended.standing().running == ((20, 0, 5), (0, 9, 14), (7, 0, 23))


# Rules that no table could keep


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"ending": {"winner": "furthest"}}, "ending.winner: whoever got furthest"),
        ({"ending": {"length": "until_contracts_met"}}, "ending.winner: whoever got furthest"),
        ({"ending": {"length": "until_score"}}, "ending.target: a game that ends at a score"),
        ({"ending": {"target": 50}}, "ending.target: a game that ends at a score"),
        ({"ending": {"deals": 41}}, "ending.deals: 0 to 40"),
        (
            {"ending": {"deals": 3, "length": "until_score", "target": 50}},
            "ending.deals: 0 to 40, for a game of a fixed number of deals",
        ),
    ],
)
def test_endings_keep_their_bounds(changes: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(VariantError) as refused:
        extend(CONTRACT, changes)
    assert fault in str(refused.value)


# Whole games at random

KINDS = [
    TWO_STEPS,
    extend(TWO_STEPS, {"ending": {"tiebreak": "extra_deal"}}),
    with_choices(load("the-ten-contracts"), {"until_met": True}),
    TO_FIFTY,
    UP_TO_FIFTY,
    extend(TO_FIFTY, {"ending": {"tiebreak": "extra_deal"}}),
    TWO_DEALS,
    extend(TWO_DEALS, {"scoring": {"out_points": -5}, "ending": {"floor": 0}}),
    extend(WINNER, {"ending": {"tiebreak": "extra_deal"}, "turn": {"direction": "right"}}),
]


@given(st.sampled_from(KINDS), st.integers(2, 5), st.integers(0, 2**32))
@settings(max_examples=150)
def test_every_game_comes_to_an_end(variant: Variant, players: int, seed: int) -> None:
    """Played at random as the standing says, the game ends, once, with a winner of its kind."""
    random = Random(seed)
    record = replace(fresh(CONTRACT, players + 1), variant=variant, decks=2, jokers=4)
    while (upcoming := record.standing().upcoming) is not None:
        playing = record.standing().playing
        assert not record.standing().over
        assert {upcoming.dealer, upcoming.first} <= set(playing)
        assert len(record.deals) < 200
        if random.random() < 0.1:
            record = throw_in(record, random.choice(["again", "next_dealer"])).record
            continue
        out = random.choice(playing)
        reports = {
            seat: OUT
            if seat == out
            else Tally(total=random.randint(3, 9), met=random.random() < 0.5)
            for seat in playing
        }
        record = play_deal(record, reports).record
    end = record.standing()
    assert end.over
    assert end.winners
    assert all(end.places[seat] == 1 for seat in end.winners)
    if variant.ending.tiebreak == "extra_deal":
        assert len(end.winners) == 1
    if variant.is_each_on_their_own:
        assert all(end.met[seat] == len(variant.deals) for seat in end.winners)
    assert Record.from_units(variant, record.units()).standing() == end
