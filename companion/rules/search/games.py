"""Which game a query is about: that of the page, or another that it names or describes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from companion.spoken import NUMBERS

from ..catalogue import point_games
from ..variant import Variant
from .model import model
from .text import language, words_of

LEADS = frozenset(["in", "playing", "called", "game"])
"""What stands before a name that is also a word of the table, such as King or Joker.

A card *is playing* joker, people *are*.
"""

SHORT_LEADS = LEADS.union(["does", "of", "has", "is", "for", "play", "played", "at"])
"""What stands before a name of two letters, which a player may have too: *and Jo went down*."""

LONGER_LEADS = SHORT_LEADS.union(["that", "do", "to", "try", "about", "and", "now", "then"])
"""What stands before a name of two words."""

SAID = frozenset(["say", "call", "shout", "yell"])
"""What stands before a name that is called out at the table: *must I say uno*."""

SUITS = frozenset(["hearts", "spades"])
"""Names that are also suits: a run is *in* hearts, and so is no question."""

BEGINS = frozenset(["the", "how", "what", "when", "who", "which", "where", "do", "for", "with"])
"""What comes after a name of two letters at the beginning: *Jo, how many jokers*."""

OF_WHICH = frozenset(["deal", "round", "contract", "contracts", "rules", "version", "game"])
"""What a game's name may belong to: *the fourth deal of King*."""

THE_ONE = re.compile(
    r"\b(?:the|that|another|there) (?:other )?one (?:where|with|when|you|they|we)\b"
    r"|\bthis one (?:where|with|when)\b"
    r"|\b(?:that|another) (?:\w+ ){0,2}(?:game|version)\b"
    r"|\bthe (?!(?:entire|whole|same|next|last|first|final|card) )(?:\w+ ){1,2}(?:game|version)\b"
    r"|\bgame (?:where|with|when|in which|you|they|we)\b"
)
"""How a game is spoken of that is not named."""

NOT_IT = r"(?<! not)(?<! not in)(?<! not the)"
"""What stands before the name of a game that is not meant: *Carioca, not the Chilean one*."""

HERE = re.compile(r" (?:here|ours|our (?:game|rules)|this (?:game|one|has)|(?:as|to|and) this) ")
LIKE_HERE = re.compile(
    r" (?:like|as|than|not|unlike|forget|leave|compared (?:to|with)) (?:(?:in|it is|we do) )?"
    r"(?:here|ours|this(?: one| game)?)(?= )"
)
COMPARES = re.compile(r"(?=.* this ).* (?:differ|compare |same game )")
"""How the game of the page is spoken of beside another, merely compared with, or with which."""

LONG = 3
"""A name of so many words is always meant; a shorter one may be words of the table."""

LEAST_OF_NAME = 4
"""The fewest letters of a name that name a game before *rummy*."""

SELDOM = 25
"""A word that is said of the table no more often than this may well be a game's name."""

FIGURES = frozenset((*NUMBERS, *map(str, range(20))))
Name = tuple[str, ...]


class Mention(NamedTuple):
    """The games that are meant, in their order, and the words beside their names.

    `named` where they are by their names, `elsewhere` where a game is named that is not ours.
    """

    games: list[Variant]
    named: bool
    words: list[str]
    elsewhere: bool


def mentioned_games(words: Sequence[str], shelf: Sequence[Variant]) -> Mention:
    """Find the games that are named, else the one that is known by what is said.

    What a game is known by also distinguishes it from its namesake: *the carioca from Chile*.
    What is only compared with a game that is not ours is not about it, *like in Uno*.
    """
    words = _compared().sub(" ", f" {' '.join(words)} ").split()
    keys = {game.key for game in shelf}
    others = [game for game in point_games() if game.key not in keys]
    named, rest = named_games(words, (*shelf, *others))
    said = f" {' '.join(rest)} "
    known = language().known_by
    if named:
        family = {game.key for game in shelf if _is_of_family(game, named[0])}
        apart = language().told_apart
        phrases = {key: [*known.get(key, ()), *apart.get(key, ())] for key in family}
        games = _said_of_one(phrases, said, shelf) or named
    else:
        games = _said_of_one(known, said, shelf) or _described_game(said, shelf)
    elsewhere = any(f" {name} " in said for name in language().elsewhere)
    return Mention(games, bool(named), rest, elsewhere)


def game_meant(variant: Variant, mention: Mention) -> Variant:
    """Choose the game that is meant: another is, unless that of the page is named or meant too."""
    if not mention.games:
        return variant
    said = f" {' '.join(mention.words)} "
    is_named = any(_goes_by_name(variant, game, said) for game in mention.games)
    is_here = HERE.search(LIKE_HERE.sub(" ", said)) or COMPARES.match(said)
    return variant if is_named or is_here else mention.games[0]


def named_games(words: Sequence[str], shelf: Sequence[Variant]) -> tuple[list[Variant], list[str]]:
    """Find the games that are named, in their order, and the words beside their names."""
    by_key = {variant.key: variant for variant in shelf}
    names = _names(tuple((v.key, v.name, *v.aliases) for v in shelf))
    games: list[Variant] = []
    rest: list[str] = []
    start = 0
    while start < len(words):
        name = _name_at(words, start, names)
        if name and rest[-1:] == ["not"]:
            rest.pop()
        elif name:
            games.append(by_key[names[name]])
            if rest and rest[-1] in LEADS:
                rest.pop()
        else:
            rest.append(words[start])
        start += len(name) or 1
    return games, rest


