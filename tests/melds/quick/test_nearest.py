"""The nearest runs and sets of a contract together, against every choice of runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.cards import Hand, Pack, read_hand
from companion.melds import MeldRules, judge_contract
from companion.melds.places import SUIT_INDEX
from companion.melds.quick import nearest, sets
from companion.melds.quick.nearest import RunsAsked
from companion.melds.quick.runs import BITS, units
from companion.melds.quick.sets import SetsAsked
from companion.melds.quick.suit_places import Both
from tests.melds.proof.asked import asked
from tests.melds.quick.rank_counts import RANKS, counted, lacks

RULES = MeldRules(ace="low")
Cells = Counter[tuple[int, int]]
"""How many cards are held, or asked for, by index of the suit and rank."""


def cells(hand: Hand) -> Cells:
    return Counter((SUIT_INDEX[card.suit], int(card.rank)) for card in hand if card.suit)


def by_suit(held: Cells) -> list[int]:
    return [counted(Counter({n: held[suit, n] for n in RANKS})) for suit in range(4)]


def apart(rule: str, one: range, other: range) -> bool:
    """Whether two runs of a suit may lie beside each other."""
    between = max(one.start - other.stop, other.start - one.stop)
    return rule == "any" or (rule == "gap_only" and between > 0)


def every_choice(sizes: list[int], rule: str) -> list[Cells]:
    """What runs of these sizes may ask for."""
    places = [
        [(suit, range(at, at + size)) for suit in range(4) for at in range(1, 15 - size)]
        for size in sizes
    ]
    return [
        Counter((suit, rank) for suit, ranks in runs for rank in ranks)
        for runs in product(*places)
        if len({suit for suit, _ in runs}) == len(runs) or apart(rule, runs[0][1], runs[1][1])
    ]


def some_cards(rng: Random) -> Cells:
    """Cards near one another, in two or three suits."""
    suits, low = rng.choice([(0, 1), (1, 3), (0, 2, 3)]), rng.randint(1, 6)
    ranks = range(low, low + rng.choice((5, 8)))
    return Counter((rng.choice(suits), rng.choice(ranks)) for _ in range(rng.randint(0, 12)))


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize(
    ("sizes", "rule"),
    [
        ([], "any"),
        ([4], "any"),
        ([3, 3], "any"),
        ([4, 3], "gap_only"),
        ([4, 4], "different_suits"),
    ],
)
def test_the_nearest_choices_of_runs_leave_the_fewest_places_empty(
    sizes: list[int], rule: Any, number: int
) -> None:
    """Runs take what they can use; which cards they then lack is told of all nearest choices."""
    runs = RunsAsked(sizes, replace(RULES, same_suit_runs=rule))
    of_sets = SetsAsked(number, 3, True, units(RANKS))
    rng, choices = Random(f"{sizes} {number}"), every_choice(sizes, rule)
    for _ in range(5):
        held, gaps, least = some_cards(rng), set[tuple[int, int]](), 99
        for choice in choices:
            rest = held - choice
            empty = (choice - held).total()
            if empty <= least:
                ranks = Counter[int]()
                for (_, rank), many in rest.items():
                    ranks[rank] += many
                empty += lacks(of_sets, ranks)
            if empty < least:
                least, gaps = empty, set()
            if empty == least:
                gaps |= {*(choice - held)}
        ranks = Counter[int]()
        for (_, rank), many in held.items():
            ranks[rank] += many
        found = runs.nearest(by_suit(held), of_sets.steps(counted(ranks)))
        assert found.empty == least, held
        assert gaps == {
            (suit, rank)
            for _, _, offers in found.ties
            for suit, offer in offers
            for rank in RANKS
            if offer.gaps >> BITS * rank & 1
        }, held


@pytest.mark.parametrize(
    ("cards", "missing", "used", "suits"),
    [
        (
            "3C 4C 5C 6C 9H 10H JH QH",
            3,
            [
                "3 4 5 6 9 10 11 12",
                "3 4 5 6 9 10 11",
                "3 4 5 6 10 11 12",
                "3 4 5 9 10 11 12",
                "4 5 6 9 10 11 12",
            ],
            2,
        ),
        ("9C 10C JC KC KD 3H 4H 5H 6H KH", 1, ["3 4 5 6 9 10 11"], 1),
    ],
)
def test_choices_that_come_no_nearer_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch, cards: str, missing: int, used: list[str], suits: int
) -> None:
    """Where both runs lie, a set lacks three cards then, of which it lacks two anyhow.

    So that only one place of the runs may stay empty: beside what lies there, 2 to 5 or 4 to 7
    of clubs, or 8 to jack or 10 to king of hearts. No suit has room for both runs.
    Where the set is of kings, the run of clubs that takes one of them is one card farther.
    """
    looked_at, in_one_suit = list[tuple[int, ...]](), list[int]()

    def counted_lacking(steps: Any, used: int = 0, twice: int = 0) -> int:
        looked_at.append((used, twice))
        return lacking(steps, used, twice)

    def counted_pairs(both: Both, suit: int, scarce: int, most: int) -> Any:
        in_one_suit.append(suit)
        return pairs(both, suit, scarce, most)

    lacking, pairs = sets.lacking, Both.pairs
    monkeypatch.setattr(nearest, "lacking", counted_lacking)
    monkeypatch.setattr(Both, "pairs", counted_pairs)
    judgement = judge_contract(read_hand(cards), asked("S3", "R4", "R4"), RULES, Pack(2, 0))
    assert judgement.missing == missing
    choices = [(units(map(int, ranks.split())), 0) for ranks in used]
    assert sorted(looked_at) == sorted([(0, 0), (0, 0), *choices])
    assert len(in_one_suit) == suits
