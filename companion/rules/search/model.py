"""What was learned from questions: the subject of a query, and which rules answered such ones.

`make search` learns it all and writes `weights.msgpack`: a linear classifier of subjects over the
features of a query, and for each rule the mean of the questions that it answered (Rocchio).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from math import exp, log, sqrt
from pathlib import Path
from string import ascii_lowercase

import msgspec
from msgspec import Struct

from ..catalogue import point_games
from ..variant import Variant
from .text import features, language, stem, words_of

WEIGHTS = Path(__file__).parents[2] / "variants" / "weights.msgpack"

NOTHING = "nothing"
"""The subject of what is no question about these games."""

SILENT = "silent"
"""The subject of what no rule of them answers."""

FEATURE_PARTS, ANSWERED_PARTS = 10, 40
"""Weights are stored in steps of a tenth and a fortieth: most then take one byte."""

Row = list[int]
"""Indices, each followed by its weight in steps."""


class Model(Struct, frozen=True):
    """What was learned: weights of `features` for `subjects`, of `answered` stems for `rules`.

    Before a feature's weights stands its inverse document frequency in tenths. `learned_from` is
    the digest of the questions; `said` counts the words of those about games, `strange` are words
    that only others have. `order` weighs the terms of a rule's score, `certainty` those of how
    certain an answer is, the last of them by itself.
    """

    learned_from: str
    said: dict[str, int]
    strange: list[str]
    subjects: list[str]
    bias: list[float]
    features: dict[str, tuple[int, Row]]
    rules: list[str]
    answered: dict[str, Row]
    order: list[float]
    certainty: list[float]


@cache
def model() -> Model:
    """Read what was learned."""
    return msgspec.msgpack.decode(WEIGHTS.read_bytes(), type=Model)


def pack(weights: Iterable[tuple[int, float]], parts: int) -> Row:
    """Store weights in steps of which so many are 1, and leave out those of less than one.

    >>> [*unpack(pack([(5, 1.5), (203, -0.26), (0, 0.02)], 20), 20)]
    [(5, 1.5), (203, -0.25)]
    """
    steps = ((index, round(weight * parts)) for index, weight in weights)
    return [*chain.from_iterable((index, step) for index, step in steps if step)]


def unpack(row: Row, parts: int) -> Iterator[tuple[int, float]]:
    """Yield the indices and weights that were stored."""
    return ((index, step / parts) for index, step in zip(row[::2], row[1::2], strict=True))


@cache
def table_words() -> frozenset[str]:
    """List every word that is said of these games."""
    return language().words.union(model().said)


def subject_odds(words: Sequence[str]) -> dict[str, float]:
    """Return how likely each subject is the one of a query; all of them come to 1."""
    learned = model()
    rows = [learned.features[each] for each in features(words) if each in learned.features]
    size = sqrt(sum(idf**2 for idf, _ in rows))
    sums = [*learned.bias]
    for idf, row in rows:
        for index, weight in unpack(row, FEATURE_PARTS):
            sums[index] += weight * idf / size
    most = max(sums)
    powers = [exp(each - most) for each in sums]
    return {key: each / sum(powers) for key, each in zip(learned.subjects, powers, strict=True)}


def answered_before(words: Iterable[str]) -> Mapping[str, float]:
    """Return how near a query is to those that each rule answered, from 0 to 1; rules at 0 not.

    It is the cosine of their stems, weighed by inverse document frequency, a rule the document.
    """
    learned = model()
    rows = {each: learned.answered[each] for each in stems_of(words) if each in learned.answered}
    idf = {each: rarity(len(learned.rules), len(row) // 2) for each, row in rows.items()}
    size = sqrt(sum(weight**2 for weight in idf.values()))
    near = defaultdict[str, float](float)
    for each, row in rows.items():
        for index, weight in unpack(row, ANSWERED_PARTS):
            near[learned.rules[index]] += weight * idf[each] / size
    return near


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of words, each once."""
    return frozenset(map(stem, words))


def rarity(documents: int, having: int) -> float:
    """Return the inverse document frequency of a word that so many of the documents have."""
    return log(1 + documents / having)


def spelled(typed: str, shelf: Iterable[Variant]) -> list[str]:
    """Split what is typed into words, those of one slip read as the word said most often."""
    games = (*shelf, *point_games())
    said = _vocabulary(frozenset(name for game in games for name in (game.name, *game.aliases)))
    return [_spelled(word, said) for word in words_of(typed)]


def _spelled(word: str, said: Counter[str]) -> str:
    """Read an unknown word as Norvig's corrector does, which tries every single slip."""
    if len(word) < 3 or not word.isalpha() or word in said or word in _strange_words():
        return word
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    slips = {a + b[1:] for a, b in halves if b}
    slips |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    slips |= {a + c + b[each:] for a, b in halves for c in ascii_lowercase for each in (0, 1)}
    return max(slips & said.keys(), key=said.__getitem__, default=word)


@lru_cache(maxsize=16)
def _vocabulary(names: frozenset[str]) -> Counter[str]:
    """Count how often each word is said of the games; their names are, once, also a league's."""
    return Counter(model().said) + Counter(word for name in names for word in words_of(name))


@cache
def _strange_words() -> frozenset[str]:
    """List the words that are no slips, though hardly anybody says them of the games."""
    known = language()
    others = chain.from_iterable((*known.known_by.values(), *known.told_apart.values()))
    names = words_of(" ".join((*known.elsewhere, *others)))
    return known.words.union(model().strange, names)
