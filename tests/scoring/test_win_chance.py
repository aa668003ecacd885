"""The chance to win: played on as the rules say, the same each time, and right as often as said."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.deals import cases
from companion.rules import Variant, extend
from companion.scoring import PlayedDeal, SeatStay, standing_after
from companion.scoring.chances import Chance, PastDeal, Pools, RunningGame, chances, play_out
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    OUT,
    TWO_STEPS,
    ZIP,
    played,
    void,
)

LAST = 7
ONE_WAY = [PastDeal(LAST, (0, 10, 20))] * 12
"""A league whose last deal always ends the same: nothing, ten and twenty."""

SIX_DEALS = [played(1, 0, 5, 30), *(played(n, 0, 0, 0) for n in range(2, LAST))]


def told(
    variant: Variant, deals: Sequence[PlayedDeal], past: Sequence[PastDeal], seats: int = 3
) -> tuple[Chance, ...] | None:
    return chances(variant, [SeatStay()] * seats, deals, 0, variant.pack(seats), past)


def test_one_deal_to_go_counted_by_hand() -> None:
    """Ann leads Bob by 5, so she wins with 0, and with 10 while Bob has 20: in three of six ways.

    In the others Bob wins. Cleo is 30 behind and can make up 20.
    """
    found = told(CONTRACT, SIX_DEALS, ONE_WAY)
    assert found
    ann, bob, cleo = found
    assert ann.low <= 3 / 6 <= ann.high
    assert bob.low <= 3 / 6 <= bob.high
    assert cleo.likely == 0
    assert sum(one.likely for one in found) == pytest.approx(1)


def test_a_shared_win_counts_in_parts() -> None:
    """Ann and Bob are level and Cleo far behind: whatever comes, each has half."""
    level = [played(1, 0, 0, 90), *SIX_DEALS[1:]]
    found = told(CONTRACT, level, [PastDeal(LAST, (10, 10, 10), ended=False)] * 12)
    assert found
    assert [one.likely for one in found] == [0.5, 0.5, 0]


def test_the_same_game_gives_the_same_numbers_whatever_the_order_of_the_past() -> None:
    past = [PastDeal(LAST, (0, 5 * n, 100 - 5 * n)) for n in range(1, 20)]
    assert told(CONTRACT, SIX_DEALS, past) == told(CONTRACT, SIX_DEALS, past[::-1])


def test_too_few_deals_of_this_contract_say_nothing() -> None:
    """Eleven of the last contract, and a hundred of another that is worth less."""
    other = [PastDeal(1, (0, 10, 20))] * 100
    assert told(CONTRACT, SIX_DEALS, [*ONE_WAY[:11], *other]) is None
    assert told(CONTRACT, SIX_DEALS, [*ONE_WAY, *other]) is not None


def test_deals_of_equal_contract_are_alike_whatever_their_number() -> None:
    """Zip deals seven cards each time: the first deal tells as much of the last as another."""
    deals = [played(n, 0, 0, 0) for n in (1, 2, 3)]
    assert told(ZIP, deals, [PastDeal(1, (30, -10, -20))] * 12) is not None


def test_deals_among_more_or_fewer_players_serve_where_these_are_too_few() -> None:
    for size in (2, 5):
        past = [PastDeal(LAST, (0, *[10] * (size - 1)))] * 12
        found = told(CONTRACT, SIX_DEALS, past)
        assert found
        assert found[ANN].low <= 2 / 3 <= found[ANN].high


def test_few_past_deals_make_the_range_wider() -> None:
    rng = Random(1)
    past = [PastDeal(LAST, (0, rng.choice((5, 80)), rng.choice((5, 80)))) for _ in range(400)]
    widths = []
    for part in (past[:12], past):
        found = told(CONTRACT, SIX_DEALS, part)
        assert found
        widths.append(found[ANN].high - found[ANN].low)
    assert widths[0] > 1.5 * widths[1]


def test_nothing_is_said_where_contracts_met_decide_or_the_game_is_over() -> None:
    assert told(TWO_STEPS, [], [PastDeal(n, (0, 5, 5)) for n in (1, 2)] * 12) is None
    assert told(CONTRACT, [*SIX_DEALS, played(LAST, 0, 0, 0)], ONE_WAY) is None


def test_at_chicago_who_is_out_has_no_chance_and_is_not_named() -> None:
    past = [PastDeal(1, (5, 30, 40)), PastDeal(1, (5, 20))] * 12
    found = told(CHICAGO, [played(1, 10, 80, 100)], past)
    assert found
    assert [one.seat for one in found] == [ANN, BOB]
    assert found[ANN].likely > found[BOB].likely


def test_who_left_with_the_best_total_still_has_a_chance() -> None:
    deals = [played(1, 50, 60, 0), *(played(n, 0, 0) for n in range(2, LAST))]
    past = [PastDeal(LAST, (0, 10))] * 12
    found = chances(
        CONTRACT, [SeatStay(), SeatStay(), SeatStay(left=2)], deals, 0, CONTRACT.pack(3), past
    )
    assert found
    assert [one.likely for one in found] == [0, 0, 1]
    assert found[CLEO].high == 1


ENDINGS: list[dict[str, Any]] = [
    {},
    {"ending": {"winner": "highest"}},
    {"ending": {"tiebreak": "most_deals_won"}},
    {"ending": {"tiebreak": "best_last_deal"}},
    {"ending": {"tiebreak": "best_last_deal", "winner": "highest"}},
    {"ending": {"tiebreak": "extra_deal"}},
    {"ending": {"tiebreak": "extra_deal", "winner": "highest"}},
    {"ending": {"floor": 10}},
    {"ending": {"eliminate": {"at": 30}}},
    {"ending": {"eliminate": {"at": 30, "all_out": "replay"}}},
    {"ending": {"eliminate": {"at": 30, "all_out": "extra_deal"}}},
    {"ending": {"length": "until_score", "target": 40}},
    {"ending": {"length": "until_score", "target": 40, "winner": "highest"}},
    {"ending": {"length": "until_score", "target": 40, "tiebreak": "extra_deal"}},
    {"ending": {"length": "until_one_left", "winner": "last_standing", "eliminate": {"at": 30}}},
]
COARSE = st.sampled_from((0, 5, 10, 15))


@settings(max_examples=100)
@given(
    st.sampled_from(ENDINGS),
    st.lists(st.tuples(COARSE, COARSE, COARSE), max_size=4),
    st.lists(st.lists(COARSE, min_size=2, max_size=4), min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
    st.integers(0, 999),
)
def test_a_game_played_on_ends_as_the_score_pad_would_say(
    changes: dict[str, Any],
    scored: list[tuple[int, int, int]],
    past: list[list[int]],
    leaves: bool,
    skipped: bool,
    seed: int,
) -> None:
    """Written into the pad the game ends with the last deal that was drawn, and not before."""
    variant, seats = extend(CONTRACT, changes), [SeatStay(), SeatStay(), SeatStay()]
    deals: list[PlayedDeal] = []
    for points in scored:
        standing = standing_after(variant, seats, deals, 0, CONTRACT.pack(3))
        if standing.upcoming is None:
            break
        worth = {seat: points[seat] for seat in standing.playing}
        step = standing.upcoming.step
        deals.append(PlayedDeal(step=step, dealer=0, points=worth, tallies={min(worth): OUT}))
    deals = [*deals, void(len(deals) + 1, 0, "skip")] if skipped and not deals else deals
    seats[CLEO] = SeatStay(left=len(deals) + 1 if leaves else None)
    standing = standing_after(variant, seats, deals, 0, CONTRACT.pack(3))
    if standing.over:
        return
    pools = Pools(variant, [PastDeal(n, tuple(points)) for points in past for n in range(1, 8)])
    game = RunningGame(variant, seats, deals, 0, CONTRACT.pack(3), pools)
    ended = play_out(game, standing, Random(seed))
    after = standing_after(variant, seats, [*deals, *ended.deals], 0, CONTRACT.pack(3))
    assert after.over or len(ended.deals) >= 60
    for drawn in range(len(ended.deals)):
        assert not standing_after(
            variant, seats, [*deals, *ended.deals[:drawn]], 0, CONTRACT.pack(3)
        ).over


@pytest.mark.slow
def test_ranges_of_made_up_leagues_hold_the_true_chance_about_as_often_as_they_say() -> None:
    """A small part of `make statistics`, which measures all of them."""
    found = [
        case
        for seed in range(8)
        for case in cases(seed, CONTRACT, players=4, games=40, play_outs=1000)
    ]
    assert 0.6 <= sum(case.is_inside for case in found) / len(found) <= 0.95
    assert sum(abs(case.chance.likely - case.truth) for case in found) / len(found) < 0.03
