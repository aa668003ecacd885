"""Who can still win, worked out by hand."""

from typing import Any

import pytest

from companion.cards import Pack
from companion.rules import extend, find_variant
from companion.scoring import SeatStay
from companion.scoring.certainty import Outlook
from companion.scoring.deal_bounds import Span, deal_bounds
from tests.support.reports import (
    ANN,
    CHICAGO,
    CLEO,
    CONTRACT,
    ZIONCHECK,
    ZIP,
    played,
    void,
)

from .outlooks_in_short import NO_BUYING, SHORT, before_the_last, look, told


def test_before_the_first_deal_everybody_can_win() -> None:
    assert [(one.can_win, one.has_won) for one in look(CONTRACT, [])] == [(True, False)] * 3


def test_the_most_that_twelve_cards_of_two_packs_can_cost() -> None:
    """Contract Rummy: four jokers of 25 and eight aces of 15."""
    found = deal_bounds(NO_BUYING, 7, Pack(2, 4), 4)
    assert found
    assert found.points == Span(0, 220)


def test_buying_without_limit_may_bring_the_whole_pack() -> None:
    """Each suit is 15 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 40 = 99, eight of them, and four jokers."""
    found = deal_bounds(CONTRACT, 7, Pack(2, 4), 4)
    assert found
    assert found.points == Span(0, 892)


def test_shanghai_three_buys_of_two_cards_and_the_largest_bonus() -> None:
    """Eleven dealt, and three discards with a card each: four jokers, eight aces, five tens.

    Going out blind brings 25 or 50, not both.
    """
    found = deal_bounds(find_variant("shanghai"), 1, Pack(2, 4), 4)
    assert found
    assert found.points == Span(-50, 4 * 25 + 8 * 15 + 5 * 10)


def test_continental_pays_from_everyone_to_who_went_out() -> None:
    """Going out 1, 99 jokers of 2, none instead 10, the quickest 10, one suit 10: 229 from each."""
    found = deal_bounds(find_variant("continental"), 1, Pack(2, 4), 4)
    assert found
    assert found.points == Span(-229, 3 * 229)
    assert found.apart == 4 * 229


def test_unmelded_cards_are_one_more_than_dealt_and_the_penalty() -> None:
    """Chicago: a knocker holds eight cards before discarding, in one pack four kings, four queens.

    With the penalty of 15 that is 95; where a beaten knock counts double, 160.
    """
    double = extend(CHICAGO, {"scoring": {"knock": {"penalty_mode": "double_count"}}})
    for variant, most in ((CHICAGO, 95), (double, 160)):
        found = deal_bounds(variant, 1, Pack(1, 0), 2)
        assert found
        assert found.points == Span(0, most)


@pytest.mark.parametrize(
    ("changes", "step", "points"),
    [
        ({"pickup": {"allowed": False, "limit": 3}}, 1, Span(0, 25 + 8 * 15 + 10)),
        ({"pickup": {"limit": 1}}, 1, Span(0, 25 + 8 * 15 + 3 * 10)),
        ({"pickup": {"limit": 1, "carry_over": True}}, 2, Span(0, 25 + 8 * 15 + 5 * 10)),
        ({"pickup": {"allowed": False}, "turn": {"draw": "deep_discard"}}, 1, Span(0, 817)),
        ({"pickup": {"limit": 1}, "scoring": {"out_points": 200}}, 1, Span(2, 200)),
    ],
)
def test_ten_cards_dealt_of_two_packs_and_a_joker(
    changes: dict[str, Any], step: int, points: Span
) -> None:
    """Each discard bought comes with a card: twelve, and fourteen where a buy is carried over."""
    found = deal_bounds(extend(CONTRACT, changes), step, Pack(2, 1), 3)
    assert found
    assert found.points == points


@pytest.mark.parametrize(
    ("bonus", "points"),
    [
        ({"points": 3, "who": "each"}, Span(-2 * 3, 2 * 3)),
        ({"points": 3, "who": "one"}, Span(-3, 2 * 3)),
        ({"points": 3, "given": "always"}, Span(-3, 2 * 3)),
    ],
)
def test_who_pays_whom_among_three(bonus: dict[str, Any], points: Span) -> None:
    paid = {"key": "b", "name": "B", "payer": "each_opponent", **bonus}
    found = deal_bounds(
        extend(find_variant("continental"), {"scoring": {"bonuses": [paid]}}), 1, Pack(2, 4), 3
    )
    assert found
    assert found.points == points


