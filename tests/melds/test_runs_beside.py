"""Runs of one suit that may not touch: a longer one may overlap what a shorter one would touch."""

from random import Random

import pytest

from companion.cards import Pack, read_hand
from companion.melds import MeldRules, is_contract, judge_contract
from tests.melds.proof import brute
from tests.melds.proof.asked import asked
from tests.melds.proof.every_way import prove_beside, prove_whole
from tests.support.doses import doses

OF_THREE = read_hand("AH 2H 3H 4H 4H 5H 6H 7H 8H 8H 9H 10H JH")
"""A to 4, 4 to 8 and 8 to J: 4 to 7 would touch the last, 5 to 8 the first."""

OF_FOUR = read_hand("AH 2H 3H 3H 4H 5H 6H 6H 7H 7H 7H 8H 8H 9H")
"""A to 3, 3 to 7, 6 to 8 and 7 to 9: each shorter run in the place of the second touches one."""

PACK = Pack(3, 0)


@pytest.mark.parametrize("reading", ["not_adjacent", "adjacent_needs_9"])
@pytest.mark.parametrize(
    ("hand", "contract"),
    [(OF_THREE, asked("r4", "r4", "r4")), (OF_FOUR, asked(*["r3"] * 4))],
)
def test_a_longer_run_overlaps_what_it_would_touch(reading, hand, contract) -> None:  # type: ignore[no-untyped-def]
    rules = MeldRules(same_suit_runs=reading, laydown="at_least")
    judgement = judge_contract(hand, contract, rules, PACK)
    assert judgement.holds
    assert is_contract([meld.cards for meld in judgement.layout], contract, rules) == []


@pytest.mark.parametrize("reading", ["not_adjacent", "adjacent_needs_9"])
def test_not_where_exact_sizes_are_asked(reading: str) -> None:
    rules = MeldRules(same_suit_runs=reading, laydown="exact")  # type: ignore[arg-type]
    contract = asked("r4", "r4", "r4")
    assert judge_contract(OF_THREE, contract, rules, PACK).missing == 1


def test_each_of_its_cards_helps() -> None:
    rules = MeldRules(same_suit_runs="not_adjacent", laydown="at_least")
    contract = asked("r4", "r4", "r4")
    for place, card in enumerate(OF_THREE):
        rest = (*OF_THREE[:place], *OF_THREE[place + 1 :])
        judgement = judge_contract(rest, contract, rules, PACK)
        assert judgement.holds == brute.holds(rest, contract, rules)
        assert judgement.holds or card in judgement.helping


def test_of_a_whole_hand_the_fewest_lie_over() -> None:
    """3 to J connect as nine; apart, a run of three and one of four leave two more."""
    rules = MeldRules(same_suit_runs="adjacent_needs_9", laydown="exact")
    hand = read_hand("3C 4C 5C 6C 7C 8C 9C 10C JC KS")
    judgement = judge_contract(hand, asked("R3", "R4", all_cards=True), rules, PACK)
    assert (judgement.holds, judgement.missing) == (False, 0)
    assert sum(len(meld.cards) for meld in judgement.layout) == 9


@pytest.mark.parametrize(("other", "holds"), [("8C 9C 10C JC", True), ("8H 9H 10H JH", False)])
def test_a_run_of_an_exact_size_is_longer_only_beside_one_of_its_suit(
    other: str, holds: bool
) -> None:
    """3 to J of clubs connect as nine; of 3 to 7 and four hearts a club lies over."""
    rules = MeldRules(same_suit_runs="adjacent_needs_9", laydown="exact")
    hand = (*read_hand("3C 4C 5C 6C 7C"), *read_hand(other))
    judgement = judge_contract(hand, asked("R4", "R4", all_cards=True), rules, PACK)
    assert (judgement.holds, judgement.missing) == (holds, 0)


@pytest.mark.slow
@doses("hands", 10, 40)
def test_against_trying_every_way(hands: int) -> None:
    assert [fault for n in range(hands) if (fault := prove_beside(Random(f"{n}")))] == []


@pytest.mark.slow
@doses("hands", 20, 200)
def test_whole_hands_against_trying_every_way(hands: int) -> None:
    assert [fault for n in range(hands) if (fault := prove_whole(Random(f"{n}")))] == []