def _goes_by_name(game: Variant, named: Variant, said: str) -> bool:
    """Whether a game is the one that is named, or is called so for short by those who play it.

    What is said distinguishes the other: *the old Zioncheck* is not the one of seven deals.
    """
    apart = language().told_apart.get(named.key, ())
    return game.key == named.key or (
        _is_of_family(game, named) and not any(f" {each} " in said for each in apart)
    )


def _is_of_family(game: Variant, other: Variant) -> bool:
    """Whether a game is named after another one."""
    return game.key.startswith(f"{other.key}-") or game.name.startswith(f"{other.name},")


def _said_of_one(
    phrases: Mapping[str, Sequence[str]], said: str, shelf: Sequence[Variant]
) -> list[Variant]:
    """Find the game of which a phrase is said: it alone, or none where several are."""
    keys = {
        key
        for key, each in phrases.items()
        if any(re.search(f"{NOT_IT} {phrase} ", said) for phrase in each)
    }
    return [game for game in shelf if {game.key} == keys][:1]


def _described_game(said: str, shelf: Sequence[Variant]) -> list[Variant]:
    """Find the game most of which is said, where one is spoken of that is not named."""
    if not THE_ONE.search(said):
        return []
    many = {
        key: sum(f" {phrase} " in said for phrase in phrases)
        for key, phrases in language().described_by.items()
    }
    most = max(many.values())
    keys = {key for key, times in many.items() if times == most > 0}
    return [game for game in shelf if {game.key} == keys][:1]


@cache
def _compared() -> re.Pattern[str]:
    others = _names(tuple((game.key, game.name, *game.aliases) for game in point_games()))
    called = {" ".join(name) for name in others if not _is_of_table(name)}
    names = "|".join(sorted(language().elsewhere | called, key=len, reverse=True))
    like = "(?:like|as|unlike|than)(?: (?:in|at|with|for|(?:we|you|they) do in))?(?: the| a)?"
    verbs = "(?:only|just|usually|always|normally) (?:know|knew|play|played|learned)"
    known = f"(?:i|we|they|he|she) (?:have )?(?:{verbs}|(?:come|coming) from)"
    return re.compile(rf"(?<= )(?:(?:{like}|{known}) (?:{names})|(?:{names}) style)(?= )")


def _name_at(words: Sequence[str], start: int, names: Mapping[Name, str]) -> Name:
    """Return the longest name that begins here, and () where none does."""
    for size in range(min(6, len(words) - start), 0, -1):
        name = tuple(words[start : start + size])
        if name in names and _is_meant(words, start, name):
            return name
    return ()


def _is_meant(words: Sequence[str], start: int, name: Name) -> bool:
    """Whether the words are a name here, and not words of the table."""
    lead = words[start - 1] if start else ""
    after = words[start + len(name) :]
    if lead in SAID or _is_counted(words, start, name):
        return False
    if len(name) == 1 and len(name[0]) < 3:
        return lead in SHORT_LEADS or (not start and bool(after) and after[0] in BEGINS)
    if "rummy" in name or not _is_of_table(name):
        return True
    if len(name) >= LONG:
        return name[0] == "the" or lead in LEADS or FIGURES.issuperset({*name} - {"to"})
    if len(name) > 1:
        begins = not start and len(after) > 2
        return begins or lead in LONGER_LEADS or FIGURES.issuperset(name)
    if lead == "of":
        return start > 1 and words[start - 2] in OF_WHICH
    if name[0] in SUITS and (lead == "in" or _shows_game(words, name[0])):
        return _shows_game(words, name[0])
    if lead == "playing" and words[max(0, start - 2)] == "is":
        return False
    return lead in LEADS and not (after and after[0].isdigit())


def _is_counted(words: Sequence[str], start: int, name: Name) -> bool:
    """Whether cards are counted that have the name of a game: *who wins with two wizards*."""
    count, before = ("", "", *words[:start])[:-3:-1]
    return len(name) == 1 and count in FIGURES and before not in {"hand", *OF_WHICH}


def _shows_game(words: Sequence[str], suit: str) -> bool:
    """Whether what else is said shows that the game of this name is meant, and not the suit."""
    said = f" {' '.join(words)} "
    return any(f" {phrase} " in said for phrase in language().beside_suits[suit])


def _is_of_table(name: Name) -> bool:
    """Whether a name may be words of the table: each is said there often, *King*, *up to ten*."""
    said = model().said
    return all(said.get(word, 0) > SELDOM for word in name)


@lru_cache(maxsize=64)
def _names(shelf: tuple[tuple[str, ...], ...]) -> dict[Name, str]:
    """List every name in its words, and what alone begins as one of two: *prog rummy*.

    A city or an inventor stands for the first game of the name.
    """
    names: dict[Name, str] = {}
    for key, *called in shelf:
        for name in called:
            names.setdefault(tuple(words_of(name)), key)
    meant: dict[Name, set[str]] = {}
    for called_so, key in names.items():
        if called_so[1:] == ("rummy",):
            for size in range(LEAST_OF_NAME, len(called_so[0])):
                meant.setdefault((called_so[0][:size], "rummy"), set()).add(key)
    short = {begun: keys.pop() for begun, keys in meant.items() if len(keys) == 1}
    return short | names
