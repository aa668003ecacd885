"""Melds and contracts, exact and pure: standard library only, no knowledge of games or pages."""

from .meld import RANK_NAMES, RANKS, Contract, MeldRules, MeldSpec

__all__ = ["RANKS", "RANK_NAMES", "Contract", "MeldRules", "MeldSpec"]
