"""Whole games of every kind by hand: contracts until met, a score to reach, extra deals, floors."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Pack
from companion.games.changes import Change, ChangeError, amend_deal, play_deal, throw_in, void_deals
from companion.games.record import Record, SeatRecord
from companion.rules import Variant, VariantError, extend, load, with_choices
from companion.scoring import PlayedDeal, SeatStay, Tally, course
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    DEV,
    FAMILY,
    OUT,
    RUMMY,
    TWO_STEPS,
    played,
    stand,
    total,
)

TO_FIFTY = extend(CONTRACT, {"ending": {"length": "until_score", "target": 50}})
UP_TO_FIFTY = extend(TO_FIFTY, {"ending": {"winner": "highest"}})
TWO_DEALS = extend(CONTRACT, {"ending": {"deals": 2, "tiebreak": "extra_deal"}})


def fresh(variant: Variant, seats: int = 3) -> Record:
    return Record(
        variant=variant,
        pack=variant.pack(seats),
        first_dealer=ANN,
        seats=tuple(SeatRecord(player_id=number) for number in range(1, seats + 1)),
    )


def down(points: int) -> Tally:
    """A player who met the contract and has so many points left."""
    return Tally(total=points, met=True)


def deal(record: Record, *tallies: Tally | None) -> Record:
    told = {seat: tally for seat, tally in enumerate(tallies) if tally}
    return play_deal(record, told).record


def told(*points: int) -> dict[int, Tally]:
    """A deal by its points: the first player on 0 went out."""
    first = points.index(0)
    return {seat: OUT if seat == first else total(p) for seat, p in enumerate(points)}


def game(variant: Variant, *deals: tuple[int, ...]) -> Record:
    record = fresh(variant, len(deals[0]))
    for points in deals:
        record = play_deal(record, told(*points)).record
    return record


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


def objected(change: Change) -> list[tuple[int, str]]:
    return [(position, found.in_words(FAMILY)) for position, found in change.forbidden]


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


# Extra deals


def test_only_the_tied_play_the_extra_deal_and_third_place_stays() -> None:
    """Ann and Bob 30 each, Cleo 40; Ann's 25 in the extra deal do not put her behind Cleo."""
    record = game(TWO_DEALS, (0, 30, 20), (30, 0, 20))
    tied = record.standing()
    assert tied.totals == (30, 30, 40)
    assert not tied.over
    assert tied.playing == (ANN, BOB)
    assert tied.upcoming
    assert (tied.upcoming.step, tied.upcoming.dealer, tied.upcoming.first) == (3, ANN, BOB)
    assert tied.upcoming.contract == CONTRACT.deals[2].contract
    with pytest.raises(ChangeError, match="Seat 3 is not in this deal"):
        play_deal(record, told(0, 5, 5))
    end = deal(record, total(25), OUT).standing()
    assert end.over
    assert end.totals == (55, 30, 40)
    assert end.places == (2, 1, 3)


def test_a_tie_in_the_extra_deal_is_played_on() -> None:
    highest = extend(TWO_DEALS, {"ending": {"winner": "highest"}})
    record = game(highest, (0, 30, 20), (30, 0, 5))
    record = deal(record, OUT, total(8))
    assert record.standing().over
    assert record.standing().places == (2, 1, 3)
    record = game(highest, (0, 30, 12), (30, 0, 18))
    assert record.standing().playing == (ANN, BOB, CLEO)
    record = deal(record, OUT, total(8), total(8))
    upcoming = record.standing().upcoming
    assert record.standing().playing == (BOB, CLEO)
    assert upcoming
    assert upcoming.step == 4
    end = deal(record, None, total(2), OUT).standing()
    assert end.over
    assert end.places == (3, 1, 2)


def test_who_was_parted_first_stays_behind() -> None:
    """Three tie; Cleo falls back with 5. Bob's 20 in the next deal do not put him behind her."""
    record = game(TWO_DEALS, (0, 30, 12), (30, 0, 18))
    first = {ANN: OUT, BOB: Tally(total=5, adjust=-5, why="Misdealt"), CLEO: total(5)}
    record = play_deal(record, first).record
    assert record.standing().playing == (ANN, BOB)
    end = deal(record, OUT, total(20)).standing()
    assert end.over
    assert end.totals == (30, 50, 35)
    assert end.places == (1, 2, 3)


