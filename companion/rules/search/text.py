"""The words of a query and the table's sayings in them, as `language.toml` has them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from unicodedata import combining, normalize

import snowballstemmer
from msgspec import Struct, convert

FILE = Path(__file__).parents[2] / "variants" / "language.toml"

_WORD = re.compile(r"[a-z0-9]+")
_CARDS = re.compile(r"\[[^\]]*\]")
_english = snowballstemmer.stemmer("english")


class Language(Struct, frozen=True):
    """What the file holds: see its comments. Phrases are split into words, sayings stemmed.

    `words` are those of sayings as they are written.
    """

    short: dict[str, str]
    figures: list[tuple[str, str]]
    elsewhere: frozenset[str]
    known_by: dict[str, list[str]]
    told_apart: dict[str, list[str]]
    described_by: dict[str, list[str]]
    beside_suits: dict[str, list[str]]
    sayings: dict[tuple[str, ...], list[str]]
    longest: int
    words: frozenset[str]


@cache
def language() -> Language:
    """Read the language of the table."""
    raw = tomllib.loads(FILE.read_text("utf-8"))
    short = convert(raw["short"], dict[str, str])
    sayings: dict[tuple[str, ...], list[str]] = {}
    words = set[str]()
    for idea, phrases in raw["ideas"].items():
        for phrase in phrases:
            said = split(phrase, short)
            words.update(said)
            sayings.setdefault(tuple(map(stem, said)), []).append(idea)

    def split_all(phrases: Iterable[str]) -> list[str]:
        return [" ".join(split(phrase, short)) for phrase in phrases]

    def by_game(table: str) -> dict[str, list[str]]:
        return {game: split_all(phrases) for game, phrases in raw[table].items()}

    return Language(
        short,
        convert(raw["figures"], list[tuple[str, str]]),
        frozenset(split_all(raw["elsewhere"])),
        by_game("known_by"),
        by_game("told_apart"),
        by_game("described_by"),
        by_game("beside_suits"),
        sayings,
        max(map(len, sayings)),
        frozenset(words),
    )


def words_of(text: str) -> list[str]:
    """Split a text into its words, without drawn cards, short forms written out.

    >>> words_of("It isn't a run: [4C 5C 6C].")
    ['it', 'is', 'not', 'a', 'run']
    """
    return split(text, language().short)


def split(text: str, short: Mapping[str, str]) -> list[str]:
    """Split a text into its words with these short forms written out."""
    plain = re.sub("['’]", "", _CARDS.sub(" ", without_accents(text).lower()))
    return [word for typed in _WORD.findall(plain) for word in short.get(typed, typed).split()]


def without_accents(text: str) -> str:
    """Write every letter without its accent.

    >>> without_accents("Sinéad: ¿escalera española?")
    'Sinead: ¿escalera espanola?'
    """
    return "".join(letter for letter in normalize("NFD", text) if not combining(letter))


def features(words: Sequence[str]) -> set[str]:
    """Return what the model weighs: stems, pairs of stems side by side, and ideas marked with @.

    >>> sorted(features(["stealing", "jokers"]))
    ['@swap', '@wild', '^ steal', 'joker', 'joker $', 'steal', 'steal joker']
    """
    stems = [stem(word) for word in words]
    pairs = map(" ".join, pairwise(["^", *stems, "$"]))
    return {*stems, *pairs, *(f"@{idea}" for idea in _ideas(stems))}


def _ideas(stems: Sequence[str]) -> Iterable[str]:
    """Return the ideas of every saying among stems."""
    known = language()
    for start in range(len(stems)):
        for end in range(start + 1, min(start + known.longest, len(stems)) + 1):
            yield from known.sayings.get(tuple(stems[start:end]), ())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Cut the ending of an English word.

    >>> [stem(word) for word in ("trades", "trading", "swapped", "kings")]
    ['trade', 'trade', 'swap', 'king']
    """
    return str(_english.stemWord(word))
