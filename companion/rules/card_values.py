"""What counts in a game whose points a table writes down by itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from companion.spoken import NUMBERS

from . import catalogue
from .variant import Variant


class CardValues(Struct, frozen=True, forbid_unknown_fields=True):
    """How a deal is scored, in words, and each kind of card with its points, from a `source`.

    Cards from the first to the last `shown` count what they show; one that doubles, all before it.
    `counts` are what else counts, in words, and what it is called beside that; `also` says so of
    cards. Words may hold placeholders, which the game fills.
    """

    scored: str
    source: str
    shown: tuple[int, int] | None = None
    cards: tuple[tuple[str, int | Literal["double"]], ...] = ()
    counts: tuple[tuple[str, str, str], ...] = ()
    also: Mapping[str, str] = {}

    @property
    def numbers(self) -> range:
        """The cards that count what they show."""
        return range(self.shown[0], self.shown[1] + 1) if self.shown else range(0)


class Counted(NamedTuple):
    """What counts, its points in words, and what else it is called."""

    name: str
    points: str
    also: str


RANKS = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
_SPAN = re.compile(r"(\w+) to \+?(\w+)")
_EVERY = frozenset({"each", "every", "other", "card", "cards", "of", "a", "the", "and", "or", "in"})


@cache
def _all_values() -> dict[str, CardValues]:
    text = (catalogue.VARIANTS / "card_values.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, CardValues])


def card_values(variant: Variant) -> CardValues | None:
    """Find what the cards of a game of points count; None where cards are not what is added."""
    values = what_counts(variant)
    return values if values and (values.cards or values.shown) else None


def what_counts(variant: Variant) -> CardValues | None:
    """Find what counts in a game of points; None where that was not looked up."""
    return _all_values().get(variant.key)


def value_asked(rows: Sequence[Counted], words: Sequence[str]) -> Counted | None:
    """Find what of a game a question names; None where it names nothing, or two alike."""
    # What is named only to be left out: a wild that is not a joker.
    asked = re.sub(r"\bnot (?:an? |the )?\w+", "", " ".join(words)).split()
    said = {*asked, *(str(NUMBERS.index(word)) for word in asked if word in NUMBERS)}
    found = [(len(_called(row) & said), row) for row in rows]
    most = max(times for times, _ in found)
    named = [row for times, row in found if times == most > 0]
    return named[0] if len(named) == 1 else None


def _called(row: Counted) -> set[str]:
    """List the words that name it, every rank of a span and plural forms among them."""
    said = f"{row.name} {row.also}".lower()
    words = {*re.findall(r"\w+", said)} - _EVERY
    for first, last in _SPAN.findall(said):
        if first.isdecimal() and last.isdecimal():
            words |= {*map(str, range(int(first), int(last) + 1))}
        elif first in RANKS and last in RANKS:
            words |= {*RANKS[RANKS.index(first) : RANKS.index(last) + 1]}
    return words | {f"{word}s" for word in words}