def test_those_parted_first_keep_their_order() -> None:
    """Four tie; in the extra deal Cleo has 5 and Dev 9, and neither plays the next one."""
    record = game(TWO_DEALS, (0, 30, 12, 14), (30, 0, 18, 16))
    level = Tally(total=5, adjust=-5, why="Misdealt")
    record = deal(record, OUT, level, total(5), total(9))
    assert record.standing().playing == (ANN, BOB)
    assert record.standing().places == (1, 1, 3, 4)
    assert deal(record, total(2), OUT).standing().places == (2, 1, 3, 4)


def test_an_extra_deal_thrown_in_is_dealt_again_under_its_number() -> None:
    record = throw_in(game(TWO_DEALS, (0, 30, 20), (30, 0, 20)), "again").record
    upcoming = record.standing().upcoming
    assert upcoming
    assert (upcoming.step, upcoming.dealer) == (3, ANN)
    again = deal(record, OUT, total(5))
    assert again.standing().over
    with pytest.raises(ChangeError, match="dealt again"):
        amend_deal(again, 3, {ANN: OUT, BOB: total(5)})


def test_an_extra_deal_counts_also_where_no_total_falls_below_nought() -> None:
    """Ann goes out again with 10 off: her total stays at 0, and yet she has done better."""
    floored = extend(TWO_DEALS, {"scoring": {"out_points": -10}, "ending": {"floor": 0}})
    forgiven = Tally(total=5, adjust=-5, why="As agreed")
    record = deal(fresh(floored), OUT, forgiven, total(9))
    record = deal(record, OUT, forgiven, total(9))
    assert record.standing().totals == (0, 0, 18)
    assert record.standing().playing == (ANN, BOB)
    end = deal(record, OUT, total(5)).standing()
    assert end.over
    assert end.totals == (0, 5, 18)
    assert end.places == (1, 2, 3)


def test_no_extra_deal_where_nobody_is_tied_for_first() -> None:
    end = game(TWO_DEALS, (0, 30, 12), (20, 0, 18)).standing()
    assert end.totals == (20, 30, 30)
    assert end.over
    assert end.places == (1, 2, 2)


def test_a_correction_after_an_extra_deal_that_was_not_needed() -> None:
    record = deal(game(TWO_DEALS, (0, 30, 20), (30, 0, 20)), OUT, total(5))
    change = amend_deal(record, 1, told(0, 31, 20))
    assert objected(change) == [(3, "The game was over before this deal.")]
    assert change.record.standing().totals == (30, 36, 40)
    struck = amend_deal(record, 1, told(0, 31, 20), void_later=True).record
    assert struck.standing().over
    assert struck.standing().totals == (30, 31, 40)
    assert struck.standing().places == (1, 2, 3)


def test_a_correction_that_ties_a_third_player() -> None:
    """Cleo would have been in the extra deal: she did not play it, and is not the best in it."""
    record = deal(game(TWO_DEALS, (0, 30, 20), (30, 0, 20)), OUT, total(5))
    mended = amend_deal(record, 1, told(0, 30, 10)).record.standing()
    assert mended.totals == (30, 35, 30)
    assert mended.places == (1, 2, 3)


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


# Who deals


def dealers(variant: Variant, *deals: tuple[int, ...]) -> list[int]:
    record, found = fresh(variant, len(deals[0])), []
    for points in deals:
        record = play_deal(record, told(*points)).record
        upcoming = record.standing().upcoming
        assert upcoming
        found.append(upcoming.dealer)
    return found


RIGHT = extend(CONTRACT, {"turn": {"direction": "right"}})
WINNER = extend(CONTRACT, {"turn": {"next_dealer": "winner"}})


def test_the_deal_passes_to_the_right() -> None:
    assert dealers(CONTRACT, *[(0, 5, 5, 5)] * 5) == [BOB, CLEO, DEV, ANN, BOB]
    assert dealers(RIGHT, *[(0, 5, 5, 5)] * 5) == [DEV, CLEO, BOB, ANN, DEV]
    plans = list(course(RIGHT, 4, first_dealer=CLEO))
    assert [plan.dealer for plan in plans] == [CLEO, BOB, ANN, DEV, CLEO, BOB, ANN]
    assert [plan.first for plan in plans] == [BOB, ANN, DEV, CLEO, BOB, ANN, DEV]


