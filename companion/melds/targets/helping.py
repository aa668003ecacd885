"""Which cards bring a hand nearer to the melds of a contract.

A card helps if and only if some nearest target has an empty place for it, and that place must be
filled by a draw. A place must be where all empty places do; or where some melds of the target are
short of just so many cards that are not wild, for each such group of melds.
"""

from __future__ import annotations

from ..effort import spend
from .counts import (
    ONES,
    by_rank,
    cells_in,
    counted,
    lacking,
    one_each,
    one_of_each,
)
from .filling import Candidate, Cell
from .meld_candidates import Rated, gaps_in, take
from .steps import Partial, Way
from .target_search import Search

ANY_CARD = ONES


def helping_cells(search: Search, missing: int, known: set[Cell]) -> set[Cell]:
    """Find the cards, beside those known, that bring a hand nearer which misses so many."""
    return _Helping(search, missing, known).cells()


class _Helping:
    """Finds the cards of which one brings a hand nearer, looking at each target once."""

    def __init__(self, search: Search, missing: int, known: set[Cell]) -> None:
        """Look for cards beside those known, for a hand that misses so many."""
        self._search, self._missing = search, missing
        holding = search.holding
        self._wilds = 0 if holding.limited else holding.wilds
        self._most_empty = missing + holding.wilds
        self._held, self._unseen = search.nothing.rest, counted(holding.unseen)
        self._not_steady = ANY_CARD & ~search.choices.steady
        self._wanted = one_of_each(self._unseen) & ~one_each(known)
        self._found = 0
        self._tight: int

    def cells(self) -> set[Cell]:
        """Name them."""
        self._search.allow(self._missing, self._most_empty)
        self._place(0, 0, self._search.nothing, ANY_CARD, 0, ())
        return set(cells_in(self._found))

    def _place(self, at: int, start: int, laid: Partial, useful: int, gaps: int, way: Way) -> None:
        """Choose a meld for each step from one on, as `Search` does.

        Only cards that are `useful` can still be found, and of these only such as have a place,
        in the `gaps` or in a meld to come.
        """
        spend()
        step = self._search.steps[at]
        rest = by_rank(laid.rest) if step.by_rank else laid.rest
        there = one_of_each(rest)
        most = self._most_empty, self._missing
        later: dict[tuple[int, int], int] = {}
        for index, rated, spare in step.within(start, *most, laid, rest, there):
            if not useful & self._wanted:
                return
            key = rated[0], spare
            if key not in later:
                later[key] = step.places_after(laid, rated[0], spare)
            now, holes = self._open(rated, gaps, later[key], rest, there)
            now &= useful
            both = self._search.join(step, rated, laid, rest, there, way) if now else None
            if both is None:
                continue
            wider = (*way, (step.meld, rated[2]))
            # Where these melds lack as many as are drawn, only cards for their empty places help.
            if both.needing.lack == self._missing:
                now &= both.needing.gaps
            if at + 1 < len(self._search.steps) and now:
                self._place(at + 1, index if step.alike else 0, both, now, holes, wider)
            elif now:
                self._weigh(wider, both.empty, holes)

    def _open(self, rated: Rated, gaps: int, later: int, rest: int, there: int) -> tuple[int, int]:
        """Name the cards that may be found with a meld chosen at a step, and the gaps so far."""
        gaps |= gaps_in(rated[2], rest, there)
        return (gaps | later) & self._useful_with(rated), gaps

    def _useful_with(self, rated: Rated) -> int:
        """Name the cards wanted that may be found with a meld chosen at a step."""
        _, short, choice = rated
        if short < self._missing:
            return self._wanted
        rest = by_rank(self._held) if choice.is_by_rank else self._held
        return self._wanted & gaps_in(choice, rest, one_of_each(rest))

    def _weigh(self, way: Way, empty: int, gaps: int) -> None:
        """Find the cards that help at one target, if so many draws do reach it."""
        spend()
        choices = [piece for _, choice in way for piece in choice.pieces]
        useful = self._wanted
        if empty == self._most_empty:
            useful &= gaps | self._not_steady
        self._tight = useful
        if not self._is_reached(choices, self._held, 0, 0):
            return
        useful = self._tight
        if self._blocked(choices) > self._wilds and not self._search.can_be_filled(choices):
            return
        self._found |= useful
        self._wanted &= ~useful

    def _is_reached(self, choices: list[Candidate], rest: int, lack: int, gaps: int) -> bool:
        """Return whether no group of melds needs more cards that are not wild than can be drawn.

        Where one needs just as many, only the cards that it lacks are useful.
        """
        if not choices:
            if lack == self._missing:
                self._tight &= gaps
            return lack <= self._missing
        choice, *others = choices
        if not self._is_reached(others, rest, lack, gaps):
            return False
        rest = by_rank(rest) if choice.is_by_rank else rest
        there = one_of_each(rest)
        many, left = take(choice, rest, there)
        gaps |= gaps_in(choice, rest, there)
        return self._is_reached(others, left, lack + choice.need - many, gaps)

    def _blocked(self, choices: list[Candidate]) -> int:
        """Return how many empty places no card of the pack is left for."""
        rest, of_cells, of_ranks = self._held, 0, 0
        for choice in choices:
            rest = by_rank(rest) if choice.is_by_rank else rest
            _, left = take(choice, rest, one_of_each(rest))
            empty = choice.asked - (rest - left)
            if choice.is_by_rank:
                of_ranks += empty
            else:
                of_cells += empty
            rest = left
        short, unseen = lacking(of_cells, self._unseen)
        return short + lacking(of_ranks, by_rank(unseen))[0]