def test_what_is_always_paid_leaves_no_choice() -> None:
    """One of two goes out and the other pays 3: six points apart, never nothing."""
    paid = {"key": "b", "name": "B", "points": -3, "given": "always"}
    found = deal_bounds(extend(SHORT, {"scoring": {"bonuses": [paid]}}), 1, Pack(1, 0), 2)
    assert found
    assert (found.points, found.apart) == (Span(-3, 10), 13)


@pytest.mark.parametrize(("players", "apart"), [(2, 4), (3, 5)])
def test_of_three_two_may_have_cards_left(players: int, apart: int) -> None:
    """Going out counts 6, a card left 5 or 10: of two players one goes out."""
    found = deal_bounds(extend(SHORT, {"scoring": {"out_points": 6}}), 1, Pack(1, 0), players)
    assert found
    assert (found.points, found.apart) == (Span(5, 10), apart)


@pytest.mark.parametrize(
    ("not_down", "points"),
    [
        ({}, Span(5, 20)),
        ({"double": True}, Span(5, 40)),
        ({"points": 30}, Span(5, 80)),
        ({"points": -30}, Span(-50, 20)),
    ],
)
def test_a_bonus_may_double_what_the_others_pay(not_down: dict[str, Any], points: Span) -> None:
    """A king of ten, doubled too where the contract is not met, or 30 more or less for that."""
    bonus = {"key": "b", "name": "B", "points": 0, "doubles": True}
    scoring = {"out_points": 7, "bonuses": [bonus], "not_down": not_down}
    found = deal_bounds(extend(SHORT, {"scoring": scoring}), 1, Pack(1, 0), 2)
    assert found
    assert found.points == points


def test_a_bonus_for_going_out_widens_a_zip_deal() -> None:
    found = deal_bounds(extend(ZIP, {"scoring": {"out_points": 20}}), 1, Pack(1, 0), 3)
    assert found
    assert (found.points, found.apart) == (Span(-364, 384), 384)


def test_a_zip_deal_sets_two_apart_by_the_whole_pack_at_most() -> None:
    """Each of the 364 points of a pack is zipped by one player, or left with one."""
    found = deal_bounds(ZIP, 1, Pack(1, 0), 3)
    assert found
    assert found.apart == 4 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13)


def test_a_lead_that_one_deal_cannot_make_up() -> None:
    """One card is left to play for: nobody can cost Ann more than a king, ten points."""
    ann, bob, cleo = look(SHORT, before_the_last(SHORT, 10, 21, 20))
    assert (ann.can_win, ann.has_won) == (True, True)
    assert (bob.can_win, cleo.can_win) == (False, True)
    ann, bob, cleo = look(SHORT, before_the_last(SHORT, 10, 21, 21))
    assert (ann.has_won, bob.can_win, cleo.can_win) == (True, False, False)


def test_a_lead_of_exactly_what_is_left_is_at_least_shared() -> None:
    assert look(SHORT, before_the_last(SHORT, 10, 20, 25))[ANN].has_won
    other = extend(SHORT, {"ending": {"tiebreak": "most_deals_won"}})
    assert not look(other, before_the_last(other, 10, 20, 25))[ANN].has_won


def test_what_makes_the_leader_sure() -> None:
    """Ann leads by 40 with a deal to go: with 40 or fewer she at least shares the win."""
    ann, bob, cleo = look(CONTRACT, before_the_last(CONTRACT, 30, 70, 90))
    assert (ann.sure_with, bob.sure_with, cleo.sure_with) == (40, None, None)
    other = extend(CONTRACT, {"ending": {"tiebreak": "extra_deal"}})
    assert look(other, before_the_last(other, 30, 70, 90))[ANN].sure_with == 39


