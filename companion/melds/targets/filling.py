"""Targets of a contract, and how their empty slots are filled with wilds and draws."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from itertools import compress
from typing import Generic, NamedTuple, TypeVar

from companion.melds.places import Window
from companion.melds.same_suit import Placed

BY_RANK, UNLIKE = -1, -2
"""In place of a suit: runs of any suits, and sets in which no suit is there twice."""

Cell = int
"""A natural card by number: 16 for each suit, then the rank. Where the suit of a rank is free,
all its cards are the cell of the first suit."""

Slot = tuple[Cell, ...]
"""The cells of which any fills a place."""


def cell_of(suit: int, rank: int, bound: frozenset[int]) -> Cell:
    """Return the number of a natural card."""
    return rank if rank in bound else 16 * suit + rank


class Holding(NamedTuple):
    """What is held and what could still be drawn, by cell; wilds that stand for any card.

    Where wilds are `limited`, one that lies in its own place is natural: it is held there too,
    beside being one of the wilds.
    """

    held: list[int]
    unseen: list[int]
    wilds: int
    unseen_wilds: int
    limited: bool = False

    def with_drawn_wild(self, cell: Cell | None) -> Holding:
        """Take one wild more into the hand; one without a cell is only wild."""
        held, unseen = self.held.copy(), self.unseen.copy()
        if cell is not None:
            held[cell] += 1
            unseen[cell] -= 1
        return Holding(held, unseen, self.wilds + 1, self.unseen_wilds - 1, self.limited)

    def of_rank(self, rank: int) -> int:
        """Return how many natural cards of a rank are held or unseen."""
        return sum(self.held[rank::16]) + sum(self.unseen[rank::16])


class Candidate(NamedTuple):
    """One thing that a meld can be: a run's suit and window or a set's rank.

    For each of its places it names the cells that may lie there; a run of any suits has none, -1.
    A set in which no suit may be there twice has suits for its places, and none of its own, -2.
    `placed` tells of a run what `agreement` asks, `need` how many places no wild may fill. Of
    `counts`: a run takes one of each of its `units`, and of `again` a second; `cells` are all that
    may lie in it, `bars` such as no other run of one suit may then have. It may not lie where one
    of its units is barred; one that `is_larger` than asked must connect with another.

    Where wilds lie apart a run has two `parts`, each as a choice by itself: the places at these of
    its `steps` that no wild may fill, and the others, of which no two are neighbours.
    """

    places: tuple[Slot, ...]
    size: int
    suit: int
    window: Window | None
    rank: int
    need: int
    placed: Placed
    units: int
    again: int
    cells: int
    bars: int
    parts: tuple[Candidate, ...] = ()
    steps: tuple[int, ...] = ()
    is_larger: bool = False

    @property
    def is_by_rank(self) -> bool:
        """Whether its cards are counted by rank, whatever their suits."""
        return self.suit == BY_RANK

    @property
    def asked(self) -> int:
        """The cards for all its places, counted; of a set by rank."""
        if self.window is None:
            return self.size << 8 * self.rank
        return self.units + self.again

    @property
    def cap(self) -> int:
        """How many of its places may be wild."""
        return self.size - self.need

    @property
    def pieces(self) -> tuple[Candidate, ...]:
        """Its parts, or itself: of each just so many places may be wild as it does not need."""
        return self.parts or (self,)


class Filled(NamedTuple):
    """A meld of a target: the cell that lies at each of its places, None where there is none."""

    choice: Candidate
    lie: tuple[Cell | None, ...]

    @property
    def cap(self) -> int:
        """How many wilds it may take."""
        return self.choice.cap

    @property
    def taken(self) -> list[Cell]:
        """The cells it takes of those held, in the order of its places."""
        return [cell for cell in self.lie if cell is not None]

    @property
    def slots(self) -> list[Slot]:
        """The places left empty."""
        return [*compress(self.choice.places, [cell is None for cell in self.lie])]

    @property
    def empty(self) -> int:
        """How many places are left empty."""
        return self.lie.count(None)


Target = tuple[Filled, ...]


HELD_WILD, DRAWN_WILD = -1, -2


def is_plentiful(target: Target, holding: Holding) -> bool:
    """Return whether the rest of the pack holds a natural card for each empty slot."""
    slots = Counter(slot for filled in target for slot in filled.slots)
    unseen = holding.unseen
    # What one cell alone can fill takes its cards first; other slots ask of a whole rank.
    return all(
        asked <= sum(unseen[cell] - (slots[cell,] if len(slot) > 1 else 0) for cell in slot)
        for slot, asked in slots.items()
    )


def fill(
    target: Target, holding: Holding, missing: int, free: frozenset[int]
) -> list[list[int]] | None:
    """Fill a target's empty slots with wilds and exactly `missing` draws; None if impossible.

    Gives a cell to draw, `HELD_WILD` or `DRAWN_WILD` for each empty slot.
    """
    slots = [(step, slot) for step, filled in enumerate(target) for slot in filled.slots]
    held_wilds = len(slots) - missing
    caps = [filled.cap for filled in target]
    filler = _Filler(slots, caps, [holding.unseen.copy()], free)
    found = filler.go(0, held_wilds, missing, holding.unseen_wilds)
    if found is None:
        return None
    rest = iter(found)
    return [[next(rest) for _ in filled.slots] for filled in target]


def _blocked(slots: Sequence[Slot], holding: Holding) -> int:
    """Return how many of these slots at least the pack has no natural card left for."""
    return sum(
        [
            max(0, asked - sum([holding.unseen[cell] for cell in slot]))
            for slot, asked in Counter(slots).items()
        ]
    )


How = TypeVar("How")


class _Trying(Generic[How]):
    """Fills slots one by one, going back where a choice leads nowhere, and never there again.

    Only cards that a slot from there on may take tell one such state from another, and only the
    wilds that their melds may still take.
    """

    def __init__(
        self,
        slots: list[tuple[int, Slot]],
        caps: list[int],
        cards: list[list[int]],
        free: frozenset[int],
    ) -> None:
        self.slots, self.caps, self.cards, self.free = slots, caps, cards, free
        self._in_vain: set[tuple[object, ...]] = set()
        self._cells: list[tuple[Cell, ...]] = []

    def go(self, at: int, wilds: int, draws: int, unseen_wilds: int) -> list[How] | None:
        """Fill the slots from one on, with so many wilds held, draws, and wilds to draw."""
        if at == len(self.slots):
            return [] if draws == 0 else None
        left = wilds, draws, unseen_wilds
        if self._in_vain and self._state(at, *left) in self._in_vain:
            return None
        found = self.fill(at, *left)
        if found is None:
            self._in_vain.add(self._state(at, *left))
        return found

    @abstractmethod
    def fill(self, at: int, wilds: int, draws: int, unseen_wilds: int) -> list[How] | None:
        """Fill one slot, and go on with the next."""

    def _state(self, at: int, *left: int) -> tuple[object, ...]:
        if not self._cells:
            self._cells = [
                tuple(dict.fromkeys(cell for _, slot in self.slots[place:] for cell in slot))
                for place in range(len(self.slots))
            ]
        cards = [tuple([many[cell] for cell in self._cells[at]]) for many in self.cards]
        return at, left, tuple(self.caps[self.slots[at][0] :]), *cards


class _Filler(_Trying[int]):
    """Fills slots with draws and wilds, of cards that are unseen."""

    def fill(self, at: int, wilds: int, draws: int, unseen_wilds: int) -> list[int] | None:
        """Draw a card if one can be drawn, or take a wild."""
        meld, cells = self.slots[at]
        (unseen,) = self.cards
        for cell in cells if draws else ():
            lent = cell & 15 in self.free
            if unseen[cell] and unseen_wilds >= lent:
                unseen[cell] -= 1
                rest = self.go(at + 1, wilds, draws - 1, unseen_wilds - lent)
                unseen[cell] += 1
                if rest is not None:
                    return [cell, *rest]
        if self.caps[meld]:
            self.caps[meld] -= 1
            rest, how = None, HELD_WILD
            if wilds:
                rest = self.go(at + 1, wilds - 1, draws, unseen_wilds)
            if rest is None and draws and unseen_wilds:
                rest, how = self.go(at + 1, wilds, draws - 1, unseen_wilds - 1), DRAWN_WILD
            self.caps[meld] += 1
            if rest is not None:
                return [how, *rest]
        return None


def lay_scarce(
    choices: Sequence[Candidate],
    holding: Holding,
    draws: int,
    free: frozenset[int],
) -> list[list[Cell | None]]:
    """Lay the cards held so that just so many draws fill the rest of a target, if they can.

    Tells for each place of each meld the cell that lies there, None where a wild or a draw must.
    """
    slots = [(meld, slot) for meld, choice in enumerate(choices) for slot in choice.places]
    caps = [choice.cap for choice in choices]
    layer = _Layer(slots, caps, [holding.held.copy(), holding.unseen.copy()], free)
    found = layer.go(0, holding.wilds, draws, holding.unseen_wilds)
    if found is None:
        raise AssertionError("A target in reach could not be laid.")
    rest = iter(found)
    return [[next(rest) for _ in choice.places] for choice in choices]


class _Layer(_Trying[Cell | None]):
    """Lays cards that are held, or fills places as `_Filler` does."""

    def fill(self, at: int, wilds: int, draws: int, unseen_wilds: int) -> list[Cell | None] | None:
        """Lay a card that is held, draw one, or take a wild."""
        meld, slot = self.slots[at]
        held, unseen = self.cards
        for cards, own in ((held, True), (unseen, False)):
            cell = next((cell for cell in slot if cards[cell]), None)
            if cell is None:
                continue
            lent = cell & 15 in self.free
            if (wilds < lent) if own else (not draws or unseen_wilds < lent):
                continue
            cards[cell] -= 1
            if own:
                rest = self.go(at + 1, wilds - lent, draws, unseen_wilds)
            else:
                rest = self.go(at + 1, wilds, draws - 1, unseen_wilds - lent)
            cards[cell] += 1
            if rest is not None:
                return [cell if own else None, *rest]
        if self.caps[meld]:
            self.caps[meld] -= 1
            rest = self.go(at + 1, wilds - 1, draws, unseen_wilds) if wilds else None
            if rest is None and draws and unseen_wilds:
                rest = self.go(at + 1, wilds, draws - 1, unseen_wilds - 1)
            self.caps[meld] += 1
            if rest is not None:
                return [None, *rest]
        return None
