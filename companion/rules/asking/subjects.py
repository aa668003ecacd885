"""What a question is about: every sign of it speaks for or against subjects, as learned.

`bench/questions` lists how people ask about each subject. From these lists `bench/learn_search.py`
learns what each word and idea says (one layer, softmax), and writes it down in `weights.json`.
"""

from __future__ import annotations

from array import array
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
"""A bias and a share are written down as whole hundredths."""

WIDE = 64
SIGN_PART, WORD_PART = 8, 40
"""Of so many parts a weight of 1 has, that of a sign and that of a word of an answered question."""


class Weights(Struct, frozen=True):
    """What each sign says of each subject: for a sign, places of subjects with weights, packed.

    `learned_from` is the digest of the files that they were learned from, `said` how often each
    word was said of the games, and `strange` the words that were said of other things. `right` is
    how often a rule was right when a subject of it was asked, in hundredths, and `answered` has for
    each stem the places of the `rules` whose questions said it, with what it counts there.
    """

    learned_from: str
    said: dict[str, int]
    strange: list[str]
    subjects: list[str]
    bias: list[int]
    right: dict[str, dict[str, int]]
    rules: list[str]
    answered: dict[str, bytes]
    signs: dict[str, bytes]


def packed(weights: Iterable[tuple[int, float]], parts: int) -> bytes:
    """Pack places with weights into two bytes each, a weight in one of 64 steps.

    >>> [*unpacked(packed([(5, 1.5), (203, -0.26), (0, 9.0)], 8), 8)]
    [(5, 1.5), (203, -0.25), (0, 3.875)]
    """
    half = WIDE // 2
    steps = ((place, round(weight * parts)) for place, weight in weights)
    return array(
        "H", (place * WIDE + half + max(-half, min(half - 1, step)) for place, step in steps)
    ).tobytes()


def unpacked(row: bytes, parts: int) -> Iterator[tuple[int, float]]:
    """Give the places and weights that were packed."""
    for both in memoryview(row).cast("H"):
        place, step = divmod(both, WIDE)
        yield place, (step - WIDE // 2) / parts


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
        much = SCALE * PART * counts / size
        for place, weight in unpacked(learned.signs[sign], SIGN_PART):
            sums[place] += much * weight
    most = max(sums)
    parts = [exp((each - most) / PART) for each in sums]
    whole = sum(parts)
    return {subject: part / whole for subject, part in zip(learned.subjects, parts, strict=True)}
