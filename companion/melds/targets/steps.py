"""The melds of a target chosen one after another, and what those chosen lack and leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..meld import MeldSpec
from .counts import ONES
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
        first = choices[0][2]
        if first.window is None:
            sizes = [choice.size for _, _, choice in choices]
            return Room(self.of_card, self.of_rank + max(sizes), min(self.smallest, *sizes))
        most = 1 + any(choice.again for _, _, choice in choices)
        if first.suit >= 0:
            return Room(self.of_card + most, self.of_rank + most, self.smallest)
        return Room(self.of_card, self.of_rank + most, min(self.smallest, 1))


class Step(NamedTuple):
    """A meld to be chosen: what it can be, and how many of the next are alike, to follow in order.

    `empty` tells how many places the steps `following` these lack at least with all cards of the
    hand, `short` those of all steps that follow. From the first step that is `by_rank` on, cards
    are counted by rank. The meld itself lacks no less than `fewest`, and each `vital` card that it
    takes makes one that follows lack one more. If no more of them lack a card than must, only cards
    to be had `again` have a place in those that follow although one is left.
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
    fewest: int = 0
    vital: int = 0
    again: int = ONES

    def beside(self, laid: Laid) -> Step:
        """Tell more of what the steps lack, from the cards that those before it leave."""
        rest, barred = laid.rest, laid.barred
        fewest, _, _, again = self.least.of(rest, barred)
        empty = vital = 0
        if not self.alike:
            again = 0
        elif self.choices[0][2].window is None:
            again = ONES
        for other, times in self.following:
            least = other.of(rest, barred)
            empty += times * least.missing
            vital |= other.vital(rest, barred)
            again |= least.again
        return self._replace(empty=empty, fewest=fewest, vital=vital, again=again)

    def within(self, start: int, most: int, steady: int) -> Iterator[tuple[int, Rated, bool]]:
        """List the choices, from one on, with which no more places need lack a card.

        It is told of each whether no place may lack a card beyond those that must; `steady` is one
        of each card left that is not wild.
        """
        for index in range(start, len(self.choices)):
            rated = self.choices[index]
            missing, _, choice = rated
            missing = max(missing, self.fewest)
            spare = most - missing * (self.alike + 1)
            if spare < 0:
                return
            taken = choice.units & steady
            if not spare and taken & self.vital:
                continue
            most_taken = taken.bit_count() + choice.again.bit_count()
            if choice.window is None or choice.size - most_taken <= missing + spare:
                yield index, rated, not spare

    def lacks_after(self, rest: int, barred: int, missing: int) -> tuple[int, int]:
        """Tell what the steps after it lack at least if only so many cards are left for them.

        Of those alike each lacks no fewer steady cards than the choice made, which is `missing`
        so many.
        """
        empty = lack = 0
        if self.alike:
            least, more, *_ = self.least.of(rest, barred)
            empty, lack = self.alike * max(least, missing), self.alike * max(0, more)
        for other, times in self.following:
            least, more, *_ = other.of(rest, barred)
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
