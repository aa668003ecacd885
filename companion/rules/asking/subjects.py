"""What a question is about: every sign of it speaks for or against subjects, as learned.

`questions.toml` lists how people ask about each subject. From these lists `bench/learn_search.py`
learns what each word and idea says (one layer, softmax), and writes it down in `weights.json`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import exp, sqrt
from pathlib import Path

import msgspec
from msgspec import Struct

from ..catalogue import all_variants
from .language import language, words_of
from .question import Question, read_question
from .spelling import Speller

FOLDER = Path(__file__).parents[2] / "variants"
QUESTIONS = FOLDER / "questions.toml"
LANGUAGE = FOLDER / "language.toml"
WEIGHTS = FOLDER / "weights.json"

NOTHING = "nothing"
"""The subject of what is no question about these games."""

MOST_WORDS = 40
SCALE = 3.0
PART = 100
"""Weights are written down as whole hundredths."""


class Weights(Struct, frozen=True):
    """What each sign says of each subject: for a sign, places of subjects and weights in turn.

    `learned_from` is the digest of the files that they were learned from.
    """

    learned_from: str
    subjects: list[str]
    bias: list[int]
    signs: dict[str, list[int]]


@cache
def weights() -> Weights:
    """Read what was learned."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Weights)


def digest() -> str:
    """Return the digest of what is learned from: the ways of asking and the language."""
    return sha256(QUESTIONS.read_bytes() + LANGUAGE.read_bytes()).hexdigest()[:16]


@cache
def ways_of_asking() -> dict[str, list[str]]:
    """Read how people ask about each subject."""
    raw = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    return msgspec.convert(raw, dict[str, list[str]])


@cache
def speller() -> Speller:
    """Make a speller that knows the words of the table, and others that are not to be mended."""
    names = {name for variant in all_variants() for name in (variant.name, *variant.aliases)}
    strange = [*_words(ways_of_asking()[NOTHING]), *_words(language().elsewhere)]
    known = [*language().silent, *language().english, *strange]
    return Speller([*table_words(), *_words(names)], known)


@cache
def table_words() -> tuple[str, ...]:
    """List every word that is said of these games, as often as it is said."""
    ways = (way for subject, ways in ways_of_asking().items() if subject != NOTHING for way in ways)
    return (*_words(ways), *(word for saying in language().sayings for word in saying.split()))


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in words_of(text)]


def corrected(typed: str) -> list[str]:
    """Split a question into its words, the misspelt ones put right."""
    return [speller().read(word) for word in words_of(typed)[:MOST_WORDS]]


def read(words: Sequence[str]) -> Question:
    """Read a question by the signs that were learned."""
    return read_question(words, weights().signs)


def likely(signs: Mapping[str, float]) -> dict[str, float]:
    """Return how likely each subject is what these signs speak of; all of them come to 1."""
    learned = weights()
    size = sqrt(sum(counts * counts for counts in signs.values())) or 1.0
    sums = [float(bias) for bias in learned.bias]
    for sign, counts in signs.items():
        row, much = learned.signs[sign], SCALE * counts / size
        for place, weight in zip(row[::2], row[1::2], strict=True):
            sums[place] += much * weight
    most = max(sums)
    parts = [exp((each - most) / PART) for each in sums]
    whole = sum(parts)
    return {subject: part / whole for subject, part in zip(learned.subjects, parts, strict=True)}
