"""The course of a game: who deals, who is out, who has won, and what a correction unsettles."""

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Pack
from companion.rules import Variant, with_choices
from companion.scoring import (
    PlayedDeal,
    SeatStay,
    Standing,
    course,
    knock_limit,
    objections,
    score_deal,
)
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    DEV,
    FAMILY,
    RUMMY,
    SEVEN_TWOS,
    ZIONCHECK,
    ZIP,
    knock,
    played,
    stand,
    total,
    void,
)


def next_deal(standing: Standing) -> tuple[int, int, int]:
    """The number of the next deal, who deals it and who plays first."""
    assert standing.upcoming
    return standing.upcoming.step, standing.upcoming.dealer, standing.upcoming.first


def test_zioncheck_from_first_to_last_hand() -> None:
    plans = list(course(ZIONCHECK, 4, first_dealer=CLEO))
    assert [plan.dealt for plan in plans] == [10, 10, 10, 10, 11, 14]
    assert [plan.dealer for plan in plans] == [CLEO, DEV, ANN, BOB, CLEO, DEV]
    assert [plan.first for plan in plans] == [DEV, ANN, BOB, CLEO, DEV, ANN]
    assert {plan.turns_at_start for plan in plans} == {2}
    assert {plan.pack for plan in plans} == {Pack(2, 4)}


def test_with_three_at_zip_the_first_dealer_deals_twice() -> None:
    """P-5."""
    assert [plan.dealer for plan in course(ZIP, 3, first_dealer=BOB)] == [BOB, CLEO, ANN, BOB]
    deals = [played(n + 1, 0, 0, 0, dealer=(BOB + n) % 3) for n in range(3)]
    assert next_deal(stand(ZIP, deals, first_dealer=BOB)) == (4, BOB, CLEO)


def test_chicago_has_no_last_round() -> None:
    plans = list(islice(course(CHICAGO, 2), 300))
    assert [plan.step for plan in plans] == list(range(1, 301))
    assert {plan.dealt for plan in plans} == {7}


def test_the_game_runs_from_its_first_deal_to_its_last() -> None:
    deals: list[PlayedDeal] = []
    for step in range(1, 8):
        before = stand(CONTRACT, deals)
        assert not before.over
        assert next_deal(before) == (step, (step - 1) % 3, step % 3)
        deals.append(played(step, 0, 5, 7, dealer=(step - 1) % 3))
    end = stand(CONTRACT, deals)
    assert end.over
    assert end.upcoming is None
    assert end.totals == (0, 35, 49)
    assert end.running[2] == (0, 15, 21)


def test_chicago_passes_the_deal_over_who_is_out() -> None:
    """H-19."""
    deals = [played(1, 3, 100, 5, 6, dealer=ANN)]
    standing = stand(CHICAGO, deals, seats=4)
    assert standing.out_at == (None, 1, None, None)
    assert next_deal(standing) == (2, CLEO, DEV)
    deals.append(played(2, 3, None, 5, 100, dealer=CLEO))
    assert next_deal(stand(CHICAGO, deals, seats=4)) == (3, ANN, CLEO)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("again", (2, BOB, CLEO)),
        ("next_dealer", (2, CLEO, ANN)),
        ("skip", (3, CLEO, ANN)),
    ],
)
def test_after_a_void_deal(after: str, expected: tuple[int, int, int]) -> None:
    deals = [played(1, 0, 5, 7), void(2, BOB, after)]
    assert next_deal(stand(CONTRACT, deals)) == expected


def test_a_void_deal_dealt_by_who_has_left_passes_on() -> None:
    seats = [SeatStay(), SeatStay(left=2), SeatStay()]
    assert next_deal(stand(CONTRACT, [void(1, BOB, "again")], seats=seats)) == (1, CLEO, ANN)


def test_a_skipped_last_deal_ends_the_game() -> None:
    deals = [played(step, 0, 5, 7) for step in range(1, 7)]
    assert stand(CONTRACT, [*deals, void(7, ANN, "skip")]).over
    assert not stand(CONTRACT, [*deals, void(7, ANN, "again")]).over


