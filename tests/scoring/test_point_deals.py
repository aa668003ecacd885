"""Deals of points: what a table writes down, and what follows, is doubted or is refused."""

import pytest

from companion.games.changes import amend_deal, play_deal, void_deals
from companion.games.record import Record
from companion.rules import Variant, load, point_games, with_choices
from companion.scoring import Tally, TallyError
from tests.scoring.whole_games.games_in_short import fresh
from tests.support.reports import ANN, BOB, FAMILY

CRIBBAGE = load("cribbage")
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


def race(first: int | None, *deals: tuple[int, int]) -> Record:
    """Play Cribbage for two; `first` is who is said to have been there first."""
    record = fresh(CRIBBAGE, 2)
    for points in deals:
        ends = points == deals[-1]
        told = {
            seat: Tally(total=one, bonuses={"first": 1} if ends and seat == first else {})
            for seat, one in enumerate(points)
        }
        record = play_deal(record, told).record
    return record


@pytest.mark.parametrize(("first", "places"), [(ANN, (1, 2)), (BOB, (2, 1))])
def test_who_reached_the_end_of_a_race_first_has_won(first: int, places: tuple[int, int]) -> None:
    """The first to peg 121 wins at once: nobody pegs more, whatever a hand would still count."""
    end = race(first, (60, 60), (61, 70)).standing()
    assert (end.over, end.totals, end.places) == (True, (121, 121), places)


def test_who_was_first_is_asked_where_several_reach_the_end() -> None:
    for first, points, words in (
        (None, (61, 70), "Ann and Bob reach 121: choose who was first there."),
        (ANN, (60, 70), "Ann hasn't reached 121: choose no one as first there."),
    ):
        with pytest.raises(TallyError) as refused:
            race(first, (60, 60), points)
        (finding,) = refused.value.findings
        assert finding.in_words(FAMILY) == words


def test_who_reaches_the_end_of_a_race_alone_is_not_asked() -> None:
    assert race(None, (60, 60), (61, 60)).standing().places == (1, 2)
    assert race(BOB, (60, 60), (40, 70)).standing().totals == (100, 121)


def tricks(*told: tuple[int, int]) -> dict[int, Tally]:
    """Each player's bid and tricks."""
    return {
        seat: Tally(bonuses={"bid": bid, "tricks": taken}) for seat, (bid, taken) in enumerate(told)
    }


@pytest.mark.parametrize(("key", "bid"), [("wizard", 5), ("oh-hell", 9)])
def test_a_bid_above_the_cards_dealt_is_asked_about(key: str, bid: int) -> None:
    record = fresh(load(key).for_players(3))
    first = play_deal(record, tricks((bid, 0), (1, 1), (0, 0)))
    asked = [finding.in_words(FAMILY) for finding in first.doubts]
    assert asked == [f"Ann bid {bid}, but there is only 1 trick in this round."]
    second = play_deal(first.record, tricks((2, 2), (3, 0), (0, 0)))
    asked = [finding.in_words(FAMILY) for finding in second.doubts]
    assert asked == ["Bob bid 3, but there are only 2 tricks in this round."]
    assert play_deal(first.record, tricks((2, 2), (2, 0), (0, 0))).is_certain


def test_each_trick_off_a_bid_at_wizard_costs_ten() -> None:
    record = fresh(load("wizard").for_players(3))
    for told in (tricks((1, 1), (0, 0), (0, 0)), tricks((0, 2), (2, 0), (1, 0))):
        record = play_deal(record, told).record
    assert record.standing().totals == (30 - 20, 20 - 20, 20 - 10)


def test_spades_ends_at_minus_200_too() -> None:
    """The rules of zone.msn.com: at 500, or where a side has fallen to -200."""
    record = fresh(with_choices(load("spades"), {"by_hand": True}), 2)
    for points, over in (((-130, 62), False), ((-69, 50), False), ((-1, 20), True)):
        told = {seat: Tally(total=one) for seat, one in enumerate(points)}
        record = play_deal(record, told).record
        assert record.standing().over is over
    assert record.standing().places == (2, 1)


SPADES = load("spades")
NORTH, EAST = 0, 1


def hand(bid: int, tricks: int, **counted: int) -> Tally:
    return Tally(bonuses={"bid": bid, "tricks": tricks, **counted})


def played(variant: Variant, *deals: tuple[Tally, Tally]) -> Record:
    """Play hands of Spades between two sides."""
    record = fresh(variant, 2)
    for north, east in deals:
        change = play_deal(record, {NORTH: north, EAST: east})
        assert change.is_certain
        record = change.record
    return record


