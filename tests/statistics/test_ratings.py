"""Ratings: replayed alike from anywhere, fair to ties, and no claim that games do not bear."""

import subprocess
import sys
from collections.abc import Sequence
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.leagues import claims_ever_made, play_league, rate_league
from companion.games.rating_model import Placed, RatingState, replay
from companion.statistics.ratings import (
    MOST_POINTS,
    can_tell_apart,
    chart_stride,
    is_provisional,
    rating_range,
)

ANN, BOB, CLEO = 1, 2, 3
Game = Sequence[Placed]

PLACES = st.dictionaries(st.integers(1, 7), st.integers(1, 5), max_size=6)
GAMES = st.lists(PLACES.map(lambda places: tuple(places.items())), max_size=25)


def won_by(first: int, second: int, third: int) -> Game:
    return ((first, 1), (second, 2), (third, 3))


def test_who_ends_ahead_rises_and_who_ends_last_falls() -> None:
    forms = replay([won_by(ANN, BOB, CLEO)])
    assert forms[ANN].mu > 25 > forms[CLEO].mu
    assert forms[BOB].mu == 25
    assert all(form.sigma < 25 / 3 for form in forms.values())


def test_a_shared_first_place_is_a_win_in_a_run() -> None:
    shared = ((ANN, 1), (BOB, 1), (CLEO, 3))
    forms = replay([won_by(ANN, BOB, CLEO), shared, won_by(ANN, CLEO, BOB), won_by(BOB, ANN, CLEO)])
    assert (forms[ANN].streak, forms[ANN].longest) == (0, 3)
    assert (forms[BOB].streak, forms[BOB].longest) == (1, 1)
    assert (forms[CLEO].streak, forms[CLEO].longest) == (0, 0)


def test_a_game_with_one_placed_person_rates_nobody() -> None:
    assert replay([((ANN, 1),), ()]) == {}


@given(st.integers(1, 5000))
def test_a_chart_is_never_longer_than_it_may_be(games: int) -> None:
    stride = chart_stride(games)
    points = {n for n in range(1, games + 1) if n % stride == 0} | {games}
    assert len(points) <= MOST_POINTS
    assert len(points) > MOST_POINTS // 2 or stride == 1


@given(GAMES, st.data())
def test_a_replay_goes_on_from_any_point_to_the_last_bit(
    games: list[Game], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(games)))
    assert replay(iter(games[at:]), replay(games[:at])) == replay(games)


def test_a_replay_leaves_the_forms_it_began_with() -> None:
    before = replay([won_by(ANN, BOB, CLEO)])
    copy = dict(before)
    replay([won_by(CLEO, BOB, ANN)], before)
    assert before == copy


@given(GAMES, st.randoms(use_true_random=False))
def test_it_does_not_matter_who_is_named_first(games: list[Game], random: object) -> None:
    mixed = [sorted(game, key=lambda _: random.random()) for game in games]  # type: ignore[attr-defined]
    assert replay(mixed) == replay(games)


@given(GAMES, PLACES.filter(lambda places: len(places) > 1))
def test_equals_who_share_a_place_stay_equal_and_a_better_place_never_gains_less(
    games: list[Game], places: dict[int, int]
) -> None:
    """Everybody in the last game begins it with the same rating, whatever came before."""
    start = replay(games).get(ANN, RatingState())
    after = replay([tuple(places.items())], dict.fromkeys(places, start))
    for one, place in places.items():
        for other, behind in places.items():
            if place == behind:
                assert (after[one].mu, after[one].sigma) == (after[other].mu, after[other].sigma)
            elif place < behind:
                assert after[one].mu > after[other].mu


def test_equals_in_a_tie_stay_equal_to_the_last_bit_whoever_ties_with_them() -> None:
    """Sums of the same numbers in another order differ in their last bit, ratings must not."""
    random = Random(1)
    for _ in range(100):
        one, odd, *others = (
            RatingState(mu=random.gauss(25, 5), sigma=random.uniform(1, 8)) for _ in range(4)
        )
        before = dict(enumerate((one, odd, *others, one)))
        after = replay([[(who, 1) for who in before]], before)
        assert (after[0].mu, after[0].sigma) == (after[4].mu, after[4].sigma)


