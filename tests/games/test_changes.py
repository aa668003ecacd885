"""What can happen to a game, as functions from one record to the next: no database here."""

from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.changes import (
    ChangeError,
    amend_deal,
    choose_dealer,
    join,
    late_starts,
    leave,
    play_deal,
    stop,
    throw_in,
    void_deals,
)
from companion.games.from_paper import write_down
from companion.games.record import DealRecord, LineRecord, Record, SeatRecord
from companion.games.shown.course_of_play import Feat, course_of_play
from companion.rules import Variant, all_games, extend, load
from companion.rules.catalogue import ANY
from companion.scoring import Tally, TallyError
from companion.scoring.played import MOST_DEALS
from tests.leagues.game_driver import told, told_rummy
from tests.scoring.whole_games.games_in_short import fresh
from tests.support.reports import ANN, BOB, CHICAGO, CLEO, CONTRACT, SEVEN_TWOS, knock, left, total


def played(*deals: tuple[int, ...], variant: Variant = CONTRACT) -> Record:
    record, report = fresh(variant), told if variant is CONTRACT else told_rummy
    for points in deals:
        record = play_deal(record, report(*points)).record
    return record


def test_a_change_leaves_the_record_it_started_from_alone() -> None:
    before = played((0, 25, 10))
    units = before.units()
    for change in (
        play_deal(before, told(0, 5, 5)),
        amend_deal(before, 1, told(5, 0, 5)),
        void_deals(before, [1]),
        join(before, 9, "zero"),
        leave(before, ANN, placed=True),
        stop(before, stopped=True),
        throw_in(before, "skip"),
    ):
        assert change.record.units() != units
    assert before.units() == units


def test_the_penalty_of_a_wrong_knock_goes_with_the_hand_that_earned_it() -> None:
    """H-21: it was agreed on for a knock over the limit; a hand that might knock keeps nothing."""
    reports = {ANN: knock(30), BOB: total(40), CLEO: total(50)}
    wrong = play_deal(fresh(CHICAGO), reports, wrong_knock=True).record
    penalised = wrong.deals[0].lines[ANN].tally
    assert [wrong.deals[0].lines[seat].points for seat in reports] == [45, 40, 50]
    for mended, points in (
        (replace(penalised, total=5), 5),
        (replace(penalised, total=28), 43),
        (replace(penalised, total=5, why="spilt the tea"), 20),
    ):
        change = amend_deal(wrong, 1, reports | {ANN: mended})
        assert change.record.deals[0].lines[ANN].points == points


@pytest.mark.parametrize(("mode", "points"), [("add", 27), ("double_count", 24)])
@pytest.mark.parametrize("dev", [7, 20])
def test_a_wrong_knock_keeps_its_penalty_whatever_the_others_have(
    mode: str, points: int, dev: int
) -> None:
    """H-21: that of a beaten knock stands in for it, also once nobody has less."""
    variant = extend(CHICAGO, {"scoring": {"knock": {"penalty_mode": mode}}})
    reports = {ANN: total(40), BOB: knock(12), CLEO: total(dev)}
    wrong = play_deal(fresh(variant), reports, wrong_knock=True).record
    told = {seat: line.tally for seat, line in wrong.deals[0].lines.items()}
    for other in (7, 20, 13):
        wrong = amend_deal(wrong, 1, told | {CLEO: total(other)}).record
        assert [wrong.deals[0].lines[seat].points for seat in range(3)] == [40, points, other]


@pytest.mark.parametrize(("key", "start", "rounds"), [("wizard", 3, 15), ("oh-hell", 5, 8)])
def test_a_late_joiner_shortens_a_game_whose_cards_run_out(
    key: str, start: int, rounds: int
) -> None:
    """Sixty cards are fifteen for each of four; one who leaves makes no game longer."""
    variant = load(key).for_players(start)
    record = fresh(variant, start)
    assert record.variant.deal_count == variant.deal_count
    bids = {seat: Tally(bonuses={"bid": 0, "tricks": 0}) for seat in range(start)}
    record = play_deal(record, bids).record
    joined = join(record, 9, "lowest").record
    assert joined.variant.deal_count == rounds
    assert Record.from_units(variant, joined.units()).variant.deal_count == rounds
    unplayed = leave(joined, ANN, placed=True).record
    assert unplayed.variant.deal_count == variant.deal_count
    together = play_deal(joined, bids | {start: bids[ANN]}).record
    assert leave(together, ANN, placed=True).record.variant.deal_count == rounds
    while len(record.deals) < rounds:
        record = play_deal(record, bids).record
    with pytest.raises(ChangeError, match=f"For {start + 1} players there are {rounds} rounds."):
        join(record, 9, "lowest")


