"""Which cards bring a hand nearer to runs of one suit each that are all alike: each suit alone.

Runs of different suits share no cards, and none lies too near to another. So what they lack adds
up, suit by suit. So many draws reach a target if no more of its places lack a steady card than
there are wilds and draws, no more need a natural card than there are draws, and the pack holds
what is to be drawn: natural cards where no wild may lie, and as many wilds as there are places for
which it has no steady card. One run alone is looked at in the same way.
"""

from __future__ import annotations

from .counts import cells_in, counted, one_of_each
from .filling import Cell
from .suit_parts import CARRIED, MOST, RUNS, SHORT, Amount, Helps, SuitParts, is_enough
from .target_search import Search

BY_STEADY, BY_NATURAL = 1, 2
"""What one card must lower so that a draw fewer reaches a target: the number of places that lack a
steady card, or of those that need a natural one, whether or not of the others too."""


class SuitsApart:
    """What helps a hand that misses so many cards of runs that are alike.

    `cells` are the natural cards of which one does, `wild_helps` tells it of a wild.
    """

    def __init__(self, search: Search, missing: int) -> None:
        """Look at all targets of a search."""
        parts = SuitParts(search, missing)
        self._suits = [parts.of(suit) for suit in range(4)]
        self._known: list[dict[Amount, int]] = [{} for _ in self._suits]
        self._found = self._ends = 0
        self._add_up(CARRIED + parts.most)
        holding = search.holding
        useful = self._found & one_of_each(counted(holding.unseen))
        self.cells: set[Cell] = set(cells_in(useful))
        self.wild_helps = bool(self._ends & BY_STEADY and holding.unseen_wilds)

    def _add_up(self, most: Amount) -> None:
        """Choose of each suit what its runs lack, and gather what helps where that is enough."""
        states = {most}
        for suit, parts in enumerate(self._suits):
            after: set[Amount] = set()
            for state in states:
                for amount, helps in parts.items():
                    left = state - amount
                    ends = self._ends_after(suit, left) if is_enough(left) else 0
                    if ends:
                        after.add(left)
                        self._gather(helps, ends)
            states = after

    def _gather(self, helps: Helps, ends: int) -> None:
        """Add what helps where so much has to be lower."""
        self._ends |= ends
        if ends & BY_STEADY:
            self._found |= helps.steady
        if ends & BY_NATURAL:
            self._found |= helps.natural

    def _ends_after(self, suit: int, left: Amount) -> int:
        """Return what one card must lower in the targets for which so much is left after a suit."""
        if suit + 1 == len(self._suits):
            return _end(left)
        known = self._known[suit].get(left)
        if known is None:
            known = 0
            for amount in self._suits[suit + 1]:
                rest = left - amount
                if is_enough(rest):
                    known |= self._ends_after(suit + 1, rest)
            self._known[suit][left] = known
        return known


def _end(left: Amount) -> int:
    """Return what one card must lower where so much of a target is left; 0 if runs are missing."""
    if left - CARRIED >> RUNS:
        return 0
    empty, short = left & MOST, left >> SHORT & MOST
    if empty and short:
        raise AssertionError("A target is nearer than the nearest.")
    return BY_STEADY if short else BY_NATURAL
