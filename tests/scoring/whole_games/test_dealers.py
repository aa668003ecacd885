"""Who deals next."""

from typing import Any

import pytest

from companion.games.changes import amend_deal, play_deal, throw_in
from companion.rules import Variant, extend
from companion.scoring import PlayedDeal, SeatStay, course
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    DEV,
    OUT,
    RUMMY,
    played,
    stand,
    total,
)

from .games_in_short import WINNER, fresh, game, told


def dealers(variant: Variant, *deals: tuple[int, ...]) -> list[int]:
    record, found = fresh(variant, len(deals[0])), []
    for points in deals:
        record = play_deal(record, told(*points)).record
        upcoming = record.standing().upcoming
        assert upcoming
        found.append(upcoming.dealer)
    return found


EVE = 4
RIGHT = extend(CONTRACT, {"turn": {"direction": "right"}})


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


@pytest.mark.parametrize(
    ("variant", "joiners", "dealt"),
    [
        (CONTRACT, [None], [CLEO, DEV, ANN, BOB]),
        (CONTRACT, [ANN], [CLEO, ANN, DEV, BOB]),
        (CONTRACT, [BOB], [DEV, CLEO, ANN, BOB]),
        (RIGHT, [ANN], [DEV, ANN, CLEO, BOB]),
        (RIGHT, [BOB], [ANN, CLEO, DEV, BOB]),
        (CONTRACT, [BOB, BOB], [EVE, DEV, CLEO, ANN, BOB]),
        (CONTRACT, [BOB, DEV], [DEV, EVE, CLEO, ANN, BOB]),
        (CONTRACT, [BOB, None], [DEV, CLEO, EVE, ANN, BOB]),
    ],
)
def test_a_late_joiner_deals_where_they_sit(
    variant: Variant, joiners: list[int | None], dealt: list[int]
) -> None:
    """Ann, Bob and Cleo sit clockwise; after Bob's deal the others come, then all deal in turn."""
    deals = [played(1, 0, 5, 5), played(2, 5, 0, 5, dealer=BOB)]
    seats = [SeatStay()] * 3 + [SeatStay(joined=3, sits_after=after) for after in joiners]
    for dealer in dealt:
        upcoming = stand(variant, deals, seats=seats).upcoming
        assert upcoming
        assert upcoming.dealer == dealer
        leads = [*dealt, *dealt][dealt.index(dealer) + 1]
        assert upcoming.first == leads
        points = [0] + [5] * (len(seats) - 1)
        deals.append(played(len(deals) + 1, *points, dealer=dealer))


def test_who_left_is_passed_over_beside_a_late_joiner() -> None:
    """Dev came between Ann and Bob; Ann dealt and left, then Dev deals, not Bob."""
    seats = [SeatStay(left=2), SeatStay(), SeatStay(), SeatStay(joined=2, sits_after=ANN)]
    standing = stand(CONTRACT, [played(1, 0, 5, 5)], seats=seats)
    assert standing.upcoming
    assert (standing.upcoming.dealer, standing.upcoming.first) == (DEV, BOB)
    assert standing.playing == (DEV, BOB, CLEO)


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
