"""Misspelt words read as the nearest that is known."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from .language import stem

LONGEST = 20
SHORT = 5
"""Up to so many letters one slip may be in a word, beyond that two."""


class Speller:
    """Words that are known, and how often each is said; reads others as the nearest of them."""

    def __init__(self, said: Mapping[str, int], known: Iterable[str]) -> None:
        self._said = said
        self._known = {*self._said, *known}
        self._stems = set(map(stem, self._known))
        self._near: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._said:
            if len(word) > 2 and word.isalpha():
                for key in (*_one_less(word), f"-{_sound(word)}"):
                    self._near[key].append(word)
        self._read: dict[str, str] = {}

    def knows(self, word: str) -> bool:
        """Whether a word is one of ours, or another form of one."""
        return (
            len(word) < 3 or not word.isalpha() or word in self._known or stem(word) in self._stems
        )

    def read(self, word: str) -> str:
        """Read a word as the nearest known one, or as it stands where none is near."""
        if self.knows(word) or len(word) > LONGEST:
            return word
        if word not in self._read:
            near = {
                other
                for key in (*_one_less(word), f"-{_sound(word)}")
                for other in self._near.get(key, ())
            }
            rated = [(slips, other) for other in near if (slips := self._slips(word, other))]
            self._read[word] = min(rated, default=((0.0, False, 0), word))[1]
        return self._read[word]

    def _slips(self, word: str, other: str) -> tuple[float, bool, int] | None:
        """Rate how near a word is, the lower the nearer; None where it is another word."""
        swapped = sorted(word) == sorted(other)
        if len(word) == 3 and not swapped:
            return None
        slips = distance(word, other)
        if slips > 1 + (len(word) > SHORT):
            return None
        begins_alike = word[0] == other[0] or _sound(word) == _sound(other)
        return slips - swapped / 2, not begins_alike, -self._said[other]


def _one_less(word: str) -> set[str]:
    """Return a word with each one of its letters left out, and itself."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _sound(word: str) -> str:
    """Return what is left of a word's sound without its vowels.

    >>> _sound("knocker") == _sound("nocer"), _sound("eliminated")
    (True, 'elmntd')
    """
    word = re.sub("^kn", "n", word.replace("ck", "k").replace("c", "k").replace("ph", "f"))
    return re.sub(r"(.)\1+", r"\1", word[0] + re.sub("[aeiouyh]", "", word[1:]))


def distance(one: str, other: str) -> int:
    """Count the letters added, lost, changed or put the wrong way round.

    >>> distance("stael", "steal"), distance("discrd", "discard"), distance("siut", "suit")
    (1, 1, 1)
    """
    before = last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            best = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 < j and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
