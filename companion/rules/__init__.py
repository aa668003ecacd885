"""Games as data: the typed shape of their rules, the games we ship, and house rules."""

from .advice import advice
from .catalogue import (
    MissingGame,
    all_games,
    card_games,
    extend,
    find_variant,
    load,
    missing_games,
    point_games,
    with_choices,
)
from .examples import Examples, load_examples
from .house import compared, following_differences, house_differences
from .loader import build, to_data
from .validation import buys_needed
from .variant import DealRules, Variant, VariantError

__all__ = [
    "DealRules",
    "Examples",
    "MissingGame",
    "Variant",
    "VariantError",
    "advice",
    "all_games",
    "build",
    "buys_needed",
    "card_games",
    "compared",
    "extend",
    "find_variant",
    "following_differences",
    "house_differences",
    "load",
    "load_examples",
    "missing_games",
    "point_games",
    "to_data",
    "with_choices",
]
