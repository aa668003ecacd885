"""Which game of the shelf a question names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.spoken import NUMBERS

from ..variant import Variant
from .language import language, words_of
from .subjects import table_words

LEADS = frozenset(["in", "playing", "called", "game"])
"""What stands before a name that is also a word of the table, such as King or Joker."""

SHORT_LEADS = LEADS | frozenset(["does", "of", "has", "is", "for"])
SHORTEST = 3
LONG = 3
"""A name of so many words is always meant; a shorter one may be words of the table."""

FIGURES = frozenset((*NUMBERS, *map(str, range(20))))
Name = tuple[str, ...]


def named_games(words: Sequence[str], shelf: Sequence[Variant]) -> tuple[list[Variant], list[str]]:
    """Find the games that are named, in their order, and the words beside their names."""
    by_key = {variant.key: variant for variant in shelf}
    names = _names(tuple((v.key, v.name, *v.aliases) for v in shelf))
    games: list[Variant] = []
    rest: list[str] = []
    here = 0
    while here < len(words):
        size, key = _name_at(words, here, names)
        if key:
            games.append(by_key[key])
            if rest and rest[-1] in LEADS:
                rest.pop()
        else:
            rest.append(words[here])
        here += size or 1
    return games, rest


def meant_games(words: Sequence[str], shelf: Sequence[Variant]) -> tuple[list[Variant], list[str]]:
    """Find the games that are named, else the one that is known by what is said, and other words.

    What a game is known by also tells it from the one it is named after: *the carioca from Chile*.
    """
    named, rest = named_games(words, shelf)
    known = _known_games(rest, shelf)
    is_told_apart = known and named and known[0].key.startswith(f"{named[0].key}-")
    return (known if is_told_apart or not named else named), rest


def _known_games(words: Sequence[str], shelf: Sequence[Variant]) -> list[Variant]:
    """Find the game that is meant by what it is known by, beside its names."""
    said = f" {' '.join(words)} "
    keys = {key for phrase, key in language().known_by.items() if f" {phrase} " in said}
    return [variant for variant in shelf if variant.key in keys][:1] if len(keys) == 1 else []


def _name_at(words: Sequence[str], here: int, names: dict[Name, str]) -> tuple[int, str]:
    for size in range(min(6, len(words) - here), 0, -1):
        name = tuple(words[here : here + size])
        if name in names and _is_meant(words, here, name):
            return size, names[name]
    return 0, ""


def _is_meant(words: Sequence[str], here: int, name: Name) -> bool:
    """Whether the words are a name here, and not words of the table."""
    before = words[here - 1] if here else ""
    after = words[here + len(name) :]
    if len(name) == 1 and len(name[0]) < SHORTEST:
        return before in SHORT_LEADS
    if "rummy" in name or len(name) >= LONG or not table_words().issuperset(name):
        return True
    if len(name) > 1 and (FIGURES.issuperset(name) or (not here and len(after) > 2)):
        return True
    return before in LEADS and not (after and after[0].isdigit())


@lru_cache(maxsize=64)
def _names(shelf: tuple[tuple[str, ...], ...]) -> dict[Name, str]:
    """List every name in its words; a city or an inventor stands for the first game of the name."""
    names: dict[Name, str] = {}
    for key, *called in shelf:
        for name in called:
            names.setdefault(tuple(words_of(name)), key)
    return names
