"""What a meld lacks at least for the cards that others leave, remembered from hand to hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from companion.melds.meld import MeldRules
from companion.melds.places import MOST_CARDS
from companion.melds.remembered import Memory

from .counts import any_of, at_least, by_rank, in_all_suits, number_of, one_of_each
from .filling import UNLIKE, Candidate
from .suit_bounds import Lacks, LeastOfSuit, least_natural, taken


@dataclass(slots=True)
class Lacking:
    """The fewest places of a meld that lack a steady card, and the fewest that need a natural one.

    The second number may be less than nothing, where there are natural cards enough. If no more
    places lack a card than must, one more of the cards to be had `again` may have a place though
    one of them is there. What several melds lack is found from the `cards` when it is asked.
    """

    missing: int
    lack: int
    again: int
    least: Least
    cards: int
    _known: tuple[Lacks, ...] = ()

    def missing_of(self, melds: int) -> int:
        """Return how many places of so many such melds miss a steady card; none shares cards."""
        if melds < 2:
            return self.missing if melds else 0
        return self._several(melds)[0]

    def lack_of(self, melds: int) -> int:
        """Return how many natural cards they need, none of them less than nothing."""
        if melds < 2:
            return max(0, self.lack) if melds else 0
        return self._several(melds)[1]

    def _several(self, melds: int) -> Lacks:
        known = self._known
        while len(known) < melds - 1:
            self._known = known = (*known, self.least.several(self.cards, len(known) + 2))
        return known[melds - 2]


class Least(ABC):
    """What one meld lacks at least, and several that are like it.

    Cards to be had `again` may be wanted though there are some; `steady` are those that are not
    wild.
    """

    is_in_suit = False

    def __init__(self, choices: Sequence[Candidate], steady: int) -> None:
        """Prepare for one meld's choices."""
        self.steady = steady
        self.again = any_of(choice.again for choice in choices)
        self._smallest = min([choice.size for choice in choices])
        self._known: Memory[int, Lacking] = Memory()

    def of(self, rest: int, barred: int) -> Lacking:
        """Return it for the cards left, of which some are barred from runs of one suit."""
        cards = self.cards(rest, barred)
        return self._known.get(cards) or self._find(cards)

    def _find(self, cards: int) -> Lacking:
        self._known[cards] = least = self.find(cards)
        return least

    @abstractmethod
    def cards(self, rest: int, barred: int) -> int:
        """Return what matters of the cards left."""

    @abstractmethod
    def find(self, cards: int) -> Lacking:
        """Find what is lacking for cards not seen before."""

    @abstractmethod
    def several(self, cards: int, melds: int) -> Lacks:
        """Find what so many melds lack together."""

    @abstractmethod
    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place in a meld with at most so many places for wilds."""

    def there(self, cards: int) -> int:
        """Name the cards that there are, of their rank where suits do not matter."""
        return in_all_suits(one_of_each(by_rank(cards)))


class LeastOfRuns(Least):
    """Of runs of one suit."""

    is_in_suit = True

    def __init__(self, choices: Sequence[Candidate], steady: int) -> None:
        """Prepare for the choices of all suits."""
        super().__init__(choices, steady)
        suits = dict.fromkeys(choice.suit for choice in choices)
        by_suit = [[choice for choice in choices if choice.suit == suit] for suit in suits]
        self._suits = [LeastOfSuit(own, steady) for own in by_suit]
        self._near = [_Near(own, steady) for own in by_suit]
        self._bars = any_of(choice.bars for choice in choices)

    def cards(self, rest: int, barred: int) -> int:
        """Return what matters of the cards left: not how many there are, if none is used twice."""
        if self._bars:
            return one_of_each(rest) & ~barred
        return rest & ~barred

    def find(self, cards: int) -> Lacking:
        """Find it suit by suit."""
        ones = [suit.of(cards) for suit in self._suits]
        missing, lack = min([one[0] for one in ones]), min([one[1] for one in ones])
        return Lacking(missing, lack, self.again, self, cards)

    def several(self, cards: int, melds: int) -> Lacks:
        """Share so many runs among the suits."""
        suits = [suit.several(cards, melds) for suit in self._suits]
        missing, lack = (
            reduce(_shared, [[many[which] for many in suit[: melds + 1]] for suit in suits])
            for which in (0, 1)
        )
        return missing[melds], lack[melds]

    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place if no more than so many places lack one."""
        there = one_of_each(rest) & ~barred
        return any_of(near.of(there, most) for near in self._near) & ~barred

    def there(self, cards: int) -> int:
        """Name the cards that there are."""
        return one_of_each(cards)


