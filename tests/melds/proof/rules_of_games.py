"""The rules of the four games as far as melds go, and the readings that the cases name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.melds import Contract, MeldRules, MeldSpec
from companion.rules import Variant, find_variant


def contract(sets: int, runs: int) -> Contract:
    """So many sets of three and runs of four, also where no deal asks for it."""
    three, four = MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)
    return Contract(melds=(three,) * sets + (four,) * runs)


def contracts(variant: Variant) -> list[Contract]:
    """The contracts of a game's deals, in order."""
    return [deal.contract for deal in variant.deals if deal.contract]


ZIONCHECK, CONTRACT_RUMMY, CHICAGO = (
    find_variant(name).melds for name in ("zioncheck", "contract rummy", "chicago")
)
ZIONCHECK_HANDS = contracts(find_variant("zioncheck"))
CONTRACT_RUMMY_DEALS = contracts(find_variant("contract rummy"))

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
