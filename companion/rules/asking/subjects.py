"""What a question is about: every sign of it speaks for or against subjects, as learned.

`bench/questions` lists how people ask about each subject. From these lists `bench/learn_search.py`
learns what each word and idea says (one layer, softmax), and writes it down in `weights.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import exp, sqrt
from pathlib import Path

import msgspec
from msgspec import Struct

from ..catalogue import card_games
from .language import language, words_of
from .people import without_people
from .question import Question, read_question
from .spelling import Speller

WEIGHTS = Path(__file__).parents[2] / "variants" / "weights.json"

NOTHING = "nothing"
"""The subject of what is no question about these games."""

MOST_WORDS = 40
SCALE = 3.0
PART = 100
"""Weights are written down as whole hundredths."""


class Weights(Struct, frozen=True):
    """What each sign says of each subject: for a sign, places of subjects and weights in turn.

    `learned_from` is the digest of the files that they were learned from, `said` how often each
    word was said of the games, and `strange` the words that were said of other things. `right` is
    how often a rule was right when a subject of it was asked, in hundredths, and `answered` the
    stems of the questions that it answered, with what each counts.
    """

    learned_from: str
    said: dict[str, int]
    strange: list[str]
    subjects: list[str]
    bias: list[int]
    right: dict[str, dict[str, int]]
    answered: dict[str, dict[str, int]]
    signs: dict[str, list[int]]


@cache
def weights() -> Weights:
    """Read what was learned."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Weights)


@cache
def speller() -> Speller:
    """Make the speller of what was learned."""
    return speller_of(weights().said, weights().strange)


def speller_of(said: Mapping[str, int], strange: Iterable[str]) -> Speller:
    """Make a speller that knows the words of the table, and others that are not to be mended."""
    names = {name for variant in card_games() for name in (variant.name, *variant.aliases)}
    ours = Counter(said) + Counter(_words(names)) + Counter(_sayings())
    games = chain.from_iterable((*language().known_by.values(), *language().told_apart.values()))
    named = _words((*language().elsewhere, *games))
    others = (language().silent, language().english, strange, named)
    return Speller(ours, chain.from_iterable(others))


@cache
def table_words() -> frozenset[str]:
    """List every word that is said of these games."""
    return frozenset((*weights().said, *_sayings()))


def _sayings() -> Iterator[str]:
    return (word for saying in language().sayings for word in saying.split())


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in words_of(text)]


def corrected(typed: str) -> list[str]:
    """Split a question into its words, the misspelt ones put right."""
    return put_right(typed, speller())


def put_right(typed: str, by: Speller) -> list[str]:
    """Split a question into its words, people left out, as a speller reads them."""
    words = words_of(without_people(typed, by))
    return [by.read(word) for word in words[:MOST_WORDS]]


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
