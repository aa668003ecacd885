"""Games as data: the typed shape of their rules, the games we ship, and house rules."""

from .catalogue import all_variants, differences, extend, find_variant, load, with_choices
from .examples import Examples, load_examples
from .variant import Deal, Variant, VariantError, build, to_data

__all__ = [
    "Deal",
    "Examples",
    "Variant",
    "VariantError",
    "all_variants",
    "build",
    "differences",
    "extend",
    "find_variant",
    "load",
    "load_examples",
    "to_data",
    "with_choices",
]