class LeastOfMixedRuns(Least):
    """Of runs of any suits, for which cards are counted by rank."""

    def __init__(self, choices: Sequence[Candidate], steady: int) -> None:
        """Prepare for the choices."""
        super().__init__(choices, steady)
        self._choices = choices
        self._near = _Near([choice for choice in choices if choice.window], steady)
        self._need = min([choice.need for choice in choices])
        self._small = [choice for choice in choices if choice.size == self._smallest]

    def cards(self, rest: int, barred: int) -> int:
        """Return what matters of the cards left: how many of each rank."""
        return by_rank(rest)

    def find(self, cards: int) -> Lacking:
        """Find it; several have no more than all cards there are."""
        there = one_of_each(cards)
        most = max([taken(choice, there & self.steady) for choice in self._small])
        missing, lack = self._smallest - most, least_natural(there, self._choices)
        return Lacking(missing, lack, self.again, self, cards)

    def several(self, cards: int, melds: int) -> Lacks:
        """Share all cards among so many runs, of which none has more than the best."""
        one = self.of(cards, 0)
        steady = min(melds * (self._smallest - one.missing), number_of(cards & 255 * self.steady))
        naturals = min(melds * (self._need - max(0, one.lack)), number_of(cards))
        return melds * self._smallest - steady, melds * self._need - naturals

    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place if no more than so many places lack one."""
        return self._near.of(one_of_each(by_rank(rest)), most)


class LeastOfUnlikeSets(LeastOfMixedRuns):
    """Of sets in which no suit is there twice: card by card, as of runs.

    Where the suit of a rank is free, a set of it takes as many of its cards as there are.
    """

    def __init__(self, choices: Sequence[Candidate], steady: int) -> None:
        """Prepare for the choices."""
        super().__init__(choices, steady)
        self._free = [choice for choice in choices if not choice.window]
        self.again |= any_of(choice.cells for choice in self._free)

    def cards(self, rest: int, barred: int) -> int:
        """Return what matters of the cards left: how many there are of each."""
        return rest

    def find(self, cards: int) -> Lacking:
        """Find it for each set."""
        steady, natural = self._taking(cards & 255 * self.steady), self._taking(cards)
        most = max([many for choice, many in steady if choice.size == self._smallest])
        lack = min([choice.need - many for choice, many in natural])
        return Lacking(self._smallest - most, lack, self.again, self, cards)

    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place if no more than so many places lack one."""
        found = self._near.of(one_of_each(rest), most)
        for choice in self._free:
            not_wild = _of_rank(choice, rest) if choice.cells & self.steady else 0
            if choice.size - not_wild <= most:
                found |= choice.cells
        return found

    def there(self, cards: int) -> int:
        """Name the cards that there are."""
        return one_of_each(cards)

    def _taking(self, cards: int) -> list[tuple[Candidate, int]]:
        """Return how many of these cards each set takes."""
        there = one_of_each(cards)
        return [
            (choice, taken(choice, there) if choice.window else _of_rank(choice, cards))
            for choice in self._choices
        ]


def _of_rank(choice: Candidate, cards: int) -> int:
    """Return how many cards of its rank a set takes where their suit is free."""
    return min(choice.size, cards >> 8 * choice.rank & 255)


