"""The least points unmelded where a meld may take any number of wilds: the usual rules.

Only ranks held often enough for a set are branched on: which of their cards lie in the set, which
stay for runs. Everything else is looked up suit by suit (`quick_runs`). As soon as one meld lies,
every wild left over joins it, so that the fewest loose natural cards decide.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from companion.cards import NATURALS, SUITS, Card, Hand, Rank, Suit, sort_hand

from .layout import Plan, lay_out, wild_melds
from .meld import RANK_NAMES, Meld, Melding, MeldRules
from .places import MOST_CARDS, sort_out, suit_index, windows
from .quick_runs import BITS, SUIT, SUIT_BITS, QuickRuns, Run, ranks_held

WILD = 1 << 4 * SUIT_BITS
POINT = 1 << 5
"""Loose points weigh more than loose cards, of which there are fewer than this."""

_Set = tuple[int, tuple[int, ...]]
"""The rank of a set and how many natural cards of each suit lie in it."""

_Way = tuple[int, int, int, int, int, tuple[_Set, ...]]
"""The cards left to each suit, the wilds that the sets need, and the sets."""


def is_unlimited(meld_rules: MeldRules) -> bool:
    """Tell whether under these rules wilds left over always find room in any meld."""
    longest = 2 * meld_rules.run_size + meld_rules.set_size - 2
    return not (
        meld_rules.limits_wilds
        or meld_rules.bound_ranks
        or longest > min(meld_rules.run_max, 13)
        or min(meld_rules.set_size, meld_rules.run_size) < 2
        or min(meld_rules.values.values(), default=0) < 0
    )


class QuickMelds:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._values = [meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank]
        self._runs = QuickRuns(meld_rules, tuple(value * POINT + 1 for value in self._values))
        self._set_size = meld_rules.set_size
        # A card alone with wilds lies as well in a run, if that needs no more of them.
        self._least_in_set = 1 if meld_rules.set_size < meld_rules.run_size else 2
        self._unit = _units(meld_rules)

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
        known = self._runs.costs(wilds)
        least, way = self._best_way(cards, wilds, known)
        melds = self._lay(way, hand, wilds, known)
        loose = list(sort_hand(hand))
        for meld in melds:
            for card in meld.cards:
                loose.remove(card)
        points = least // POINT
        if wilds and not melds:
            points += sum(self._values[c.rank] for c in hand if c.rank in self._rules.free_ranks)
        return Melding(points, melds, tuple(loose))

    def _best_way(
        self, cards: int, wilds: int, known: dict[int, tuple[int, ...]]
    ) -> tuple[int, _Way]:
        """Find the way that leaves the least loose, and what that is."""
        get, solve = known.get, self._runs.solve
        least, best = 1 << 60, None
        for way in self._ways(cards, wilds):
            clubs, diamonds, hearts, spades, needed, _ = way
            some = get(clubs) or solve(clubs, known)
            more = get(diamonds) or solve(diamonds, known)
            much = get(hearts) or solve(hearts, known)
            most = get(spades) or solve(spades, known)
            rest = wilds - needed
            cost = some[rest] + more[rest] + much[rest] + most[rest]
            if rest and cost < least:
                cost = _shared([some, more, much, most], rest)
            if cost < least:
                least, best = cost, way
                if not cost:
                    break
        assert best is not None
        return least, best

    def _ways(self, cards: int, wilds: int) -> list[_Way]:
        """Every choice of sets worth a look."""
        clubs = cards & SUIT
        diamonds = cards >> SUIT_BITS & SUIT
        hearts = cards >> 2 * SUIT_BITS & SUIT
        spades = cards >> 3 * SUIT_BITS & SUIT
        ways: list[_Way] = [(clubs, diamonds, hearts, spades, 0, ())]
        least = max(self._least_in_set, self._set_size - wilds)
        often = ranks_held(clubs + diamonds + hearts + spades, least)
        if not often:
            return ways
        suits = clubs, diamonds, hearts, spades
        useful = [self._runs.useful(suit, wilds) for suit in suits]
        while often:
            unit = often & -often
            often -= unit
            shift = unit.bit_length() - 1
            held = tuple([suit >> shift & 63 for suit in suits])
            wanted = tuple([ranks >> shift & 1 for ranks in useful])
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
        self, way: _Way, hand: Hand, wilds: int, known: dict[int, tuple[int, ...]]
    ) -> tuple[Meld, ...]:
        """Lay out the melds of a way; the wilds left over join a set, each other, or a run."""
        suits, needed, sets = way[:4], way[4], way[5]
        shares = _shares([known[suit] for suit in suits], wilds - needed)
        runs = [
            self._runs.runs(suit, share, known) for suit, share in zip(suits, shares, strict=True)
        ]
        in_sets = [max(0, self._set_size - sum(taken)) for _, taken in sets]
        spare = alone = 0
        if wilds:
            spare = wilds - needed - sum(run[1].bit_count() for found in runs for run in found)
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
        free = self._rules.free_ranks
        return lay_out(plan, self._rules, [], [card for card in hand if card.rank in free])

    def _lengthen(self, runs: list[list[Run]], spare: int) -> None:
        """Put wilds at the end of a run, before it where there is no place behind."""
        found = next((found for found in runs if found), None)
        if found is None:
            return
        window, steps = found.pop()
        longer = windows(self._rules.ace, window.size + spare)
        start = min(window.start, longer[-1].start)
        lent = (1 << window.size + spare) - 1
        lent ^= ((1 << window.size) - 1 ^ steps) << window.start - start
        found.append((next(wider for wider in longer if wider.start == start), lent))


def _units(meld_rules: MeldRules) -> dict[Card, int]:
    """What each card adds to the number that is a hand: four suits, then the wilds."""
    free = meld_rules.free_ranks
    naturals = {
        Card(rank, suit): 1 << number * SUIT_BITS + BITS * rank
        for number, suit in enumerate(SUITS)
        for rank in NATURALS
    }
    return naturals | {Card(rank, suit): WILD for rank in free for suit in (None, *Suit)}


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


def _shares(costs: list[tuple[int, ...]], wilds: int) -> list[int]:
    """Share out at most so many wilds among suits so that the least is loose."""
    shares = [0] * len(costs)
    if wilds:
        some = [step for step, cost in enumerate(costs) if cost[wilds] < cost[0]]
        ways = _sums(len(some), wilds)
        best = min(ways, key=lambda way: sum([costs[s][n] for s, n in zip(some, way, strict=True)]))
        for step, share in zip(some, best, strict=True):
            shares[step] = share
    return shares


@lru_cache(maxsize=200)
def _sums(parts: int, total: int) -> list[tuple[int, ...]]:
    """Ways to part a number into so many, each 0 or more.

    >>> _sums(2, 2)
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts < 2:
        return [(total,) * parts]
    return [
        (first, *rest) for first in range(total + 1) for rest in _sums(parts - 1, total - first)
    ]


def _shared(costs: list[tuple[int, ...]], wilds: int) -> int:
    """Tell what suits leave loose that share so many wilds as well as they can."""
    total, joint = 0, None
    for cost in costs:
        if cost[wilds] == cost[0]:
            total += cost[0]
        elif joint is None:
            joint = cost
        else:
            joint = tuple(
                [
                    min([joint[used] + cost[most - used] for used in range(most + 1)])
                    for most in range(wilds + 1)
                ]
            )
    return total + (joint[wilds] if joint else 0)
