"""The best runs within one suit, for every number of wilds that they may take.

A suit is one whole number: four bits for each rank say how many of its cards are held. The cost
of a play is one number too, in which loose points weigh most, then loose cards, and a wild loose
weighs one less than another card.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import accumulate, combinations
from sys import maxsize
from typing import NamedTuple

from .meld import MeldRules
from .places import ALL_RANKS, MOST_CARDS, Window, has_room, windows

LOOSE_CARD = 32
POINT = LOOSE_CARD * LOOSE_CARD
NEVER = maxsize

Run = tuple[Window, int]
"""A window and, as bits by step from its start, which of its places wilds fill."""

Play = tuple[int, tuple[Run, ...]]
"""What runs leave loose, as a cost, and the runs."""

Plays = tuple[Play, ...]
"""The best with exactly 0, 1, 2 … wilds."""

Filling = tuple[int, int, int, tuple[int, ...]]
"""A way to fill a window: the cards that it takes, how many wilds, and the places of the wilds; and
how many wilds more the run may take at its ends, 0 among them."""

NOTHING: Play = (NEVER, ())


class _Stretch(NamedTuple):
    """A window: its ranks as bits, one card of each, the ranks it has twice, the most wilds.

    At its `ends`, by cards and as bits by step, natural cards lie. The ways found to fill it are
    remembered by the cards held of its ranks, the most wilds and the rank that is natural.
    """

    window: Window
    mask: int
    ones: int
    twice: tuple[int, ...]
    most_wilds: int
    ends: int
    end_steps: int
    found: dict[tuple[int, int, int], list[Filling]]


class SuitRuns:
    """The best runs of a suit under one game's rules, remembered from hand to hand."""

    MOST_REMEMBERED = 4_000

    def __init__(self, meld_rules: MeldRules, weights: tuple[int, ...]) -> None:
        self._rules = meld_rules
        self._weights = weights
        # A run of twice the least size falls into two, so that longer ones need no look, unless
        # the limits make the whole differ from its parts.
        self.limited = not has_room(meld_rules)
        self._apart = meld_rules.wilds_apart
        longest = meld_rules.run_max if self.limited else 2 * meld_rules.run_size - 1
        sizes = range(meld_rules.run_size, longest + 1)
        self._caps = {size: meld_rules.wild_cap(size) for size in sizes}
        self._windows = {size: windows(meld_rules.ace, size) for size in sizes}
        self._stretches: defaultdict[int, list[_Stretch]] = defaultdict(list)
        for every in self._windows.values():
            for window in every:
                stretch = self._stretch(window)
                for rank in set(window.ranks):
                    self._stretches[rank].append(stretch)
        self._plays: dict[int, Plays] = {}
        self._spread: dict[int, Spread] = {}
        self._useful: dict[tuple[int, int], int] = {}
        self._room = lru_cache(self.MOST_REMEMBERED)(self._find_room)
        self._within_reach = lru_cache(self.MOST_REMEMBERED)(self._find_within_reach)

    def _stretch(self, window: Window) -> _Stretch:
        """Prepare a window.

        A run that begins with a wild lies as well one place further, if there is one. One larger
        than the least that has a wild at an end is a smaller one that takes a wild more, unless
        that is not allowed. Where wilds lie apart, one that is moved to the other end may not lie
        there.
        """
        size, caps, ranks = window.size, self._caps, set(window.ranks)
        is_last = window == self._windows[size][-1] and self._rules.ace != "corner"
        is_grown = size > self._rules.run_size and caps[size] - 1 <= caps[size - 1]
        moves = not (is_last or self._apart)
        steps = ([0] if is_grown or moves else []) + ([size - 1] if is_grown else [])
        return _Stretch(
            window,
            window.mask,
            sum(1 << 4 * rank for rank in ranks),
            tuple(rank for rank in ranks if window.ranks.count(rank) > 1),
            caps[size],
            sum({1 << 4 * window.ranks[step] for step in steps}),
            sum(1 << step for step in steps),
            {},
        )

    def best(self, suit: int, wilds: int) -> Plays:
        """Find the best plays of a suit with exactly 0 to `wilds` wilds in its runs, or more."""
        plays = self._plays.get(suit, ())
        if len(plays) <= wilds:
            if len(self._plays) > self.MOST_REMEMBERED:
                self._plays.clear()
                self._spread.clear()
            plays = self._solve(suit, wilds) if suit else ((0, ()), *[NOTHING] * wilds)
            self._plays[suit] = plays
            self._spread[suit] = _spread_freely(plays)
        return plays

    def useful(self, mask: int, wilds: int) -> int:
        """Return which ranks of a suit are worth keeping out of a set, for a run.

        Without limits a natural card alone with wilds lies as well in the set.
        """
        key = mask, wilds
        if key not in self._useful:
            self._useful[key] = sum(
                1 << rank
                for rank in self._stretches
                if mask >> rank & 1 and self._is_useful(mask, rank, wilds)
            )
        return self._useful[key]

    def _is_useful(self, mask: int, rank: int, wilds: int) -> bool:
        least = 1 if self.limited else 2
        return any(
            (stretch.mask & mask).bit_count() >= least
            and (stretch.mask & ~mask).bit_count() <= wilds
            for stretch in self._stretches[rank]
        )

    def _solve(self, suit: int, wilds: int) -> Plays:
        there = sum([1 << 4 * held for held in ALL_RANKS if suit >> 4 * held & 15])
        rank = self._first(there)
        weight = self._weights[rank]
        rest = self.best(suit - (1 << 4 * rank), wilds)
        plays = [(cost + weight, runs) for cost, runs in rest[: wilds + 1]]
        most = wilds
        for missing, stretch in self._within_reach(there, rank):
            # With so many wilds nothing is loose.
            while most >= 0 and not plays[most][0]:
                most -= 1
            if missing <= most:
                for filling in self._fillings(stretch, suit, there, most, rank):
                    self._join(plays, most, stretch.window, filling, suit)
        return tuple(plays)

    def _first(self, there: int) -> int:
        """Choose the rank to begin with: the least, or where cards begin that follow one another.

        Round the corner the ace may be in their midst: to begin there would cut them in two, and
        many more remainders would have to be solved.
        """
        if self._rules.ace == "corner":
            there = there & ~(there << 4 | there >> 4 * 12) or there
        return (there & -there).bit_length() // 4

    def _join(
        self, plays: list[Play], most: int, window: Window, filling: Filling, suit: int
    ) -> None:
        """Join a run with the best plays of the cards it leaves, where that is better."""
        taken, used, wild_places, more = filling
        left = most - used
        others = self.best(suit - taken, left)
        takes_any = len(more) > left and more[left] == left
        spread = self._spread[suit - taken] if takes_any else _spread(others, more)
        for number in range(left + 1):
            cost, added = spread[number]
            if cost < plays[used + number][0]:
                run = self._grown(window, wild_places, added)
                plays[used + number] = (cost, (run, *others[number - added][1]))

    def _grown(self, window: Window, wild_places: int, added: int) -> Run:
        """Add wilds to a run, after it as far as there are places, then before."""
        every = self._windows[window.size + added]
        before = max(0, window.start - every[-1].start)
        if self._apart and added:
            _, after = self._open_ends(window, wild_places)
            before = added - after
        wilds = (1 << window.size + added) - 1 & ~((1 << window.size) - 1 << before)
        return every[window.start - before - every[0].start], wild_places << before | wilds

    def _open_ends(self, window: Window, wild_places: int) -> tuple[bool, bool]:
        """Return whether a wild may be added before a run, and after it, where wilds lie apart."""
        last = window.size - 1
        starts = [longer.start for longer in self._windows.get(window.size + 1, ())]
        turns = self._rules.ace == "corner" and bool(starts)
        before = turns or window.start - 1 in starts
        after = turns or window.start in starts
        return before and not wild_places & 1, after and not wild_places >> last & 1

    def _find_within_reach(self, there: int, rank: int) -> list[tuple[int, _Stretch]]:
        """List the windows with a rank that cards can fill, and how many of them are missing."""
        found = [
            ((stretch.ones & ~there).bit_count(), stretch)
            for stretch in self._stretches[rank]
            if not stretch.ends & ~there
        ]
        return [(missing, stretch) for missing, stretch in found if missing <= stretch.most_wilds]

    def _fillings(
        self, stretch: _Stretch, suit: int, there: int, wilds: int, rank: int
    ) -> list[Filling]:
        """Find the ways to fill a window with a natural card of a rank, among others."""
        held = stretch.ones & there
        for twice in stretch.twice:
            if suit >> 4 * twice & 15 > 1:
                held += 1 << 4 * twice
        ways = stretch.found.get((held, wilds, rank))
        if ways is None:
            most = min(wilds, stretch.most_wilds)
            ways = stretch.found[held, wilds, rank] = self._fill(stretch, held, most, rank)
        return ways

    def _fill(self, stretch: _Stretch, held: int, most: int, first: int) -> list[Filling]:
        there, places = _laid(stretch, held)
        missing = places.bit_count()
        if places & stretch.end_steps:
            return []
        found: list[Filling] = []
        # Under limits it may pay to let a wild lie where a natural card is held.
        for extra in range(most - missing + 1 if self.limited else missing <= most):
            for given_up in combinations(there, extra):
                kept, lent = held, places
                for card, step in given_up:
                    kept -= card
                    lent |= step
                if kept >> 4 * first & 15 and (more := self._room_of(stretch.window, lent)):
                    found.append((kept, missing + extra, lent, more))
        return found

    def _room_of(self, window: Window, wild_places: int) -> tuple[int, ...]:
        """Return how many wilds more a run may take, none if it may not lie so or need not."""
        if not self._apart:
            return self._room(window.size, wild_places)
        if wild_places & wild_places >> 1:
            return ()
        return self._room(window.size, wild_places, sum(self._open_ends(window, wild_places)))

    def _find_room(self, size: int, wild_places: int, ends: int = MOST_CARDS) -> tuple[int, ...]:
        """Return how many wilds more a run may take, none if it is two runs that may as well."""
        used, caps, shortest = wild_places.bit_count(), self._caps, self._rules.run_size
        room = [
            more
            for more in range(ends + 1)
            if self._windows.get(size + more) and used + more <= caps[size + more]
        ]
        if self._apart:
            return tuple(room)
        for part in range(shortest, size - shortest + 1):
            first = (wild_places & (1 << part) - 1).bit_count()
            second, rest = used - first, size - part
            if first <= caps[part] and all(second + more <= caps[rest + more] for more in room):
                return ()
        return tuple(room)


def _laid(stretch: _Stretch, held: int) -> tuple[list[tuple[int, int]], int]:
    """Lay cards at a window: those that a wild may take the place of, and the places left empty."""
    ranks, rest, there, places = stretch.window.ranks, held, list[tuple[int, int]](), 0
    for step, rank in enumerate(ranks):
        if rest >> 4 * rank & 15:
            rest -= 1 << 4 * rank
            if not stretch.end_steps >> step & 1:
                there.append((1 << 4 * rank, 1 << step))
        else:
            places |= 1 << step
    return there, places


Spread = list[tuple[int, int]]
"""For 0, 1, 2 … wilds: the least cost where a run beside may take some, and how many it takes."""


def _spread_freely(plays: Plays) -> Spread:
    """Return it where the run beside may take any number of wilds."""
    costs = [(cost, 0) for cost, _ in plays]
    return [*accumulate(costs, lambda fewer, own: min(own, (fewer[0], fewer[1] + 1)))]


def _spread(plays: Plays, more: tuple[int, ...]) -> Spread:
    """Return it where the run beside may take only certain numbers of wilds."""
    costs = [cost for cost, _ in plays]
    return [
        min([(costs[number - added], added) for added in more if added <= number])
        for number in range(len(costs))
    ]
