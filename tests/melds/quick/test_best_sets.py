"""What the best sets of one size lack without the cards that runs take, counted rank by rank."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.melds.quick.runs import units
from companion.melds.quick.sets import SetsAsked, lacking, scarce_ranks, wanted
from tests.melds.quick.rank_counts import RANKS, counted, lacks


@pytest.mark.parametrize("same_rank", [True, False])
@pytest.mark.parametrize(("number", "size"), [(1, 3), (2, 3), (3, 3), (2, 4), (1, 2), (2, 1)])
def test_what_sets_lack_and_want(number: int, size: int, same_rank: bool) -> None:
    """Without a card or two of some ranks that runs take; no set is made of aces."""
    rng, of_sets = Random(f"{number} {size} {same_rank}"), range(2, 14)
    asked = SetsAsked(number, size, same_rank, units(of_sets))
    for _ in range(60):
        held = Counter(rng.choices(RANKS[: rng.choice((3, 6, 13))], k=rng.randint(0, 12)))
        steps = asked.steps(counted(held))
        used = {rank for rank in held if rng.random() < 0.3}
        twice = {rank for rank in used if held[rank] > 1 and rng.random() < 0.5}
        rest = held - Counter(used) - Counter(twice)
        now = lacks(asked, rest, of_sets)
        assert lacking(steps) == lacks(asked, held, of_sets), held
        assert lacking(steps, units(used), units(twice)) == now, (held, used, twice)
        assert scarce_ranks(steps) & units(held) == units(
            rank
            for rank in held
            if lacks(asked, held - Counter([rank]), of_sets) > lacks(asked, held, of_sets)
        )
        assert wanted(steps, units(used), units(twice)) == units(
            rank for rank in RANKS if lacks(asked, rest + Counter([rank]), of_sets) < now
        ), (held, used, twice)


@pytest.mark.parametrize("same_rank", [True, False])
def test_the_best_sets_are_of_the_ranks_held_most_often(same_rank: bool) -> None:
    rng, asked = Random(f"{same_rank}"), SetsAsked(3, 3, same_rank, units(RANKS))
    for _ in range(60):
        held = Counter(rng.choices(RANKS, k=rng.randint(0, 14)))
        left, found = held.copy(), 0
        for rank in asked.best(counted(held)):
            found += min(3, left[rank])
            left[rank] = max(0, left[rank] - 3) if same_rank else 0
        assert found == 9 - lacks(asked, held), held
