"""The games we ship: finding them by any of their names, and laying house rules over them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from .loader import build, merge, path_first, to_data
from .variant import Variant, VariantError

VARIANTS = Path(__file__).parent.parent / "variants"
MISSING = VARIANTS / "missing.toml"
LONGEST_KEY = 80
ANY = "any-game"
"""The key of the rules from which a family makes a game that we don't know."""


class MissingGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game known by name that cannot be played here, and what we would need to know."""

    name: str
    author: str
    known: str
    missing: str


class _MissingGames(Struct, frozen=True, forbid_unknown_fields=True):
    games: tuple[MissingGame, ...]


@cache
def all_games() -> tuple[Variant, ...]:
    """Load every game in the catalogue, in the order in which the pages show them."""
    keys = [folder.parent.name for folder in VARIANTS.glob("*/game.toml")]
    return tuple(load(key) for key in sorted(keys, key=_catalogue_order))


@cache
def card_games() -> tuple[Variant, ...]:
    """List the games whose cards we know: these have contracts, a judge and a book to ask."""
    return tuple(variant for variant in all_games() if variant.has_cards)


@cache
def point_games() -> tuple[Variant, ...]:
    """List the games whose deals are points, by name; the plain pad for any other is not one."""
    games = [variant for variant in all_games() if not variant.has_cards and variant.key != ANY]
    return tuple(sorted(games, key=lambda variant: variant.name))


@cache
def load(key: str) -> Variant:
    """Load one game by its key.

    Raises `VariantError` where there is none, or with the path to the fault in its file.
    """
    try:
        return build(_read(key, ()))
    except VariantError as fault:
        raise VariantError("\n".join(f"{key}: {line}" for line in str(fault).split("\n"))) from None


def catalogue_key(variant: Variant) -> str | None:
    """Find a game's key in the catalogue: its own, or that of the one it was made from."""
    there = {path.parent.name for path in VARIANTS.glob("*/game.toml")}
    return next((key for key in (variant.key, variant.extends) if key in there), None)


def find_variant(name: str) -> Variant:
    """Find a game by its key, its name or any of its aliases, however it is written.

    >>> find_variant("ZIP").name
    'Zip, Zilch, Zero'

    Raises `VariantError` naming the games that there are.
    """
    wanted = _plain(name)
    for variant in all_games():
        if wanted in map(_plain, (variant.key, variant.name, *variant.aliases)):
            return variant
    games = ", ".join(variant.name for variant in card_games())
    raise VariantError(f"There is no game called {name}. There are {games}.")


def games_beginning(text: str, variants: Iterable[Variant]) -> list[Variant]:
    """Find the games whose name, or another name, begins as somebody typed it.

    >>> [game.key for game in games_beginning("phase ten", point_games())]
    ['phase-10']
    """
    wanted = _plain(text)
    return [
        variant
        for variant in variants
        if wanted and any(_plain(n).startswith(wanted) for n in (variant.name, *variant.aliases))
    ]


def with_choices(variant: Variant, chosen: Mapping[str, str | int | bool]) -> Variant:
    """Lay the chosen house rules over a game, in the order in which the game lists them.

    A choice that names the book's own option changes nothing and is not listed in `chosen`.
    House rules taken earlier stay, and are laid in the same order; to take one back, begin again
    from the book. Raises `VariantError` for a choice or value that the game does not offer.
    """
    data, taken = to_data(variant), {}
    for key in chosen:
        if key not in {choice.key for choice in variant.choices}:
            raise VariantError(f"choices.{key}: {variant.name} has no such choice")
    for choice in variant.choices:
        book, earlier = choice.options[0], variant.chosen.get(choice.key)
        option = choice.option(chosen.get(choice.key, book.value if earlier is None else earlier))
        if earlier is not None and option is not choice.option(earlier):
            raise VariantError(f"choices.{choice.key}: {earlier} is taken; begin from the book")
        if option is not book:
            data = merge(data, option.changes)
            taken[choice.key] = option.value
    return build(data | {"chosen": taken})


def extend(base: Variant, changes: Mapping[str, Any]) -> Variant:
    """Make a game from another by saying only what differs."""
    return build(merge(to_data(base), changes))


@cache
def missing_games() -> tuple[MissingGame, ...]:
    """List the games of which too little is known to play them.

    Raises `VariantError` with the path to the fault of the file.
    """
    try:
        raw = tomllib.loads(MISSING.read_text("utf-8"))
        return msgspec.convert(raw, _MissingGames).games
    except tomllib.TOMLDecodeError as fault:
        raise VariantError(f"missing.toml: {fault}") from None
    except msgspec.ValidationError as fault:
        raise VariantError(f"missing.toml: {path_first(str(fault))}") from None


def _read(key: str, below: tuple[str, ...]) -> dict[str, Any]:
    """Read a game's file laid over the one it extends, if it does; names are not inherited."""
    path = VARIANTS / key / "game.toml"
    if key in below:
        raise VariantError(f"extends: {' → '.join((*below, key))} goes round in a circle")
    # is_file fails with an OSError for a name of thousands of letters.
    if len(key) > LONGEST_KEY or not path.is_file():
        raise VariantError(f"extends: there is no game {key}")
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise VariantError(f"game.toml: {fault}") from None
    parent = raw.get("extends", "")
    if not isinstance(parent, str):
        raise VariantError("extends: must be the key of a game")
    # A name found through a parent would find the variation when the parent is asked for.
    base = _read(parent, (*below, key)) if parent else {}
    return merge(base | {"aliases": []}, raw | {"key": key})


def _catalogue_order(key: str) -> tuple[bool, int, str]:
    # The games that the app is named for lead the list; their kin follow by name.
    first = ("contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero")
    return key not in first, first.index(key) if key in first else 0, key


@lru_cache(4096)
def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
