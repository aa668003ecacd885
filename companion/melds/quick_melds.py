"""The least points unmelded where a meld may take any number of wilds: the usual rules.

Only ranks held often enough for a set are branched on: which of their cards lie in the set, which
stay for runs. Everything else is looked up suit by suit (`quick_runs`). As soon as one meld lies,
every wild left over joins it, so that the fewest loose natural cards decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import add

from companion.cards import Card, Hand, Rank, Suit, sort_hand

from .layout import Plan, lay_out, wild_melds
from .meld import RANK_NAMES, Meld, Melding, MeldRules
from .places import MOST_CARDS, set_ranks, sort_out, suit_index, windows
from .quick_runs import (
    BITS,
    SUIT,
    SUIT_BITS,
    UNITS,
    Openings,
    QuickRuns,
    Run,
    Runs,
    Useful,
    ranks_held,
)

WILD = 1 << 4 * SUIT_BITS
POINT = 1 << 5
"""Loose points weigh more than loose cards, of which there are fewer than this."""

_Set = tuple[int, tuple[int, ...]]
"""The rank of a set and how many natural cards of each suit lie in it."""

_Way = tuple[int, int, int, int, int, tuple[_Set, ...]]
"""The cards left to each suit, the wilds that the sets need, and the sets."""

NEVER = 1 << 60
_NO_WAY: _Way = (0, 0, 0, 0, 0, ())
_NO_SHARES = [0, 0, 0, 0]


def is_unlimited(meld_rules: MeldRules) -> bool:
    """Tell whether under these rules wilds left over always find room in any meld."""
    longest = 2 * meld_rules.run_size + meld_rules.set_size - 2
    return not (
        meld_rules.limits_wilds
        or meld_rules.bound_ranks
        or longest > min(meld_rules.run_max, 13)
        or not windows(meld_rules.ace, longest)
        or min(meld_rules.set_size, meld_rules.run_size) < 2
        or min(meld_rules.values.values(), default=0) < 0
    )


class QuickMelds:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._values = [meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank]
        weights = tuple(value * POINT + 1 for value in self._values)
        openings = Openings(meld_rules, weights)
        self._runs = [QuickRuns(openings, wilds) for wilds in range(MOST_CARDS + 1)]
        self._set_size = meld_rules.set_size
        self._of_sets = sum(1 << BITS * rank for rank in set_ranks(meld_rules.ace))
        # A card alone with wilds lies as well in a run, if that needs no more of them.
        self._least_in_set = 1 if meld_rules.set_size < meld_rules.run_size else 2
        self._free = meld_rules.free_ranks
        self._unit = wild_units(meld_rules)

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        if len(hand) > MOST_CARDS:
            sort_out(hand, self._rules)
        try:
            cards = sum(map(self._unit.__getitem__, hand))
        except KeyError:
            for card in sort_out(hand, self._rules)[0]:
                suit_index(card)
            raise
        wilds = cards >> 4 * SUIT_BITS
        known = self._runs[wilds]
        if known.is_full():
            known.forget()
        least, way, shares = self._best_way(cards, wilds, known)
        melds = self._lay(way, hand, wilds, shares, known.runs)
        if not least and (melds or not wilds):
            return Melding(0, melds, ())
        loose = list(sort_hand(hand))
        for meld in melds:
            for card in meld.cards:
                loose.remove(card)
        points = least // POINT
        if wilds and not melds:
            points += sum(self._values[c.rank] for c in hand if c.rank in self._free)
        return Melding(points, melds, tuple(loose))

    def _best_way(self, cards: int, wilds: int, known: QuickRuns) -> tuple[int, _Way, list[int]]:
        """Find the way that leaves the least loose, what that is, and each suit's wilds."""
        costs = known.costs
        least, best, shares = NEVER, _NO_WAY, _NO_SHARES
        for way in self._ways(cards, wilds, known.useful):
            clubs, diamonds, hearts, spades, needed, _ = way
            some = costs[clubs]
            more = costs[diamonds]
            much = costs[hearts]
            most = costs[spades]
            rest = wilds - needed
            cost = some[rest] + more[rest] + much[rest] + most[rest]
            if cost >= least:
                continue
            share = _NO_SHARES
            if rest:
                cost, share = _share((some, more, much, most), rest)
            if cost < least:
                least, best, shares = cost, way, share
                if not cost:
                    break
        return least, best, shares

    def _ways(self, cards: int, wilds: int, useful: Useful) -> list[_Way]:
        """Every choice of sets worth a look."""
        clubs = cards & SUIT
        diamonds = cards >> SUIT_BITS & SUIT
        hearts = cards >> 2 * SUIT_BITS & SUIT
        spades = cards >> 3 * SUIT_BITS & SUIT
        ways: list[_Way] = [(clubs, diamonds, hearts, spades, 0, ())]
        least = max(self._least_in_set, self._set_size - wilds)
        often = ranks_held(clubs + diamonds + hearts + spades, least) & self._of_sets
        if not often:
            return ways
        suits = clubs, diamonds, hearts, spades
        runs_want = [useful[suit] for suit in suits]
        while often:
            unit = often & -often
            often -= unit
            shift = unit.bit_length() - 1
            held = tuple([suit >> shift & 63 for suit in suits])
            wanted = tuple([ranks >> shift & 1 for ranks in runs_want])
            found = []
            for (c, d, h, s), needed in _options(held, wanted, least, self._set_size):
                chosen = ((shift // BITS, (c, d, h, s)),)
                c, d, h, s = c << shift, d << shift, h << shift, s << shift
                for clubs, diamonds, hearts, spades, before, sets in ways:
                    if needed + before <= wilds:
                        found.append(
                            (
                                clubs - c,
                                diamonds - d,
                                hearts - h,
                                spades - s,
                                needed + before,
                                sets + chosen,
                            )
                        )
            ways = found + ways
        return ways

    def _lay(
        self, way: _Way, hand: Hand, wilds: int, shares: list[int], best: Runs
    ) -> tuple[Meld, ...]:
        """Lay out the melds of a way; the wilds left over join a set, each other, or a run."""
        clubs, diamonds, hearts, spades, _, sets = way
        suits = clubs, diamonds, hearts, spades
        runs = [best[suit, share] for suit, share in zip(suits, shares, strict=True)]
        in_sets = [max(0, self._set_size - sum(taken)) for _, taken in sets]
        alone = 0
        spare = wilds - sum(in_sets) - sum([run[1].bit_count() for found in runs for run in found])
        if spare and sets:
            in_sets[0] += spare
        elif spare and wild_melds(self._rules, spare):
            alone = spare
        elif spare:
            self._lengthen(runs, spare)
        plan = Plan(
            runs,
            [(rank, taken, lent) for (rank, taken), lent in zip(sets, in_sets, strict=True)],
            alone,
        )
        free = [card for card in hand if card.rank in self._free] if wilds else []
        return lay_out(plan, self._rules, [], free)

    def _lengthen(self, runs: list[tuple[Run, ...]], spare: int) -> None:
        """Put wilds at the end of a run, before it where there is no place behind."""
        suit = next((suit for suit, found in enumerate(runs) if found), None)
        if suit is None:
            return
        *others, (window, steps) = runs[suit]
        longer = windows(self._rules.ace, window.size + spare)
        start = min(window.start, longer[-1].start)
        lent = (1 << window.size + spare) - 1
        lent ^= ((1 << window.size) - 1 ^ steps) << window.start - start
        wider = next(window for window in longer if window.start == start)
        runs[suit] = (*others, (wider, lent))


def wild_units(meld_rules: MeldRules) -> dict[Card, int]:
    """Tell what each card adds to the number that is a hand: four suits, then the wilds."""
    free = meld_rules.free_ranks
    return UNITS | {Card(rank, suit): WILD for rank in free for suit in (None, *Suit)}


@lru_cache(maxsize=5_000)
def _options(
    held: tuple[int, ...], wanted: tuple[int, ...], least: int, set_size: int
) -> list[tuple[tuple[int, ...], int]]:
    """List which cards of a rank may lie in a set, by suit, and the wilds that it then needs.

    Cards that no run wants go along: they lie in the set at no cost.
    """
    numbers = [
        range(number, -1 if run else number - 1, -1)
        for number, run in zip(held, wanted, strict=True)
    ]
    return [
        (taken, max(0, set_size - sum(taken))) for taken in product(*numbers) if sum(taken) >= least
    ]


def _share(costs: Sequence[tuple[int, ...]], wilds: int) -> tuple[int, list[int]]:
    """Share so many wilds among suits so that the least is loose: what is, and each suit's share.

    >>> _share([(9, 5, 0, 9), (7, 7, 7, 7), (8, 0, 0, 8)], 2)
    (12, [1, 0, 1])
    """
    least, some = 0, []
    for step, cost in enumerate(costs):
        if cost[wilds] < cost[0]:
            some.append(step)
        else:
            least += cost[0]
    shares = [0] * len(costs)
    if not some:
        return least, shares
    # What the first of them leaves loose, the first two, … with 0, 1, 2 … wilds.
    sums: list[Sequence[int]] = [costs[some[0]]]
    for step in some[1:-1]:
        before, cost = sums[-1], costs[step]
        sums.append(
            [min(map(add, before[: most + 1], cost[most::-1])) for most in range(wilds + 1)]
        )
    if len(some) == 1:
        shares[some[0]] = wilds
        return least + sums[0][wilds], shares
    rest, found = wilds, NEVER
    for step, before in zip(some[:0:-1], sums[::-1], strict=True):
        both = list(map(add, before[: rest + 1], costs[step][rest::-1]))
        if found == NEVER:
            least += min(both)
        found = min(both)
        kept = both.index(found)
        shares[step], rest = rest - kept, kept
    shares[some[0]] = rest
    return least, shares
