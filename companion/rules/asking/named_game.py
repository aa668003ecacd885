"""Which game of the shelf a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from companion.spoken import NUMBERS

from ..variant import Variant
from .language import language, words_of
from .subjects import table_words

LEADS = frozenset(["in", "playing", "called", "game"])
"""What stands before a name that is also a word of the table, such as King or Joker.

A card *is playing* joker, people *are*.
"""

SHORT_LEADS = LEADS | frozenset(["does", "of", "has", "is", "for", "play", "played", "at"])
LONGER_LEADS = SHORT_LEADS | frozenset(["that", "do", "to", "try", "about", "and", "now", "then"])
"""What stands before a name of two letters, and before one of two words."""

BEGINS = frozenset(["the", "how", "what", "when", "who", "which", "where", "do", "for", "with"])
"""What comes after a name of two letters at the beginning: *Jo, how many jokers*."""

THE_ONE = re.compile(
    r"\b(?:the|that|another|there) (?:other )?one (?:where|with|when|that|who|you|they|we)\b"
    r"|\bthis one (?:where|with|when)\b"
    r"|\b(?:the|that|this|another) (?!(?:entire|whole|same|next|last|first|final) )(?:\w+ ){0,2}"
    r"(?:game|version)\b"
)
"""How a game is spoken of that is not named."""

NOT_IT = r"(?<! not)(?<! not in)(?<! not the)"
"""What stands before the name of a game that is not meant: *Carioca, not the Chilean one*."""

ONLY_KNOWN = (
    r"(?:only|just|usually|always|normally) (?:know|knew|play|played|learned)|(?:come|coming) from"
)
"""What is said of a game that somebody played before this one."""

OF_WHICH = frozenset(["deal", "round", "contract", "contracts", "rules", "version", "game"])
"""What a game's name may belong to: *the fourth deal of King*."""

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
        if key and rest[-1:] == ["not"]:
            rest.pop()
        elif key:
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
    said = f" {' '.join(rest)} "
    if named:
        family = [game for game in shelf if _is_of_family(game, named[0])]
        return (_known_games(said, family, telling_apart=True) or named), rest
    return _known_games(said, shelf) or _described_games(said, shelf), rest


def goes_by_name(game: Variant, named: Variant, said: str) -> bool:
    """Whether a game is the one that is named, or is called so for short by those who play it.

    What is said tells the other one apart: *the old Zioncheck* is not the one of seven deals.
    """
    apart = language().told_apart.get(named.key, ())
    return game.key == named.key or (
        _is_of_family(game, named) and not any(f" {each} " in said for each in apart)
    )


def _is_of_family(game: Variant, other: Variant) -> bool:
    """Whether a game is named after another one."""
    return game.key.startswith(f"{other.key}-") or game.name.startswith(f"{other.name},")


def _known_games(said: str, shelf: Sequence[Variant], telling_apart: bool = False) -> list[Variant]:
    """Find the game that is called by a nickname: it alone, or none where several are.

    `telling_apart`: beside the name of a family, words that distinguish its members count too.
    """
    known, apart = language().known_by, language().told_apart
    phrases = {
        game.key: (*known.get(game.key, ()), *(apart.get(game.key, ()) if telling_apart else ()))
        for game in shelf
    }
    keys = {
        key for key, said_of in phrases.items() if any(_is_said(each, said) for each in said_of)
    }
    return [game for game in shelf if game.key in keys][:1] if len(keys) == 1 else []


def _is_said(phrase: str, said: str) -> bool:
    """Whether a phrase is among what is said, and not to tell what is not meant."""
    return bool(re.search(rf"{NOT_IT} {phrase} ", said))


def games_elsewhere(words: Sequence[str]) -> tuple[list[str], bool]:
    """Find out whether a game is named that is not on this shelf, and the words beside it.

    What is only compared with such a game is no question about it, *like in Uno*, nor is it where
    somebody comes from: *I only know Uno*.
    """
    said = _compared().sub(" ", f" {' '.join(words)} ")
    return said.split(), any(f" {name} " in said for name in language().elsewhere)


@cache
def _compared() -> re.Pattern[str]:
    names = "|".join(sorted(language().elsewhere, key=len, reverse=True))
    like = "(?:like|as|unlike|than)(?: (?:in|at|with|for|(?:we|you|they) do in))?(?: the| a)?"
    known = rf"(?:i|we|they|he|she) (?:have |ve )?(?:{ONLY_KNOWN})"
    return re.compile(rf"(?<= )(?:(?:{like}|{known}) (?:{names})|(?:{names}) style)(?= )")


def _described_games(said: str, shelf: Sequence[Variant]) -> list[Variant]:
    """Find the game most of which is said, where one is spoken of that is not named."""
    if not THE_ONE.search(said):
        return []
    many = {
        key: sum(f" {phrase} " in said for phrase in phrases)
        for key, phrases in language().described_by.items()
    }
    most = max(many.values())
    keys = {key for key, times in many.items() if times == most}
    return [game for game in shelf if game.key in keys][:1] if most and len(keys) == 1 else []


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
        return before in SHORT_LEADS or (not here and bool(after) and after[0] in BEGINS)
    if len(name) > 1 and before in LONGER_LEADS:
        return True
    if "rummy" in name or len(name) >= LONG or not table_words().issuperset(name):
        return True
    if len(name) > 1 and (FIGURES.issuperset(name) or (not here and len(after) > 2)):
        return True
    if before == "of" and here > 1 and words[here - 2] in OF_WHICH:
        return True
    if before == "playing" and words[max(0, here - 2)] == "is":
        return False
    return before in LEADS and not (after and after[0].isdigit())


@lru_cache(maxsize=64)
def _names(shelf: tuple[tuple[str, ...], ...]) -> dict[Name, str]:
    """List every name in its words; a city or an inventor stands for the first game of the name."""
    names: dict[Name, str] = {}
    for key, *called in shelf:
        for name in called:
            names.setdefault(tuple(words_of(name)), key)
    return names
