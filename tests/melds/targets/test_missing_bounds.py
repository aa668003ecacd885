"""What runs of a suit lack together, against every way to choose them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from random import Random

import pytest

from companion.melds import MeldRules, MeldSpec
from companion.melds.targets.candidates import Candidates
from companion.melds.targets.counts import counted

RUNS = [range(low, low + size) for size in (3, 4) for low in range(1, 15 - size)]


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("runs", [1, 2, 3])
def test_runs_of_a_suit_lack_what_the_nearest_of_them_do(size: int, runs: int) -> None:
    rng = Random(size * 10 + runs)
    rules = MeldRules(run_size=size, ace="low", min_naturals=2)
    meld = MeldSpec(kind="run", size=size, exact=True)
    for _ in range(60):
        ranks = Counter(rng.choices(range(1, 14), k=rng.randint(0, 8)))
        held = counted([ranks[cell] if cell < 16 else 0 for cell in range(64)])
        least = Candidates([meld] * runs, rules, held, grow=False).least(meld).of(held, 0)
        nearest = lacking = 99
        for chosen in combinations_with_replacement([r for r in RUNS if len(r) == size], runs):
            asked = Counter(rank for run in chosen for rank in run)
            empty = (asked - ranks).total()
            nearest = min(nearest, empty)
            # As many wilds as the runs may hold, and no run more of them than it may.
            alone = [len(set(run) - set(ranks)) for run in chosen]
            lacking = min(
                lacking, max(empty - runs * (size - 2), sum(max(0, n - size + 2) for n in alone))
            )
        # Other suits, of which nothing is held, are farther or as far.
        assert least.missing_of(runs) == nearest, ranks
        assert least.lack_of(runs) <= max(0, lacking), ranks


@pytest.mark.parametrize(("same_rank_sets", "missing"), [(True, 0), (False, 3)])
def test_a_rank_held_often_makes_two_sets_only_where_it_may(
    same_rank_sets: bool, missing: int
) -> None:
    rules = MeldRules(same_rank_sets=same_rank_sets)
    meld = MeldSpec(kind="set", size=3)
    held = counted([2 * (cell & 15 == 9 and cell < 48) for cell in range(64)])
    assert (
        Candidates([meld] * 2, rules, held, grow=True).least(meld).of(held, 0).missing_of(2)
        == missing
    )


@pytest.mark.parametrize("runs", [1, 2, 3, 4])
def test_runs_of_which_nothing_is_held_lack_every_card_that_must_be_natural(runs: int) -> None:
    rules = MeldRules(run_size=3, min_naturals=2)
    meld = MeldSpec(kind="run", size=3, exact=True)
    nothing = counted([0] * 64)
    least = Candidates([meld] * runs, rules, nothing, grow=False).least(meld).of(nothing, 0)
    assert (least.missing_of(runs), least.lack_of(runs)) == (3 * runs, 2 * runs)
