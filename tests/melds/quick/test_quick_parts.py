"""Where quick answers are given at all, and what they look at: all of it worked out by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.cards import Pack, read_hand
from companion.melds import Contract, MeldRules, MeldSpec
from companion.melds.quick.quick_contract import quick_judge
from companion.melds.quick.runs import BITS, units
from companion.melds.quick.suit_places import Alone, Both
from tests.melds.proof.asked import asked

RULES = MeldRules(ace="low")
NINE = replace(RULES, same_suit_runs="adjacent_needs_9")
DEUCES = replace(RULES, wilds=("2",))


@pytest.mark.parametrize(
    ("contract", "rules", "is_quick"),
    [
        (asked("S3", "R4"), RULES, True),
        (asked("S3", "S3", "S3", "R4", "R5"), RULES, True),
        (asked("S3", "S4"), RULES, False),
        (asked("R4", "R4", "R4"), RULES, False),
        (asked("S3", all_cards=True), RULES, False),
        (Contract(melds=asked("S3").melds, or_melds=(asked("R4").melds,)), RULES, False),
        (asked("M4"), RULES, False),
        (Contract(melds=(MeldSpec(kind="set", size=3, ranks=("A",)),)), RULES, False),
        (Contract(melds=(MeldSpec(kind="set", size=3, suits="different"),)), RULES, False),
        (Contract(melds=(MeldSpec(kind="set", size=3, wilds=3),)), RULES, False),
        (Contract(melds=(*asked("S3").melds, MeldSpec(kind="set", size=3, wilds=3))), RULES, False),
        (asked("R13"), RULES, True),
        (asked("R14"), replace(RULES, run_max=14, ace="either"), False),
        (asked("R13"), replace(RULES, ace="wild"), False),
        (asked("R12"), replace(RULES, ace="wild"), True),
        (asked("R4", "R5"), replace(RULES, run_max=5), True),
        (asked("R4", "R6"), replace(RULES, run_max=5), False),
        (asked("S3"), replace(RULES, min_naturals=1), False),
        (asked("S3"), replace(RULES, wilds=("2",), wild_scope="own_rank_any_suit"), False),
        (asked("R4"), replace(NINE, run_max=9), True),
        (asked("R4"), replace(NINE, run_max=8), False),
        (asked("R4"), replace(RULES, run_max=8), True),
    ],
)
def test_which_contracts_are_judged_quickly(
    contract: Contract, rules: MeldRules, is_quick: bool
) -> None:
    assert (quick_judge(contract, rules) is not None) == is_quick


def is_answered(
    hand: str, contract: Contract, rules: MeldRules, pack: Pack, seen: str | None = None
) -> bool:
    """Whether the quick judge answers, or leaves it to the full search."""
    quick, held = quick_judge(contract, rules), read_hand(hand)
    assert quick
    return quick.judge(held, pack, held if seen is None else read_hand(seen)) is not None


@pytest.mark.parametrize(
    ("hand", "is_quick"), [("10x7H 10x8S", True), ("10x7H 11x8S", False), ("7H 8", False)]
)
def test_more_than_twenty_cards_and_cards_without_a_suit_are_left_to_the_full_search(
    hand: str, is_quick: bool
) -> None:
    assert is_answered(hand, asked("S3", "R4"), RULES, Pack(10, 0)) == is_quick


@pytest.mark.parametrize(
    ("hand", "sets", "same_rank", "pack", "is_quick"),
    [
        ("7C 7D 9H", ("S3",), True, Pack(1, 0), True),
        ("7C 7D 7H", ("S3", "S3"), False, Pack(1, 0), True),
        ("7C 7D 9H", ("S3", "S3"), True, Pack(1, 0), True),
        ("7C 7D 7H", ("S3", "S3"), True, Pack(1, 0), False),
        ("7C 7D 7H", ("S3", "S3"), True, Pack(2, 0), True),
        ("3x7C 3x7D", ("S3", "S3", "S3"), True, Pack(2, 0), False),
        ("7C 7D 9H", ("S5",), True, Pack(1, 0), False),
        ("7C 7D 9H", ("S4",), True, Pack(1, 0), True),
        ("7C 7D 9H", ("S4", "R4"), True, Pack(1, 0), False),
        ("7C 7D 9H", ("S3", "R4"), True, Pack(1, 0), True),
        ("7C 7D 9H", ("S3", "R4", "R4"), True, Pack(1, 0), False),
    ],
)
def test_sets_of_which_a_pack_has_the_cards_whatever_runs_take(
    hand: str, sets: tuple[str, ...], same_rank: bool, pack: Pack, is_quick: bool
) -> None:
    """Four cards of a rank are a set of three; three held and one more are not two of them.

    Each run may take one card of the rank that a set needs.
    """
    rules = replace(RULES, same_rank_sets=same_rank)
    assert is_answered(hand, asked(*sets), rules, pack) == is_quick


@pytest.mark.parametrize(
    ("hand", "seen", "contract", "rules", "pack", "is_quick"),
    [
        ("7C 8C 9C", None, asked("R4"), RULES, Pack(1, 0), True),
        ("7C 8C 9C", "7C 8C 9C KD", asked("R4"), RULES, Pack(1, 0), True),
        ("7C 8C 9C", "7C 8C 9C 6C", asked("R4"), RULES, Pack(1, 0), False),
        ("7C 8C 9C", "7C 8C 9C 6C", asked("R4"), RULES, Pack(2, 0), True),
        ("7C 8C 9C", "7C 8C 9C 6C 6C", asked("R4"), RULES, Pack(2, 0), False),
        ("3C 5C 6C 5H 6H 7H 8H", None, asked("R4", "R4"), RULES, Pack(1, 0), False),
        ("3C 5C 6C 5H 6H 7H 8H", None, asked("R4", "R4"), RULES, Pack(2, 0), True),
        ("3C 5C 6C 5H 6H 7H 8H", None, asked("R4", "R4"), NINE, Pack(1, 0), False),
        ("3C 4C 5C 6C 7C", "3C 4C 5C 6C 7C KD", asked("R4", "R4"), RULES, Pack(2, 0), True),
        (
            "3C 5C 6C 5H 6H 7H 8H",
            None,
            asked("R4", "R4"),
            replace(RULES, same_suit_runs="gap_only"),
            Pack(1, 0),
            True,
        ),
        ("AC 3C 4C 5H 6H 7H 8H", None, asked("R4", "R4"), DEUCES, Pack(1, 0), True),
        ("7C 8C 9C", "7C 8C 9C 2C 2D 2H", asked("R4"), DEUCES, Pack(1, 0), True),
        ("7C 8C 9C", "7C 8C 9C 2C 2D 2H 2S", asked("R4"), DEUCES, Pack(1, 0), False),
        (
            "7C 8C 4D 5D 6D 7D",
            "7C 8C 4D 5D 6D 7D 2C 2D",
            asked("R4", "R4"),
            replace(DEUCES, same_suit_runs="different_suits"),
            Pack(1, 0),
            True,
        ),
        (
            "7C 8C 4D 5D 6D 7D",
            "7C 8C 4D 5D 6D 7D 2C 2D 2H",
            asked("R4", "R4"),
            replace(DEUCES, same_suit_runs="different_suits"),
            Pack(1, 0),
            False,
        ),
    ],
)
def test_runs_that_could_ask_for_a_card_that_is_gone_are_left_to_the_full_search(
    hand: str, seen: str | None, contract: Contract, rules: MeldRules, pack: Pack, is_quick: bool
) -> None:
    """The 6 or the 10 of clubs completes a run; two runs that may overlap could both want a card.

    The place of a two takes any wild: each run may want one of them, whichever is left.
    """
    assert is_answered(hand, contract, rules, pack, seen) == is_quick


def suit_of(held: Counter[int]) -> int:
    return sum(number << BITS * rank for rank, number in held.items())


def every_pair(sizes: tuple[int, int], rule: str) -> list[tuple[range, range]]:
    """Two runs of a suit, the ace low, that the reading lets lie together; alike ones once."""
    first, second = ([range(at, at + size) for at in range(1, 15 - size)] for size in sizes)
    together = []
    for one, other in product(first, second):
        if sizes[0] == sizes[1] and one.start > other.start:
            continue
        between = max(one.start - other.stop, other.start - one.stop)
        connect = rule == "adjacent_needs_9" and sum(sizes) >= 9
        if rule == "any" or connect or (between > 0 if rule == "gap_only" else between):
            together.append((one, other))
    if rule == "adjacent_needs_9" and sum(sizes) < 9:
        nine = [range(at, at + 9) for at in range(1, 6)]
        together += [(run[: sizes[0]], run[sizes[0] :]) for run in nine]
    return together


@pytest.mark.parametrize("sizes", [(4, 4), (5, 3), (5, 4), (6, 5)])
@pytest.mark.parametrize("rule", ["any", "gap_only", "not_adjacent", "adjacent_needs_9"])
def test_what_a_suit_offers_to_two_runs(sizes: tuple[int, int], rule: Any) -> None:
    """All pairs that miss at most so many; a lone card of a scarce rank counts for none."""
    both, rng = Both(sizes, replace(RULES, same_suit_runs=rule)), Random(f"{sizes} {rule}")
    pairs = every_pair(sizes, rule)
    twice = {rank for one, other in pairs for rank in {*one} & {*other}}
    assert both.twice == units(twice)
    for _ in range(40):
        held = Counter(rng.choices(range(1, 14), k=rng.randint(0, 9)))
        scarce = {rank for rank in held if rng.random() < 0.2}
        most = rng.randint(0, 5)
        expected = []
        for one, other in pairs:
            asked_for = Counter([*one, *other])
            lone = {rank for rank in asked_for if held[rank] == 1 or rank not in twice}
            counted = asked_for - Counter({n: held[n] for n in held if n not in scarce & lone})
            if counted.total() <= most:
                missing = (asked_for - held).total()
                used = units(rank for rank in asked_for if held[rank])
                both_use = units(n for n in asked_for if asked_for[n] == 2 and held[n] > 1)
                expected.append((missing, used, both_use, units(one), units(other)))
        found = both.pairs(suit_of(held), units(scarce), most)
        laid = [(*pair[:3], *(sum(run.each) for run in pair[3:])) for pair in found]
        assert sorted(laid) == sorted(expected), (held, scarce, most)
        for pair in found:
            offer = both.offer(pair)
            asked_for = Counter(n for run in pair[3:] for n in each_rank(run.places))
            assert {*each_rank(offer.gaps)} == {*(asked_for - held)}
            assert (offer.missing, offer.used, offer.twice) == pair[:3]


def each_rank(places: int) -> list[int]:
    return [rank for rank in range(1, 14) if places >> BITS * rank & 1]


def test_only_runs_that_lack_few_cards_are_looked_at_beside_others() -> None:
    """Of A 2 3 6 7 8 each run of four lacks a card at least: with two missing none may lack two.

    A to 4, 5 to 8 and 6 to 9 lack one each.
    """

    class Noted(list[Any]):
        def __getitem__(self, place: Any) -> Any:
            looked_at.append(place)
            return super().__getitem__(place)

    looked_at: list[int] = []
    both = Both((4, 4), replace(RULES, same_suit_runs="gap_only"))
    both._beside = Noted(both._beside)
    assert len(both.pairs(units([1, 2, 3, 6, 7, 8]), 0, 2)) == 1
    assert sorted([both._laid[place].places for place in looked_at]) == [
        units(range(low, low + 4)) for low in (1, 5, 6)
    ]


@pytest.mark.parametrize("size", [3, 5])
def test_what_a_suit_offers_to_one_run(size: int) -> None:
    """The cards that each run uses, once, and every place that such runs have for another card."""
    alone, rng = Alone(size, "either"), Random(size)
    runs = [{(place - 1) % 13 + 1 for place in range(at, at + size)} for at in range(1, 16 - size)]
    for _ in range(40):
        held = {*rng.choices(range(1, 14), k=rng.randint(0, 9))}
        gaps: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
        for run in runs:
            gaps[tuple(sorted(run & held))] |= run - held
        expected = {(size - len(used), used, tuple(sorted(gaps[used]))) for used in gaps}
        offers = alone.find(units(held))
        assert {
            (offer.missing, (*each_rank(offer.used),), (*each_rank(offer.gaps),))
            for offer in offers
        } == expected
        assert len(offers) == len(expected)
        assert [o.missing for o in offers] == sorted(o.missing for o in offers)
        assert not any(offer.twice for offer in offers)