FOR_THREE = [one for one in all_games() if one.players.min <= 3 <= one.players.max]


@pytest.mark.parametrize("variant", FOR_THREE, ids=lambda variant: variant.key)
def test_a_late_joiner_starts_with_the_total_of_who_is_doing_worst(variant: Variant) -> None:
    """AT-1.9; and never better than the average, which is rounded towards the worse."""
    lines = {seat: LineRecord.on_paper(points) for seat, points in enumerate((40, -30, 1))}
    deal = DealRecord(step=1, dealer=ANN, lines=lines)
    most_wins = variant.ending.winner == "highest"
    worst, average = (-30, 3) if most_wins else (40, 4)
    starts = late_starts(replace(fresh(variant), deals=(deal,)))
    assert list(starts.values()) == [worst, average, 0]
    assert next(iter(starts)) == ("lowest" if most_wins else "highest")


@pytest.mark.parametrize("own", [Tally(), Tally(adjust=5, why="Spilled tea")])
@pytest.mark.parametrize(
    ("mode", "ann", "bob", "points"),
    [
        ("add", 5, 40, 5),
        ("add", 30, 41, 45),
        ("add", 45, 40, 60),
        ("add", 30, 20, 45),
        ("double_count", 28, 40, 56),
        ("double_count", 45, 40, 90),
        ("double_count", 30, 20, 60),
    ],
)
def test_a_wrong_knock_that_is_corrected_has_one_penalty(
    own: Tally, mode: str, ann: int, bob: int, points: int
) -> None:
    """H-21: that of a beaten knock, once: as if these hands had been entered at once."""
    game = extend(CHICAGO, {"scoring": {"knock": {"penalty_mode": mode}}})

    def knocked(points: int) -> Tally:
        return replace(knock(points), adjust=own.adjust, why=own.why)

    first = {ANN: knocked(30), BOB: total(40), CLEO: total(50)}
    wrong = play_deal(fresh(game), first, wrong_knock=True).record
    penalised = wrong.deals[0].lines[ANN].tally
    reports = {ANN: replace(penalised, total=ann), BOB: total(bob), CLEO: total(50)}
    amended = amend_deal(wrong, 1, reports).record.deals[0].lines[ANN]
    assert amended.points == points + own.adjust
    is_wrong = ann > 10
    at_once = play_deal(fresh(game), reports | {ANN: knocked(ann)}, wrong_knock=is_wrong).record
    assert at_once.deals[0].lines[ANN] == amended


def test_a_feat_is_one_player_s_alone() -> None:
    """Who goes out has nothing: of several who did so as often none is named."""
    record = played((0, 25, 10), (0, 10, 5), (5, 0, 25))
    assert course_of_play(record).best == Feat(ANN, 0, (1, 2))
    assert course_of_play(record).dearest is None
    assert course_of_play(played((0, 25, 10), (10, 0, 5))).best is None


def test_a_round_that_nobody_scores_is_nobody_s_best() -> None:
    """Seven twos win at once (I7): the others have none of that round's points."""
    record = play_deal(fresh(CHICAGO), told_rummy(5, 0, 9)).record
    record = play_deal(record, {ANN: SEVEN_TWOS}).record
    assert course_of_play(record).best == Feat(BOB, 0, (1,))


def test_a_plain_deal_is_certain() -> None:
    assert play_deal(fresh(CONTRACT), told(0, 25, 10)).is_certain


def test_odd_hands_are_asked() -> None:
    kings = left("K K K K K K K K K K K K K K")
    change = play_deal(fresh(CONTRACT), {ANN: told(0)[0], BOB: kings, CLEO: total(5)})
    assert not change.is_certain
    assert [doubt.in_words(["Ann", "Bob", "Cleo"]) for doubt in change.doubts] == [
        "Bob has 14 kings, but there are only 8.",
        "Bob has 14 cards, 10 were dealt.",
    ]


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(TallyError) as refused:
        play_deal(fresh(CONTRACT), {ANN: total(-1), BOB: total(10**6)})
    assert len(refused.value.findings) == 4


