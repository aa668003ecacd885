"""The melds of a target chosen one after another, and what those chosen lack and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .filling import Choice
from .least import Least
from .meld import MeldSpec
from .meld_choices import Rated


class Step(NamedTuple):
    """A meld to be chosen: what it can be, and whether the next is alike and follows in order.

    `empty` and `short` tell how many places the steps `following` lack at least, with all cards of
    the hand. From the first step that is `by_rank` on, cards are counted by rank.
    """

    meld: MeldSpec
    choices: Sequence[Rated]
    repeats: bool
    by_rank: bool
    empty: int
    short: int
    following: tuple[tuple[Least, int], ...]

    def lacks_after(self, rest: int, barred: int) -> tuple[int, int]:
        """Tell what the steps after it lack at least if only so many cards are left for them."""
        empty = lack = 0
        for least, times in self.following:
            missing, more = least.of(rest, barred)
            empty += times * missing
            lack += times * max(0, more)
        return empty, lack


Way = tuple[tuple[MeldSpec, Choice], ...]


class Laid(NamedTuple):
    """What the melds chosen so far lack and leave.

    `empty` of their places lack a steady card, `short` a natural one and may not be wild; they
    need `lack` cards more than they have together. `rest` are the cards left, of which some are
    `barred` from other runs of one suit.
    """

    empty: int
    short: int
    lack: int
    rest: int
    barred: int
