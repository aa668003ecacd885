"""Deals of points: what a table writes down, and what follows, is doubted or is refused."""

import pytest

from companion.games.changes import amend_deal, play_deal
from companion.rules import Variant, load, with_choices
from companion.scoring import Tally, TallyError
from tests.scoring.whole_games.games_in_short import fresh
from tests.support.reports import ANN, BOB, FAMILY

HEARTS = load("hearts")
OWN_MOON = with_choices(HEARTS, {"moon": "own"})


def written(*points: int, moon: int | None = None) -> dict[int, Tally]:
    """What a table writes down of a deal of Hearts, and who is said to have shot the moon."""
    return {
        seat: Tally(total=one, bonuses={"moon": 1} if seat == moon else {})
        for seat, one in enumerate(points)
    }


def scores(variant: Variant, tallies: dict[int, Tally]) -> list[int]:
    change = play_deal(fresh(variant, len(tallies)), tallies)
    assert change.is_certain
    return [change.record.deals[0].lines[seat].points for seat in tallies]


@pytest.mark.parametrize("moon", [None, ANN])
@pytest.mark.parametrize(
    ("variant", "points", "scored"),
    [
        (HEARTS, (26, 0, 0, 0), [0, 26, 26, 26]),
        (HEARTS, (0, 26, 26, 26), [0, 26, 26, 26]),
        (HEARTS, (26, 0, 0), [0, 26, 26]),
        (OWN_MOON, (26, 0, 0, 0), [-26, 0, 0, 0]),
        (OWN_MOON, (-26, 0, 0, 0), [-26, 0, 0, 0]),
    ],
)
def test_who_took_everything_shot_the_moon(
    variant: Variant, points: tuple[int, ...], scored: list[int], moon: int | None
) -> None:
    """As it was taken or as it counts, and told or not: hearts-online.org knows no other 26."""
    assert scores(variant, written(*points, moon=moon)) == scored


@pytest.mark.parametrize("variant", [HEARTS, OWN_MOON])
@pytest.mark.parametrize(
    ("points", "moon"),
    [((13, 13, 0, 0), ANN), ((26, 0, 0, 0), BOB), ((10, 16, 0, 0), BOB), ((0, 26, 26, 26), BOB)],
)
def test_the_moon_belongs_to_who_took_everything(
    variant: Variant, points: tuple[int, ...], moon: int
) -> None:
    with pytest.raises(TallyError) as refused:
        play_deal(fresh(variant, 4), written(*points, moon=moon))
    words = "Shot the moon: {0} has all 26 points then, the others 0. Or choose no one."
    (finding,) = refused.value.findings
    assert finding.in_words(FAMILY) == words.format(FAMILY[moon])


def test_a_moon_that_was_shot_can_be_corrected() -> None:
    record = play_deal(fresh(HEARTS, 4), written(26, 0, 0, 0)).record
    shot = {seat: line.tally for seat, line in record.deals[0].lines.items()}
    assert shot == written(26, 0, 0, 0, moon=ANN)
    other = amend_deal(record, 1, written(0, 26, 0, 0)).record
    assert [other.deals[0].lines[seat].points for seat in range(4)] == [26, 0, 26, 26]
    none = amend_deal(record, 1, written(20, 6, 0, 0)).record
    assert [none.deals[0].lines[seat].points for seat in range(4)] == [20, 6, 0, 0]


def test_points_beside_the_moon_stay_as_they_are() -> None:
    assert scores(HEARTS, written(25, 1, 0, 0)) == [25, 1, 0, 0]
    assert scores(HEARTS, written(13, 13, 0, 0)) == [13, 13, 0, 0]


def test_nothing_entered_is_zero_where_the_others_have_it_all() -> None:
    assert scores(HEARTS, {0: Tally(total=4), 1: Tally(), 2: Tally(total=22), 3: Tally()}) == [
        4,
        0,
        22,
        0,
    ]
    with pytest.raises(TallyError, match="Enter Seat 2's points"):
        play_deal(fresh(HEARTS, 3), {0: Tally(total=4), 1: Tally(), 2: Tally(total=21)})


@pytest.mark.parametrize(
    ("variant", "scored"), [(HEARTS, [26, 0, 26, 26]), (OWN_MOON, [0, -26, 0, 0])]
)
def test_the_moon_alone_says_it_all(variant: Variant, scored: list[int]) -> None:
    told = {seat: Tally(bonuses={"moon": 1} if seat == BOB else {}) for seat in range(4)}
    assert scores(variant, told) == scored
