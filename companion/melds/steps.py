"""The melds of a target chosen one after another, and what those chosen lack and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .filling import Choice
from .least import Least
from .meld import MeldSpec
from .meld_choices import Rated


class Step(NamedTuple):
    """A meld to be chosen: what it can be, and how many of the next are alike, to follow in order.

    `empty` tells how many places the steps `following` these lack at least with all cards of the
    hand, `short` those of all steps that follow. These may take so many cards of a rank
    at most, those that are runs of one suit so many of one card: `takers`, `run_takers`. From the first step that is `by_rank` on, cards are counted by rank.
    """

    meld: MeldSpec
    choices: Sequence[Rated]
    least: Least
    alike: int
    by_rank: bool
    empty: int
    short: int
    following: tuple[tuple[Least, int], ...]
    takers: int
    run_takers: int

    def lacks_after(self, rest: int, barred: int, missing: int) -> tuple[int, int]:
        """Tell what the steps after it lack at least if only so many cards are left for them.

        Of those alike each lacks no fewer steady cards than the choice made, which is `missing`
        so many.
        """
        empty = lack = 0
        if self.alike:
            least, more = self.least.of(rest, barred)
            empty, lack = self.alike * max(least, missing), self.alike * max(0, more)
        for other, times in self.following:
            least, more = other.of(rest, barred)
            empty += times * least
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
