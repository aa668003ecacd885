"""How much work the search for targets makes of some hands near each of many contracts.

`test_bounds.py` keeps single hands from taking longer; here the sums are exact. More says that a
bound lets through what it held back, fewer that something is no longer looked at: either is to be
understood before a number is written anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from bench.forgetting import forget
from companion.cards import Pack
from companion.melds import judge_contract
from companion.melds.targets import filling, helping
from companion.melds.targets.matching import Matching
from companion.melds.targets.steps import Step
from companion.melds.targets.suit_bounds import LeastOfSuit
from companion.melds.targets.suit_parts import SuitParts
from companion.melds.targets.target_search import Search
from tests.melds.crowded_hands import RULES, contract, crowded

HANDS = 6


class Work(NamedTuple):
    """What is done: melds chosen, and laid beside others; what more of them may have found out;
    runs of a suit shared out; packs asked; cards laid by matching, and slots filled one by one."""

    chosen: int
    laid: int
    places: int
    shared: int
    packs: int
    matched: int
    filled: int


COUNTED: list[tuple[str, object, str]] = [
    ("chosen", Search, "_place"),
    ("chosen", helping._Helping, "_place"),
    ("laid", Search, "join"),
    ("laid", SuitParts, "_join"),
    ("places", Step, "places_after"),
    ("shared", LeastOfSuit, "_find_missing"),
    ("packs", Search, "can_be_filled"),
    ("matched", Matching, "_lay_one"),
    ("filled", filling._Trying, "go"),
]


WORK: list[tuple[str, str, Pack, Work]] = [
    ("two naturals", "R4 R4 S3 S3", Pack(4, 2), Work(136, 243, 51, 67, 0, 312, 30)),
    ("half", "R3 R4 S3 S3", Pack(5, 4), Work(331, 1004, 216, 164, 0, 516, 42)),
    ("twos of any suit", "S3u S4u R3", Pack(4, 2), Work(174, 284, 102, 78, 0, 216, 19)),
    ("sets of different ranks", "S4 S3 S3u", Pack(4, 0), Work(252, 334, 101, 0, 0, 353, 57)),
    ("apart", "S4 S3 R5", Pack(4, 2), Work(381, 623, 215, 62, 0, 820, 74)),
    ("wild aces", "S3 S3 R3", Pack(4, 0), Work(86, 113, 33, 47, 0, 180, 25)),
    ("runs of different suits", "R3 R3 R3 R3 R3", Pack(2, 2), Work(0, 0, 0, 0, 0, 0, 0)),
    ("runs of different suits", "R3 R3 R3 R3", Pack(2, 2), Work(37, 1303, 0, 233, 0, 78, 60)),
    ("runs that touch as nine", "R4 R4 R5", Pack(2, 2), Work(157, 246, 61, 192, 0, 409, 40)),
    ("runs that touch as nine", "R4 R5 R3 S3", Pack(2, 2), Work(646, 1738, 751, 262, 0, 273, 52)),
    ("runs that touch as nine", "R4 R5 all", Pack(2, 0), Work(103, 170, 65, 114, 0, 296, 31)),
    ("plain", "R4 R4 R4", Pack(2, 2), Work(35, 312, 0, 182, 2, 152, 37)),
    ("plain", "R3 R3 R3 R3 R3", Pack(1, 0), Work(142, 933, 0, 817, 140, 1748, 25)),
    ("plain", "R4 R5 S3", Pack(1, 2), Work(148, 315, 130, 166, 1, 90, 36)),
    ("plain", "R3 S4 all", Pack(2, 2), Work(84, 86, 35, 76, 0, 81, 23)),
    ("no wilds", "R4 R4 S3", Pack(1, 0), Work(77, 139, 48, 67, 2, 119, 19)),
    ("no wilds", "S3u S3u R3", Pack(2, 0), Work(92, 178, 56, 49, 0, 59, 23)),
    ("one wild", "S3 S3 R4", Pack(2, 2), Work(88, 168, 35, 53, 1, 228, 25)),
    ("one wild", "R4 R4 S3u", Pack(1, 2), Work(130, 248, 86, 69, 18, 588, 55)),
    ("one wild", "R4 R3 all", Pack(2, 2), Work(86, 124, 15, 133, 0, 167, 24)),
    ("two naturals", "S3 R4 R4", Pack(2, 2), Work(242, 421, 134, 67, 0, 528, 36)),
    ("two naturals", "S4u S3u R3", Pack(2, 2), Work(348, 664, 206, 80, 0, 413, 62)),
    ("two naturals", "M5 M4", Pack(2, 2), Work(53, 73, 5, 0, 0, 248, 24)),
    ("two naturals", "S3 S3 S3 all", Pack(2, 4), Work(161, 166, 31, 0, 0, 432, 63)),
    ("half", "R5 R4 R4", Pack(2, 2), Work(211, 366, 103, 199, 0, 500, 35)),
    ("half", "S3 S4 R3", Pack(1, 2), Work(305, 529, 170, 89, 14, 553, 88)),
    ("half", "R3 S3 all", Pack(1, 2), Work(183, 233, 65, 82, 11, 528, 110)),
    ("half", "R3 M4 M4", Pack(2, 0), Work(201, 460, 115, 83, 0, 328, 26)),
    ("apart", "R4 R5", Pack(2, 2), Work(127, 208, 49, 93, 0, 316, 37)),
    ("apart", "S3 R5 R4", Pack(1, 2), Work(283, 587, 183, 123, 8, 516, 83)),
    ("apart, a gap between runs", "R4 R4 R4", Pack(2, 4), Work(304, 636, 186, 120, 0, 236, 42)),
    ("a table", "R5 R5 R4", Pack(2, 2), Work(175, 468, 120, 176, 0, 217, 31)),
    ("a table", "R7 S5", Pack(1, 2), Work(72, 97, 40, 42, 137, 1671, 106)),
    ("round the corner", "R4 R4 S3", Pack(2, 2), Work(103, 157, 21, 60, 0, 312, 23)),
    ("round the corner", "R13 S3", Pack(2, 2), Work(159, 203, 64, 34, 0, 379, 58)),
    ("wild aces", "R3 R3 S3", Pack(2, 0), Work(152, 214, 41, 62, 0, 335, 22)),
    ("wild aces", "R3 R3 R3 R3", Pack(1, 0), Work(33, 380, 0, 298, 3, 157, 50)),
    ("twos of any suit", "R4 S3u S3", Pack(2, 2), Work(125, 176, 51, 55, 0, 178, 21)),
    ("twos of any suit", "R3 R3", Pack(1, 2), Work(58, 112, 20, 58, 3, 132, 32)),
    ("twos of any suit", "S3u S3u M3", Pack(2, 2), Work(129, 179, 72, 0, 0, 190, 22)),
    ("a gap between runs", "R3 R3 R3", Pack(2, 2), Work(62, 914, 0, 141, 0, 56, 39)),
    ("a gap between runs", "R3 R3 S3 S3", Pack(2, 2), Work(341, 577, 160, 91, 0, 621, 30)),
    ("runs of different suits", "R4 R3 S3", Pack(2, 2), Work(258, 449, 150, 77, 0, 261, 39)),
    ("runs of different suits", "R3 R3 R3", Pack(1, 2), Work(31, 367, 0, 116, 0, 56, 46)),
    ("exact", "R4 R4 R4 S3", Pack(2, 2), Work(164, 360, 108, 156, 0, 186, 27)),
    ("exact", "R3 R3 R3 R3 R3", Pack(1, 2), Work(81, 1612, 0, 861, 68, 1408, 64)),
    ("runs that may not touch", "R3 R3 R4", Pack(2, 2), Work(97, 167, 32, 187, 0, 152, 38)),
    ("runs that may not touch", "R3 R3 R3 R3", Pack(2, 2), Work(51, 1914, 0, 360, 4, 224, 94)),
    ("runs that may not touch", "R3 R4 all", Pack(2, 2), Work(152, 275, 32, 137, 0, 208, 35)),
    ("sets of different ranks", "S3 S3 S4", Pack(2, 2), Work(139, 146, 29, 0, 0, 367, 46)),
    ("sets of different ranks", "S3 S3u R3", Pack(1, 2), Work(318, 615, 206, 72, 7, 270, 29)),
    ("runs beside each other", "R14 S3", Pack(2, 2), Work(95, 81, 16, 34, 0, 340, 58)),
    ("runs beside each other", "R4 R4 R3 S3", Pack(2, 2), Work(208, 540, 67, 164, 0, 415, 36)),
]


def work(name: str, asked: str, pack: Pack, made: Counter[str]) -> Work:
    """Judge some hands and tell what was done for them."""
    rules, melds = RULES[name], contract(asked)
    made.clear()
    for number in range(HANDS):
        rng = Random(f"{name} {asked} {number}")
        forget()
        judge_contract(crowded(rng, rules, pack, melds.least_cards + 1), melds, rules, pack)
    return Work(*[made[kind] for kind in Work._fields])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each kind of work was done."""
    counts: Counter[str] = Counter()
    for kind, owner, function in COUNTED:
        monkeypatch.setattr(owner, function, counted(kind, getattr(owner, function), counts))
    return counts


def counted(
    kind: str, called: Callable[..., object], counts: Counter[str]
) -> Callable[..., object]:
    def call(*given: object) -> object:
        counts[kind] += 1
        return called(*given)

    return call


@pytest.mark.parametrize(("name", "asked", "pack", "expected"), WORK)
def test_hands_near_a_contract_make_just_so_much_work(
    made: Counter[str], name: str, asked: str, pack: Pack, expected: Work
) -> None:
    assert work(name, asked, pack, made) == expected