@pytest.mark.parametrize(
    ("gone", "dealer", "first"), [(DEV, CLEO, BOB), (CLEO, DEV, BOB), (BOB, DEV, CLEO)]
)
def test_to_the_right_the_deal_passes_over_who_has_left(gone: int, dealer: int, first: int) -> None:
    """After Ann's deal comes Dev, on her right."""
    seats = [SeatStay(left=2) if seat == gone else SeatStay() for seat in range(4)]
    upcoming = stand(RIGHT, [played(1, 0, 5, 5, 5)], seats=seats).upcoming
    assert upcoming
    assert (upcoming.dealer, upcoming.first) == (dealer, first)


def test_the_winner_deals() -> None:
    assert dealers(WINNER, (5, 0, 5), (5, 0, 5), (5, 5, 0)) == [BOB, BOB, CLEO]
    assert dealers(CONTRACT, (5, 0, 5), (5, 0, 5), (5, 5, 0)) == [BOB, CLEO, ANN]


def test_who_went_rummy_deals_next_where_the_winner_does() -> None:
    house = extend(CHICAGO, {"turn": {"next_dealer": "winner"}})
    record = play_deal(fresh(house), {ANN: total(5), BOB: total(5), CLEO: RUMMY}).record
    upcoming = record.standing().upcoming
    assert upcoming
    assert upcoming.dealer == CLEO


@pytest.mark.parametrize(("after", "dealer"), [("again", ANN), ("next_dealer", BOB), ("skip", BOB)])
def test_a_deal_thrown_in_has_no_winner(after: Any, dealer: int) -> None:
    upcoming = throw_in(fresh(WINNER), after).record.standing().upcoming
    assert upcoming
    assert upcoming.dealer == dealer
    spoilt = PlayedDeal(step=1, dealer=ANN, void=True, after_void=after, tallies={CLEO: OUT})
    assert stand(WINNER, [spoilt]).upcoming == upcoming


def test_a_winner_who_has_left_does_not_deal() -> None:
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    upcoming = stand(WINNER, [played(1, 5, 5, 0, won=CLEO)], seats=seats).upcoming
    assert upcoming
    assert upcoming.dealer == BOB


def test_a_correction_of_who_went_out_changes_the_next_dealer_only() -> None:
    record = game(WINNER, (5, 0, 5), (5, 5, 0))
    assert [deal.dealer for deal in record.deals] == [ANN, BOB]
    mended = amend_deal(record, 1, told(0, 5, 5)).record
    assert [deal.dealer for deal in mended.deals] == [ANN, BOB]
    assert mended.standing().upcoming == record.standing().upcoming
    last = amend_deal(record, 2, told(0, 5, 5)).record.standing().upcoming
    assert last
    assert last.dealer == ANN


# Rules that no table could keep


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"ending": {"winner": "furthest"}}, "ending.winner: `furthest` belongs to a game"),
        ({"ending": {"length": "until_contracts_met"}}, "ending.winner: `furthest` belongs to"),
        (
            {
                "deals": {"1": {"contract": None}, "each": {"dealt": 12}},
                "ending": {"length": "until_contracts_met", "winner": "furthest"},
            },
            "deals: where players stay on a contract, every deal needs one",
        ),
        (
            {"ending": {"length": "until_contracts_met", "winner": "furthest"}},
            "deals: where players stay on a contract, every deal has as many cards",
        ),
        ({"ending": {"length": "until_score"}}, "ending.target: belongs to a game until"),
        ({"ending": {"target": 50}}, "ending.target: belongs to a game until"),
        ({"ending": {"length": "until_score", "target": -1}}, "ending.target: must be 0 to 10000"),
        ({"ending": {"length": "until_score", "target": 10**5}}, "ending.target: must be 0 to"),
        ({"ending": {"deals": 41}}, "ending.deals: 0 to 40"),
        ({"ending": {"deals": -1}}, "ending.deals: 0 to 40"),
        (
            {"ending": {"deals": 3, "length": "until_score", "target": 50}},
            "ending.deals: 0 to 40, for a game of a fixed number of deals",
        ),
        ({"ending": {"floor": -(10**5)}}, "ending.floor: must be -10000 to 10000"),
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
    record = replace(fresh(CONTRACT, players + 1), variant=variant, pack=Pack(2, 4))
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
