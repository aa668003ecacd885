"""A search that is limited in time ends in a sentence, and guesses nothing."""

from __future__ import annotations

import pytest

from bench.forgetting import forget
from companion.cards import Pack, read_hand
from companion.melds import Contract, MeldRules, MeldSpec, best_melds, judge_contract
from companion.melds.budget import UndecidedError, limited

RUNS = Contract(melds=(MeldSpec(kind="run", size=3),) * 4)
HAND = read_hand("6D 5H 8D 8H QC KC")
MANY_SETS = read_hand("7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS")
RULES = MeldRules(same_suit_runs="any")


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    forget()


def missing() -> int | None:
    return judge_contract(HAND, RUNS, RULES, Pack(1, 0)).missing


def test_a_search_is_left_when_its_time_is_used_up() -> None:
    with pytest.raises(UndecidedError, match="too many ways"), limited(0):
        missing()
    with limited(60):
        assert missing() == 6


def test_what_was_cut_off_anywhere_is_answered_rightly_when_asked_again() -> None:
    """Nothing that was found by half is remembered."""
    for number in range(12):
        forget()
        try:
            with limited(0.0002 * 2**number):
                assert missing() == 6
        except UndecidedError:
            pass
        assert missing() == 6


@pytest.mark.parametrize("most_wilds", [None, 1])
def test_melds_of_a_hand_are_limited_too(most_wilds: int | None) -> None:
    rules = MeldRules(set_size=2, run_size=2, wilds=("joker",), max_wilds=most_wilds)
    with pytest.raises(UndecidedError), limited(0):
        best_melds(MANY_SETS, rules)


@pytest.mark.parametrize("hand", ["8C 9C JH 9H", "8C 10D JD 8D", "3C 6H 7S 5C"])
def test_six_runs_from_one_pack_are_found_soon(hand: str) -> None:
    """All four cards find a place in runs of three that do not touch: 18 − 4 are drawn."""
    contract = Contract(melds=(MeldSpec(kind="run", size=3),) * 6)
    for apart in ("any", "gap_only", "adjacent_needs_9"):
        rules = MeldRules(ace="low", wilds=(), same_suit_runs=apart)
        with limited(3):
            found = judge_contract(read_hand(hand), contract, rules, Pack(1, 0))
        assert found.missing == len(found.draw) == 14
        assert not Pack(1, 0).too_many([(*read_hand(hand), *found.draw)])


def test_a_limit_ends_with_its_block() -> None:
    with limited(60):
        with pytest.raises(UndecidedError), limited(0):
            missing()
        assert missing() == 6