@given(GAMES, PLACES.filter(lambda places: len(places) > 1), st.data())
def test_whoever_one_is_a_better_place_in_the_same_game_never_gives_less(
    games: list[Game], places: dict[int, int], data: st.DataObject
) -> None:
    before, who = replay(games), data.draw(st.sampled_from(sorted(places)))
    better = {**places, who: data.draw(st.integers(0, places[who]))}
    gave = [replay([tuple(game.items())], before)[who].mu for game in (places, better)]
    assert gave[1] >= gave[0] - 1e-9


@given(GAMES, PLACES.filter(lambda places: len(places) > 1))
def test_a_sole_first_never_falls_and_a_sole_last_never_rises(
    games: list[Game], places: dict[int, int]
) -> None:
    before = replay(games)
    after = replay([tuple(places.items())], before)
    for who, place in places.items():
        others = [other for one, other in places.items() if one != who]
        rise = after[who].mu - before.get(who, RatingState()).mu
        assert rise >= 0 or place >= min(others)
        assert rise <= 0 or place <= max(others)


def test_another_process_with_another_hash_seed_finds_the_same() -> None:
    code = (
        "from companion.games.rating_model import replay;"
        "games = [tuple({(p, (p * k) % 5) for p in range(1, 6)}) for k in range(1, 40)];"
        "print(sorted(replay(games).items()))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed, locale, zone in (("0", "C", "UTC"), ("7", "de_DE.UTF-8", "Asia/Tokyo"))
    }
    assert len(told) == 1


def test_a_newcomer_stands_at_1500_and_a_rating_is_a_range() -> None:
    """80 % of a normal curve reach 1.28 sigma: 30 × 8.33 × 1.28 = 320 to either side."""
    new = rating_range(RatingState())
    assert (new.low, new.middle, new.high) == (1180, 1500, 1820)
    better = rating_range(RatingState(mu=28.0, sigma=2.0))
    assert (better.low, better.middle, better.high) == (1513, 1590, 1667)


@pytest.mark.parametrize(("lead", "ahead"), [(100, 64), (400, 91)])
def test_the_scale_is_that_of_chess(lead: int, ahead: int) -> None:
    """The model's own odds: exp(difference / √2 beta), 30 points to one of its units."""
    odds = exp(lead / 30 / (2**0.5 * 25 / 6))
    assert round(100 * odds / (1 + odds)) == ahead


def test_ratings_are_provisional_until_they_are_known_twice_as_well() -> None:
    four = ((1, 1), (2, 2), (3, 3), (4, 4)), ((4, 1), (3, 2), (2, 3), (1, 4))
    assert is_provisional(RatingState())
    assert is_provisional(replay(four * 3)[1])
    assert not is_provisional(replay(four * 8)[1])


def test_a_few_games_tell_nobody_apart_and_many_do() -> None:
    assert not can_tell_apart(0, 0, 4)
    assert not can_tell_apart(5, 0, 4)
    assert not can_tell_apart(60, 50, 4)
    assert can_tell_apart(45, 10, 4)
    assert can_tell_apart(10, 45, 4)


def test_more_people_need_more_evidence() -> None:
    """Of n games won in a row the bet grows by 2 (5 + k) / (10 + k), k from 0 to n - 1.

    After eleven it stands at 16, after twelve at 25; two people need 20, thirty 20 × 435.
    """
    assert not can_tell_apart(11, 0, 2)
    assert can_tell_apart(12, 0, 2)
    assert not can_tell_apart(12, 0, 30)


def test_leagues_of_equals_hardly_ever_see_a_claim() -> None:
    wrong = sum(claims_ever_made(seed, people=5, spread=0, games=120) for seed in range(100))
    assert wrong <= 5


def test_ratings_find_who_is_stronger() -> None:
    found = [rate_league(seed, people=6, spread=4, games=150) for seed in range(10)]
    assert sum(league.rank_correlation for league in found) / 10 > 0.8
    inside = [held for league in found for held in league.inside]
    assert 0.7 <= sum(inside) / len(inside) <= 0.92


def test_a_made_league_is_the_same_for_the_same_seed() -> None:
    assert play_league(3, people=5, spread=4, games=9) == play_league(
        3, people=5, spread=4, games=9
    )