def reasons(record: Record, position: int, seat: int) -> list[tuple[str, int]]:
    return [(r.words, r.points) for r in record.deals[position - 1].lines[seat].reasons]


NINE_BAGS = [(hand(4, 7), hand(6, 6)), (hand(4, 7), hand(6, 6)), (hand(4, 7), hand(6, 6))]


def test_ten_bags_are_carried_from_hand_to_hand_and_across_a_correction() -> None:
    record = played(SPADES, *NINE_BAGS, (hand(5, 7), hand(6, 6)), (hand(5, 6), hand(7, 7)))
    assert record.standing().bags == (12, 0)
    assert reasons(record, 4, NORTH) == [("Bid 5, took 7", 52), ("10 bags", -100)]
    assert record.standing().totals == (129 + 52 - 100 + 51, 60 * 4 + 70)
    fewer = amend_deal(record, 1, {NORTH: hand(7, 7), EAST: hand(6, 6)}).record
    assert fewer.standing().bags == (9, 0)
    assert reasons(fewer, 4, NORTH) == [("Bid 5, took 7", 52)]
    assert fewer.standing().totals[NORTH] == 70 + 43 + 43 + 52 + 51
    again = amend_deal(fewer, 1, {NORTH: hand(4, 7), EAST: hand(6, 6)}).record
    assert again.deals == record.deals
    struck = void_deals(record, [2]).record
    assert reasons(struck, 4, NORTH) == [("Bid 5, took 7", 52)]
    assert struck.standing().bags == (9, 0)


def test_tricks_of_a_broken_nil_are_bags_and_count_among_the_thirteen() -> None:
    record = played(SPADES, *NINE_BAGS, (hand(4, 4, nil_broken=1, nil_tricks=1), hand(8, 8)))
    assert reasons(record, 4, NORTH) == [
        ("Bid 4, took 4", 40),
        ("10 bags", -100),
        ("Nil broken: 1", -100),
        ("Tricks of a broken nil: 1", 1),
    ]
    short = play_deal(fresh(SPADES, 2), {NORTH: hand(4, 4), EAST: hand(8, 8)})
    (doubt,) = short.doubts
    assert doubt.words == "That's 12 tricks of 13."


def test_a_side_that_is_set_loses_its_bid_and_gains_no_bag() -> None:
    record = played(SPADES, (hand(6, 5), hand(4, 8)))
    assert record.standing().totals == (-60, 44)
    assert record.standing().bags == (0, 4)


def test_spades_can_be_worked_out_by_hand_as_before() -> None:
    plain = with_choices(SPADES, {"by_hand": True})
    record = play_deal(fresh(plain, 2), {NORTH: Tally(total=-60), EAST: Tally(total=44)}).record
    assert record.standing().totals == (-60, 44)
    assert record.standing().bags == ()
    assert not plain.scoring.bonuses
    with pytest.raises(TallyError):
        play_deal(fresh(plain, 2), {NORTH: hand(6, 5), EAST: hand(4, 8)})


def test_spades_has_the_tricks_of_its_number_of_sides() -> None:
    dealt = {seats: SPADES.for_players(seats).deal(1).dealt for seats in (2, 3, 4, 6)}
    assert dealt == {2: 13, 3: 17, 4: 13, 6: 8}


def test_the_jack_of_diamonds_takes_ten_off_by_house_rule() -> None:
    house = with_choices(HEARTS, {"jack": True})
    told = written(10, 16, 0, 0)
    told[BOB] = Tally(total=16, bonuses={"jack": 1})
    assert scores(house, told) == [10, 6, 0, 0]
    moon = {seat: Tally(bonuses={"moon": 1, "jack": 1} if seat == BOB else {}) for seat in range(4)}
    assert scores(house, moon) == [26, -10, 26, 26]


ENDS_AT = {
    "hearts": [100],
    "skyjo": [100],
    "uno": [500],
    "flip-7": [200],
    "nertz": [100],
    "canasta": [5000],
    "cribbage": [121],
    "spades": [500, -200],
}
"""The scores that end each game, as its sources say."""


def test_a_game_ends_at_its_score_and_not_a_point_before() -> None:
    to_a_score = {one.key for one in point_games() if one.ending.length == "until_score"}
    assert to_a_score - {"any-game"} == ENDS_AT.keys()
    for key, scores_at_end in ENDS_AT.items():
        reached = load(key).ending.is_reached
        for score in scores_at_end:
            short = score - 1 if score > 0 else score + 1
            assert (reached([0, short]), reached([0, score])) == (False, True), key
