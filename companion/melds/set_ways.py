"""The ways to take sets out of a hand, where a wild may not join just any meld."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.cards import Card

from .layout import parted_sets, wild_melds
from .meld import MeldRules
from .places import set_ranks, suit_index
from .suit_runs import SuitRuns

SUIT_BITS = 4 * 14
SUIT, PAIR = (1 << SUIT_BITS) - 1, (1 << 2 * SUIT_BITS) - 1
WAY_BITS, _OPTION_BITS = 4 * SUIT_BITS, 16

Way = int
"""The cards left to each suit, then the option taken for each rank, the highest rank first: of ways
as good the one tried first is the least."""


class SetChoice(NamedTuple):
    """The cards of a rank, by suit, that lie in sets, and with how many wilds (as bits)."""

    rank: int
    naturals: tuple[int, ...]
    wilds: int


class Option(NamedTuple):
    """What may become of the cards of a rank: what it changes in a way, and the sets.

    `wilds` tells as bits how many its sets may take, 0 where there are none.
    """

    change: int
    wilds: int
    sets: tuple[SetChoice, ...]


Options = dict[int, tuple[Option, ...]]
"""What may become of the cards of each rank."""


class SetWays:
    """Finds the ways to take sets out of hands under one game's rules."""

    def __init__(self, meld_rules: MeldRules, runs: SuitRuns) -> None:
        self._rules = meld_rules
        self._runs = runs
        self._bound = tuple(meld_rules.bound_ranks)
        self._set_wilds = lru_cache(self._find_set_wilds)
        self.wilds_alone = lru_cache(self._find_wilds_alone)
        self._joined = lru_cache(self._find_joined)
        self._options = lru_cache(4_000)(self._find_options)

    def of(self, naturals: list[Card], wilds: int) -> tuple[Options, dict[int, list[Way]]]:
        """Every choice of sets worth a look, by the wilds that the sets may take (as bits)."""
        suits, held = [0, 0, 0, 0], [0] * 14
        for card in naturals:
            held[card.rank] += 1
            if card.rank not in self._bound:
                suits[suit_index(card)] += 1 << 4 * card.rank
        bound = sum(1 << rank for rank in self._bound if held[rank])
        useful = [self._runs.useful(_mask(suit) | bound, wilds) for suit in suits]
        start = sum(cards << suit * SUIT_BITS for suit, cards in enumerate(suits))
        ways, options = {self.wilds_alone(wilds): [start]}, Options()
        for rank in set_ranks(self._rules.ace):
            if held[rank] and rank in self._bound:
                options[rank] = self._options(rank, held[rank], (), wilds)
            elif held[rank] and self._set_wilds(held[rank], wilds):
                kept = tuple(
                    (suit >> 4 * rank & 15, runs >> rank & 1)
                    for suit, runs in zip(suits, useful, strict=True)
                )
                options[rank] = self._options(rank, 0, kept, wilds)
            else:
                continue
            ways = self._with_sets(ways, options[rank], wilds)
        return options, ways

    def _find_options(
        self, rank: int, lent: int, kept: tuple[tuple[int, int], ...], wilds: int
    ) -> tuple[Option, ...]:
        """Tell what each move of the cards of a rank changes, the impossible ones left out."""
        options: list[Option] = []
        for moved, in_sets in _taken(kept) if kept else _lent(lent):
            possible = self._set_wilds(sum(in_sets), wilds) if any(in_sets) else 0
            if possible or not any(in_sets):
                sets = (SetChoice(rank, in_sets, possible),) if possible else ()
                change = sum(
                    number << suit * SUIT_BITS + 4 * rank for suit, number in enumerate(moved)
                )
                change += len(options) << WAY_BITS + _OPTION_BITS * rank
                options.append(Option(change, possible, sets))
        return tuple(options)

    def _with_sets(
        self, ways: dict[int, list[Way]], options: tuple[Option, ...], wilds: int
    ) -> dict[int, list[Way]]:
        """Join each way with each choice of what to do with a rank."""
        found: dict[int, list[Way]] = {}
        for change, possible, _ in options:
            for before, group in ways.items():
                both = self._joined(before, possible, wilds) if possible else before
                if both:
                    found.setdefault(both, []).extend([way + change for way in group])
        return found

    def _find_joined(self, some: int, others: int, wilds: int) -> int:
        """How many wilds two groups of sets may take together, as bits."""
        sums = 0
        for used in range(wilds + 1):
            if some >> used & 1:
                sums |= others << used
        return sums & ((1 << wilds + 1) - 1)

    def _find_set_wilds(self, naturals: int, wilds: int) -> int:
        """With how many wilds so many cards of a rank can lie in sets, as bits."""
        return sum(
            1 << used for used in range(wilds + 1) if parted_sets(self._rules, naturals, used)
        )

    def _find_wilds_alone(self, wilds: int) -> int:
        """How many wilds can lie in melds of wilds alone, as bits."""
        return sum(
            1 << used for used in range(wilds + 1) if wild_melds(self._rules, used) is not None
        )


def sets_of(way: Way, options: Options) -> list[SetChoice]:
    """List the sets of a way."""
    chosen: list[SetChoice] = []
    for rank, of_rank in options.items():
        taken = way >> WAY_BITS + _OPTION_BITS * rank & (1 << _OPTION_BITS) - 1
        chosen += of_rank[taken].sets
    return chosen


_Move = tuple[tuple[int, ...], tuple[int, ...]]
"""Cards of one rank: those that come to each suit (less than 0: go from it), those in sets."""


@lru_cache(maxsize=4_000)
def _mask(suit: int) -> int:
    return sum(1 << rank for rank in range(1, 14) if suit >> 4 * rank & 15)


def _taken(kept: tuple[tuple[int, int], ...]) -> list[_Move]:
    """List the ways to take cards of a rank out of the suits into a set, or none.

    For each suit it is told how many there are and whether a run can use them: one that no run
    can use goes along, for it lies in the set at no cost.
    """
    numbers = [range(held + 1) if useful else (held,) for held, useful in kept]
    moves = [
        (tuple(-number for number in taken), taken) for taken in product(*numbers) if any(taken)
    ]
    return [((0, 0, 0, 0), (0, 0, 0, 0)), *moves]


def _lent(held: int) -> list[_Move]:
    """Ways to share out cards whose suit is free among the suits and a set (`H-6`)."""
    return [
        (lent, (held - sum(lent), 0, 0, 0))
        for lent in product(range(held + 1), repeat=4)
        if sum(lent) <= held
    ]
