"""Hands that took a search longest, each under other rules: what they are answered.

The answers are those of a judge that was written otherwise, and of others trying every way.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import Pack, read_hand
from companion.melds import MeldRules, best_melds, free_cards, judge_contract
from companion.melds.budget import limited
from tests.melds.crowded_hands import contract
from tests.melds.proof.rules_of_games import CHICAGO, CONTRACT_RUMMY, ZIONCHECK
from tools.forgetting import forget

SECONDS = 20
"""Ends a search that has lost its bounds. What a hand takes is measured by `bench.worst`."""

JOKERS = CONTRACT_RUMMY
DEUCES = replace(JOKERS, wilds=("joker", "2"))
NO_WILDS = replace(JOKERS, wilds=())
ONE_WILD = replace(JOKERS, max_wilds=1)
ONE_NATURAL = replace(JOKERS, min_naturals=1)
ACE_TO_ACE = replace(JOKERS, run_max=14, min_naturals=2, same_suit_runs="any")
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
TWOS_ANY = replace(DEUCES, wild_scope="own_rank_any_suit")
CONTINENTAL = replace(DEUCES, same_suit_runs="any", laydown="exact")
NINE_ONE_WILD = replace(ZIONCHECK, max_wilds=1, laydown="at_least")

KNOCK_APART = replace(CHICAGO, wilds_apart=True)
KNOCK_ONE_WILD = replace(CHICAGO, max_wilds=1)
KNOCK_TWO_NATURALS = replace(CHICAGO, min_naturals=2)
KNOCK_EITHER = replace(CHICAGO, ace="either")
KNOCK_CORNER = replace(CHICAGO, max_wilds=2, run_size=4, ace="corner")
KNOCK_TWOS = replace(CHICAGO, wilds=("2", "joker"), wild_scope="own_rank_any_suit")
KALOOKI = replace(
    JOKERS,
    run_size=3,
    ace="high",
    wilds_apart=True,
    set_naturals=2,
    same_suit_runs="different_suits",
    same_rank_sets=False,
)

CONTRACTS = [
    (CRUMMY, "R3 R3 R3 R3", 3, 4, "KH 3H 5H QH 2H 3H AH 7H JH 9H 4H 6D 10H 6H", 2, 10),
    (TWO_NATURALS, "S5 S3 R3 all", 3, 2, "5D 3H 5S 3S 4C 4D 4H 4D 3C 3S 5D 4C 3D 4H X X", 2, 22),
    (HALF_WILD, "R3 R3 R3 R3", 2, 2, "4S 9S 5S 7S 3S 4S X X QS 6S 8S 3S", 3, 42),
    (ONE_NATURAL, "R5 R5 R5", 2, 2, "QD 9D KD 5D X 10D JD KS 8D 6D 9D 7D 10D 2D 3D 4D", 3, 6),
    (ACES_WILD, "R3 R3 R3 R3", 2, 0, "7H KH 6H AH JH 9H AS 10H 5H JS QH 5C 8H", 2, 14),
    (APART, "R4 R4 R4", 1, 0, "9D 7D 6D 5D 4D 2D 5D 3D 4D JD QD 10D", 3, 39),
    (CRUMMY, "S3 S3 R4 all", 1, 0, "10H 8H 3C QH 5S AD KS 8D 10H 6C 7H KC X X X X", 5, 26),
    (TWO_NATURALS, "R5 R5 R5", 2, 2, "9S QS 3D 4S 5S 2S 9S 7S 8S 10S JS 6S 8S X AS", 3, 11),
    (NINE_ONE_WILD, "S5 S3 R3 all", 3, 4, "2C 4S 3S 4S AD 2D AC 3D 2S AH 4C 4C X X X X", 4, 20),
    (CRUMMY, "M13", 3, 0, "QH X 5D 6H AH KH X 10H 9H 2H 5H 7H 4H 8H", 0, 0),
    (DEUCES, "R3 R3 R3 R3", 2, 0, "6H 8H 2H 5H 6H 8H X 7H 3H AH 7H X", 4, 47),
    (UNLIKE_RANKS, "S4u S3u R3 all", 1, 4, "X AS AC 3H AS AC AD 2H AH X 3H KS", 3, 16),
    (DIFFERENT_SUITS, "R3 R3 R3 R3", 3, 4, "2H JH QH KH 10H 4D QH 10H 5H 3H JH X 6H 4H", 7, 31),
    (NOT_BESIDE, "R4 R4 R4", 2, 4, "5D 3D 2D JD 6D AD 10D 7D 9D QD 4D 8D", 1, 10),
    (HALF_WILD, "R5 R5 R5", 1, 2, "8C AC 6C 2C JC QC 9C 10C JC X 5C 2C", 5, 44),
    (ROUND_THE_CORNER, "R3 R3 R3 R3", 1, 0, "KD 3D 9D 8D 7D 2D AD X 10D JD QD 2D", 3, 41),
    (SHANGHAI, "R5 R5 R5", 1, 4, "QS 2S KS 5S 5S X X 10S 6S 4S 7S JS 6S 3S AS", 3, 39),
    (APART, "R5 R4", 2, 4, "5H 7H 10S 7S 9H 10H 6H X QH 9H 8H JH", 1, 11),
    (UNLIKE_HALF_WILD, "S4u S3u R3", 2, 2, "4D 6S X 4C 4H 7S 4C 4S 5S 4H", 2, 50),
    (JOKERS, "R3 R3 R3 all", 3, 0, "7H 8C 8D 10D 8H 10S JC 2D 2C 9D 6H 3C 2H 3S 6H JH", 6, 12),
    (ZIONCHECK, "R3 R3 R3", 3, 2, "7S 5S 9S 7S 10S 8S X 6S", 1, 3),
    (CONTINENTAL, "S4u S3u R3", 3, 0, "9S 2D 9D JH 10H 9C 7D 9H 9C 9H 9C", 1, 11),
    (NO_WILDS, "R4 R4 all", 1, 0, "5C 5H 4C 5D 5C 3D 5D 4H 5H 3C 3H 3C 3D 3S", 8, 18),
    (ONE_WILD, "R4 R4 R4", 2, 4, "KC 10C JC 5C 4C X 10C AC 8C 7C QC 2C 9C", 2, 4),
    (
        TWOS_ANY,
        "R4 R4 R4",
        2,
        0,
        "AS JH KD 6H 9H 7H 8S 3H 9D 7D 4H 4D QC 10S 10S 3D",
        5,
        17,
    ),
    (ACE_TO_ACE, "R14 S3 S3", 2, 4, "AC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC AD AH 5D 5H", 4, 10),
]
"""Rules, melds, packs, jokers, hand: cards missing, and how many different cards help."""


@pytest.mark.parametrize(
    ("rules", "asked", "decks", "jokers", "hand", "missing", "helping"), CONTRACTS
)
def test_a_contract_is_judged(
    rules: MeldRules, asked: str, decks: int, jokers: int, hand: str, missing: int, helping: int
) -> None:
    forget()
    case = read_hand(hand), contract(asked), rules, Pack(decks, jokers)
    with limited(SECONDS):
        judgement = judge_contract(*case)
        assert (judgement.missing, len(judgement.helping)) == (missing, helping)
        assert len(judgement.draw) == missing
    with limited(SECONDS):
        free = free_cards(*case)
    used = {card for meld in judgement.layout for card in meld.cards}
    assert judgement.missing == 0 or {*case[0]} - used <= {*free}


KNOCKS = [
    (KNOCK_APART, "8H 8C 9S 8C 8S 9H 8D 8H 10D 9D 10S 9S 9C 10H 2D 2D", 0, 0),
    (KNOCK_ONE_WILD, "7S 7D 9S 8D 9D 8H 7H 8C 8S 8D 7H 9D 9H 8H 2D 2C", 0, 0),
    (KNOCK_EITHER, "6H 8S 5D 8D 9C 6H 4C 6S KH 8H 7D 9H 2H 2D 2D 2S", 4, 1),
    (KNOCK_TWO_NATURALS, "9H 5H 8H 5H 6H 8H 4H 6H 7H 4H 9H 7H", 0, 0),
    (KNOCK_CORNER, "AC 4C QC 5C 2C 10S 8C KC 2S 3C 9S JS JC", 8, 1),
    (KNOCK_CORNER, "3C QS AC 10C 9D 10D 9D QD 5D 8D 2C KH JD", 38, 6),
    (KNOCK_TWO_NATURALS, "6S 9S 3D 5S KS 5D 10C 4S 2D 2S 2H 2C 2C 2H 2D 2S", 10, 1),
    (KNOCK_APART, "5S 10S KH 6H AH KC 7H 7C QD 10D 2S 2C 2H 2D 2S 2C", 12, 3),
    (KNOCK_TWOS, "8C 2C 2D 3C 3C 5C 8C 9C X X X X X", 0, 0),
]
"""Rules, hand: the points unmelded, and how many cards."""


@pytest.mark.parametrize(("rules", "hand", "points", "loose"), KNOCKS)
def test_the_least_points_are_found(rules: MeldRules, hand: str, points: int, loose: int) -> None:
    forget()
    with limited(SECONDS):
        melding = best_melds(read_hand(hand), rules)
    assert (melding.points, len(melding.loose)) == (points, loose)
