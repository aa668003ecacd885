"""Whether a hand and the rest of the pack fill the melds of a target, against every way to fill."""

from __future__ import annotations

from random import Random

import pytest

from companion.melds.targets.filling import Candidate, Holding
from companion.melds.targets.matching import Matching, can_be_filled
from tests.melds.targets.target_trials import (
    NEVER,
    RULES,
    fewest_draws,
    some_cards,
    some_target,
)


@pytest.mark.parametrize("name", RULES)
def test_a_target_takes_the_draws_that_it_lacks_or_cannot_be_filled(name: str) -> None:
    rules, rng = RULES[name], Random(name)
    free = set(map(int, rules.free_ranks))
    answers = set()
    for _ in range(400):
        choices, cards = some_target(rng, rules), some_cards(rng, rules)
        caps = [rules.wild_cap(choice.size) for choice in choices]
        places = [(meld, slot) for meld, c in enumerate(choices) for slot in c.places]
        draws = fewest_draws(places, caps, cards, free)
        answers.add(draws)
        assert (draws < NEVER) == can_be_filled(choices, cards, frozenset(free)), (choices, cards)
        if draws < NEVER:
            assert draws == lacking(choices, cards, free), (choices, cards)
    assert NEVER in answers
    assert len(answers) > 4


def lacking(choices: list[Candidate], cards: Holding, free: set[int]) -> int:
    """Tell how many draws the target takes by what it lacks, where it can be filled at all."""
    short = Matching(choices, [choice.need for choice in choices], cards.held).short
    steady = [0 if cell & 15 in free else number for cell, number in enumerate(cards.held)]
    sharing = Matching(choices, [0] * len(choices), steady)
    sharing.lay_rest()
    empty = sum(lie.count(None) for lie in sharing.lie)
    return max(short, empty - cards.wilds, 0)
