"""What the melds of a contract can be beside one another, and how large."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.melds.meld import MeldRules, MeldSpec
from companion.melds.places import MOST_CARDS
from companion.melds.same_suit import CONNECTED

from .meld_candidates import MeldCandidates, Rated, steady_cells
from .missing_bounds import Least

MAY_NOT_TOUCH = ("not_adjacent", "adjacent_needs_9")
"""Readings of several runs in one suit that let them overlap but not touch, or not just so."""


class Candidates:
    """Everything that each meld of one list can be, for the cards of one hand.

    With `grow` a meld may be larger than asked where a larger one is allowed more wilds.
    """

    def __init__(
        self, melds: Iterable[MeldSpec], meld_rules: MeldRules, held: int, grow: bool
    ) -> None:
        self.melds = sorted(melds, key=_order)
        self._rules = meld_rules
        self._grow = grow
        self._may_grow = {meld: self._could_be_larger(meld) for meld in dict.fromkeys(self.melds)}
        self.steady = steady_cells(meld_rules)
        several = sum(map(is_in_suit, self.melds)) > 1
        self.lie_beside = several and meld_rules.same_suit_runs in MAY_NOT_TOUCH
        self._of = {
            meld: _meld_choices(
                meld,
                meld_rules,
                self._sizes(meld),
                self.lie_beside,
                self.lie_beside and is_in_suit(meld) and not self._may_grow[meld],
                held,
            )
            for meld in dict.fromkeys(self.melds)
        }

    def least(self, meld: MeldSpec) -> Least:
        """Return what tells how much a meld lacks at least."""
        return self._of[meld].least

    def all(self, meld: MeldSpec) -> Sequence[Rated]:
        """List everything that a meld can be, that first of which the fewest cards are missing."""
        return self._of[meld].rated

    def may_be_apart(self) -> bool:
        """Return whether melds are runs of one suit each, all alike, and each card is of one suit.

        Where wilds lie apart they are not: what a run needs is told place by place.
        """
        rules, is_alike = self._rules, len(set(self.melds)) == 1
        is_whole = not (rules.bound_ranks or rules.wilds_apart)
        return is_in_suit(self.melds[0]) and is_alike and is_whole

    def _could_be_larger(self, meld: MeldSpec) -> bool:
        """Return whether a larger meld could be allowed what one of this size is not."""
        rules, size = self._rules, meld.size
        if not self._grow or meld.is_exact(rules):
            return False
        takes_more = meld.wild_cap(size, rules) < min(size, meld.wild_cap(MOST_CARDS, rules))
        return takes_more or size < rules.naturals(meld.kind)

    def _sizes(self, meld: MeldSpec) -> tuple[int, ...]:
        return tuple(self._set_sizes(meld) if meld.kind == "set" else self._run_sizes(meld))

    def _set_sizes(self, meld: MeldSpec) -> list[int]:
        """Return how large a set may be: larger than asked if it then needs fewer naturals."""
        if not self._may_grow[meld]:
            return [meld.size] if meld.size >= self._rules.naturals("set") else []
        sizes: list[int] = []
        fewest = MOST_CARDS
        for size in range(max(meld.size, self._rules.naturals("set")), MOST_CARDS + 1):
            needed = size - meld.wild_cap(size, self._rules)
            if needed < fewest:
                sizes.append(size)
                fewest = needed
        return sizes

    def _run_sizes(self, meld: MeldSpec) -> range:
        """Return how large a run may be: larger than asked beside others, or to take more wilds."""
        longest, rules = meld.size, self._rules
        if self._may_grow[meld]:
            longest = rules.run_max
        elif self.lie_beside and is_in_suit(meld):
            longest = self._largest_beside(meld)
        return range(max(meld.size, rules.naturals("run")), min(longest, rules.run_max) + 1)

    def _largest_beside(self, meld: MeldSpec) -> int:
        """Return how large a run may have to be beside others of its suit.

        Nine cards make two that touch a connected pair (`Z-5`). Where no exact size is asked, a run
        that would touch one beside it may overlap that one too: a card more for each but the first.
        """
        others = [other.size for other in self.melds if is_in_suit(other)]
        others.remove(meld.size)
        sizes = [meld.size]
        if self._rules.same_suit_runs == "adjacent_needs_9":
            sizes.append(CONNECTED - min(others))
        if not meld.is_exact(self._rules):
            sizes.append(meld.size + len(others) - 1)
        return max(sizes)


def is_in_suit(meld: MeldSpec) -> bool:
    """Return whether a meld is a run of one suit."""
    return meld.kind == "run" and meld.suits == "same"


def is_by_card(meld: MeldSpec) -> bool:
    """Return whether not only the ranks of a meld's cards matter, but their suits."""
    return is_in_suit(meld) or meld.is_unlike


def _order(meld: MeldSpec) -> tuple[bool, bool, bool, int, tuple[str, ...], int]:
    """Bring runs of one suit first, then sets of different suits: of others only ranks matter.

    Of these runs come first, and of melds alike those of which fewest may be wild.
    """
    kind = not is_in_suit(meld), not meld.is_unlike, meld.kind == "set"
    return *kind, -meld.size, meld.ranks, MOST_CARDS if meld.wilds is None else meld.wilds


_meld_choices = lru_cache(maxsize=64)(MeldCandidates)