def test_a_void_deal_counts_nothing_whatever_was_reported() -> None:
    spoilt = PlayedDeal(
        step=1,
        dealer=ANN,
        void=True,
        points={ANN: 120, BOB: 4, CLEO: 0},
        tallies={CLEO: SEVEN_TWOS},
    )
    standing = stand(CHICAGO, [spoilt])
    assert standing.totals == (0, 0, 0)
    assert standing.out_at == (None, None, None)
    assert not standing.over


def test_seven_twos_end_the_game_whatever_the_totals() -> None:
    """H-8: the player on 88 wins, and the others follow by their totals."""
    seats = [SeatStay(start=88), SeatStay(start=50), SeatStay(start=12)]
    last = PlayedDeal(step=9, dealer=ANN, points={0: 0, 1: 0, 2: 0}, tallies={ANN: SEVEN_TWOS})
    end = stand(CHICAGO, [last], seats=seats)
    assert end.over
    assert end.winners == (ANN,)
    assert end.places == (1, 3, 2)


def test_places_by_elimination_then_total() -> None:
    """H-22: later is better, and within one round the lower total."""
    deals = [played(1, 9, 110, 20, 30), played(2, 1, None, 101, 90)]
    end = stand(CHICAGO, deals, seats=4)
    assert end.over
    assert end.out_at == (None, 1, 2, 2)
    assert end.totals == (10, 110, 121, 120)
    assert end.places == (1, 4, 3, 2)


def test_exactly_100_is_out_or_in() -> None:
    """H-1."""
    deals = [played(1, 100, 99, 5)]
    assert stand(CHICAGO, deals).out_at == (1, None, None)
    house = with_choices(CHICAGO, {"eliminate_at": ">"})
    assert stand(house, deals).out_at == (None, None, None)
    assert stand(house, [*deals, played(2, 1, 1, 1)]).out_at == (2, None, None)


# Ties

TIED = [played(n, 0, 10, 20, won=ANN) for n in range(1, 5)] + [
    played(5, 30, 0, 20, won=BOB),
    played(6, 10, 0, 20, won=BOB),
    played(7, 0, 0, 0, won=ANN),
]
"""Ann 40, Bob 40, Cleo 120; Ann went out five times, Bob twice."""


def test_a_tie_shares_the_place_and_skips_the_next() -> None:
    end = stand(CONTRACT, TIED)
    assert end.totals == (40, 40, 120)
    assert end.places == (1, 1, 3)
    assert end.winners == (ANN, BOB)


@pytest.mark.parametrize(
    ("tiebreak", "places"),
    [("shared", (1, 1, 3)), ("most_deals_won", (1, 2, 3)), ("best_last_deal", (1, 1, 3))],
)
def test_house_rules_for_a_tie(tiebreak: str, places: tuple[int, ...]) -> None:
    house = with_choices(CONTRACT, {"tiebreak": tiebreak})
    assert stand(house, TIED).places == places


def test_a_tie_broken_by_the_last_deal() -> None:
    deals = [*TIED[:5], TIED[6], played(7, 10, 0, 20, won=BOB)]
    house = with_choices(CONTRACT, {"tiebreak": "best_last_deal"})
    assert stand(house, deals).totals == (40, 40, 120)
    assert stand(house, deals).places == (2, 1, 3)


def test_a_tie_at_zip_is_broken_by_the_most_points() -> None:
    deals = [played(n, 10, 10, 5) for n in (1, 2)] + [played(3, 12, 8, 5), played(4, 8, 12, 5)]
    assert stand(ZIP, deals).places == (1, 1, 3)
    house = with_choices(ZIP, {"tiebreak": "best_last_deal"})
    assert stand(house, deals).places == (2, 1, 3)


def test_who_missed_the_last_deal_was_not_the_best_in_it() -> None:
    house = with_choices(CONTRACT, {"tiebreak": "best_last_deal"})
    deals = [played(1, 5, 0, 9), played(2, 0, 4, None), played(3, 4, 5, None)]
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    assert stand(house, deals, seats=seats).totals == (9, 9, 9)
    assert stand(house, deals, seats=seats).places == (1, 2, 3)


# Coming late and leaving early


