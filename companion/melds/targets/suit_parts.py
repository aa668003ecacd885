"""What alike runs of one suit lack beside one another, and which cards would lower that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.melds.same_suit import agreement

from .counts import counted, one_of_each
from .filling import Candidate
from .meld_candidates import Rated, gaps_in, number_steady, take
from .suit_bounds import taken
from .target_search import Search

Amount = int
"""What runs lack and how many they are, in one whole number, to be added up or taken away at once.

Its bytes, from the lowest on: how many places lack a steady card, how many need a natural one, for
how many the whole pack has no steady card, and how many runs there are. No byte holds more than
`MOST`, so that the bit above tells where more was taken away than there was."""

SHORT, GONE, RUNS = 8, 16, 24
MOST = 127
CARRIED = 0x80808080


class Helps(NamedTuple):
    """Cards of which one lowers what runs lack: of steady cards, or of natural ones.

    One that lowers what they lack of natural cards lowers the other too, or is wild itself.
    """

    steady: int = 0
    natural: int = 0


Parts = dict[Amount, Helps]
"""What runs of a suit can lack together, and the cards that lower it in any such runs."""


class Group(NamedTuple):
    """Some of the runs laid: how many natural cards they are short of, what is left, their gaps."""

    short: int
    rest: int
    gaps: int


class SuitLayout(NamedTuple):
    """Runs of one suit beside one another, and what they leave of the hand and of all cards.

    Their `groups` are all ways to take some of those that need natural cards; `short` is what the
    shortest lacks, which stands in the amount only when that is noted.
    """

    amount: Amount
    runs: tuple[Candidate, ...]
    rest: int
    of_all: int
    gaps: int
    groups: tuple[Group, ...]
    short: int


class SuitParts:
    """Lists what runs of a suit can lack that may be part of a target, for a hand's search."""

    def __init__(self, search: Search, missing: int) -> None:
        """Look for targets that miss no more than so many cards."""
        holding, choices = search.holding, search.choices
        self._rule, self._ace = search.rules.same_suit_runs, search.rules.ace
        self._may_be_larger = search.may_be_larger
        self._steady, self._times = choices.steady, len(choices.melds)
        self._runs = choices.all(choices.melds[0])
        self._least = choices.least(choices.melds[0])
        self._held = search.nothing.rest
        self._all = self._held + counted(holding.unseen)
        self._most_empty, self._missing = holding.wilds + missing, missing
        wilds = min(holding.wilds + holding.unseen_wilds, MOST)
        self.most: Amount = self._most_empty + (missing << SHORT) + (wilds << GONE)
        self.most += self._times << RUNS

    def of(self, suit: int) -> Parts:
        """Return what none, one and more runs of a suit can lack, each with what then helps."""
        found: Parts = {}
        runs = [rated for rated in self._runs if rated[2].suit == suit]
        nothing = Group(0, self._held, 0)
        self._lay(SuitLayout(0, (), self._held, self._all, 0, (nothing,), 0), runs, found)
        return found

    def _lay(self, laid: SuitLayout, runs: Sequence[Rated], found: Parts) -> None:
        """Note what some runs lack, and lay one more of those that may follow."""
        larger = [run for run in laid.runs if run.is_larger]
        if all(self._may_be_larger(run, laid.runs) for run in larger):
            amount = laid.amount + (laid.short << SHORT)
            found[amount] = self._also(laid, found.get(amount, Helps()))
        near = self._near(laid, runs)
        for number, rated in enumerate(near):
            both = self._join(laid, rated[2])
            if both:
                self._lay(both, near[number:], found)

    def _near(self, laid: SuitLayout, runs: Sequence[Rated]) -> list[Rated]:
        """List the runs with which no more is missing than may, beside those still to come."""
        more = self._times - (laid.amount >> RUNS) - 1
        if more < 0:
            return []
        # A bound: no answer needs it, but without it three runs of Shanghai with its table of wilds
        # take five times as long.
        least = self._least.of(laid.rest, 0)
        empty = self._most_empty - (laid.amount & MOST) - least.missing_of(more)
        lack = self._missing - laid.groups[-1].short - least.lack_of(more)
        there = one_of_each(laid.rest)
        steady = there & self._steady
        return [
            rated
            for rated in runs
            if rated[2].size - taken(rated[2], steady) <= empty
            and rated[2].need - taken(rated[2], there) <= lack
        ]

    def _join(self, laid: SuitLayout, run: Candidate) -> SuitLayout | None:
        """Lay one run more, unless too much would be missing or it may not lie there."""
        for other in laid.runs:
            if not agreement(self._rule, self._ace, run.placed, other.placed):
                return None
        rest, there = laid.rest, one_of_each(laid.rest)
        _, left = take(run, rest, there)
        _, of_all = take(run, laid.of_all, one_of_each(laid.of_all))
        steady = number_steady(rest - left, self._steady)
        of_pack = number_steady(laid.of_all - of_all, self._steady)
        amount = laid.amount + (run.size - steady) + (run.size - of_pack << GONE) + (1 << RUNS)
        groups = _grouped(laid.groups, run)
        short = max([group.short for group in groups])
        if not is_enough(CARRIED + self.most - amount - (short << SHORT)):
            return None
        runs = (*laid.runs, run)
        if not self._can_be_natural(runs):
            return None
        gaps = laid.gaps | gaps_in(run, rest, there)
        return SuitLayout(amount, runs, left, of_all, gaps, groups, short)

    def _can_be_natural(self, runs: Sequence[Candidate]) -> bool:
        """Return whether the whole pack has natural cards where no wild may lie."""
        groups: tuple[Group, ...] = (Group(0, self._all, 0),)
        for run in runs:
            groups = _grouped(groups, run)
        return max([group.short for group in groups]) <= 0

    def _also(self, laid: SuitLayout, helps: Helps) -> Helps:
        """Add what lowers what some runs lack: of naturals, that of every shortest group."""
        natural = laid.gaps
        for group in laid.groups:
            if group.short == laid.short:
                natural &= group.gaps
        return Helps(helps.steady | laid.gaps & self._steady, helps.natural | natural)


def is_enough(left: int) -> bool:
    """Return whether no more was taken of anything than there was, from an amount and `CARRIED`."""
    return left & CARRIED == CARRIED


def _grouped(groups: tuple[Group, ...], run: Candidate) -> tuple[Group, ...]:
    """Add a run to each group, if some of its places need a natural card."""
    if run.need <= 0:
        return groups
    more: list[Group] = []
    for short, rest, gaps in groups:
        there = one_of_each(rest)
        many, left = take(run, rest, there)
        more.append(Group(short + run.need - many, left, gaps | gaps_in(run, rest, there)))
    return (*groups, *more)
