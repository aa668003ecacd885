"""The words by which people and programs name columns and rows, in the larger languages."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

_JOINED_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
MOST_HEADING = 80


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


with Path(__file__).with_suffix(".toml").open("rb") as _file:
    _WORDS = {
        kind: word_set(" ".join(languages.values()))
        for kind, languages in tomllib.load(_file).items()
    }
DATES, GAMES, DEALS = _WORDS["dates"], _WORDS["games"], _WORDS["deals"]
PLAYERS, WINNERS = _WORDS["players"], _WORDS["winners"]
POINTS, BESIDE = _WORDS["points"], _WORDS["beside"]
"""What a column of points may be called, and others beside it: a player's bid, tricks or total."""
TOTALS, OTHERS = _WORDS["totals"], _WORDS["others"]
STATISTICS = _WORDS["statistics"]
"""Of players, not of a game."""
SCORES = POINTS | _WORDS["results"]
NUMBERS = {"id", "no", "nr", "number"}
FEET = TOTALS | OTHERS | {"max", "min"}
"""What a row at the foot is called; *Max* above a column is a player."""

KNOWN = DATES | GAMES | DEALS | PLAYERS | SCORES | WINNERS | TOTALS | OTHERS


@lru_cache(4096)
def word(text: str) -> str:
    """Return a heading without case, marks and what stands around it; playerName is two words."""
    apart = _JOINED_WORDS.sub(" ", text[:MOST_HEADING]).replace("_", " ")
    return apart.casefold().strip(" :.*()")


def words_of(text: str) -> set[str]:
    """Return what a heading may be known by: the whole of it, its last or its first word.

    >>> sorted(words_of("Game date")), words_of("Ann")
    (['date', 'game date'], {'ann'})
    """
    heading = word(text)
    words = heading.split()
    if words[1:] and words[1] in NUMBERS and words[0] not in PLAYERS:
        words[1:] = []  # a game's number tells games apart, a player's is nobody's name
    parts = [word for word in (*words[-1:], *words[:1]) if word in KNOWN]
    return {heading, *parts[:1]}
