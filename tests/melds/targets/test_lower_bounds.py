"""What melds lack at least, and what may find a place in them, against looking at each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random

import pytest

from companion.melds import MeldRules, MeldSpec
from companion.melds.targets.candidates import Candidates
from companion.melds.targets.counts import cells_in, counted
from companion.melds.targets.filling import Candidate
from companion.melds.targets.missing_bounds import Least

WILD_TWOS = MeldRules(run_size=3, wilds=("joker", "2"), min_naturals=2)
RULES = {
    "two naturals": WILD_TWOS,
    "half wild": replace(WILD_TWOS, min_naturals=0, wild_share="half"),
    "any wilds": replace(WILD_TWOS, min_naturals=0),
    "round the corner": replace(WILD_TWOS, ace="corner"),
    "twos of any suit": replace(WILD_TWOS, wild_scope="own_rank_any_suit"),
    "apart": replace(WILD_TWOS, wilds_apart=True),
    "gap between runs": replace(WILD_TWOS, same_suit_runs="gap_only"),
}
MELDS = {
    "set": MeldSpec(kind="set", size=3),
    "unlike set": MeldSpec(kind="set", size=3, suits="different"),
    "run": MeldSpec(kind="run", size=4),
    "mixed run": MeldSpec(kind="run", size=4, suits="any"),
    "long run": MeldSpec(kind="run", size=13),
}
KINDS = [(name, kind) for name in RULES for kind in MELDS]


def laid(choice: Candidate, cards: list[int]) -> tuple[int, list[int]]:
    """Lay cards at the places of a meld one by one: how many find one, and what is left."""
    rest, many = cards.copy(), 0
    for slot in choice.places:
        cell = next((cell for cell in slot if rest[cell]), None)
        if cell is not None:
            rest[cell] -= 1
            many += 1
    return many, rest


def hands(name: str, kind: str) -> Iterator[tuple[Least, Sequence[Candidate], list[int]]]:
    """Deal cards of a few ranks, with what tells the least and everything that the meld can be."""
    rules, meld = RULES[name], MELDS[kind]
    for number in range(12):
        rng = Random(f"{name} {kind} {number}")
        ranks = rng.sample(range(1, 14), 5)
        cards = [0] * 64
        for _ in range(rng.randint(2, 12)):
            rank = rng.choice(ranks)
            bound = rank == 2 and rules.wild_scope == "own_rank_any_suit"
            cards[rank + (0 if bound else 16 * rng.choice((0, 1, 3)))] += 1
        candidates = Candidates([meld], rules, counted(cards), grow=False)
        yield candidates.least(meld), [one for _, _, one in candidates.all(meld)], cards


def steady(name: str, cards: list[int]) -> list[int]:
    """Leave out the cards that are wild."""
    free = RULES[name].free_ranks
    return [0 if cell & 15 in free else number for cell, number in enumerate(cards)]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_one_meld_lacks_what_the_nearest_lacks(name: str, kind: str) -> None:
    for least, choices, cards in hands(name, kind):
        found = least.of(counted(cards), 0)
        missing = min(choice.size - laid(choice, steady(name, cards))[0] for choice in choices)
        lack = min(choice.need - laid(choice, cards)[0] for choice in choices)
        assert (found.missing, found.lack_of(1)) == (missing, max(0, lack)), cards
        assert found.missing_of(1) == found.missing
        assert found.missing_of(0) == found.lack_of(0) == 0


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_two_melds_lack_no_less_than_is_told(name: str, kind: str) -> None:
    for least, choices, cards in hands(name, kind):
        near = sorted(choices, key=lambda one: -laid(one, cards)[0])[:30]
        pairs = [*combinations_with_replacement(near, 2)]
        found = least.of(counted(cards), 0)
        assert found.missing_of(2) <= min(lacking(pair, steady(name, cards)) for pair in pairs)
        assert found.lack_of(2) <= min(short(pair, cards) for pair in pairs), cards


def lacking(pair: Sequence[Candidate], cards: list[int]) -> int:
    one, rest = laid(pair[0], cards)
    return pair[0].size + pair[1].size - one - laid(pair[1], rest)[0]


def short(pair: Sequence[Candidate], cards: list[int]) -> int:
    """Tell how many natural cards two melds need, whichever is laid first."""
    found = []
    for first, second in (pair, pair[::-1]):
        one, rest = laid(first, cards)
        found.append(max(0, first.need - one) + max(0, second.need - laid(second, rest)[0]))
    return min(found)


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_card_may_have_a_place_where_a_meld_that_is_near_has_one(name: str, kind: str) -> None:
    for least, choices, cards in hands(name, kind):
        for most in range(5):
            near = {
                cell
                for choice in choices
                if choice.size - laid(choice, steady(name, cards))[0] <= most
                for slot in choice.places
                for cell in slot
            }
            places = {cell for cell in cells_in(least.places(counted(cards), 0, most)) if cell}
            assert near <= places, (cards, most)
            if kind != "set":
                assert near == places, (cards, most)


@pytest.mark.parametrize("name", ["two naturals", "gap between runs"])
@pytest.mark.parametrize("kind", ["run", "long run"])
def test_runs_have_nothing_of_cards_that_are_barred(name: str, kind: str) -> None:
    for least, _, cards in hands(name, kind):
        barred = sum(255 << 8 * cell for cell in range(64) if cell & 15 in (4, 5))
        rest = [0 if cell & 15 in (4, 5) else number for cell, number in enumerate(cards)]
        found, without = least.of(counted(cards), barred), least.of(counted(rest), 0)
        assert (found.missing, found.lack_of(1)) == (without.missing, without.lack_of(1))
        assert (found.missing_of(2), found.lack_of(2)) == (
            without.missing_of(2),
            without.lack_of(2),
        )
        assert not least.places(counted(cards), barred, 4) & barred


def told(kind: str, rules: MeldRules, held: dict[int, int], melds: int) -> tuple[int, int]:
    """Tell what so many melds lack at least, of steady cards and of natural ones."""
    cards = counted([held.get(cell, 0) for cell in range(64)])
    meld = MELDS[kind]
    found = Candidates([meld], rules, cards, grow=False).least(meld).of(cards, 0)
    return found.missing_of(melds), found.lack_of(melds)


TWO, FIVE, SIX, KING = 2, 5, 6, 13
CLUBS, DIAMONDS, HEARTS = 0, 16, 32


@pytest.mark.parametrize(
    ("kind", "held", "melds", "lacks"),
    [
        # Two sets of three: of four fives each may have two, or one of them three.
        ("set", {FIVE: 2, DIAMONDS + FIVE: 2}, 2, (2, 0)),
        ("set", {FIVE: 1, KING: 1}, 2, (4, 2)),
        ("set", {FIVE: 2, KING: 1}, 2, (3, 1)),
        ("set", {FIVE: 6}, 2, (0, 0)),
        ("set", {FIVE: 7}, 3, (2, 0)),
        # Twos are natural in a set of twos and steady in none.
        ("set", {TWO: 3, FIVE: 1}, 2, (5, 1)),
        # Of each suit one: of five fives three lie in the one and two in the other.
        ("unlike set", {FIVE: 2, DIAMONDS + FIVE: 2, HEARTS + FIVE: 1}, 2, (1, 0)),
        # As many cards as there are, two in each at the best: what two sets could have had.
        ("unlike set", {FIVE: 1, DIAMONDS + FIVE: 1}, 2, (4, 2)),
        ("unlike set", {FIVE: 1, KING: 1}, 2, (4, 2)),
        ("unlike set", {TWO: 1, DIAMONDS + TWO: 1}, 2, (6, 2)),
        # A five and a six, of any suits, in each of two runs.
        ("mixed run", {FIVE: 1, HEARTS + FIVE: 1, SIX: 2}, 2, (4, 0)),
        ("mixed run", {FIVE: 1, SIX: 1}, 2, (6, 2)),
        ("mixed run", {FIVE: 1, KING: 1}, 2, (6, 2)),
        ("mixed run", {FIVE: 1}, 2, (7, 3)),
        ("mixed run", {TWO: 1, FIVE: 1}, 2, (7, 2)),
        ("mixed run", {}, 3, (12, 6)),
        # Runs of a suit each: the five and six in one of them, or one in each.
        ("run", {FIVE: 1, SIX: 1}, 2, (6, 2)),
        ("run", {FIVE: 1, HEARTS + SIX: 1}, 2, (6, 2)),
        ("run", {FIVE: 2, SIX: 2}, 2, (4, 0)),
        ("run", {FIVE: 2, SIX: 1}, 3, (9, 3)),
    ],
)
def test_several_melds_lack_what_the_cards_leave_them(
    kind: str, held: dict[int, int], melds: int, lacks: tuple[int, int]
) -> None:
    """Twos and jokers are wild, and each meld needs two natural cards."""
    assert told(kind, WILD_TWOS, held, melds) == lacks


def test_a_larger_set_may_need_fewer_natural_cards() -> None:
    """Three must be natural; of four two may be wild, so that two fives are enough for it."""
    rules = MeldRules(wild_table=((3, 0), (4, 2)))
    cards = counted([2 * (cell == FIVE) for cell in range(64)])
    meld = MELDS["set"]
    found = Candidates([meld], rules, cards, grow=True).least(meld).of(cards, 0)
    assert (found.missing_of(1), found.lack_of(1)) == (1, 0)
    four = counted([4 * (cell == FIVE) for cell in range(64)])
    assert Candidates([meld], rules, four, grow=True).least(meld).of(four, 0).lack_of(2) == 0
    assert Candidates([meld], rules, cards, grow=False).least(meld).of(cards, 0).lack_of(1) == 1


def test_a_set_of_a_rank_that_is_wild_has_no_steady_card() -> None:
    meld = MeldSpec(kind="set", size=3, ranks=("2",))
    cards = counted([cell & 15 == TWO and cell < 64 for cell in range(64)])
    found = Candidates([meld], WILD_TWOS, cards, grow=False).least(meld).of(cards, 0)
    assert (found.missing_of(1), found.missing_of(2), found.lack_of(2)) == (3, 6, 0)


def test_a_run_from_ace_to_ace_takes_two_aces() -> None:
    rules = replace(WILD_TWOS, run_max=14)
    meld = MeldSpec(kind="run", size=14)
    for aces in (0, 2):
        held = {CLUBS + 1: aces, CLUBS + FIVE: 1, CLUBS + KING: 2, HEARTS + SIX: 1}
        cards = counted([held.get(cell, 0) for cell in range(64)])
        found = Candidates([meld], rules, cards, grow=False).least(meld).of(cards, 0)
        assert (found.missing_of(1), found.lack_of(1)) == (14 - 2 - aces, 0)
