"""Extra deals among those who are tied, by hand."""

import pytest

from companion.games.changes import ChangeError, amend_deal, play_deal, throw_in
from companion.rules import extend
from companion.scoring import Tally
from tests.support.reports import ANN, BOB, CLEO, CONTRACT, OUT, total

from .games_in_short import TWO_DEALS, deal, fresh, game, objected, told


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
