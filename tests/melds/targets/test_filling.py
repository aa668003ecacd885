"""How what a target lacks is filled: just where it can be, and with nothing that is not there."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.melds.targets.filling import (
    DRAWN_WILD,
    HELD_WILD,
    Candidate,
    Cell,
    Filled,
    Holding,
    Target,
    fill,
    is_plentiful,
    lay_scarce,
)
from companion.melds.targets.matching import Matching
from tests.melds.targets.target_trials import NEVER, RULES, fewest_draws, some_cards, some_target


def dealt(name: str) -> list[tuple[Target, Holding, list[int], frozenset[int]]]:
    """Lay the cards of some hands at targets, as the search does: runs of a suit come first."""
    rules, rng = RULES[name], Random(f"filling {name}")
    found: list[tuple[Target, Holding, list[int], frozenset[int]]] = []
    for _ in range(150):
        choices, cards = some_target(rng, rules), some_cards(rng, rules)
        choices.sort(key=lambda choice: choice.is_by_rank)
        sharing = Matching(choices, [choice.need for choice in choices], cards.held)
        sharing.lay_rest()
        caps = [rules.wild_cap(choice.size) for choice in choices]
        free = frozenset(map(int, rules.free_ranks))
        found.append((tuple(map(Filled, choices, map(tuple, sharing.lie))), cards, caps, free))
    return found


def draws_of(
    slots: list[tuple[int, tuple[int, ...]]], caps: list[int], cards: Holding, free: frozenset[int]
) -> set[int]:
    """Tell with how many draws slots can be filled by cards unseen and wilds, in any way."""
    if not slots:
        return {0}
    (meld, slot), *rest = slots
    held, unseen, wilds, unseen_wilds, _ = cards
    found: set[int] = set()
    for cell in slot:
        lent = cell & 15 in free
        if unseen[cell] and unseen_wilds >= lent:
            fewer = [many - (place == cell) for place, many in enumerate(unseen)]
            left = Holding(held, fewer, wilds, unseen_wilds - lent)
            found |= {draws + 1 for draws in draws_of(rest, caps, left, free)}
    if caps[meld]:
        less = [cap - (number == meld) for number, cap in enumerate(caps)]
        if wilds:
            found |= draws_of(rest, less, Holding(held, unseen, wilds - 1, unseen_wilds), free)
        if unseen_wilds:
            left = Holding(held, unseen, wilds, unseen_wilds - 1)
            found |= {draws + 1 for draws in draws_of(rest, less, left, free)}
    return found


@pytest.mark.parametrize("name", RULES)
def test_slots_are_filled_with_just_so_many_draws_wherever_they_can_be(name: str) -> None:
    answers: Counter[bool] = Counter()
    for target, cards, caps, free in dealt(name):
        slots = [(meld, slot) for meld, filled in enumerate(target) for slot in filled.slots]
        for draws in range(max(0, len(slots) - 3), len(slots) + 1):
            held = cards._replace(wilds=len(slots) - draws)
            found = fill(target, held, draws, free)
            answers[found is None] += 1
            assert (found is not None) == (draws in draws_of(slots, caps, held, free))
            if found is not None:
                assert [*map(len, found)] == [filled.empty for filled in target]
                assert_filled(found, [filled.slots for filled in target], caps, held, draws, free)
    assert min(answers[True], answers[False]) > 20


def assert_filled(
    found: list[list[int]],
    slots: list[list[tuple[int, ...]]],
    caps: list[int],
    cards: Holding,
    draws: int,
    free: frozenset[int],
) -> None:
    """Look over a filling: cards in their slots, no more wilds than may lie, no card twice."""
    hows = [how for fillings in found for how in fillings]
    for fillings, places, cap in zip(found, slots, caps, strict=True):
        assert sum(how < 0 for how in fillings) <= cap
        for how, slot in zip(fillings, places, strict=True):
            assert how < 0 or how in slot
    drawn = Counter(how for how in hows if how != HELD_WILD)
    assert drawn.total() == draws
    assert all(cards.unseen[cell] >= many for cell, many in drawn.items() if cell >= 0)
    own = sum(many for cell, many in drawn.items() if cell >= 0 and cell & 15 in free)
    assert drawn[DRAWN_WILD] + own <= cards.unseen_wilds


@pytest.mark.parametrize("name", RULES)
def test_scarce_cards_are_laid_so_that_the_fewest_draws_fill_the_rest(name: str) -> None:
    laid = 0
    for target, cards, caps, free in dealt(name):
        choices = [filled.choice for filled in target]
        places = [(meld, slot) for meld, c in enumerate(choices) for slot in c.places]
        draws = fewest_draws(places, caps, cards, set(free))
        if draws == NEVER:
            with pytest.raises(AssertionError, match="could not be laid"):
                lay_scarce(choices, cards, len(places), free)
            continue
        lie = lay_scarce(choices, cards, draws, free)
        assert [*map(len, lie)] == [choice.size for choice in choices]
        assert_lie(choices, lie, cards)
        own = sum(cell & 15 in free for cells in lie for cell in cells if cell is not None)
        again = tuple(map(Filled, choices, map(tuple, lie)))
        slots = [(meld, slot) for meld, filled in enumerate(again) for slot in filled.slots]
        left = cards._replace(wilds=cards.wilds - own)
        assert draws in draws_of(slots, caps, left, free)
        laid += 1
    assert laid > 20


def assert_lie(choices: list[Candidate], lie: list[list[Cell | None]], cards: Holding) -> None:
    taken: Counter[Cell] = Counter()
    for choice, cells in zip(choices, lie, strict=True):
        for cell, slot in zip(cells, choice.places, strict=True):
            assert cell is None or cell in slot
        taken.update(cell for cell in cells if cell is not None)
    assert all(cards.held[cell] >= many for cell, many in taken.items())


def set_of(*places: tuple[int, ...]) -> Filled:
    """Leave places for these cells empty."""
    choice = Candidate(places, len(places), -1, None, 1, 0, (0, 0, 0, False), 0, 0, 0, 0)
    return Filled(choice, (None,) * len(places))


@pytest.mark.parametrize(
    ("unseen", "plentiful"),
    [
        ({1: 1, 17: 2}, True),
        ({1: 1, 17: 1}, False),
        ({1: 2, 17: 1}, True),
        ({17: 3}, False),
        ({1: 3}, True),
    ],
)
def test_a_place_for_one_card_takes_it_before_places_for_the_rank(
    unseen: dict[int, int], plentiful: bool
) -> None:
    """One place takes cell 1 alone, two take it or cell 17: three cards, and one of them a 1."""
    target = (set_of((1,)), set_of((1, 17), (1, 17)))
    cards = Holding([0] * 64, [unseen.get(cell, 0) for cell in range(64)], 0, 0)
    assert is_plentiful(target, cards) == plentiful


def test_a_drawn_wild_is_one_less_to_draw_and_lies_in_its_own_place_if_it_has_one() -> None:
    cards = Holding([0, 1, 0], [2, 1, 0], 1, 3, limited=True)
    assert cards.with_drawn_wild(None) == Holding([0, 1, 0], [2, 1, 0], 2, 2, limited=True)
    assert cards.with_drawn_wild(0) == Holding([1, 1, 0], [1, 1, 0], 2, 2, limited=True)
    assert cards.with_drawn_wild(1) == Holding([0, 2, 0], [2, 0, 0], 2, 2, limited=True)


def test_all_cards_of_a_rank_are_counted() -> None:
    held, unseen = [0] * 64, [0] * 64
    held[5] = held[16 + 5] = 1
    unseen[48 + 5] = 2
    unseen[6] = 7
    assert Holding(held, unseen, 0, 0).of_rank(5) == 4
