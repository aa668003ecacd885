"""Which rules answered questions like this one, of those that were really asked.

A subject has several rules in a book. Which of them people were content with, the questions say
that were asked before: how often a rule was right when its subject was asked, and in which words
those questions were put that it answered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import log, sqrt

from .language import language, stem
from .subjects import PART, WORD_PART, unpacked, weights

USUAL = 0.8
"""How often a rule is right of which nothing is known."""


def often_right(rule: str, subject: str) -> float:
    """Return how often a rule was right when this subject of it was asked; 1 is the usual."""
    known = weights().right.get(rule, {})
    return known[subject] / (USUAL * PART) if subject in known else 1.0


def answered_before(words: Iterable[str]) -> Mapping[str, float]:
    """Return how near a question is to those that each rule answered, from 0 to 1; rules at 0 not.

    It is the cosine of their words, rare ones counting more.
    """
    rare, rules = _word_index()
    asked = stems_that_tell(words) & rare.keys()
    size = sqrt(sum(rare[word] ** 2 for word in asked))
    near: defaultdict[str, float] = defaultdict(float)
    for word in asked:
        for rule, counts in rules[word]:
            near[rule] += counts * rare[word] / size
    return near


def stems_that_tell(words: Iterable[str]) -> set[str]:
    """Return the stems of the words that are not passed over."""
    return {stem(word) for word in words} - language().silent_stems


def rarity(rules: int, having: int) -> float:
    """Return the weight of a word that the questions of `having` out of `rules` rules contain.

    It is the inverse document frequency, with a rule as the document.
    """
    return log(1 + rules / having)


@cache
def _word_index() -> tuple[dict[str, float], Mapping[str, Sequence[tuple[str, float]]]]:
    """Invert what was learned: for each stem its rarity, and the rules whose questions have it."""
    learned = weights()
    rules = {
        word: [(learned.rules[place], counts) for place, counts in unpacked(row, WORD_PART)]
        for word, row in learned.answered.items()
    }
    return {word: rarity(len(learned.rules), len(having)) for word, having in rules.items()}, rules