def test_a_late_joiner_starts_with_the_points_agreed() -> None:
    seats = [SeatStay(), SeatStay(), SeatStay(), SeatStay(start=20, joined=3)]
    first = [played(1, 0, 30, 10), played(2, 10, 0, 10, dealer=BOB)]
    assert stand(ZIONCHECK, first[:1], seats=seats).playing == (ANN, BOB, CLEO)
    joined = stand(ZIONCHECK, first, seats=seats)
    assert joined.playing == (ANN, BOB, CLEO, DEV)
    assert joined.places == (1, 4, 2, 2)
    third = [*first, played(3, 5, 5, 5, 0, dealer=CLEO)]
    assert stand(ZIONCHECK, third, seats=seats).totals == (15, 35, 25, 20)
    assert next_deal(stand(ZIONCHECK, third, seats=seats)) == (4, DEV, ANN)


def test_who_has_not_joined_yet_has_no_place() -> None:
    """After an undo the game stands before the deal at which Dev sat down."""
    seats = [SeatStay(), SeatStay(), SeatStay(), SeatStay(joined=3)]
    standing = stand(ZIONCHECK, [played(1, 5, 30, 10)], seats=seats)
    assert standing.places == (1, 3, 2, None)
    assert standing.winners == (ANN,)


@pytest.mark.parametrize(
    ("placed", "places", "winners"),
    [(True, (2, 1, 3), (BOB,)), (False, (1, None, 2), (ANN,))],
)
def test_who_leaves_is_placed_only_if_the_table_says_so(
    placed: bool, places: tuple[int | None, ...], winners: tuple[int, ...]
) -> None:
    seats = [SeatStay(), SeatStay(left=3, placed=placed), SeatStay()]
    deals = [played(1, 0, 5, 9), played(2, 9, 0, 9), played(3, 9, None, 9)]
    standing = stand(ZIONCHECK, deals, seats=seats)
    assert standing.playing == (ANN, CLEO)
    assert standing.places == places
    assert standing.winners == winners


def test_the_deal_passes_over_who_has_left() -> None:
    seats = [SeatStay(), SeatStay(left=2), SeatStay()]
    assert next_deal(stand(ZIONCHECK, [played(1, 0, 5, 9)], seats=seats)) == (2, CLEO, ANN)


def test_who_leaves_chicago_cannot_be_the_last_one_left() -> None:
    """Ann goes home on 5 points; Cleo outlasts Bob and has won."""
    seats = [SeatStay(left=2), SeatStay(), SeatStay()]
    deals = [played(1, 5, 60, 40), played(2, None, 50, 30)]
    end = stand(CHICAGO, deals, seats=seats)
    assert end.over
    assert end.winners == (CLEO,)
    assert end.places == (3, 2, 1)


def test_when_all_but_one_have_left_chicago_is_over() -> None:
    end = stand(CHICAGO, [played(1, 5, 60)], seats=[SeatStay(left=2), SeatStay()])
    assert end.over
    assert end.winners == (BOB,)


# After a correction: what the scores as they now are would have forbidden


def objected(
    deals: Sequence[PlayedDeal], seats: Sequence[SeatStay] | int = 3
) -> list[tuple[int, str]]:
    sitting = [SeatStay()] * seats if isinstance(seats, int) else seats
    return [
        (position, found.in_words(FAMILY))
        for position, found in objections(CHICAGO, sitting, deals)
    ]


def test_a_game_as_it_was_played_meets_no_objection() -> None:
    deals = [
        played(1, 85, 60, 40),
        played(2, 9, 20, 30, tallies={ANN: knock(9)}),
        played(3, 3, 30, 10, tallies={ANN: knock(3)}),
        void(4, BOB, "again"),
        played(4, 20, None, 0, tallies={CLEO: RUMMY}),
    ]
    assert objected(deals) == []


def test_a_correction_may_put_a_knock_over_its_limit() -> None:
    deals = [played(1, 93, 60, 40), played(2, 5, 20, 30, tallies={ANN: knock(9)})]
    assert objected(deals) == [(2, "Ann can't knock with 9. At 93 points the limit is 7.")]


def test_a_correction_may_have_put_a_player_out() -> None:
    deals = [
        played(1, 85, 100, 40),
        played(2, 5, 20, 9, tallies={ANN: knock(5), BOB: total(20), CLEO: total(9)}),
        played(3, 1, 3, 4),
    ]
    assert objected(deals) == [(2, "Bob was already out."), (3, "Bob was already out.")]