def test_a_leader_who_can_only_be_sure_with_nothing() -> None:
    """Both may pay nothing: level or one ahead, Ann is sure if she goes out."""
    assert look(CONTRACT, before_the_last(CONTRACT, 30, 30, 90))[ANN].sure_with == 0
    other = extend(CONTRACT, {"ending": {"tiebreak": "extra_deal"}})
    assert look(other, before_the_last(other, 30, 31, 90))[ANN].sure_with == 0
    assert look(other, before_the_last(other, 30, 30, 90))[ANN].sure_with is None


def test_what_is_too_much_for_who_is_behind() -> None:
    """Twelve cards can cost Ann a joker, eight aces and three tens, 175: Bob is 40 behind."""
    ann, bob, _ = look(NO_BUYING, before_the_last(NO_BUYING, 30, 70, 90))
    assert (ann.lost_beyond, bob.lost_beyond) == (None, 135)


def test_the_highest_total_wins_at_zip() -> None:
    deals = before_the_last(ZIP, 100, 30, -300)
    ann, bob, cleo = look(ZIP, deals)
    assert [one.can_win for one in (ann, bob, cleo)] == [True, True, False]
    assert ann.sure_with == 30 + 364 - 100
    assert bob.lost_beyond == 100 - 364 - 30


def test_a_deal_thrown_in_and_dealt_again_is_still_to_come() -> None:
    deals = before_the_last(SHORT, 10, 20, 25)
    assert not look(SHORT, [*deals[:1], void(2, 0, "again")])[ANN].has_won
    assert look(SHORT, [*deals[:1], void(2, 0, "skip")])[ANN].has_won


def test_who_left_keeps_the_total_and_may_win_by_it() -> None:
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    ann, bob, cleo = look(SHORT, before_the_last(SHORT, 10, 25, 12), seats)
    assert cleo.can_win
    assert not ann.has_won
    assert (bob.can_win, cleo.sure_with) == (False, None)


@pytest.mark.parametrize(
    ("cleo", "ann_can", "cleo_has"), [(11, False, True), (12, True, True), (13, True, False)]
)
def test_the_total_of_who_left_changes_no_more(cleo: int, ann_can: bool, cleo_has: bool) -> None:
    """Ann stays on 12 if she goes out: level with Cleo, who left, both win."""
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    found = look(SHORT, before_the_last(SHORT, 12, 25, cleo), seats)
    assert [one.can_win for one in found] == [ann_can, False, True]
    assert found[CLEO].has_won == cleo_has


@pytest.mark.parametrize(("cleo", "can"), [(22, True), (23, False)])
def test_who_left_wins_only_if_the_others_pay_enough(cleo: int, can: bool) -> None:
    """A king is all that Ann can pay: 22 at most."""
    seats = [SeatStay(), SeatStay(), SeatStay(left=2)]
    assert look(SHORT, before_the_last(SHORT, 12, 45, cleo), seats)[CLEO].can_win == can


def test_a_total_below_the_floor_rises_to_it_in_the_next_deal() -> None:
    """Bob's -20 is 0 after any deal: Ann still has her chance, he has not won, nor is he sure to.

    Where the highest total wins it is he who catches up.
    """
    seats = [SeatStay(), SeatStay(start=-20)]
    last = {"ending": {"deals": 1, "floor": 0}}
    ann, bob = look(extend(SHORT, last), [], seats)
    assert (ann.can_win, ann.has_won, bob.can_win, bob.has_won) == (True, False, True, False)
    highest = {"ending": {"deals": 1, "floor": 0, "winner": "highest"}}
    ann, bob = look(extend(SHORT, highest), [], seats)
    assert (ann.can_win, ann.has_won, bob.can_win, bob.has_won) == (True, False, True, False)


def test_in_an_extra_deal_only_the_tied_can_win() -> None:
    tied = extend(SHORT, {"ending": {"tiebreak": "extra_deal"}})
    deals = [*before_the_last(tied, 5, 5, 20), played(3, 0, 0, 5)]
    assert [one.can_win for one in look(tied, deals)] == [True, True, False]
    assert not any(one.has_won for one in look(tied, deals))


def test_points_of_an_extra_deal_do_not_bring_back_who_was_behind() -> None:
    """Cleo was behind when the others tied; that they score in the extra deal is not her gain."""
    tied = extend(SHORT, {"ending": {"tiebreak": "extra_deal"}})
    deals = [*before_the_last(tied, 5, 5, 6), played(3, 0, 0, 5), played(4, 10, 10)]
    assert [one.can_win for one in look(tied, deals)] == [True, True, False]


