"""The figures and cards in a query: which deal, how many players, what score, which card.

A number said in passing is not what is searched for. Each is read for what it stands beside
(`figures` in `language.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from companion.melds import Contract
from companion.spoken import NUMBERS

from ..variant import Variant
from ..words import ORDINALS
from .text import language

LAST = -1
"""The last deal, of however many; the one before it is -2."""

ENDS = frozenset(["last", "final", "finale", "decider"])
OPENS = frozenset(["opening", "opener"])
"""What the last deal is called, and the first."""

SPOKEN = NUMBERS[1:13]
PICTURES = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
SETS, RUNS = "sets?|groups?|trios?", "runs?|sequences?|escaleras?"

_MANY = "threes|fours|fives|sixes|sevens|eights|nines|tens|aces|kings|queens|jacks|[3-9]s|10s"
_ROUND = "(?:deals?|hands?|rounds?|contract|phase|level|stage|tasks?|steps?)"
_NUMBERS, _ORDINALS = "|".join(SPOKEN), "|".join(ORDINALS)
_PARTS = {
    "{number}": rf"(\d{{1,3}}|{_NUMBERS})",
    "{few}": rf"([1-9]|1[0-4]|{_NUMBERS})(?!\d)",
    "{ordinal}": rf"({_ORDINALS}|\d{{1,2}}(?:st|nd|rd|th))",
    "{nth}": rf"({_ORDINALS}|\d{{1,2}}(?:st|nd|rd|th)|last|final)",
    "{late}": f"({'|'.join(ORDINALS[3:])}|(?:[4-9]|1\\d)th)",
    "{round}": _ROUND,
    "{many}": f"(?:{_MANY})",
    "{rank}": rf"(?:[3-9]|10|{'|'.join(SPOKEN[2:10])})",
}
_BESIDE = re.compile(
    r"\b(?:(after|follow\w*)|before|preced\w*) (?:(?:the|a|one|contract|deal|round|hand|with|of) )*"
    rf"(?:\d|set|run|group|sequence|last|final|{_NUMBERS}|{_ORDINALS})"
    r"|\b(?:(?:next|second) to (?:the )?last|last but one)\b"
)
"""What asks for the deal after one that is said, or before it."""

_DEALT = re.compile(rf"\bdealt (\d+|{_NUMBERS}) cards\b|\b(\d+|{_NUMBERS}) cards each\b")
_PICTURE = re.compile(rf"\b({'|'.join(PICTURES)})s?\b")
_SIZE = re.compile(rf"\b(?:{SETS}|{RUNS}) of (\d+|{_NUMBERS})\b")


class Figures(Struct, frozen=True):
    """What figures a query says, and how many of them there are.

    `sets`, `runs` and `sizes` are those of a contract that is said: a set of four.
    `loose` are the points left over with which somebody knocks.
    `beside` is 1 where the deal after the one that is said is meant, and -1 for the one before.
    `dealt` is how many cards each was dealt in the deal that is meant.
    """

    step: int | None
    players: int | None
    score: int | None
    loose: int | None
    rank: str | None
    count: int
    sets: int
    runs: int
    sizes: list[int]
    beside: int
    dealt: int | None


def read_figures(words: Sequence[str]) -> Figures:
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
    >>> read_figures("the contract of the penultimate round".split()).step
    -2
    >>> read_figures("we are up to 8 now".split()).step, read_figures("we are on 95".split()).step
    (8, None)
    >>> read_figures("which deal has one set of five".split()).sizes
    [5]
    >>> read_figures("we were dealt 15 cards each".split()).dealt
    15
    """
    text = " ".join(words).replace("penultimate", "next to last")
    beside = _BESIDE.search(text)
    after = 0 if beside is None else 1 if beside.group(1) else -1
    dealt = next(filter(None, found.groups())) if (found := _DEALT.search(text)) else None
    sizes = [size for size in map(_count, _SIZE.findall(text)) if size]
    sets, runs = (_melds(kind, text) for kind in (SETS, RUNS))
    pictures, said, count = _PICTURE.findall(text), dict[str, str](), 0
    for name, pattern in _patterns():
        for match in pattern.finditer(text):
            said[name] = next(filter(None, match.groups()))
            count += 1
        # Each figure is read once: "deal 95" is no score as well.
        text = pattern.sub("-", text)
    return Figures(
        _step(said.get("step"), after),
        _count(said.get("players")),
        _count(said.get("score")),
        _count(said.get("loose")),
        PICTURES[pictures[-1]] if pictures else "2" if "two" in said else _rank(said.get("rank")),
        len(pictures) + count,
        sets,
        runs,
        sizes,
        after,
        _count(dealt),
    )


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    patterns = []
    for name, pattern in language().figures:
        for part, meant in _PARTS.items():
            pattern = pattern.replace(part, meant)
        patterns.append((name, re.compile(rf"\b(?:{pattern})(?!\w)")))
    return patterns


def _step(said: str | None, beside: int) -> int | None:
    if said in ENDS:
        return LAST + beside
    if said in OPENS:
        return 1 + beside
    step = ORDINALS.index(said) + 1 if said in ORDINALS else _count(said)
    return None if step is None else max(0, step + beside)


def _melds(kind: str, text: str) -> int:
    """Count the melds of a kind that are said, as a contract says them."""
    said = re.search(rf"\b(\d|a|{_NUMBERS}) (?:{kind})\b", text)
    return 0 if said is None else 1 if said.group(1) == "a" else _count(said.group(1)) or 0


def _count(said: str | None) -> int | None:
    if said in SPOKEN:
        return SPOKEN.index(said) + 1
    digits = re.match(r"\d+", said or "")
    return int(digits.group()) if digits else None


def _rank(said: str | None) -> str | None:
    """Return the rank that is said, as the rules write it.

    >>> _rank("a 7"), _rank("sixes")
    ('7', '6')
    """
    word = said.split()[-1] if said else ""
    rank = _count({"sixes": "six"}.get(word, word.removesuffix("s")))
    return str(rank) if rank else None


def step_said(variant: Variant, said: Figures) -> int | None:
    """Find the deal that is named by its number or as the last, 0 where the game has no such one.

    None where none is named, or all are alike.
    """
    last = len(variant.deals)
    if said.step is None or last == 1:
        return None
    step = last - LAST + said.step if said.step < 0 else said.step
    return step if step <= last else 0


def deal_meant(variant: Variant, said: Figures) -> int | None:
    """Find the deal that is meant: by its number, as the last, by its cards or its contract."""
    if said.step is not None:
        return step_said(variant, said)
    deals = [*enumerate(variant.deals, 1)]
    if said.dealt:
        steps = [step for step, deal in deals if deal.dealt == said.dealt]
        return steps[0] if len(steps) == 1 else None
    # A set alone names no contract: it is what a question is about.
    if said.sets + said.runs < 2 and not said.sizes:
        return None
    steps = [step for step, deal in deals if deal.contract and _is_said(deal.contract, said)]
    return steps[0] + said.beside if steps else None


def _is_said(contract: Contract, said: Figures) -> bool:
    """Whether a contract has as many sets and runs as are said, and in the sizes that are said."""
    kinds = [meld.kind for meld in contract.melds]
    sizes = {meld.size for meld in contract.melds}
    return (kinds.count("set"), kinds.count("run")) == (said.sets, said.runs) and sizes.issuperset(
        said.sizes
    )
