"""The melds of a target chosen one after another, and what those chosen lack and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..meld import MeldSpec
from .filling import Choice
from .least import Least
from .meld_choices import Rated


class Room(NamedTuple):
    """How many cards the steps that follow may take: of one card (by runs of a suit), of a rank.

    A meld that is no run of one suit takes at least `smallest` of a rank, or has empty places.
    """

    of_card: int
    of_rank: int
    smallest: int

    def and_for(self, choices: Sequence[Rated]) -> Room:
        """Make room for one step more."""
        most = [rated[2].most_of_one for rated in choices]
        if choices[0][2].suit >= 0:
            return Room(self.of_card + max(most), self.of_rank + max(most), self.smallest)
        return Room(self.of_card, self.of_rank + max(most), min(self.smallest, *most))


class Step(NamedTuple):
    """A meld to be chosen: what it can be, and how many of the next are alike, to follow in order.

    `empty` tells how many places the steps `following` these lack at least with all cards of the
    hand, `short` those of all steps that follow. From the first step that is `by_rank` on, cards
    are counted by rank.
    """

    meld: MeldSpec
    choices: Sequence[Rated]
    least: Least
    alike: int
    by_rank: bool
    empty: int
    short: int
    following: tuple[tuple[Least, int], ...]
    room: Room

    @property
    def runs_after(self) -> int:
        """How many steps follow."""
        return self.alike + sum([times for _, times in self.following])

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
