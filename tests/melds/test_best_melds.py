"""Which of melds that leave as little are taken, where a meld may not take any number of wilds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import read_hand, write_hand
from companion.melds import RANK_NAMES, MeldRules, best_melds

FIVES = dict.fromkeys(RANK_NAMES.values(), 5)
RULES = MeldRules(run_size=3, wilds=("joker", "2"), max_wilds=1, values=FIVES)


def melded(hand: str, rules: MeldRules = RULES) -> tuple[list[str], str]:
    """The melds of a hand and what is left loose."""
    found = best_melds(read_hand(hand), rules)
    return [write_hand(meld.cards) for meld in found.melds], write_hand(found.loose)


@pytest.mark.parametrize("max_wilds", [1, None])
def test_a_rank_of_which_no_rule_tells_a_value_counts_nothing(max_wilds: int | None) -> None:
    rules = replace(RULES, values={"K": 10}, max_wilds=max_wilds)
    assert best_melds(read_hand("7H KC"), rules).points == 10
    assert best_melds(read_hand("7H 9C"), rules).points == 0


def test_the_dearest_wild_is_melded() -> None:
    """Kings and one wild are a set, whichever it is."""
    dear = replace(RULES, values={**FIVES, "joker": 20})
    assert melded("KC KD X 2C", dear) == (["KC KD X"], "2C")
    assert melded("KC KD X 2C", replace(RULES, values={**FIVES, "2": 20})) == (["KC KD 2C"], "X")


def test_of_as_many_cards_the_fewest_wilds_are_melded() -> None:
    """The two could lie at the place of the four, the five or the six."""
    assert melded("4H 5H 6H 2C", replace(RULES, run_max=3)) == (["4H 5H 6H"], "2C")


def test_a_run_is_taken_before_a_set_that_leaves_as_much() -> None:
    assert melded("5C 5D 5H 6H 7H") == (["5H 6H 7H"], "5C 5D")


def test_of_sets_that_leave_as_much_those_of_the_highest_rank_are_left() -> None:
    """Nines and 10 J joker leave the fives, fives with the joker and 9 10 J leave two nines."""
    assert melded("5C 5D 9C 9D 9H 10H JH X") == (["5C 5D X", "9H 10H JH"], "9C 9D")


def test_wilds_lie_in_the_runs_that_leave_the_least() -> None:
    """4 6 of hearts and 9 J of spades want a wild each, 8 9 of clubs would have it in vain."""
    rules = replace(RULES, values={**FIVES, "8": 1, "9": 1, "J": 10})
    assert melded("4H 6H 8C 9C 9S JS X X", rules) == (["4H X 6H", "9S X JS"], "8C 9C")