def test_seven_twos_end_the_game_and_a_correction_opens_it() -> None:
    record = play_deal(fresh(CHICAGO), {ANN: SEVEN_TWOS}).record
    assert (record.status, record.standing().winners) == ("finished", (ANN,))
    with pytest.raises(ChangeError, match="over"):
        play_deal(record, told_rummy(0, 5, 5))
    again = amend_deal(record, 1, told_rummy(0, 5, 5)).record
    assert (again.status, again.standing().totals) == ("running", (0, 5, 5))


def test_a_later_deal_after_the_end_is_reported_not_deleted() -> None:
    record = played((0, 5, 5), (5, 0, 5), variant=CHICAGO)
    change = amend_deal(record, 1, {ANN: SEVEN_TWOS})
    assert [position for position, _ in change.forbidden] == [2]
    assert change.record.deals[1] == record.deals[1]


def test_points_after_elimination_are_reported() -> None:
    record = played((0, 50, 5), (5, 10, 0), (0, 10, 5), variant=CHICAGO)
    change = amend_deal(record, 1, told_rummy(0, 100, 5))
    assert [(position, found.seats) for position, found in change.forbidden] == [
        (2, (BOB,)),
        (3, (BOB,)),
    ]
    struck = amend_deal(record, 1, told_rummy(0, 100, 5), void_later=True)
    assert struck.forbidden == ()
    assert [deal.void for deal in struck.record.deals] == [False, True, True]


def test_a_deal_corrected_to_a_knock_over_its_limit_is_asked_about_and_not_struck_out() -> None:
    record = played((0, 60, 5), (0, 5, 5), (0, 5, 5), variant=CHICAGO)
    knocked = {ANN: total(30), BOB: knock(19), CLEO: total(60)}
    change = amend_deal(record, 2, knocked, void_later=True)
    assert [found.words for found in change.doubts] == [
        "{0} can't knock with 19. At 60 points the limit is 9."
    ]
    assert [deal.void for deal in change.record.deals] == [False, False, False]


def test_what_was_lived_with_is_not_asked_again() -> None:
    record = played((0, 50, 5), (5, 10, 0), (0, 10, 5), variant=CHICAGO)
    kept = amend_deal(record, 1, told_rummy(0, 100, 5)).record
    assert amend_deal(kept, 3, told_rummy(0, 10, 10)).forbidden == ()


def test_the_penalty_is_worked_out_again_only_in_the_deal_corrected() -> None:
    record = played((0, 5, 5), variant=CHICAGO)
    record = play_deal(record, {ANN: knock(9), BOB: total(4), CLEO: total(20)}).record
    assert record.deals[1].lines[ANN].points == 24
    mended = amend_deal(record, 2, {ANN: knock(9), BOB: total(14), CLEO: total(20)}).record
    assert mended.deals[1].lines[ANN].points == 9
    assert mended.deals[0] == record.deals[0]


def test_a_struck_deal_can_be_put_right_until_it_is_dealt_again() -> None:
    record = void_deals(played((0, 25, 10)), [1]).record
    assert amend_deal(record, 1, told(5, 0, 5)).record.standing().totals == (5, 0, 5)
    again = play_deal(record, told(0, 5, 5)).record
    with pytest.raises(ChangeError, match="dealt again"):
        amend_deal(again, 1, told(5, 0, 5))


@pytest.mark.parametrize("position", [-1, 0, 2, 10**9])
def test_there_is_no_such_deal(position: int) -> None:
    record = played((0, 25, 10))
    with pytest.raises(ChangeError, match="no deal"):
        amend_deal(record, position, told(0, 5, 5))
    with pytest.raises(ChangeError, match="no deal"):
        void_deals(record, [position])


def test_no_deal_is_thrown_in_after_the_end_or_a_stop() -> None:
    for record in (played(*[(0, 5, 5)] * 7), replace(fresh(CONTRACT), stopped=True)):
        with pytest.raises(ChangeError, match="No deal is being played"):
            throw_in(record, "again")


