"""A question as it is searched: the signs of what it is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec import Struct

from .figures import Said, read_figures
from .language import ideas_of, language, stem

LESS = 0.4
"""What an idea counts that only the words of a saying hold."""

WORD = 0.7
"""What a word itself counts beside the idea behind it."""

PAIR = 0.6
"""What two words count that stand side by side, beside each of them."""

UNKNOWN, STRANGE = "?", "??"
"""The signs of words that were not learned; strange ones are English and not of the table."""

MOST = 4
BUYING = ["may", "i"]

Signs = dict[str, float]
"""Ideas behind words, marked with an `@`, words, and pairs of words; how much each counts."""


class Question(Struct, frozen=True):
    """What a question says: its signs and its figures."""

    signs: Signs
    said: Said

    @property
    def is_strange(self) -> bool:
        """Whether no word of it that means anything was learned."""
        return not any(sign[0] == "@" for sign in self.signs)

    @property
    def unheard(self) -> float:
        """Which share of the words that mean something were not learned, up to four of a kind."""
        silent, others = language().silent_stems, (UNKNOWN, STRANGE)
        heard = sum(
            sign[0] != "@" and not is_pair(sign) and sign not in (*others, *silent)
            for sign in self.signs
        )
        unheard = 2 * sum(self.signs.get(sign, 0.0) for sign in others)
        return unheard / (unheard + heard + 1)


def read_question(words: Sequence[str], learned: Collection[str]) -> Question:
    """Read words by the signs that were learned."""
    return Question(known_signs(words, learned), _said(words))


def known_signs(words: Sequence[str], learned: Collection[str]) -> Signs:
    """Find the signs of words that were learned; the others count as unknown or strange ones."""
    signs = signs_of_words(words)
    known = {sign: counts for sign, counts in signs.items() if sign in learned}
    silent = language().silent_stems
    others = [
        sign
        for sign in signs
        if sign[0] != "@"
        and not is_pair(sign)
        and sign not in silent
        and known.keys().isdisjoint((sign, f"@{sign}"))
    ]
    strange = sum(sign in language().english_stems for sign in others)
    for sign, count in ((UNKNOWN, len(others) - strange), (STRANGE, strange)):
        if count:
            known[sign] = min(count, MOST) / 2
    return known


def signs_of_words(words: Sequence[str]) -> Signs:
    """Find all signs of words, learned or not."""
    said = _said(words).words
    signs: Signs = {}
    for idea in ideas_of(said):
        sign, counts = (f"@{idea[1:]}", LESS) if idea[0] == "~" else (f"@{idea}", 1.0)
        signs[sign] = max(signs.get(sign, 0.0), counts)
    stems = [stem(word) for word in said]
    pairs = dict.fromkeys(map(" ".join, pairwise(stems)), PAIR)
    return signs | dict.fromkeys(stems, WORD) | pairs


def is_pair(sign: str) -> bool:
    """Whether a sign is two words that stand side by side."""
    return " " in sign


def _said(words: Sequence[str]) -> Said:
    """Read the figures; who says no more than may I speaks of buying."""
    return read_figures([*words, "rule"] if words == BUYING else words)
