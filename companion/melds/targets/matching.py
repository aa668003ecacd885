"""Who gets which of the natural cards that several melds of a target could use."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from .filling import Candidate, Cell, Holding


class Matching:
    """Natural cards laid at the places of melds, as many as can be where they are needed most.

    A meld needs so many that its other places are no more than the wilds it may take. Cards are
    laid one by one; one that is laid may make room at one meld and lie at another (the paths of
    Kuhn's matching), so that no meld ever loses what it has.
    """

    def __init__(self, choices: Sequence[Candidate], needs: Sequence[int], held: list[int]) -> None:
        self._choices = choices
        self._rest = held.copy()
        self.lie: list[list[Cell | None]] = [[None] * choice.size for choice in choices]
        self._where: dict[Cell, list[tuple[int, int]]] = {}
        self.short = 0
        for meld, need in enumerate(needs):
            while need and self._lay_one(meld, set()):
                need -= 1
            self.short += need

    def lay_rest(self) -> None:
        """Lay every card that still finds a place."""
        for meld in range(len(self.lie)):
            while self._lay_one(meld, set()):
                pass

    def _lay_one(self, meld: int, seen: set[Cell]) -> bool:
        """Lay one card more at a meld; cards already thought of are left where they are."""
        lie = self.lie[meld]
        for place, slot in enumerate(self._choices[meld].places):
            if lie[place] is not None:
                continue
            for cell in slot:
                if cell in seen:
                    continue
                seen.add(cell)
                if self._rest[cell]:
                    self._rest[cell] -= 1
                    self._lay(meld, place, cell)
                    return True
                for other, there in self._where.get(cell, ()):
                    if other != meld:
                        self._take(other, there, cell)
                        self._lay(meld, place, cell)
                        if self._lay_one(other, seen):
                            return True
                        self._take(meld, place, cell)
                        self._lay(other, there, cell)
        return False

    def _lay(self, meld: int, place: int, cell: Cell) -> None:
        self.lie[meld][place] = cell
        self._where[cell] = [*self._where.get(cell, ()), (meld, place)]

    def _take(self, meld: int, place: int, cell: Cell) -> None:
        self.lie[meld][place] = None
        self._where[cell] = [where for where in self._where[cell] if where != (meld, place)]


def can_be_filled(choices: Sequence[Candidate], holding: Holding, free: frozenset[int]) -> bool:
    """Return whether the hand and the rest of the pack fill every place of some melds.

    Natural cards must fill so many as no wild may; what no card fills that is not of a `free` rank
    is left to wilds. Nothing else stands in the way of drawing as few cards as are missing: by the
    theorem of Mendelsohn and Dulmage there is a way to lay cards that fills the places that need
    them and still lays every card of the hand that another way lays.
    """
    cards = [*map(add, holding.held, holding.unseen)]
    if Matching(choices, [choice.need for choice in choices], cards).short:
        return False
    steady = [0 if cell & 15 in free else number for cell, number in enumerate(cards)]
    sharing = Matching(choices, [0] * len(choices), steady)
    sharing.lay_rest()
    gone = sum([cells.count(None) for cells in sharing.lie])
    return gone <= holding.wilds + holding.unseen_wilds
