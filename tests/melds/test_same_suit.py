"""Two runs in one suit, told as the ranks that they cover, by each reading (`C-5`, `Z-5`)."""

from __future__ import annotations

from itertools import product

import pytest

from companion.melds.slots import Placed, agreement

ROUND = 13


def covered(ace: str, run: Placed) -> set[int]:
    places = range(run[0], run[0] + run[1])
    return {place % ROUND for place in places} if ace == "corner" else set(places)


def beside(ace: str, places: set[int]) -> set[int]:
    """The places next to a run."""
    around = {place + step for place in places for step in (-1, 1)}
    return {place % ROUND for place in around} if ace == "corner" else around


def expected(rule: str, ace: str, first: Placed, second: Placed) -> bool:
    """As the reading says it: apart, overlapping, or touching with nine cards or more."""
    one, other = covered(ace, first), covered(ace, second)
    overlap, touch = bool(one & other), bool(beside(ace, one) & other)
    if rule == "gap_only":
        return not overlap and not touch
    if overlap or not touch:
        return True
    many = len(one) + len(other)
    needed = max(9, first[2] + second[2])
    exact = first[3] and second[3]
    return rule == "adjacent_needs_9" and (many == needed if exact else many >= needed)


@pytest.mark.parametrize("ace", ["low", "corner"])
@pytest.mark.parametrize("rule", ["gap_only", "not_adjacent", "adjacent_needs_9"])
def test_runs_that_may_lie_together(rule: str, ace: str) -> None:
    starts = range(ROUND) if ace == "corner" else range(1, 10)
    sizes = [(3, 3), (4, 3), (4, 4), (5, 4), (6, 3), (5, 5), (6, 6)]
    runs = [
        (start, size, asked, exact)
        for start, (size, asked), exact in product(starts, sizes, (False, True))
    ]
    wrong = [
        (first, second)
        for first, second in product(runs, runs)
        if bool(agreement(rule, ace, first, second)) != expected(rule, ace, first, second)
    ]
    assert wrong == []


@pytest.mark.parametrize("rule", ["any", "different_suits"])
def test_readings_that_ask_nothing_of_places(rule: str) -> None:
    assert bool(agreement(rule, "low", (1, 4, 4, True), (5, 4, 4, True))) == (rule == "any")
