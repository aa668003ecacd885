"""The ways to take sets out of a hand, where a wild may not join just any meld."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from companion.cards import SUITS, Card

from .effort import spend
from .meld import MeldRules
from .melds_layout import parted_sets, wild_melds
from .places import ALL_RANKS, set_ranks, suit_index
from .suit_runs import SuitRuns

SUIT_BITS = 4 * 14
SUIT, PAIR = (1 << SUIT_BITS) - 1, (1 << 2 * SUIT_BITS) - 1
WAY_BITS, _OPTION_BITS = 4 * SUIT_BITS, 16

AT_A_STEP = 32
"""How many ways are looked at in the time that a step of other searches takes."""

Way = int
"""The cards left to each suit, then the option taken for each rank."""


_Going = tuple[tuple[int, ...], ...]
"""For each suit the numbers of its cards of a rank that may go into a set."""

_Of = tuple[int, int | _Going]
"""A rank: how many of its cards may be lent to any suit, or how many may go from each."""


class SetChoice(NamedTuple):
    """The cards of a rank, by suit, that lie in sets, and with how many wilds (as bits)."""

    rank: int
    naturals: tuple[int, ...]
    wilds: int


class RankUse(NamedTuple):
    """What may become of the cards of a rank: what it changes in a way, and the sets.

    `wilds` tells as bits how many its sets may take, 0 where there are none.
    """

    change: int
    wilds: int
    sets: tuple[SetChoice, ...]


RankUses = dict[int, tuple[RankUse, ...]]
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
        self._options = lru_cache(SuitRuns.MOST_REMEMBERED)(self._find_options)
        self._with_all = lru_cache(10)(self._find_with_all)

    def of(self, naturals: list[Card], free: list[Card]) -> tuple[RankUses, dict[int, list[Way]]]:
        """Every choice of sets worth a look, by the wilds that the sets may take (as bits).

        Of the wilds that may lie in their own place some are natural, the others `free`. They are
        parted time after time: what becomes of the other ranks is remembered.
        """
        wilds = len(free)
        suits, held = [0, 0, 0, 0], Counter[int](card.rank for card in naturals)
        for card in naturals:
            if card.rank not in self._bound:
                suits[suit_index(card)] += 1 << 4 * card.rank
        bound = sum(1 << rank for rank in self._bound if held[rank])
        useful = [self._runs.useful(_mask(suit) | bound, wilds) for suit in suits]
        steady: list[_Of] = []
        own: list[_Of] = []
        for rank in set_ranks(self._rules.ace):
            if held[rank] and rank in self._bound:
                of_rank: _Of = rank, held[rank]
            elif held[rank] and self._set_wilds(held[rank], wilds):
                of_rank = rank, _going(rank, suits, useful, free)
            else:
                continue
            (own if rank in self._rules.free_ranks else steady).append(of_rank)
        start = sum([cards << suit * SUIT_BITS for suit, cards in enumerate(suits)])
        more = sum(
            1 << suit_index(card) * SUIT_BITS + 4 * card.rank
            for card in naturals
            if card.rank in self._rules.free_ranks
        )
        options, ways = self._with_all(start - more, tuple(steady), wilds)
        if more:
            ways = {possible: [way + more for way in group] for possible, group in ways.items()}
        for rank, moving in own:
            options = {**options, rank: self._options(rank, moving, wilds)}
            ways = self._with_sets(ways, options[rank], wilds)
        return options, ways

    def _find_with_all(
        self, start: Way, ranks: tuple[_Of, ...], wilds: int
    ) -> tuple[RankUses, dict[int, list[Way]]]:
        """Find every choice of sets of some ranks."""
        ways, options = {self.wilds_alone(wilds): [start]}, RankUses()
        for rank, moving in ranks:
            options[rank] = self._options(rank, moving, wilds)
            ways = self._with_sets(ways, options[rank], wilds)
        return options, ways

    def _find_options(self, rank: int, moving: int | _Going, wilds: int) -> tuple[RankUse, ...]:
        """Return what each move of the cards of a rank changes, the impossible ones left out."""
        options: list[RankUse] = []
        for moved, in_sets in _lent(moving) if isinstance(moving, int) else _taken(moving):
            possible = self._set_wilds(sum(in_sets), wilds) if any(in_sets) else 0
            if possible or not any(in_sets):
                sets = (SetChoice(rank, in_sets, possible),) if possible else ()
                change = sum(
                    number << suit * SUIT_BITS + 4 * rank for suit, number in enumerate(moved)
                )
                change += len(options) << WAY_BITS + _OPTION_BITS * rank
                options.append(RankUse(change, possible, sets))
        return tuple(options)

    def _with_sets(
        self, ways: dict[int, list[Way]], options: tuple[RankUse, ...], wilds: int
    ) -> dict[int, list[Way]]:
        """Join each way with each choice of what to do with a rank."""
        found: dict[int, list[Way]] = {}
        for change, possible, _ in options:
            for before, group in ways.items():
                spend(len(group) // AT_A_STEP)
                both = self._joined(before, possible, wilds) if possible else before
                if both:
                    found.setdefault(both, []).extend([way + change for way in group])
        return found

    def _find_joined(self, some: int, others: int, wilds: int) -> int:
        """How many wilds two groups of sets may take together, as bits."""
        sums = 0
        for used in range(some.bit_length()):
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


def sets_of(way: Way, options: RankUses) -> list[SetChoice]:
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
    return sum(1 << rank for rank in ALL_RANKS if suit >> 4 * rank & 15)


def _going(rank: int, suits: list[int], useful: list[int], free: list[Card]) -> _Going:
    """Return how many cards of a rank may go into a set from each suit.

    One that no run can use goes along, for it lies in the set at no cost. None goes if a wild of
    a suit before it may go instead: with that one natural and this one free it is all the same.
    """
    told = [card for card in free if card.rank == rank and card.suit]
    last = min(map(suit_index, told), default=len(suits))
    going: list[tuple[int, ...]] = []
    for suit, cards in enumerate(suits):
        held = cards >> 4 * rank & 15
        may_run = useful[suit] >> rank & 1
        going.append((0,) if suit > last else tuple(range(held + 1)) if may_run else (held,))
    return tuple(going)


def _taken(going: _Going) -> list[_Move]:
    """List the ways to take cards of a rank out of the suits into a set, or none."""
    moves = [(tuple([-number for number in taken]), taken) for taken in product(*going)]
    return [((0, 0, 0, 0), (0, 0, 0, 0)), *[move for move in moves if any(move[1])]]


def _lent(held: int) -> list[_Move]:
    """Ways to share out cards whose suit is free among the suits and a set (`H-6`)."""
    to = [None, *SUITS]
    shared = [[*map(cards.count, to)] for cards in combinations_with_replacement(to, held)]
    return [(tuple(lent), (in_set, 0, 0, 0)) for in_set, *lent in shared]