class LeastOfSets(Least):
    """Of sets, of which two may be of one rank or not."""

    def __init__(self, choices: Sequence[Candidate], steady: int, meld_rules: MeldRules) -> None:
        """Prepare for the choices of all ranks."""
        super().__init__(choices, steady)
        self._of_a_rank = MOST_CARDS if meld_rules.same_rank_sets else 1
        self._needs = {choice.size: choice.need for choice in choices}
        self._need = min(self._needs.values())
        self._shifts = sorted({8 * choice.rank for choice in choices})
        self._ranks = sum([1 << shift for shift in self._shifts])

    def cards(self, rest: int, barred: int) -> int:
        """Return what matters of the cards left: how many of each rank."""
        return by_rank(rest)

    def find(self, cards: int) -> Lacking:
        """Find it rank by rank."""
        steady, naturals = self._held(cards)
        most, many = max(steady, default=0), max(naturals)
        missing = self._smallest - min(self._smallest, most)
        lack = min([need - min(size, many) for size, need in self._needs.items()])
        best = at_least(cards, most) & ~at_least(cards, self._smallest) & self._ranks & self.steady
        return Lacking(missing, lack, in_all_suits(best), self, cards)

    def several(self, cards: int, melds: int) -> Lacks:
        """Return each the rank of which the most is left."""
        steady, naturals = self._held(cards)
        missing = self._together(self._smallest, steady, melds)
        return missing, self._together(self._need, naturals, melds)

    def _held(self, cards: int) -> tuple[list[int], list[int]]:
        """Return how many cards there are of each rank that is not wild, and of each."""
        naturals = [cards >> shift & 255 for shift in self._shifts]
        steady = [cards >> shift & 255 for shift in self._shifts if self.steady >> shift & 1]
        return steady, naturals

    def _together(self, size: int, held: list[int], melds: int) -> int:
        """Return how many cards sets of a size lack together."""
        if not size:
            return 0
        found: list[int] = []
        for many in held:
            last = max(0, many - size * self._of_a_rank)
            found += [min(size, left) for left in range(many, last, -size)]
        found.sort(reverse=True)
        return melds * size - sum(found[:melds])

    def places(self, rest: int, barred: int, most: int) -> int:
        """Name the cards that may have a place if no more than so many places lack one."""
        least = max(0, self._smallest - most)
        return in_all_suits(at_least(by_rank(rest), least) & self._ranks)


def least_of(choices: Sequence[Candidate], steady: int, meld_rules: MeldRules) -> Least:
    """Return what tells how much a meld lacks at least, by everything that it can be."""
    first = choices[0]
    if first.window is None and first.is_by_rank:
        return LeastOfSets(choices, steady, meld_rules)
    if first.suit == UNLIKE:
        return LeastOfUnlikeSets(choices, steady)
    if first.is_by_rank:
        return LeastOfMixedRuns(choices, steady)
    return LeastOfRuns(choices, steady)


class _Near:
    """Which cards have a place in runs that lack few cards, remembered."""

    def __init__(self, runs: Sequence[Candidate], steady: int) -> None:
        self._runs, self._steady = runs, steady
        self._cells = any_of(run.units for run in runs)
        self._known: Memory[int, dict[int, int]] = Memory()

    def of(self, there: int, most: int) -> int:
        """Name the cards of runs that need wilds or draws at no more than so many places."""
        there &= self._cells
        near = self._known.get(there) or self._find(there)
        return any_of([cells for missing, cells in near.items() if missing <= most])

    def _find(self, there: int) -> dict[int, int]:
        """Return the cards of all runs by how many places lack a steady one."""
        steady = there & self._steady
        near: dict[int, int] = {}
        for run in self._runs:
            missing = run.size - taken(run, steady)
            near[missing] = near.get(missing, 0) | run.cells
        self._known[there] = near
        return near


def _shared(some: list[int], others: list[int]) -> list[int]:
    """Share melds among two: what 0, 1, 2 … of them lack together at least."""
    return [
        min([some[here] + others[melds - here] for here in range(melds + 1)])
        for melds in range(len(some))
    ]
