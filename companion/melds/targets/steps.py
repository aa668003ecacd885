"""The melds of a target chosen one after another, and what those chosen lack and leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.melds.meld import MeldSpec

from .counts import any_of, by_rank, one_of_each
from .filling import Candidate
from .meld_candidates import Rated, gaps_in, take
from .missing_bounds import Least


class Step(NamedTuple):
    """A meld to be chosen: what it can be, and how many of the next are alike, to follow in order.

    `short` tells how many places of all steps that follow lack at least a natural card and may not
    be wild, `following` what those lack that are not alike, and how many of them there are. From
    the first step that is `by_rank` on, cards are counted by rank. Of the melds that
    follow `runs` are of one suit.
    """

    meld: MeldSpec
    choices: Sequence[Rated]
    least: Least
    alike: int
    by_rank: bool
    short: int
    following: tuple[tuple[Least, int], ...]
    runs: int

    def within(
        self,
        start: int,
        most_empty: int,
        most_short: int,
        laid: Partial,
        rest: int,
        there: int,
    ) -> Iterator[tuple[int, Rated, int]]:
        """List the choices, from one on, with which no more places need lack a card than may.

        At most `most_empty` places may stay without a card that is not wild, at most `most_short`
        without a natural one where no wild may lie. `rest` are the cards left, by rank if the step
        says so, and `there` one of each. Each comes with how many more places may stay empty.
        """
        choices, alike = self.choices, self.alike
        gone, wild = ~there, ~(there & self.least.steady)
        own = self.least.of(laid.rest, laid.barred)
        of_alike = own.missing_of(alike)
        most, short = most_empty - laid.empty, most_short - laid.short - self.short
        lack = most_short - laid.lack - own.lack_of(alike)
        for other, times in self.following:
            lacking = other.of(laid.rest, laid.barred)
            most -= lacking.missing_of(times)
            lack -= lacking.lack_of(times)
        barred, in_suit = laid.barred, self.least.is_in_suit
        for index in range(start, len(choices)):
            missing, alone, choice = choices[index]
            left = most - max(missing * alike, of_alike)
            if left < missing:
                return
            if alone > short or (in_suit and choice.units & barred):
                continue
            if choice.window:
                spare = left - (choice.units & wild).bit_count()
                natural = lack - (choice.units & gone).bit_count()
            else:
                shift = 8 * choice.rank
                empty = choice.size - min(rest >> shift & 255, choice.size)
                spare = left - (choice.size if wild >> shift & 1 else empty)
                natural = lack - empty
            natural += choice.size - choice.need
            if spare >= 0 and natural >= 0:
                yield index, choices[index], spare

    def lacks_after(self, rest: int, barred: int, missing: int) -> tuple[int, int]:
        """Return what the steps after it lack at least if only so many cards are left for them.

        Of those alike each lacks no fewer steady cards than the choice made, which is `missing`
        so many.
        """
        least = self.least.of(rest, barred)
        empty = max(self.alike * missing, least.missing_of(self.alike))
        lack = least.lack_of(self.alike)
        for other, times in self.following:
            least = other.of(rest, barred)
            empty += least.missing_of(times)
            lack += least.lack_of(times)
        return empty, lack

    def places_after(self, laid: Partial, missing: int, spare: int) -> int:
        """Name the cards that may have an empty place in the melds after it.

        Of those alike each lacks no fewer cards than `missing`. If no place is to spare, a card
        that is left has no empty place where each meld lacks just as few as one alone must.
        """
        alike = [(self.least, self.alike, missing)] if self.alike else []
        others = [(other, times, 0) for other, times in self.following]
        return any_of([_places_in(laid, *melds, spare) for melds in (*alike, *others)])


def _places_in(laid: Partial, least: Least, times: int, each: int, spare: int) -> int:
    """Name the cards that may have an empty place in so many melds, of which each lacks so many."""
    rest, barred = laid.rest, laid.barred
    lacking = least.of(rest, barred)
    total = max(lacking.missing_of(times), times * each)
    one = total - max(lacking.missing_of(times - 1), (times - 1) * each)
    places = least.places(rest, barred, spare + one)
    if not spare and total == times * lacking.missing:
        places &= ~(least.there(rest) & least.steady) | lacking.again
    return places


Way = tuple[tuple[MeldSpec, Candidate], ...]


class Needing(NamedTuple):
    """Those of the melds chosen that lack cards which are not wild, each beside those before it.

    They `lack` so many together, though all cards but the `rest` were theirs; `gaps` are the cards
    they have empty places for.
    """

    lack: int
    rest: int
    gaps: int

    def and_for(self, choice: Candidate) -> Needing:
        """Add a meld if it is one of them, or those of its parts that are."""
        if choice.parts:
            return self.and_for(choice.parts[0]).and_for(choice.parts[1])
        rest = by_rank(self.rest) if choice.is_by_rank else self.rest
        there = one_of_each(rest)
        many, left = take(choice, rest, there)
        if many >= choice.need:
            return self
        gaps = self.gaps | gaps_in(choice, rest, there)
        return Needing(self.lack + choice.need - many, left, gaps)


class Partial(NamedTuple):
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
    needing: Needing
