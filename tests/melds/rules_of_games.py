"""The rules of the four games as far as melds go, and the readings that the cases name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.melds import RANKS, Contract, MeldRules, MeldSpec

INDEX = {name: min(int(rank), 10) for name, rank in RANKS.items() if rank}

ZIONCHECK = MeldRules(
    set_size=3,
    run_size=4,
    ace="either",
    wilds=("joker",),
    same_suit_runs="adjacent_needs_9",
    laydown="exact",
    values=dict.fromkeys(INDEX, 5)
    | dict.fromkeys(("10", "J", "Q", "K"), 10)
    | {"A": 15, "joker": 15},
)
CONTRACT_RUMMY = MeldRules(
    set_size=3,
    run_size=4,
    ace="either",
    wilds=("joker",),
    same_suit_runs="gap_only",
    laydown="at_least",
    values=INDEX | {"A": 15, "joker": 25},
)
CHICAGO = MeldRules(set_size=3, run_size=3, ace="low", wilds=("2",), values=INDEX)


def contract(sets: int, runs: int) -> Contract:
    """So many sets of three and runs of four."""
    three, four = MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)
    return Contract(melds=(three,) * sets + (four,) * runs)


ZIONCHECK_HANDS = [contract(*n) for n in ((2, 0), (1, 1), (0, 2), (2, 1), (1, 2), (2, 2))]
CONTRACT_RUMMY_DEALS = [
    contract(*n) for n in ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
]

_READINGS: dict[str, dict[Any, dict[str, Any]]] = {
    "twos": {"any_suit": {"wild_scope": "own_rank_any_suit"}, "any_card": {}},
    "run_len": {"3": {"run_max": 3}},
    "ace_high": {True: {"ace": "either"}},
    "min_naturals": {1: {"min_naturals": 1}, 2: {"min_naturals": 2}},
    "same_rank_sets": {False: {"same_rank_sets": False}},
    "exact_sizes": {True: {"laydown": "exact"}},
    "same_suit": {
        "never": {"same_suit_runs": "different_suits"},
        "not_adjacent": {"same_suit_runs": "not_adjacent"},
    },
}


def read(meld_rules: MeldRules, params: Mapping[str, Any]) -> MeldRules | None:
    """The rules under the readings of a case; None if the product does not offer one of them."""
    for name, value in params.items():
        if value not in _READINGS.get(name, {}):
            return None
        meld_rules = replace(meld_rules, **_READINGS[name][value])
    return meld_rules
