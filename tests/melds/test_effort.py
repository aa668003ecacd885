"""A search that is limited ends in a sentence, after the same steps on every machine."""

import pytest

from companion.cards import Pack, read_hand
from companion.melds import Contract, MeldRules, MeldSpec, best_melds, judge_contract
from companion.melds.effort import Effort, TooManyWaysError, limited

RUNS = Contract(melds=(MeldSpec(kind="run", size=3),) * 4)
HAND = read_hand("6D 5H 8D 8H QC KC")
MANY_SETS = read_hand("7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS")


def steps() -> int:
    with limited(Effort(10**9)) as effort:
        judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0))
    return effort.made


def test_a_search_makes_the_same_steps_whenever_it_is_asked() -> None:
    assert steps() == steps() > 10


def test_a_search_is_left_when_its_steps_are_used_up() -> None:
    enough = steps()
    for most in (0, 10, enough - 1):
        with pytest.raises(TooManyWaysError, match="too many ways"), limited(Effort(most)):
            judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0))
    with limited(Effort(enough)):
        assert judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0)).missing == 6


@pytest.mark.parametrize("most_wilds", [None, 1])
def test_melds_of_a_hand_are_limited_too(most_wilds: int | None) -> None:
    rules = MeldRules(set_size=2, run_size=2, wilds=("joker",), max_wilds=most_wilds)
    with pytest.raises(TooManyWaysError), limited(Effort(100)):
        best_melds(MANY_SETS, rules)


@pytest.mark.parametrize("hand", ["8C 9C JH 9H", "8C 10D JD 8D", "3C 6H 7S 5C"])
def test_six_runs_from_one_pack_are_found_soon(hand: str) -> None:
    """All four cards find a place in runs of three that do not touch: 18 − 4 are drawn."""
    contract = Contract(melds=(MeldSpec(kind="run", size=3),) * 6)
    for apart in ("any", "gap_only", "adjacent_needs_9"):
        rules = MeldRules(ace="low", wilds=(), same_suit_runs=apart)
        with limited(Effort(3_000)):
            found = judge_contract(read_hand(hand), contract, rules, Pack(1, 0))
        assert found.missing == len(found.draw) == 14
        assert not Pack(1, 0).too_many([(*read_hand(hand), *found.draw)])


def test_whoever_counts_is_asked_between_the_steps() -> None:
    seen: list[int] = []
    with limited(Effort(10**9, seen.append)) as effort:
        judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0))
    assert seen == sorted(seen)
    assert seen[-1] == effort.made


def test_a_narrower_limit_ends_with_its_block() -> None:
    with limited(Effort(10**9)) as outer:
        with pytest.raises(TooManyWaysError), limited(Effort(1)):
            judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0))
        assert outer.made == 0
        judge_contract(HAND, RUNS, MeldRules(same_suit_runs="any"), Pack(1, 0))
        assert outer.made > 1
