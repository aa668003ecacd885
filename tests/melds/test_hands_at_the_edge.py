"""Hands worked out at a table, each at the edge of what a rule allows or of what a search skips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import Card, Pack, Rank, Refusal, Suit, read_hand, write_hand
from companion.melds import MeldRules, best_melds, best_zips, judge_contract
from tests.melds.proof.asked import asked
from tests.melds.proof.rules_of_games import CHICAGO, CONTRACT_RUMMY, ZIONCHECK

ONE_WILD = replace(CHICAGO, max_wilds=1)
JOKERS = replace(CHICAGO, wilds=("joker",), max_wilds=2, values={**CHICAGO.values, "joker": 20})


@pytest.mark.parametrize("rules", [CHICAGO, ONE_WILD])
def test_of_four_aces_one_may_begin_a_run(rules: MeldRules) -> None:
    """Three of them are the set; with the ace of clubs in it too the 3 would be left over."""
    melding = best_melds(read_hand("AC AD AH AS 2C 3C"), rules)
    assert (melding.points, melding.loose) == (0, ())


def test_a_king_may_lie_with_two_jokers_where_a_set_needs_two_kings() -> None:
    """Two jokers to a meld: a set of three kings has room for two of four, and so has a run."""
    four_jokers = read_hand("KC KD KH X X X X")
    assert best_melds(four_jokers, replace(JOKERS, set_naturals=2)).points == 0
    assert best_melds(four_jokers, replace(JOKERS, min_naturals=2)).points == 2 * 20


@pytest.mark.parametrize("wilds", [18, 19, 20])
def test_a_hand_of_nothing_but_wilds_is_all_melded(wilds: int) -> None:
    melding = best_melds(read_hand("2C " * wilds), CHICAGO)
    assert (melding.points, sum(len(meld.cards) for meld in melding.melds)) == (0, wilds)


@pytest.mark.parametrize(
    ("hand", "lie", "mean"),
    [
        ("4C 7C X", "4C 5C X 7C", "4C 5C 6C 7C"),  # the first gap is drawn, the next filled
        ("AC 4C 2H", "AC 2H 3C 4C", "AC 2C 3C 4C"),  # where a wild belongs lies the one held
    ],
)
def test_cards_are_drawn_for_the_first_gaps_and_wilds_lie_where_they_belong(
    hand: str, lie: str, mean: str
) -> None:
    rules = replace(CONTRACT_RUMMY, wilds=("joker", "2"), ace="low")
    judgement = judge_contract(read_hand(hand), asked("R4"), rules, Pack(2, 4))
    assert (judgement.missing, len(judgement.layout)) == (1, 1)
    cards, meant = judgement.layout[0].cards, judgement.layout[0].stands_for
    assert (write_hand(cards), write_hand(meant)) == (lie, mean)


def test_an_ace_above_the_king_lies_last_also_where_wilds_lie_apart() -> None:
    rules = replace(CONTRACT_RUMMY, wilds_apart=True)
    (run,) = judge_contract(read_hand("QC KC AC X"), asked("R4"), rules, Pack(2, 4)).layout
    assert (write_hand(run.cards), write_hand(run.stands_for)) == ("X QC KC AC", "JC QC KC AC")


def test_of_one_pack_two_different_twos_are_drawn() -> None:
    """Both runs lack their two, which is wild: the pack has one two of each suit."""
    rules = replace(CONTRACT_RUMMY, wilds=("2",), ace="low")
    hand = read_hand("AC 3C 4C AD 3D 4D")
    draw = judge_contract(hand, asked("R4", "R4"), rules, Pack(1, 0)).draw
    assert [card.rank for card in draw] == [Rank.TWO, Rank.TWO]
    assert draw[0] != draw[1]


def test_runs_of_any_suits_may_all_be_longer_for_their_wilds() -> None:
    rules = replace(CONTRACT_RUMMY, wild_table=((3, 0), (6, 4)))
    hand = read_hand("3C 4D 8H 9S QC KD" + " X" * 12)
    judgement = judge_contract(hand, asked("M4", "M4", "M4"), rules, Pack(2, 12))
    assert judgement.holds
    assert [len(meld.cards) for meld in judgement.layout] == [6, 6, 6]


def test_a_whole_hand_that_holds_its_contract_lacks_no_card_for_larger_melds() -> None:
    """Two runs of four lie, and a king is over; with the 7 they would be nine in a row."""
    hand = read_hand("3C 4C 5C 6C 8C 9C 10C JC KD")
    judgement = judge_contract(hand, asked("R4", "R4", all_cards=True), ZIONCHECK, Pack(2, 4))
    assert (judgement.holds, judgement.missing) == (False, 0)


def test_a_set_of_six_may_be_wild_where_one_of_three_may_not() -> None:
    """No wild in three cards, four in six: two sevens and four jokers are what was asked."""
    rules = replace(CONTRACT_RUMMY, wild_table=((3, 0), (6, 4)))
    hand = read_hand("7C 7D X X X X")
    assert judge_contract(hand, asked("S3"), rules, Pack(2, 4)).holds
    assert judge_contract(hand[:-1], asked("S3"), rules, Pack(2, 4)).missing == 1
    exact = replace(rules, laydown="exact")
    assert judge_contract(hand, asked("S3"), exact, Pack(2, 4)).missing == 1


@pytest.mark.parametrize(
    ("hand", "zips"),
    [
        ("AS 4S 5D KC 2D JD", ["AS 4S 5D", "KC 2D JD"]),  # 1 + 4 = 5, and 13 = 2 + 11
        ("4C QS 2D 2H AD JD", ["4C 2D 2H", "QS AD JD"]),  # 4 = 2 + 2, and 12 = 1 + 11
    ],
)
def test_cards_that_are_two_zips_are_not_shown_as_one(hand: str, zips: list[str]) -> None:
    assert [write_hand(zipped) for zipped in best_zips(read_hand(hand)).zips] == zips


@pytest.mark.parametrize("wilds", [0, 5, 21])
def test_more_cards_than_anybody_holds_are_refused(wilds: int) -> None:
    with pytest.raises(Refusal, match="more than 20 cards"):
        best_melds(read_hand("2C " * wilds + "9C " * (21 - wilds)), CHICAGO)


def test_a_card_does_not_help_a_set_that_the_pack_cannot_fill() -> None:
    # Three sevens are one of the sets. With the fourth another would want two that do not exist.
    two_sets = asked("S3", "S3")
    hand = read_hand("7C 7D 7H")
    judgement = judge_contract(hand, two_sets, CONTRACT_RUMMY, Pack(1, 0))
    assert judgement.missing == 3
    assert Card(Rank.SEVEN, Suit.SPADES) not in judgement.helping
    assert len(judgement.helping) == 48
    # Two packs have three more sevens after it.
    two_packs = judge_contract(hand, two_sets, CONTRACT_RUMMY, Pack(2, 0))
    assert Card(Rank.SEVEN, Suit.SPADES) in two_packs.helping


def test_two_runs_take_two_of_five_sevens() -> None:
    # All eleven cards lie: 4 to 7 in two suits, and three sevens. Of the other set all three lack.
    hand = read_hand("4C 5C 6C 7C 4D 5D 6D 7D 7C 7H 7S")
    wanted = asked("S3", "S3", "R4", "R4")
    assert judge_contract(hand, wanted, CONTRACT_RUMMY, Pack(2, 0)).missing == 3


def test_a_second_ten_helps_runs_that_may_lie_over_one_another() -> None:
    # Two queens want a third. Two runs of spades, each with a ten and a jack, want five cards.
    hand = read_hand("2D JS 10S QC JS JD QC 2S")
    rules = replace(CONTRACT_RUMMY, ace="low", same_suit_runs="any")
    judgement = judge_contract(hand, asked("S3", "R4", "R4"), rules, Pack(2, 4))
    assert judgement.missing == 6
    assert judgement.helping[Card(Rank.TEN, Suit.SPADES)] == 1


def test_a_set_begun_and_one_not_begun_are_of_different_ranks() -> None:
    # One pack has no six aces.
    judgement = judge_contract(read_hand("AC AD"), asked("S3", "S3"), CONTRACT_RUMMY, Pack(1, 0))
    assert judgement.missing == 4
    drawn = {*judgement.draw}
    assert len(drawn) == 4
    assert {card.rank for meld in judgement.layout for card in meld.stands_for} > {Rank.ACE}
