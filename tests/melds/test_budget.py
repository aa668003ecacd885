"""A search that is limited ends in a sentence; here the clock goes on by one with each look."""

from collections.abc import Callable
from itertools import count

import pytest

from companion.cards import Pack, read_hand
from companion.melds import (
    Contract,
    MeldRules,
    MeldSpec,
    best_melds,
    budget,
    free_cards,
    judge_contract,
)
from companion.melds.budget import UndecidedError, limit, limited
from tools.forgetting import forget

ANYWHERE = MeldRules(same_suit_runs="any")
RUNS = Contract(melds=(MeldSpec(kind="run", size=3),) * 4)
HAND = read_hand("6D 5H 8D 8H QC KC")
MANY_SETS = read_hand("7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS")
LONG = 10.0**9


Look = Callable[[], float]


@pytest.fixture(autouse=True, name="look")
def _look(monkeypatch: pytest.MonkeyPatch) -> Look:
    forget()
    looks = count()

    def look() -> float:
        return float(next(looks))

    monkeypatch.setattr(budget, "thread_time", look)
    return look


def judge(hand: str = "6D 5H 8D 8H QC KC") -> int | None:
    return judge_contract(read_hand(hand), RUNS, ANYWHERE, Pack(1, 0)).missing


@pytest.mark.parametrize("seconds", [0, 1, 10])
def test_a_search_is_left_when_its_time_is_used_up(seconds: float) -> None:
    with pytest.raises(UndecidedError, match="too many ways"), limited(seconds):
        judge("6D 5H 8D 8H QC KS")


def test_a_search_with_time_enough_goes_on_to_its_end() -> None:
    assert judge() == 6
    with limited(LONG):
        assert judge() == 6


def test_what_was_cut_off_anywhere_is_answered_rightly_when_asked_again() -> None:
    """Nothing that was found by half is remembered."""
    cut_off = 0
    for looks in range(0, 60, 3):
        forget()
        try:
            with limited(looks):
                assert judge() == 6
        except UndecidedError:
            cut_off += 1
        assert judge() == 6
    assert cut_off > 3


@pytest.mark.parametrize("most_wilds", [None, 1])
def test_melds_of_a_hand_are_limited_too(most_wilds: int | None) -> None:
    rules = MeldRules(set_size=2, run_size=2, wilds=("joker",), max_wilds=most_wilds)
    with pytest.raises(UndecidedError), limited(5):
        best_melds(MANY_SETS, rules)


def test_safe_discards_are_limited_too() -> None:
    with limited(LONG):
        free_cards(HAND, RUNS, ANYWHERE, Pack(1, 0))
    with pytest.raises(UndecidedError), limited(5):
        free_cards(read_hand("6D 5H 8D 8H QC KH"), RUNS, ANYWHERE, Pack(1, 0))


def test_only_the_time_of_searches_counts(look: Look) -> None:
    with limited(300):
        judge()
        for _ in range(1_000):
            look()
        judge("7D 5H 8D 8H QC KC")


def test_searches_share_what_is_left() -> None:
    hands = [f"{card} 5H 8D 8H QC KC" for card in ("6D", "7D", "9D", "10D", "JD", "QD", "KD", "AD")]
    for hand in hands:
        forget()
        with limited(250):
            judge(hand)
    forget()
    with pytest.raises(UndecidedError), limited(250):
        [judge(hand) for hand in hands]


def test_a_limit_ends_with_its_block() -> None:
    limit(LONG)
    with pytest.raises(UndecidedError), limited(1):
        judge("6D 5H 8D 8H QC 2C")
    judge("6D 5H 8D 8H QC 2C")
    limit(None)


@pytest.mark.parametrize("hand", ["8C 9C JH 9H", "8C 10D JD 8D", "3C 6H 7S 5C"])
def test_six_runs_from_one_pack_are_found(hand: str) -> None:
    """All four cards find a place in runs of three that do not touch: 18 − 4 are drawn."""
    contract = Contract(melds=(MeldSpec(kind="run", size=3),) * 6)
    for apart in ("any", "gap_only", "adjacent_needs_9"):
        rules = MeldRules(ace="low", wilds=(), same_suit_runs=apart)
        found = judge_contract(read_hand(hand), contract, rules, Pack(1, 0))
        assert found.missing == len(found.draw) == 14
        assert not Pack(1, 0).too_many([(*read_hand(hand), *found.draw)])