def test_nobody_joins_what_is_over_or_full_or_lost_at_once() -> None:
    with pytest.raises(ChangeError, match="over"):
        join(played(*[(0, 5, 5)] * 7), 9, "zero")
    with pytest.raises(ChangeError, match="not 9"):
        join(fresh(CONTRACT, 8), 9, "zero")
    full = replace(fresh(CHICAGO), seats=tuple(SeatRecord(player_id=1, start=99) for _ in "ab"))
    high = replace(full, seats=(full.seats[0], SeatRecord(player_id=2, start=-1)))
    assert join(high, 9, "highest").record.seats[2].start == 99
    lost = replace(fresh(CHICAGO), seats=tuple(SeatRecord(player_id=n, start=99) for n in (1, 2)))
    lost = play_deal(lost, {0: knock(1), 1: total(5)}).record
    with pytest.raises(ChangeError, match="over"):
        join(lost, 9, "zero")


def test_whoever_left_cannot_leave_again_nor_report() -> None:
    record = leave(fresh(CONTRACT), ANN, placed=True).record
    with pytest.raises(ChangeError, match="has left the game"):
        leave(record, ANN, placed=True)
    with pytest.raises(ChangeError, match="Seat 1 is not in this deal"):
        play_deal(record, told(0, 5, 5))
    with pytest.raises(ChangeError, match="has left the game"):
        leave(record, 7, placed=True)
    with pytest.raises(ChangeError, match="End it instead"):
        leave(leave(record, BOB, placed=False).record, CLEO, placed=True)
    with pytest.raises(ChangeError, match="was ended early"):
        play_deal(stop(fresh(CONTRACT), stopped=True).record, told(0, 5, 5))


@pytest.mark.parametrize("seat", [-1, 3])
def test_only_a_seat_can_deal(seat: int) -> None:
    with pytest.raises(ChangeError, match="no such seat"):
        choose_dealer(fresh(CONTRACT), seat)


def test_points_beyond_what_is_stored_are_a_fault_in_words() -> None:
    """A legal house rule of 1,000 for each, told 99 times in a game with more of them."""
    bonuses = [
        {"key": key, "name": key.title(), "points": 1000, "who": "each", "counts": True}
        for key in ("kings", "queens")
    ]
    rich = extend(load("any-game"), {"scoring": {"bonuses": bonuses}})
    much = Tally(total=5, bonuses={"kings": 99, "queens": 99})
    with pytest.raises(TallyError, match=r"198,005 points in one deal: 99,999 are the most"):
        play_deal(fresh(rich, 2), {ANN: much, BOB: total(5)})
    paid = Tally(total=5, bonuses={"kings": 99, "queens": 2}, adjust=-9000, why="agreed")
    fits = play_deal(fresh(rich, 2), {ANN: paid, BOB: total(5)}).record
    assert fits.standing().totals[ANN] == 92_005


def test_a_game_has_no_more_deals_than_its_file_may() -> None:
    many = played((0, 5, 5))
    long = replace(many, deals=many.deals * MOST_DEALS, variant=load("any-game"))
    with pytest.raises(ChangeError, match="at most 1,000 deals"):
        play_deal(long, {seat: total(5) for seat in range(3)})
    with pytest.raises(ChangeError, match="at most 1,000 deals"):
        throw_in(long, "again")


def test_each_deal_from_paper_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    course = import_module("companion.scoring.course")
    put_out, positions = course._put_out, list[int]()

    def counted(*about: Any) -> None:
        positions.append(about[2])
        put_out(*about)

    monkeypatch.setattr(course, "_put_out", counted)
    record = write_down(fresh(load(ANY)), [{ANN: 5, BOB: 7, CLEO: 9}] * 60).record
    assert positions == list(range(1, 61))
    assert record.standing().totals == (300, 420, 540)


def test_a_deal_from_paper_is_corrected_within_bounds() -> None:
    record = write_down(fresh(CONTRACT), [{ANN: 5, BOB: 7, CLEO: 9}]).record
    assert record.deals[0].is_on_paper
    beyond = {seat: Tally(adjust=199_998, why="as on the paper") for seat in range(3)}
    with pytest.raises(TallyError, match="99,999 are the most"):
        amend_deal(record, 1, beyond)
