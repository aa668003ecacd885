"""The words of a question and the ideas behind them, as `language.toml` has them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from unicodedata import decomposition

from msgspec import Struct, convert

FILE = Path(__file__).parents[2] / "variants" / "language.toml"

_WORD = re.compile(r"[a-z0-9]+")
_CARDS = re.compile(r"\[[^\]]*\]")
_PAUSE = re.compile(r"[.,;:!?()]+\s+|\s+-\s+")
_ENDING = re.compile(r"(?<=[aeiouy])([^aeiouy]*)(?:ing|ed)$")

SHORTEST_CLAUSE = 3


class Language(Struct, frozen=True):
    """What the file holds: see its comments."""

    silent: frozenset[str]
    silent_stems: frozenset[str]
    short: dict[str, str]
    english: frozenset[str]
    english_stems: frozenset[str]
    elsewhere: frozenset[str]
    known_by: dict[str, tuple[str, ...]]
    told_apart: dict[str, tuple[str, ...]]
    described_by: dict[str, tuple[str, ...]]
    figures: list[tuple[str, str]]
    sayings: dict[str, tuple[str, ...]]
    longest: int


@cache
def language() -> Language:
    """Read the language of the table."""
    raw = tomllib.loads(FILE.read_text("utf-8"))
    short = convert(raw["short"], dict[str, str])
    sayings: dict[str, tuple[str, ...]] = {}
    for idea, said in raw["ideas"].items():
        for saying in said:
            key = " ".join(map(stem, split(saying, short)))
            sayings[key] = tuple(dict.fromkeys((*sayings.get(key, ()), idea)))
    silent = frozenset(raw["silent"].split())
    english = frozenset(raw["english"].split())
    return Language(
        silent,
        frozenset(map(stem, silent)),
        short,
        english,
        frozenset(map(stem, english)),
        frozenset(" ".join(split(name, short)) for name in raw["elsewhere"]),
        _phrases(raw["known_by"], short),
        _phrases(raw["told_apart"], short),
        _phrases(raw["described_by"], short),
        convert(raw["figures"], list[tuple[str, str]]),
        sayings,
        max(key.count(" ") + 1 for key in sayings),
    )


def _phrases(
    raw: Mapping[str, Sequence[str]], short: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Write out the phrases by which each game is meant."""
    return {
        game: tuple(" ".join(split(phrase, short)) for phrase in phrases)
        for game, phrases in raw.items()
    }


def words_of(text: str) -> list[str]:
    """Split a text into its words, without drawn cards, short forms written out.

    >>> words_of("It isn't a run: [4C 5C 6C].")
    ['it', 'is', 'not', 'a', 'run']
    """
    return split(text, language().short)


def clauses_of(text: str) -> list[str]:
    """Split a text at its pauses into clauses of three words or more; none where it is one.

    >>> clauses_of("Gran dealt and flipped no card, she forgot, right? Must we deal again")
    ['Gran dealt and flipped no card', 'Must we deal again']
    """
    found = [part for part in _PAUSE.split(text) if len(part.split()) >= SHORTEST_CLAUSE]
    return found if len(found) > 1 else []


def split(text: str, short: Mapping[str, str]) -> list[str]:
    """Split a text into its words with these short forms written out."""
    plain = re.sub("['’]", "", _CARDS.sub(" ", without_accents(text).lower()))
    return [word for typed in _WORD.findall(plain) for word in short.get(typed, typed).split()]


def without_accents(text: str) -> str:
    """Write every Latin letter without its accent.

    >>> without_accents("Sinéad: ¿escalera española?")
    'Sinead: ¿escalera espanola?'
    """
    return text.translate(_plain_letters())


@cache
def _plain_letters() -> dict[int, str]:
    """Map accented letters to those below the accent, and accents that stand alone to nothing."""
    plain: dict[int, str] = dict.fromkeys(range(0x300, 0x370), "")
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        first = decomposition(chr(code)).partition(" ")[0]
        if first and first[0] != "<":
            plain[code] = plain.get(int(first, 16), chr(int(first, 16)))
    return plain


def ideas_of(words: Sequence[str]) -> Iterator[str]:
    """Return the ideas behind words, the longest saying first; other words stand for themselves.

    The ideas of a saying's own words follow it with a `~`: they are meant, but less.

    >>> [*ideas_of(["may", "i", "lay", "off", "on", "those", "runs"])]
    ['may', 'layoff', '~godown', 'run']
    """
    known, stems, here = language(), [*map(stem, words)], 0
    while here < len(stems):
        size = _saying_at(stems, here)
        if size:
            yield from known.sayings[" ".join(stems[here : here + size])]
        if size > 1:
            for word in words[here : here + size]:
                yield from (f"~{idea}" for idea in _alone(word))
        elif not size:
            yield from _alone(words[here])
        here += size or 1


def _saying_at(stems: Sequence[str], here: int) -> int:
    """Count the words of the longest saying that begins here; 0 where none does."""
    known = language()
    for size in range(min(known.longest, len(stems) - here), 0, -1):
        if " ".join(stems[here : here + size]) in known.sayings:
            return size
    return 0


def _alone(word: str) -> tuple[str, ...]:
    if word in language().silent:
        return ()
    return language().sayings.get(stem(word), (stem(word),))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Cut the ending of a word.

    >>> [stem(word) for word in ("trades", "trading", "swapped", "king", "sixes", "bonus")]
    ['trad', 'trad', 'swap', 'king', 'six', 'bonus']
    """
    if len(word) > 3:
        word = re.sub(r"(?<=x|h)es$|(?<![su])s$", "", word)
        word = re.sub(r"ie$", "y", word) if len(word) > 4 else word
        word = _ENDING.sub(r"\1", word) if len(word) > 4 else word
        word = re.sub(r"([^aeiou])\1$", r"\1", word)
        word = re.sub(r"(?<=...)e$", "", word)
    return word
