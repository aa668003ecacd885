"""The best runs of one suit for each number of wilds, against every way to lay them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.cards import read_hand
from companion.melds import MeldRules, best_melds
from companion.melds.suit_runs import NEVER, SuitRuns
from tests.melds.proof.rules_of_games import CHICAGO

RULES = MeldRules(run_size=3)
WEIGHTS = tuple(100 * rank + 31 for rank in range(15))
PLACES = {"low": range(1, 14), "high": range(2, 15), "either": range(1, 15), "wild": range(2, 14)}

Cards = tuple[int, ...]
"""How many cards of each rank are held, from none of rank 0 on."""


def rows(rules: MeldRules, size: int) -> list[list[int]]:
    """The ranks of every run of so many cards."""
    turns = rules.ace == "corner"
    places = range(1, 13 + size) if turns else PLACES[rules.ace]
    starts = [n for n in places if n + size - 1 in places and not (turns and size > 14)]
    return [[(n + step - 1) % 13 + 1 for step in range(size)] for n in starts]


def least_cost(rules: MeldRules, held: Cards, wilds: int) -> int:
    """The least that lies loose if runs hold just so many wilds, and each a natural card."""

    @cache
    def runs(cards: Cards, wilds: int) -> set[tuple[Cards, int]]:
        """What is left of cards and wilds when a run with the lowest card is taken out."""
        lowest, found = next(n for n in range(14) if cards[n]), set()
        for size in range(rules.run_size, rules.run_max + 1):
            for row in rows(rules, size) if size <= sum(cards) + wilds else []:
                for used in range(wilds + 1):
                    for places in combinations(range(size), used):
                        natural = [step not in places for step in range(size)]
                        lie = Counter(n for n, own in zip(row, natural, strict=True) if own)
                        rest = tuple(cards[n] - lie[n] for n in range(14))
                        if lie[lowest] and min(rest) >= 0 and rules.may_be_wild("run", natural):
                            found.add((rest, wilds - used))
        return found

    @cache
    def least(cards: Cards, wilds: int) -> int:
        if not any(cards):
            return NEVER if wilds else 0
        lowest = next(n for n in range(14) if cards[n])
        loose = tuple(number - (n == lowest) for n, number in enumerate(cards))
        ways = [least(rest, left) for rest, left in runs(cards, wilds)]
        return min([least(loose, wilds) + WEIGHTS[lowest], *ways])

    return least(held, wilds)


def suits(rules: MeldRules, rng: Random, number: int) -> list[Counter[int]]:
    """Cards that lie near one another, low, high and in the middle."""
    ranks = [[1, 2, 3, 4, 5], [4, 5, 6, 8, 9], [9, 11, 12, 13, 1]]
    return [Counter(rng.choices(rng.choice(ranks), k=rng.randint(2, 4))) for _ in range(number)]


@pytest.mark.parametrize(
    "limits",
    [
        {"max_wilds": 1},
        {"max_wilds": 2, "ace": "corner"},
        {"min_naturals": 1, "run_max": 3},
        {"min_naturals": 2, "ace": "high"},
        {"wilds_apart": True},
        {"wilds_apart": True, "ace": "low", "run_max": 4},
        {"wilds_apart": True, "ace": "corner"},
        {"wild_share": "half", "ace": "low"},
        {"wild_share": "less_than_half", "run_size": 2},
        {"wild_table": ((3, 0), (4, 2))},
        {"wild_table": ((3, 1), (6, 3))},
        {"run_max": 4},
    ],
    ids=str,
)
def test_the_best_runs_with_each_number_of_wilds(limits: dict[str, Any]) -> None:
    rules = replace(RULES, **limits)
    runs, rng, wilds = SuitRuns(rules, WEIGHTS), Random(str(limits)), 3
    hands = [Counter([3, 4, 6, 7]), Counter([1, 2, 3]), Counter([10, 13, 1]), Counter([4, 5, 6])]
    for held in [*hands, *suits(rules, rng, 12)]:
        plays = runs.best(sum(number << 4 * rank for rank, number in held.items()), wilds)
        cards = tuple(held[n] for n in range(14))
        costs = [least_cost(rules, cards, used) for used in range(wilds + 1)]
        assert [min(cost, NEVER) for cost, _ in plays[: wilds + 1]] == [
            min(cost, NEVER) for cost in costs
        ], held
        for used, (cost, laid) in enumerate(plays[: wilds + 1]):
            if cost < NEVER:
                check_laid(rules, held, laid, used, cost)


def check_laid(rules: MeldRules, held: Counter[int], laid: Any, used: int, cost: int) -> None:
    """Check that runs lie where they may, with so many wilds, and leave what they say."""
    loose = held.copy()
    for window, wild_places in laid:
        natural = [not wild_places >> step & 1 for step in range(window.size)]
        assert [*window.ranks] in rows(rules, window.size)
        assert rules.run_size <= window.size <= rules.run_max
        assert rules.may_be_wild("run", natural)
        loose.subtract(n for n, own in zip(window.ranks, natural, strict=True) if own)
        used -= natural.count(False)
    assert used == 0
    assert min(loose.values()) >= 0
    assert sum(WEIGHTS[n] for n in loose.elements()) == cost


def test_a_run_from_ace_to_ace_holds_both_aces() -> None:
    """Of eight cards at least: fourteen do not fall into two."""
    rules = replace(CHICAGO, run_size=8, run_max=14, ace="either")
    hand = read_hand("AC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC")
    assert [len(meld.cards) for meld in best_melds(hand, rules).melds] == [14]


def test_a_card_of_a_set_may_be_kept_for_a_run_of_two_and_a_wild() -> None:
    """Four sevens lie in a set, three with the fourth in a run leave nothing."""
    rules = replace(CHICAGO, wilds=("2", "joker"), wild_scope="own_rank_any_suit")
    rules = replace(rules, values={**CHICAGO.values, "joker": 20})
    assert best_melds(read_hand("7C 7D 7H 7S 8H X"), rules).points == 0