def test_a_correction_may_have_ended_the_game_before() -> None:
    deals = [played(1, 9, 100, 120), played(2, 5, 20, 9), void(3, ANN, "again")]
    assert objected(deals) == [(2, "The game was over before this deal.")]


def test_points_for_who_was_not_at_the_table() -> None:
    deals = [played(1, 9, 10, 20), played(2, 5, 20, 9)]
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    assert objected(deals, seats) == [(2, "Cleo was not at the table for this deal.")]


# Whole games at random


def play_chicago(variant: Variant, players: int, random: Random) -> list[PlayedDeal]:
    """Play rounds as a table would until the game says that it is over."""
    deals: list[PlayedDeal] = []
    while True:
        before = stand(variant, deals, seats=players)
        if before.over:
            return deals
        assert before.upcoming
        ender = random.choice(before.playing)
        limit = knock_limit(variant, before.totals[ender])
        told = {seat: total(random.randint(0, 40)) for seat in before.playing}
        may_knock = limit is not None and random.random() < 0.8
        told[ender] = knock(random.randint(0, limit or 0)) if may_knock else RUMMY
        tallies = [told.get(seat) for seat in range(players)]
        score = score_deal(variant, before.upcoming.step, tallies, before.totals)
        worth = {s: line.points for s, line in enumerate(score.lines) if line}
        upcoming = before.upcoming
        deals.append(
            PlayedDeal(step=upcoming.step, dealer=upcoming.dealer, points=worth, tallies=told)
        )
        after = stand(variant, deals, seats=players)
        assert after.totals == score.totals
        newly = [s for s in before.playing if after.out_at[s] is not None]
        assert newly == list(score.eliminated)


@given(
    st.sampled_from(["lowest", "extra_deal", "replay"]),
    st.sampled_from([">=", ">"]),
    st.integers(2, 5),
    st.integers(0, 2**32),
)
@settings(max_examples=200)
def test_chicago_always_ends_with_a_winner(all_out: str, op: str, players: int, seed: int) -> None:
    variant = with_choices(CHICAGO, {"all_out": all_out, "eliminate_at": op})
    deals = play_chicago(variant, players, Random(seed))
    end = stand(variant, deals, seats=players)
    edge = 100 if op == ">=" else 101
    assert end.over
    assert end.winners
    assert end.upcoming is None
    assert len(end.playing) <= 1
    assert set(end.playing) <= set(end.winners)
    assert sorted(deal.step for deal in deals) == list(range(1, len(deals) + 1))
    for seat, out_at in enumerate(end.out_at):
        sums = [running[seat] for running in end.running]
        assert end.totals[seat] == sum(deal.points.get(seat, 0) for deal in deals) == sums[-1]
        sat = [position for position, deal in enumerate(deals, 1) if seat in deal.points]
        assert sat == list(range(1, (out_at or len(deals)) + 1))
        assert (end.totals[seat] >= edge) == (out_at is not None)
        assert all(deal.dealer in deal.points for deal in deals)
    assert list(objections(variant, [SeatStay()] * players, deals)) == []


@given(st.sampled_from([CONTRACT, ZIONCHECK, ZIP]), st.integers(3, 4), st.randoms())
def test_a_game_of_fixed_length_ranks_its_totals(
    variant: Variant, players: int, random: Random
) -> None:
    """Places against counting, seat by seat, how many have done better."""
    deals = [
        played(n, *(random.randint(0, 2) for _ in range(players)))
        for n in range(1, len(variant.deals) + 1)
    ]
    end = stand(variant, deals, seats=players)
    sign = -1 if variant is ZIP else 1
    assert end.over
    assert end.places == tuple(
        1 + sum(sign * other < sign * mine for other in end.totals) for mine in end.totals
    )
    assert end.winners == tuple(s for s, place in enumerate(end.places) if place == 1)


def test_only_where_the_first_player_has_two_turns_they_have_two() -> None:
    assert [plan.turns_at_start for plan in islice(course(CONTRACT, 4, first_dealer=ANN), 2)] == [
        1,
        1,
    ]
