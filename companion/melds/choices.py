"""What each meld of a contract can be: ranks for sets, stretches of places for runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from .filling import Cell, Choice, Placed, Slot, cell_of
from .meld import MeldRules, MeldSpec
from .places import MOST_CARDS, Window, set_ranks, windows

CONNECTED = 9
"""How many cards two runs that connect must hold together (`Z-5`)."""


@lru_cache(maxsize=4096)
def agreement(rule: str, ace: str, first: Placed, second: Placed) -> int:
    """Tell whether two runs in one suit may lie together: 0 no, 1 yes, 2 as a connected pair."""
    if rule == "any":
        return 1
    if rule == "different_suits":
        return 0
    between = _between(ace, first, second)
    if rule == "gap_only":
        return int(between > 0)
    if between != 0:
        return 1
    needed = max(CONNECTED, first[2] + second[2])
    total = first[1] + second[1]
    enough = total == needed if first[3] and second[3] else total >= needed
    return 2 if rule == "adjacent_needs_9" and enough else 0


def _between(ace: str, first: Placed, second: Placed) -> int:
    """Tell how many places lie between two runs; 0 where they touch, less where they overlap."""
    starts = (first[0], second[0])
    gaps = [starts[1] - starts[0] - first[1], starts[0] - starts[1] - second[1]]
    if ace != "corner":
        return max(gaps)
    # Round the corner both gaps count, each taken the short way round the thirteen ranks.
    ahead, behind = (
        ((starts[1] - starts[0]) % 13) - first[1],
        ((starts[0] - starts[1]) % 13) - second[1],
    )
    return min(ahead, behind)


class Choices:
    """Everything that each meld of one list can be, for the cards of one hand.

    With `grow` a meld may be larger than asked where a larger one is allowed more wilds. Of
    choices that use the same cards of the hand one is enough, where it does not matter what lies
    beside it and the pack holds all that is to be drawn; otherwise ask for `all_alike`.
    """

    def __init__(
        self, melds: Iterable[MeldSpec], meld_rules: MeldRules, held: list[int], grow: bool
    ) -> None:
        self.melds = sorted(melds, key=_order)
        self._rules = meld_rules
        self._grow = grow
        self._bound = frozenset(int(rank) for rank in meld_rules.bound_ranks)
        self._free = frozenset(int(rank) for rank in meld_rules.free_ranks)
        self._held = held
        self.all_alike = False
        self._in_suits = sum(meld.kind == "run" and meld.suits == "same" for meld in self.melds)
        self._anywhere = meld_rules.same_suit_runs == "any" or self._in_suits < 2
        self._every = {meld: list(self._list(meld)) for meld in self.melds}
        self._through = {meld: _by_cell(choices) for meld, choices in self._every.items()}

    def useful(self, meld: MeldSpec) -> list[Choice]:
        """List what a meld can be, that first of which the fewest cards are missing."""
        found = [choice for choice in self._every[meld] if self._is_useful(choice, meld)]
        return sorted(self._unlike(found, meld), key=_missing)

    def with_card(self, meld: MeldSpec, cell: Cell, missing: int, short: int) -> list[Choice]:
        """List what a meld can be with one card more in one of its places.

        It may then miss so many cards, and so many may be short.
        """
        self._held[cell] += 1
        found = [
            self._choice(meld, choice.places, choice.window, choice.suit, choice.rank)
            for choice in self._through[meld].get(cell, ())
            if choice.missing <= missing + 1
            and choice.short <= short + 1
            and self._is_useful(choice, meld)
        ]
        found = [choice for choice in found if choice.missing <= missing and choice.short <= short]
        found = sorted(self._unlike(found, meld), key=_missing)
        self._held[cell] -= 1
        return found

    def _unlike(self, choices: list[Choice], meld: MeldSpec) -> list[Choice]:
        """Leave out choices that are as good as others."""
        anywhere = self._anywhere if meld.kind == "run" else self._rules.same_rank_sets
        if self.all_alike or not anywhere:
            return choices
        found: dict[object, Choice] = {}
        for choice in choices:
            lie = frozenset(s for s in choice.places if any(self._held[cell] for cell in s))
            found.setdefault((lie, choice.size), choice)
        return list(found.values())

    def may_grow(self, meld: MeldSpec) -> bool:
        """Tell whether a larger meld could be allowed what one of this size is not."""
        rules, size = self._rules, meld.size
        if not self._grow or meld.is_exact(rules):
            return False
        takes_more = rules.wild_cap(size) < min(size, rules.wild_cap(MOST_CARDS))
        return takes_more or size < rules.min_naturals

    def _list(self, meld: MeldSpec) -> Iterator[Choice]:
        ranks = frozenset(int(rank) for rank in meld.named_ranks)
        if meld.kind == "set":
            for size in self._set_sizes(meld):
                for rank in set_ranks(self._rules.ace):
                    if rank in ranks:
                        slot = _slots((rank,), -1, self._bound)
                        yield self._choice(meld, slot * size, None, -1, rank)
            return
        for size in self._run_sizes(meld):
            for window in windows(self._rules.ace, size):
                if ranks.issuperset(window.ranks):
                    for suit in range(4) if meld.suits == "same" else (-1,):
                        slots = _slots(window.ranks, suit, self._bound)
                        yield self._choice(meld, slots, window, suit, 0)

    def _choice(
        self,
        meld: MeldSpec,
        places: tuple[Slot, ...],
        window: Window | None,
        suit: int,
        rank: int,
    ) -> Choice:
        """Tell how much of one thing that a meld can be is held."""
        held, size = self._held, len(places)
        if window is None:
            naturals = min(size, sum([held[cell] for cell in places[0]]))
            steady = 0 if rank in self._free else naturals
        else:
            lie = [slot for slot in places if any(held[cell] for cell in slot)]
            naturals = steady = len(lie)
            if self._free:
                steady = sum([slot[0] & 15 not in self._free for slot in lie])
        short = max(0, size - naturals - self._rules.wild_cap(size))
        start = window.start if window else 0
        placed = (start, size, meld.size, meld.is_exact(self._rules))
        return Choice(size - steady, places, size, suit, window, rank, short, placed)

    def _set_sizes(self, meld: MeldSpec) -> list[int]:
        """Tell how large a set may be: larger than asked if it then needs fewer naturals."""
        if not self.may_grow(meld):
            return [meld.size] if meld.size >= self._rules.min_naturals else []
        sizes: list[int] = []
        fewest = 99
        for size in range(max(meld.size, self._rules.min_naturals), MOST_CARDS + 1):
            needed = size - self._rules.wild_cap(size)
            if needed < fewest:
                sizes.append(size)
                fewest = needed
        return sizes

    def _run_sizes(self, meld: MeldSpec) -> range:
        """Tell how large a run may be: larger than asked to connect, or to take more wilds."""
        longest, rules = meld.size, self._rules
        if self.may_grow(meld):
            longest = 14
        elif rules.same_suit_runs == "adjacent_needs_9" and meld.suits == "same":
            others = [o.size for o in self.melds if o.kind == "run" and o.suits == "same"]
            others.remove(meld.size)
            longest = max(longest, CONNECTED - min(others, default=CONNECTED))
        return range(max(meld.size, rules.min_naturals), min(longest, rules.run_max) + 1)

    def _is_useful(self, choice: Choice, meld: MeldSpec) -> bool:
        """Tell whether a grown run is of use.

        One that may take no more wilds than the next smaller can lose any of its ends, one that
        may take one more can lose an end that is wild. That may bring it beside another run, so
        that it must be allowed to lie there.
        """
        size, rules = choice.size, self._rules
        if (
            choice.window is None
            or size <= max(meld.size, rules.min_naturals)
            or (self._in_suits > 1 and rules.same_suit_runs in ("not_adjacent", "adjacent_needs_9"))
        ):
            return True
        more = rules.wild_cap(size) - rules.wild_cap(size - 1)
        return more > 1 or (
            more == 1
            and all(
                any(self._held[cell] for cell in slot)
                for slot in (choice.places[0], choice.places[-1])
            )
        )


def _order(meld: MeldSpec) -> tuple[int, int, tuple[str, ...]]:
    """Bring runs of one suit first: to all that follow only the rank of a card matters."""
    bound = meld.kind == "run" and meld.suits == "same"
    return (0 if bound else 1 if meld.kind == "run" else 2), -meld.size, meld.ranks


def _by_cell(choices: list[Choice]) -> dict[Cell, list[Choice]]:
    """List the choices in which each card has a place."""
    found: dict[Cell, list[Choice]] = {}
    for choice in choices:
        for slot in set(choice.places):
            for cell in slot:
                found.setdefault(cell, []).append(choice)
    return found


def _missing(choice: Choice) -> int:
    return choice.missing


@lru_cache(maxsize=4096)
def _slots(ranks: tuple[int, ...], suit: int, bound: frozenset[int]) -> tuple[Slot, ...]:
    """Tell which cells may lie at places of these ranks; the suit is -1 where any will do."""
    suits = range(4) if suit < 0 else (suit,)
    return tuple(tuple(sorted({cell_of(own, rank, bound) for own in suits})) for rank in ranks)