def test_a_hand_that_wins_all_may_come_to_whoever_plays() -> None:
    ending = {"length": "fixed", "deals": 2, "winner": "lowest", "eliminate": None}
    fixed = extend(CHICAGO, {"ending": ending})
    found = look(fixed, [played(1, 0, 500, 600)], [SeatStay(), SeatStay(), SeatStay(left=2)])
    assert [(one.can_win, one.has_won) for one in found] == [
        (True, False),
        (True, False),
        (False, False),
    ]


def test_no_points_are_promised_where_totals_stop_or_players_go_out() -> None:
    floored = extend(SHORT, {"ending": {"floor": 0}})
    dangerous = extend(SHORT, {"ending": {"eliminate": {"at": 30}}})
    for variant in (floored, dangerous):
        ann = look(variant, before_the_last(variant, 5, 20, 25))[ANN]
        assert (ann.sure_with, ann.lost_beyond) == (None, None)


@pytest.mark.parametrize(("op", "spare"), [(">=", 24), (">", 25)])
def test_what_a_player_can_take_and_stay_in(op: str, spare: int) -> None:
    dangerous = extend(SHORT, {"ending": {"eliminate": {"at": 30, "op": op}}})
    assert look(dangerous, before_the_last(dangerous, 5, 20, 25))[ANN].spare == spare


def test_at_chicago_whoever_is_in_can_win_and_sees_what_puts_them_out() -> None:
    """H-1: at 100 a player is out; Ann stays in with 99."""
    ann, bob, cleo = look(CHICAGO, [played(1, 40, 99, 100)])
    assert (ann.can_win, ann.spare) == (True, 59)
    assert (bob.can_win, bob.spare) == (True, 0)
    assert (cleo.can_win, cleo.spare) == (False, None)
    assert not any(one.has_won for one in (ann, bob, cleo))


def test_where_nothing_is_certain_nothing_is_said() -> None:
    """A score to reach: whoever is behind may go out as often as it takes."""
    to_fifty = extend(CONTRACT, {"ending": {"length": "until_score", "target": 50}})
    assert told(to_fifty, [played(1, 0, 45, 45)]) is None
    costly = extend(CONTRACT, {"pickup": {"penalty_points": 10}})
    assert told(costly, []) is None


def test_of_a_finished_game_nothing_is_said() -> None:
    deals = [played(n, 5, 0, 10) for n in (1, 2, 3)]
    assert told(SHORT, deals) is None


def test_cleo_and_dev_with_four_at_the_table() -> None:
    """Zioncheck, the last hand: nobody has won."""
    found = look(ZIONCHECK, before_the_last(ZIONCHECK, 12, 40, 8, 95), 4)
    assert not any(one.has_won for one in found)


@pytest.mark.parametrize(
    ("known", "tells"),
    [
        ({"has_won": True, "can_win": True, "sure_with": 3}, "won"),
        ({"can_win": False, "lost_beyond": 3}, "lost"),
        ({"sure_with": 0, "lost_beyond": 5}, "sure_with"),
        ({"sure_with": 100, "deals_left": 1}, "sure_with"),
        ({"sure_with": 101, "deals_left": 1}, ""),
        ({"sure_with": 101, "deals_left": 2}, "sure_with"),
        ({"sure_with": 100}, "sure_with"),
        ({"sure_with": 101}, ""),
        ({"sure_with": 101, "lost_beyond": 40, "deals_left": 1}, "lost_beyond"),
        ({"lost_beyond": 101, "deals_left": 1, "spare": 7}, "spare"),
        ({"lost_beyond": 0}, "lost_beyond"),
        ({"spare": 7}, "spare"),
        ({}, ""),
    ],
)
def test_only_what_deals_usually_bring_is_worth_saying(known: dict[str, Any], tells: str) -> None:
    """A deal brings up to a hundred points; what is certain only beyond that is left unsaid."""
    assert Outlook(**({"seat": 0, "can_win": True, "has_won": False} | known)).tells == tells
