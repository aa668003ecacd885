"""What cards count in a game whose points a table writes down by itself."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from . import catalogue
from .variant import Variant


class CardValues(Struct, frozen=True, forbid_unknown_fields=True):
    """How a deal is scored, in words, and each kind of card with its points, from a `source`.

    Cards from the first to the last `shown` count what they show; one that doubles, all before it.
    """

    scored: str
    source: str
    shown: tuple[int, int] | None = None
    cards: tuple[tuple[str, int | Literal["double"]], ...] = ()

    @property
    def numbers(self) -> range:
        """The cards that count what they show."""
        return range(self.shown[0], self.shown[1] + 1) if self.shown else range(0)


@cache
def _all_values() -> dict[str, CardValues]:
    text = (catalogue.VARIANTS / "card_values.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, CardValues])


def card_values(variant: Variant) -> CardValues | None:
    """Find what the cards of a game of points count; None where that was not looked up."""
    return _all_values().get(variant.key)
