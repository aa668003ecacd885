"""The figures and cards in a question: which deal, how many players, what score, which cards.

A number said in passing is not what a question is about. Each is read for what it stands beside
(`figures` in `language.toml`), and a mark takes its place among the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from companion.spoken import NUMBERS

from ..words import ORDINALS
from .language import language

LAST = -1
"""The last deal, of however many; the one before it is -2."""

ENDS = frozenset(["last", "final", "finale", "decider"])
OPENS = frozenset(["opening", "opener"])
"""What the last deal is called, and the first."""

SPOKEN = NUMBERS[1:13]
RANKS = ["a", *map(str, range(2, 11)), "j", "q", "k"]
PICTURES = {"ace": "a", "king": "k", "queen": "q", "jack": "j"}
IN_ORDER = 3
"""So many cards said in their order are read as one."""

_MANY = "threes|fours|fives|sixes|sevens|eights|nines|tens|aces|kings|queens|jacks|[3-9]s|10s"
_PARTS = {
    "{number}": rf"(\d{{1,3}}|{'|'.join(SPOKEN)})",
    "{few}": rf"([1-9]|1[0-4]|{'|'.join(SPOKEN)})(?!\d)",
    "{ordinal}": rf"({'|'.join(ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))",
    "{nth}": rf"({'|'.join(ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th)|last|final)",
    "{late}": f"({'|'.join(ORDINALS[3:])}|(?:[4-9]|1\\d)th)",
    "{round}": "(?:deals?|hands?|rounds?|contract|phase|level|stage|tasks?|steps?)",
    "{many}": f"(?:{_MANY})",
    "{rank}": rf"(?:[3-9]|10|{'|'.join(SPOKEN[2:10])})",
}
_BESIDE = re.compile(
    r"\b(?:(after|follow\w*)|before|preced\w*) (?:(?:the|a|one|contract|deal|round|hand|with|of) )*"
    rf"(?:\d|x?(?:set|run|group|sequence)|last|final|{'|'.join((*SPOKEN, *ORDINALS))})"
    r"|\b(?:(?:next|second) to (?:the )?last|last but one)\b"
)
"""What asks for the deal after one that is said, or before it."""

_DEALT = re.compile(
    rf"\b(?:dealt (\d+|{'|'.join(SPOKEN)}) cards|(\d+|{'|'.join(SPOKEN)}) cards each)\b"
)

_PICTURE = re.compile(rf"\b(?:{'|'.join(PICTURES)})s?\b")


class Said(Struct, frozen=True):
    """The words of a question with marks for its figures, what they are, and how many there are.

    `sizes` are those of the melds that are said: a set of four.
    `beside` is 1 where the deal after the one that is said is asked for, and -1 for the one before.
    `dealt` is how many cards each was dealt in the deal that is meant.
    """

    words: list[str]
    step: int | None
    players: int | None
    score: int | None
    rank: str | None
    count: int
    sets: int
    runs: int
    sizes: list[int]
    beside: int
    dealt: int | None


def read_figures(words: Sequence[str]) -> Said:
    """Read the figures among words.

    >>> read_figures("in deal 5 how many cards".split()).step
    5
    >>> read_figures("i began with 95 may i knock".split()).score
    95
    >>> read_figures("packs for six players".split()).players
    6
    >>> read_figures("may i keep one back in the opening hand".split()).step
    1
    >>> read_figures("four kings in the opening deal three or nothing".split()).step
    1
    >>> read_figures("the seventh is the three runs".split()).step
    7
    >>> said = read_figures("which deal has two sets and a run".split())
    >>> said.sets, said.runs
    (2, 1)
    >>> read_figures("what comes after the third deal".split()).step
    4
    >>> read_figures("what do we need in the next to last hand".split()).step
    -2
    >>> read_figures("we are up to 8 now".split()).step, read_figures("we are on 95".split()).step
    (8, None)
    >>> read_figures("which deal has one set of five".split()).sizes
    [5]
    >>> read_figures("we were dealt 15 cards each".split()).dealt
    15
    >>> read_figures("q k a 2 of hearts".split()).words
    ['xcorner', 'of', 'hearts']
    >>> read_figures("ace king queen".split()).words, read_figures("j 10 9".split()).words
    (['xcorner'], ['xorder'])
    """
    text, found = " ".join(_cards_in_order(words)), list[tuple[str, str]]()

    def mark(name: str) -> Callable[[re.Match[str]], str]:
        def keep(match: re.Match[str]) -> str:
            found.append((name, next(group for group in match.groups() if group)))
            return f"x{name}"

        return keep

    pictures = _PICTURE.findall(text)
    for name, pattern in _patterns():
        text = pattern.sub(mark(name), text)
    said, beside = dict(found), _beside(words)
    return Said(
        text.split(),
        _step(said.get("step"), beside),
        _count(said.get("players")),
        _count(said.get("score")),
        _rank(pictures[-1] if pictures else said.get("rank")),
        len(pictures) + len(found),
        _melds("sets?|groups?|trios?", words),
        _melds("runs?|sequences?|escaleras?", words),
        _sizes(words),
        beside,
        _dealt(words),
    )


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    patterns = []
    for name, pattern in language().figures:
        for part, meant in _PARTS.items():
            pattern = pattern.replace(part, meant)
        patterns.append((name, re.compile(rf"\b(?:{pattern})(?!\w)")))
    return patterns


def _cards_in_order(words: Sequence[str]) -> list[str]:
    """Put a mark for cards said in their order."""
    marked: list[str] = []
    here = 0
    while here < len(words):
        cards = _order_from(words[here:])
        if len(cards) >= IN_ORDER:
            corner = any({*pair} == {"k", "a"} for pair in pairwise(cards))
            marked.append("xcorner" if corner else "xorder")
            here += len(cards)
        else:
            marked.append(words[here])
            here += 1
    return marked


def _order_from(words: Sequence[str]) -> list[str]:
    cards: list[str] = []
    for word in words:
        card = _card(word)
        if card is None or (cards and not _are_neighbours(card, cards[-1])):
            break
        cards.append(card)
    return cards


def _are_neighbours(one: str, other: str) -> bool:
    return (RANKS.index(one) - RANKS.index(other)) % len(RANKS) in (1, len(RANKS) - 1)


def _card(word: str) -> str | None:
    word = PICTURES.get(word, word)
    if word in SPOKEN[1:10]:
        return str(SPOKEN.index(word) + 1)
    return word if word in RANKS else None


def _step(said: str | None, beside: int) -> int | None:
    if said in ENDS:
        return LAST + beside
    if said in OPENS:
        return 1 + beside
    step = ORDINALS.index(said) + 1 if said in ORDINALS else _count(said)
    return step + beside if step else None


def _beside(words: Sequence[str]) -> int:
    found = _BESIDE.search(" ".join(words))
    return 0 if found is None else 1 if found.group(1) else -1


def _dealt(words: Sequence[str]) -> int | None:
    found = _DEALT.search(" ".join(words))
    return _count(next(filter(None, found.groups()))) if found else None


def _melds(kind: str, words: Sequence[str]) -> int:
    """Count the melds of a kind that are said, as a contract says them."""
    said = re.search(rf"\b(\d|a|{'|'.join(SPOKEN)}) (?:{kind})\b", " ".join(words))
    return 0 if said is None else 1 if said.group(1) == "a" else _count(said.group(1)) or 0


def _sizes(words: Sequence[str]) -> list[int]:
    """Read how large the melds are that are said, as a contract says them."""
    kinds = "sets?|groups?|trios?|runs?|sequences?|escaleras?"
    found = re.findall(rf"\b(?:{kinds}) of (\d+|{'|'.join(SPOKEN)})\b", " ".join(words))
    return [size for size in map(_count, found) if size]


def _count(said: str | None) -> int | None:
    if said in SPOKEN:
        return SPOKEN.index(said) + 1
    digits = re.match(r"\d+", said or "")
    return int(digits.group()) if digits else None


def _rank(said: str | None) -> str | None:
    """Return the rank that is said, as the rules write it.

    >>> _rank("kings"), _rank("a 7"), _rank("sixes")
    ('K', '7', '6')
    """
    if said is None:
        return None
    word = said.split()[-1]
    card = _card({"sixes": "six"}.get(word, word.removesuffix("s")))
    return card.upper() if card else None
