"""Melds and contracts, exact and pure: standard library only, no knowledge of games or pages."""

from .best_melds import Discarded, best_after_discard, best_melds
from .contract import Judgement, free_cards, judge_contract
from .faults import is_contract
from .laying_off import Beside, best_beside
from .meld import RANK_NAMES, RANKS, Contract, Meld, Melding, MeldRules, MeldSpec
from .zips import (
    Zips,
    best_zips,
    go_out_discards,
    is_zip,
    signed_value,
    useful_discards,
)

__all__ = [
    "RANKS",
    "RANK_NAMES",
    "Beside",
    "Contract",
    "Discarded",
    "Judgement",
    "Meld",
    "MeldRules",
    "MeldSpec",
    "Melding",
    "Zips",
    "best_after_discard",
    "best_beside",
    "best_melds",
    "best_zips",
    "free_cards",
    "go_out_discards",
    "is_contract",
    "is_zip",
    "judge_contract",
    "signed_value",
    "useful_discards",
]
