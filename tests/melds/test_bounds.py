"""How far bounds keep the searches: what they look at of some hands, where it is more without them.

No answer is another for a bound, only later: the page refuses what takes too many steps. The
numbers are measured, with a little air. A change of which one grows makes a search longer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import pytest

from bench.forgetting import forget
from companion.cards import Pack, read_hand
from companion.melds import MeldRules, best_melds, deadwood, judge_contract
from companion.melds.effort import Effort, limited
from companion.melds.quick import nearest, quick_melds, sets
from companion.melds.quick.suit_places import Both, Pair
from companion.melds.suit_runs import SuitRuns
from companion.melds.targets.steps import Step
from companion.melds.targets.suit_parts import SuitParts
from companion.melds.targets.target_search import Search
from tests.melds.crowded_hands import contract
from tests.melds.proof.rules_of_games import CHICAGO, CONTRACT_RUMMY, ZIONCHECK

JOKERS = CONTRACT_RUMMY
DEUCES = replace(JOKERS, wilds=("joker", "2"))
NO_WILDS = replace(JOKERS, wilds=())
ONE_WILD = replace(JOKERS, max_wilds=1)
ONE_NATURAL = replace(JOKERS, min_naturals=1)
FROM_ACE_TO_ACE = replace(JOKERS, run_max=14, min_naturals=2, same_suit_runs="any")
ROUND_THE_CORNER = replace(JOKERS, ace="corner")
UNLIKE_RANKS = replace(JOKERS, same_rank_sets=False)
DIFFERENT_SUITS = replace(JOKERS, same_suit_runs="different_suits")
SHANGHAI = replace(JOKERS, wild_table=((3, 1), (4, 1), (5, 2), (7, 3), (10, 4)))
ACES_WILD = replace(ONE_NATURAL, ace="wild", wilds=("A",))
TWO_NATURALS = replace(DEUCES, min_naturals=2)
NOT_BESIDE = replace(TWO_NATURALS, same_suit_runs="not_adjacent")
HALF_WILD = replace(DEUCES, wild_share="half")
CRUMMY = replace(HALF_WILD, ace="high")
UNLIKE_HALF_WILD = replace(HALF_WILD, same_rank_sets=False)
APART = replace(DEUCES, wilds_apart=True, set_naturals=2)
TWOS_OF_ANY_SUIT = replace(DEUCES, wild_scope="own_rank_any_suit")
CONTINENTAL = replace(DEUCES, same_suit_runs="any", laydown="exact")
NINE_ONE_WILD = replace(ZIONCHECK, max_wilds=1, laydown="at_least")

KNOCK_APART = replace(CHICAGO, wilds_apart=True)
KNOCK_ONE_WILD = replace(CHICAGO, max_wilds=1)
KNOCK_TWO_NATURALS = replace(CHICAGO, min_naturals=2)
KNOCK_EITHER = replace(CHICAGO, ace="either")
KNOCK_CORNER = replace(CHICAGO, max_wilds=2, run_size=4, ace="corner")
KNOCK_TWOS_OF_ANY_SUIT = replace(CHICAGO, wilds=("2", "joker"), wild_scope="own_rank_any_suit")


class Looks(NamedTuple):
    """What a search for a contract looks at: melds beside those chosen, packs, places of melds."""

    steps: int
    melds: int
    packs: int
    places: int


class Lays(NamedTuple):
    """What a search for the least points tries: ways to fill runs, to lay them and to join all."""

    steps: int
    filled: int
    runs: int
    ways: int


LOOKS: list[tuple[MeldRules, str, Pack, str, Looks]] = [
    (
        CRUMMY,
        "R3 R3 R3 R3",
        Pack(3, 4),
        "KH 3H 5H QH 2H 3H AH 7H JH 9H 4H 6D 10H 6H",
        Looks(53, 1137, 0, 0),
    ),
    (
        TWO_NATURALS,
        "S5 S3 R3 all",
        Pack(3, 2),
        "5D 3H 5S 3S 4C 4D 4H 4D 3C 3S 5D 4C 3D 4H X X",
        Looks(531, 647, 0, 165),
    ),
    (
        HALF_WILD,
        "R3 R3 R3 R3",
        Pack(2, 2),
        "4S 9S 5S 7S 3S 4S X X QS 6S 8S 3S",
        Looks(23, 1085, 0, 0),
    ),
    (
        ONE_NATURAL,
        "R5 R5 R5",
        Pack(2, 2),
        "QD 9D KD 5D X 10D JD KS 8D 6D 9D 7D 10D 2D 3D 4D",
        Looks(21, 955, 0, 0),
    ),
    (
        ACES_WILD,
        "R3 R3 R3 R3",
        Pack(2, 0),
        "7H KH 6H AH JH 9H AS 10H 5H JS QH 5C 8H",
        Looks(38, 849, 0, 0),
    ),
    (APART, "R4 R4 R4", Pack(1, 0), "9D 7D 6D 5D 4D 2D 5D 3D 4D JD QD 10D", Looks(279, 482, 0, 77)),
    (
        CRUMMY,
        "S3 S3 R4 all",
        Pack(1, 0),
        "10H 8H 3C QH 5S AD KS 8D 10H 6C 7H KC X X X X",
        Looks(505, 287, 665, 83),
    ),
    (
        TWO_NATURALS,
        "R5 R5 R5",
        Pack(2, 2),
        "9S QS 3D 4S 5S 2S 9S 7S 8S 10S JS 6S 8S X AS",
        Looks(11, 678, 0, 0),
    ),
    (
        NINE_ONE_WILD,
        "S5 S3 R3 all",
        Pack(3, 4),
        "2C 4S 3S 4S AD 2D AC 3D 2S AH 4C 4C X X X X",
        Looks(306, 341, 0, 162),
    ),
    (
        TWOS_OF_ANY_SUIT,
        "R4 S3u S3 all",
        Pack(2, 4),
        "6S 4D 5H 4H JS 2S JS 4C 9D JC QC 4C 9H 9C X X",
        Looks(301, 300, 20, 86),
    ),
    (CRUMMY, "M13", Pack(3, 0), "QH X 5D 6H AH KH X 10H 9H 2H 5H 7H 4H 8H", Looks(5, 2, 0, 0)),
    (DEUCES, "R3 R3 R3 R3", Pack(2, 0), "6H 8H 2H 5H 6H 8H X 7H 3H AH 7H X", Looks(33, 575, 2, 0)),
    (
        UNLIKE_RANKS,
        "S4u S3u R3 all",
        Pack(1, 4),
        "X AS AC 3H AS AC AD 2H AH X 3H KS",
        Looks(200, 363, 5, 112),
    ),
    (
        DIFFERENT_SUITS,
        "R3 R3 R3 R3",
        Pack(3, 4),
        "2H JH QH KH 10H 4D QH 10H 5H 3H JH X 6H 4H",
        Looks(14, 399, 0, 0),
    ),
    (
        NOT_BESIDE,
        "R4 R4 R4",
        Pack(2, 4),
        "5D 3D 2D JD 6D AD 10D 7D 9D QD 4D 8D",
        Looks(12, 414, 0, 0),
    ),
    (
        HALF_WILD,
        "R5 R5 R5",
        Pack(1, 2),
        "8C AC 6C 2C JC QC 9C 10C JC X 5C 2C",
        Looks(29, 466, 0, 0),
    ),
    (
        ROUND_THE_CORNER,
        "R3 R3 R3 R3",
        Pack(1, 0),
        "KD 3D 9D 8D 7D 2D AD X 10D JD QD 2D",
        Looks(65, 408, 0, 0),
    ),
    (
        SHANGHAI,
        "R5 R5 R5",
        Pack(1, 4),
        "QS 2S KS 5S 5S X X 10S 6S 4S 7S JS 6S 3S AS",
        Looks(28, 345, 0, 0),
    ),
    (APART, "R5 R4", Pack(2, 4), "5H 7H 10S 7S 9H 10H 6H X QH 9H 8H JH", Looks(167, 330, 0, 39)),
    (
        UNLIKE_HALF_WILD,
        "S4u S3u R3",
        Pack(2, 2),
        "4D 6S X 4C 4H 7S 4C 4S 5S 4H",
        Looks(121, 201, 0, 54),
    ),
    (
        JOKERS,
        "R3 R3 R3 all",
        Pack(3, 0),
        "7H 8C 8D 10D 8H 10S JC 2D 2C 9D 6H 3C 2H 3S 6H JH",
        Looks(109, 134, 0, 17),
    ),
    (ZIONCHECK, "R3 R3 R3", Pack(3, 2), "7S 5S 9S 7S 10S 8S X 6S", Looks(9, 118, 0, 0)),
    (
        CONTINENTAL,
        "S4u S3u R3",
        Pack(3, 0),
        "9S 2D 9D JH 10H 9C 7D 9H 9C 9H 9C",
        Looks(32, 46, 5, 18),
    ),
    (
        NO_WILDS,
        "R4 R4 all",
        Pack(1, 0),
        "5C 5H 4C 5D 5C 3D 5D 4H 5H 3C 3H 3C 3D 3S",
        Looks(65, 27, 0, 10),
    ),
    (
        ONE_WILD,
        "R4 R4 R4",
        Pack(2, 4),
        "KC 10C JC 5C 4C X 10C AC 8C 7C QC 2C 9C",
        Looks(41, 144, 0, 0),
    ),
    (
        TWOS_OF_ANY_SUIT,
        "R4 R4 R4",
        Pack(2, 0),
        "AS JH KD 6H 9H 7H 8S 3H 9D 7D 4H 4D QC 10S 10S 3D",
        Looks(41, 42, 0, 22),
    ),
    (
        FROM_ACE_TO_ACE,
        "R14 S3 S3",
        Pack(2, 4),
        "AC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC AD AH 5D 5H",
        Looks(21, 13, 0, 2),
    ),
]

LAYS = [
    (KNOCK_APART, "8H 8C 9S 8C 8S 9H 8D 8H 10D 9D 10S 9S 9C 10H 2D 2D", Lays(493, 19, 56, 8)),
    (KNOCK_ONE_WILD, "7S 7D 9S 8D 9D 8H 7H 8C 8S 8D 7H 9D 9H 8H 2D 2C", Lays(267, 9, 38, 7)),
    (KNOCK_EITHER, "6H 8S 5D 8D 9C 6H 4C 6S KH 8H 7D 9H 2H 2D 2D 2S", Lays(0, 0, 0, 6)),
    (KNOCK_TWO_NATURALS, "9H 5H 8H 5H 6H 8H 4H 6H 7H 4H 9H 7H", Lays(0, 8, 37, 1)),
    (KNOCK_CORNER, "AC 4C QC 5C 2C 10S 8C KC 2S 3C 9S JS JC", Lays(0, 106, 301, 2)),
    (KNOCK_CORNER, "3C QS AC 10C 9D 10D 9D QD 5D 8D 2C KH JD", Lays(0, 12, 31, 3)),
    (KNOCK_TWO_NATURALS, "6S 9S 3D 5S KS 5D 10C 4S 2D 2S 2H 2C 2C 2H 2D 2S", Lays(0, 45, 77, 15)),
    (KNOCK_APART, "5S 10S KH 6H AH KC 7H 7C QD 10D 2S 2C 2H 2D 2S 2C", Lays(78, 45, 46, 16)),
    (KNOCK_TWOS_OF_ANY_SUIT, "8C 2C 2D 3C 3C 5C 8C 9C X X X X X", Lays(17, 31, 169, 2)),
]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of what searches are made of was called, with nothing remembered before."""
    forget()
    made: Counter[str] = Counter()

    def counted(name: str, owner: object, function: str) -> None:
        called = getattr(owner, function)

        def call(*given: object) -> object:
            made[name] += 1
            return called(*given)

        monkeypatch.setattr(owner, function, call)

    counted("melds", Search, "join")
    counted("melds", SuitParts, "_join")
    counted("packs", Search, "can_be_filled")
    counted("places", Step, "places_after")
    counted("filled", SuitRuns, "_fill")
    counted("runs", SuitRuns, "_join")
    counted("ways", deadwood, "_shared")
    counted("ways", quick_melds, "share")
    return made


