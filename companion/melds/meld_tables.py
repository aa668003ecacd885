"""Tables of what is best melded of a suit or of a rank, under one game's rules.

A table tells, by the wilds used and the cards taken of each rank, the most that melds are worth.
Its key is one number, so that two tables are joined by adding keys: the wilds, then four bits for
each rank of which it matters how many are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.cards import Rank

from .budget import check
from .meld import RANK_NAMES, Kind, MeldRules
from .shortage import least_short
from .slots import MOST_CARDS, Window, has_room, windows

# More than a hand has cards, so that all of them loose weigh less than a point.
LOOSE_CARD = 32
POINT = LOOSE_CARD * LOOSE_CARD
"""Loose points weigh most, then loose cards; a wild loose weighs one less than another card."""

WILDS = 255
"""The bits of a key that count wilds."""


class LaidRun(NamedTuple):
    """A run in a suit and, as bits by step, which of its slots wilds fill."""

    suit: int
    window: Window
    empty: int

    @property
    def wilds(self) -> int:
        """How many wilds it takes."""
        return self.empty.bit_count()


class LaidSets(NamedTuple):
    """Natural cards of a rank and wilds that lie together in as few sets as hold them all.

    Without a natural card the rank is 0: wilds lie alone.
    """

    rank: int
    naturals: int
    wilds: int


Laid = tuple[LaidRun | LaidSets, ...]
Table = dict[int, tuple[int, Laid]]
NOTHING: Table = {0: (0, ())}
Cards = tuple[int, ...]
"""How many cards of each rank."""


def taken(rank: int) -> int:
    """Return the key of one card of a rank that is taken."""
    return 1 << 8 + 4 * rank


def number_taken(key: int, rank: int) -> int:
    """Return how many cards of a rank are taken.

    >>> number_taken(3 * taken(7) + taken(6) + 2, 7)
    3
    """
    return key >> 8 + 4 * rank & 15


def joined(some: Table, others: Table, wilds: int) -> Table:
    """Add two tables; of what comes to one key the most worth is kept, the first where it ties."""
    if others is NOTHING:
        return some
    found: Table = {}
    for key, (worth, laid) in some.items():
        for more, (further, beside) in others.items():
            both, total = key + more, worth + further
            if both & WILDS <= wilds and (both not in found or total > found[both][0]):
                found[both] = total, laid + beside
    return found


class Conditions(NamedTuple):
    """What is given beside the cards of a suit: how many wilds there are, which ranks may be sets.

    Of a `lone` rank there is one card, so that its set is settled with the runs of its suit; of the
    other `sets` a key tells how many cards are taken. At the ranks of `may_leave`, as bits, a wild
    may have to lie although a natural card is held. Where it is `roomy`, wilds left over join any
    meld.
    """

    wilds: int
    sets: tuple[int, ...]
    lone: tuple[int, ...]
    may_leave: int
    roomy: bool


class MeldTables:
    """The tables of suits and of ranks, remembered from hand to hand.

    Where wilds are limited it matters whether one lies in its own slot: of these `free` ranks a
    key tells how many do, and they are wilds that are used.
    """

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = rules = meld_rules
        self.weights = [
            rules.values.get(RANK_NAMES[rank], 0) * POINT + LOOSE_CARD - (rank in rules.free_ranks)
            for rank in Rank
        ]
        matters = rules.limits_wilds and rules.natural_wilds
        self.free = [int(rank) for rank in rules.free_ranks if rank and matters]
        self.free_mask = WILDS | sum(15 * taken(rank) for rank in self.free)
        sizes = range(rules.run_max, rules.run_size - 1, -1)
        every = [
            (window, window.mask, rules.wild_cap(size))
            for size in sizes
            for window in windows(rules.ace, size)
        ]
        self._longest = every[0][0].size if every else 0
        self._windows = [[one for one in every if rank in one[0].ranks] for rank in range(14)]
        # A natural card alone with wilds lies as well in a set.
        as_set = rules.set_size <= min(rules.run_size, rules.wild_cap(rules.set_size, "set") + 1)
        self._fewest = max(rules.min_naturals, 1 + as_set)
        self._most_joining, self.most_roomy = self._room()
        # Not on the methods: one memory for all would keep the tables of games that are forgotten.
        self.of_suit = lru_cache(4096)(self._of_suit)
        self.of_rank = lru_cache(1024)(self._of_rank)
        self.of_wilds = lru_cache(MOST_CARDS + 1)(self._of_wilds)

    def _room(self) -> tuple[int, int]:
        """Find how many wilds left over may have to join a run, and with how many all find room.

        They do where no limit but that of natural cards is kept. Many lie alone where that may be.
        A run without room for the others is two runs as well, if each has the natural cards that it
        needs; so many that one of fewer has room.
        """
        rules, size, needs = self._rules, self._rules.run_size, self._rules.min_naturals
        if has_room(rules):
            return rules.set_size - 1, MOST_CARDS
        if has_room(replace(rules, min_naturals=0, set_naturals=0)):
            return MOST_CARDS, self._longest + 1 - max(2 * needs, needs + size, 2 * size)
        return 0, -1

    # A suit ---

    def _of_suit(self, suit: int, cards: Cards, given: Conditions) -> Table:
        """Find what runs of a suit are worth: its lowest card lies in one of them, or in none."""
        if not any(cards):
            return NOTHING
        check()
        lowest = next(rank for rank, many in enumerate(cards) if many)
        found = self.of_suit(suit, _without(cards, [lowest]), given)
        if lowest in given.lone:
            alone = self.of_rank(lowest, 1, given.wilds, given.roomy)
            found = joined(found, alone, given.wilds)
        # What was asked is remembered, and may be the table of nothing that all share.
        found = found.copy()
        for window, natural in self._runs_with(lowest, cards, given):
            there = [rank for step, rank in enumerate(window.ranks) if natural >> step & 1]
            run = LaidRun(suit, window, (1 << window.size) - 1 & ~natural)
            key, worth = self._worth(run, there, given)
            spare = min(given.wilds - (key & WILDS), self._most_joining)
            if spare < 0 or (given.roomy and window.size + spare > self._longest):
                continue
            rest = self.of_suit(suit, _without(cards, there), given)
            for other, laid in joined({key: (worth, (run,))}, rest, given.wilds).items():
                if other not in found or laid[0] > found[other][0]:
                    found[other] = laid
        return found

    def _worth(self, run: LaidRun, there: list[int], given: Conditions) -> tuple[int, int]:
        """Return the key of a run and what its natural cards are worth."""
        key, worth = run.wilds, 0
        for rank in there:
            if rank in self.free:
                key += 1 + taken(rank)
            else:
                worth += self.weights[rank]
                key += taken(rank) if rank in given.sets else 0
        return key, worth

    def _runs_with(
        self, rank: int, cards: Cards, given: Conditions
    ) -> Iterator[tuple[Window, int]]:
        """List where a card may lie in a run and, as bits by step, where natural cards do."""
        once, rules = sum(1 << n for n, many in enumerate(cards) if many), self._rules
        for window, mask, cap in self._windows[rank]:
            there = (mask & once).bit_count()
            # The ace may be there twice.
            if there < self._fewest or window.size - there > given.wilds + (window.size > 13):
                continue
            ends = once >> window.ranks[0] & once >> window.ranks[-1] & 1
            if given.roomy and window.size > rules.run_size and not ends:
                continue
            slots = sum([1 << step for step, other in enumerate(window.ranks) if other == rank])
            for natural in self._naturals(window, cards, given.may_leave):
                empty = (1 << window.size) - 1 & ~natural
                if natural & slots and not least_short(cap, rules.wilds_apart, empty):
                    yield window, natural

    def _naturals(self, window: Window, cards: Cards, may_leave: int) -> Iterator[int]:
        """List at which slots natural cards may lie: wherever there are, or a wild lies there."""
        every = seen = leave = 0
        for step, rank in enumerate(window.ranks):
            if cards[rank] > (seen >> rank & 1):
                every |= 1 << step
                leave |= (may_leave >> rank & 1) << step
            seen |= 1 << rank
        some = leave
        while True:
            natural = every & ~leave | some
            if natural.bit_count() >= self._fewest:
                yield natural
            if not some:
                return
            some = some - 1 & leave

    # A rank ---

    def _of_rank(self, rank: int, left: int, wilds: int, roomy: bool) -> Table:
        """Find what sets of the cards left of a rank are worth: all lie in them, or none does.

        Of wilds some may, each one used.
        """
        table, is_free = NOTHING.copy(), rank in self.free
        for many in range(1 if is_free else max(left, 1), left + 1):
            key = many * (1 + taken(rank)) if is_free else 0
            worth = 0 if is_free else many * self.weights[rank]
            for more in range(wilds + 1):
                if parted(self._rules, many, more):
                    table[key + more] = worth, (LaidSets(rank, many, more),)
                    if roomy:
                        break
        return table

    def _of_wilds(self, wilds: int) -> Table:
        """Find how many wilds may lie in melds of their own."""
        alone = [many for many in range(1, wilds + 1) if parted(self._rules, 0, many)]
        return NOTHING | {many: (0, (LaidSets(0, 0, many),)) for many in alone}


def _without(cards: Cards, some: list[int]) -> Cards:
    left = [*cards]
    for rank in some:
        left[rank] -= 1
    return tuple(left)


@lru_cache(maxsize=4096)
def parted(meld_rules: MeldRules, naturals: int, wilds: int) -> tuple[tuple[int, int], ...] | None:
    """Part cards of a rank and wilds into as few melds as can hold them all; None if none can.

    Each is told by its natural cards and its wilds; wilds alone may be a run as well.

    >>> parted(MeldRules(max_wilds=2), 4, 3)
    ((3, 1), (1, 2))
    """
    if naturals == wilds == 0:
        return ()
    parts = [
        ((own, lent), *rest)
        for own, lent in product(range(naturals, -1, -1), range(wilds, -1, -1))
        if kind_of(meld_rules, own, lent)
        if (rest := parted(meld_rules, naturals - own, wilds - lent)) is not None
    ]
    return min(parts, key=len, default=None)


def kind_of(meld_rules: MeldRules, naturals: int, wilds: int) -> Kind | None:
    """Return as what cards of a rank and wilds lie in one meld, None if they cannot."""
    size, there = naturals + wilds, [True] * naturals + [False] * wilds
    if size >= meld_rules.set_size and meld_rules.may_be_wild("set", there):
        return "set"
    is_run = meld_rules.run_size <= size <= meld_rules.run_max and windows(meld_rules.ace, size)
    may = is_run and not naturals and meld_rules.may_be_wild("run", there)
    return "run" if may else None
