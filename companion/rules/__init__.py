"""Games as data: the typed shape of their rules, the games we ship, and house rules."""

from .catalogue import all_variants, differences, extend, find_variant, load, with_choices
from .variant import Deal, Variant, VariantError, build, to_data

__all__ = [
    "Deal",
    "Variant",
    "VariantError",
    "all_variants",
    "build",
    "differences",
    "extend",
    "find_variant",
    "load",
    "to_data",
    "with_choices",
]