@pytest.mark.parametrize(("rules", "asked", "pack", "hand", "most"), LOOKS)
def test_a_contract_is_judged_with_so_many_looks(
    calls: Counter[str], rules: MeldRules, asked: str, pack: Pack, hand: str, most: Looks
) -> None:
    with limited(Effort(10**9)) as effort:
        judge_contract(read_hand(hand), contract(asked), rules, pack)
    looks = Looks(effort.made, calls["melds"], calls["packs"], calls["places"])
    assert [*map(max, looks, most)] == [*most], looks


@pytest.mark.parametrize(("rules", "hand", "most"), LAYS)
def test_the_least_points_are_found_in_so_many_ways(
    calls: Counter[str], rules: MeldRules, hand: str, most: Lays
) -> None:
    with limited(Effort(10**9)) as effort:
        best_melds(read_hand(hand), rules)
    lays = Lays(effort.made, calls["filled"], calls["runs"], calls["ways"])
    assert [*map(max, lays, most)] == [*most], lays


def test_sets_that_cannot_come_to_lack_a_card_are_not_asked_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each run lacks a card alone, so that both take six: more than that no step may have over."""
    asked: list[int] = []

    def counted(steps: list[sets.Step], used: int = 0, twice: int = 0) -> int:
        asked.append(len(steps))
        return sets.lacking(steps, used, twice)

    monkeypatch.setattr(nearest, "lacking", counted)
    hand = read_hand("3C 4C 5C 9D JD QD KC KD KH 7H 7S")
    assert judge_contract(hand, contract("S3 R4 R4"), JOKERS, Pack(2, 4)).missing == 2
    assert sum(asked) <= 8
    # Of seven ranks six are over: just as many as the runs take.
    asked.clear()
    hand = read_hand("3C 4C 5C 9D JD QD KC KD KH")
    assert judge_contract(hand, contract("S3 R4 R4"), JOKERS, Pack(2, 4)).missing == 2
    assert sum(asked) <= 8


def test_two_runs_of_a_suit_may_lack_no_more_than_the_best_in_two_suits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """These lack two cards; the third that is missing is the set's, whatever runs are chosen."""
    rooms: list[int] = []
    pairs = Both.pairs

    def noted(both: Both, suit: int, scarce: int, most: int) -> list[Pair]:
        rooms.append(most)
        return pairs(both, suit, scarce, most)

    monkeypatch.setattr(Both, "pairs", noted)
    hand = read_hand("3C 4C 5C 9D JD QD KS KH")
    assert judge_contract(hand, contract("S3 R4 R4"), JOKERS, Pack(2, 4)).missing == 3
    assert rooms == [2, 2]
