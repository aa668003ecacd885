"""Building rules from plain data, writing them back, and laying changes over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

import msgspec

from .validation import faults_of
from .variant import Variant, VariantError


def build(raw: Mapping[str, Any]) -> Variant:
    """Build a variant from the plain data of a rule file, a form or a stored game.

    A joker that is neither wild nor in the packs has no value, also where one is inherited.
    Raises `VariantError` with the path to each fault.
    """
    try:
        variant = msgspec.convert(raw, Variant)
    except msgspec.ValidationError as fault:
        raise VariantError(path_first(str(fault))) from None
    faults = [*_unknown(raw, variant, ""), *faults_of(variant)]
    if faults:
        raise VariantError("\n".join(faults))
    # A variation played without jokers inherits the price of one: it would stand on every page.
    if not variant.has_jokers and "joker" not in variant.melds.wilds:
        values = {name: value for name, value in variant.melds.values.items() if name != "joker"}
        return msgspec.structs.replace(variant, melds=replace(variant.melds, values=values))
    return variant


def to_data(variant: Variant) -> dict[str, Any]:
    """Write a variant as plain data; `build` gives it back."""
    data: dict[str, Any] = msgspec.to_builtins(variant)
    return data


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Lay changes over a base: tables are merged field by field, everything else replaced.

    A table laid over a list changes its items by number, counted from 1, the `last` or `each`;
    the next number adds one. Choices and bonuses are told by their key: a new one is added, and one
    laid over with `false` is taken away.

    >>> merge({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"y": 3}, "b": [2]})
    {'a': {'x': 1, 'y': 3}, 'b': [2]}
    >>> merge({"deals": [{"dealt": 7}, {"dealt": 7}]}, {"deals": {"2": {"dealt": 8}}})
    {'deals': [{'dealt': 7}, {'dealt': 8}]}
    >>> merge({"choices": [{"key": "cut"}, {"key": "joker"}]}, {"choices": {"cut": False}})
    {'choices': [{'key': 'joker'}]}
    """
    merged = dict(base)
    for key, value in changes.items():
        merged[key] = _laid_over(merged.get(key), value, key)
    return merged


def _laid_over(old: Any, value: Any, path: str) -> Any:
    if isinstance(value, Mapping) and isinstance(old, Mapping):
        return merge(old, value)
    if isinstance(value, Mapping) and isinstance(old, list | tuple):
        return _merge_items(old, value, path)
    return value


KEYED = ("choices", "bonuses")
"""Lists whose items have a key of their own."""


def _merge_items(items: Sequence[Any], changes: Mapping[str, Any], path: str) -> list[Any]:
    merged = list(items)
    for key, value in changes.items():
        fresh = {"key": key} if path in KEYED else {}
        for index in _indices(merged, key, path, adds=isinstance(value, Mapping)):
            if isinstance(value, Mapping):
                old = merged[index] if index < len(merged) else fresh
                merged[index : index + 1] = [_laid_over(old, value, path)]
            else:
                merged[index] = value
    # `false` in TOML takes an item away; None can't be said there.
    return [item for item in merged if item is not False]


def _indices(items: Sequence[Any], key: str, path: str, *, adds: bool) -> Sequence[int]:
    """Find the items that a change is for; one past the last where it adds one."""
    keys = [item.get("key") if isinstance(item, Mapping) else None for item in items]
    if key in keys:
        return [keys.index(key)]
    if key == "each":
        return range(len(items))
    is_new = key == str(len(items) + 1) or (path in KEYED and key.isidentifier() and key != "last")
    return [len(items)] if adds and is_new else [_index(key, len(items), path)]


def _index(key: str, length: int, path: str) -> int:
    if key == "last" and length:
        return length - 1
    if key.isascii() and key.isdecimal() and len(key) < 4 and 1 <= int(key) <= length:
        return int(key) - 1
    raise VariantError(f"{path}: there is no number {key}, only 1 to {length}")


def path_first(message: str) -> str:
    """Turn msgspec's ``Expected `int` - at `$.deals[2].dealt` `` the way people read a fault."""
    said, _, path = message.partition(" - at `$")
    # People read the path first: which field, then what is wrong with it.
    return f"{path.rstrip('`').lstrip('.') or 'rules'}: {said[0].lower()}{said[1:]}"


@cache
def _names(kind: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


def _unknown(raw: object, built: object, path: str) -> Iterator[str]:
    """Name the fields that nothing reads: a misspelt rule must not be silently ignored."""
    if isinstance(raw, dict) and is_dataclass(built):
        # msgspec refuses unknown fields of its own structs, but not those of dataclasses.
        for key in sorted(raw.keys() - _names(built.__class__)):
            yield f"{path}{key}: there is no such field"
    if isinstance(raw, dict) and not isinstance(built, dict):
        for key, item in raw.items():
            if isinstance(item, _CONTAINERS):
                yield from _unknown(item, getattr(built, key, None), f"{path}{key}.")
    elif isinstance(raw, list | tuple) and isinstance(built, tuple):
        for number, (item, made) in enumerate(zip(raw, built, strict=True)):
            if isinstance(item, _CONTAINERS):
                yield from _unknown(item, made, f"{path.rstrip('.')}[{number}].")


_CONTAINERS = (dict, list, tuple)
"""Only these can hold a field; nine tenths of a game's data are numbers and words."""
