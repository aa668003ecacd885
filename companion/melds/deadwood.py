"""The least points unmelded in a hand, and the melds that prove it (`H-1` to `H-11`, `H-23`).

Sets are chosen rank by rank, runs suit by suit. A card that is in no set either is kept for a run
or is loose; each suit's best runs are remembered (`suit_runs`). What joins the two is the number
of wilds each takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from companion.cards import Card, Hand, Rank, sort_hand

from .effort import spend
from .meld import RANK_NAMES, Melding, MeldRules
from .melds_layout import Plan, lay_out
from .places import parted_wilds, sort_out
from .quick.quick_melds import QuickMelds, is_unlimited
from .remembered import Remembered
from .set_ways import AT_A_STEP, PAIR, SUIT, SUIT_BITS, RankUses, SetWays, Way, sets_of
from .suit_runs import LOOSE_CARD, NEVER, POINT, SuitRuns


class _Play(NamedTuple):
    """A way to meld the hand: its cost, the wilds in the sets and in all, and which they are."""

    cost: int
    set_wilds: int
    wilds: int
    way: Way
    wild_cards: list[Card]
    options: RankUses


_ANY = -1
"""Any number of wilds, as bits."""

_NO_PLAY = _Play(NEVER, NEVER, NEVER, NEVER, [], {})


def best_melds(hand: Hand, meld_rules: MeldRules) -> Melding:
    """Find the melds that leave the least points unmelded.

    Among melds that leave as little, those with the most cards, then the fewest wilds are taken.

    >>> from companion.cards import read_hand, write_hand
    >>> values = dict.fromkeys(RANK_NAMES.values(), 5)
    >>> rules = MeldRules(run_size=3, wilds=("2",), values=values)
    >>> melding = best_melds(read_hand("7H 8H 2C KS KD KC 4D"), rules)
    >>> melding.points, [write_hand(meld.cards) for meld in melding.melds]
    (5, ['KC KD KS', '7H 8H 2C'])

    Raises `Refusal` for more than 20 cards, an untold suit, or a joker where there is none.
    """
    return _solver(meld_rules).solve(hand)


@lru_cache(maxsize=8)
def _solver(meld_rules: MeldRules) -> QuickMelds | _Solver:
    return QuickMelds(meld_rules) if is_unlimited(meld_rules) else _Solver(meld_rules)


class _Solver:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._values = tuple(meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank)
        # A wild left loose is one wild melded the less: those melded, also in their own place, cost
        # nothing then.
        self._weights = tuple(
            value * POINT + LOOSE_CARD - (rank in meld_rules.free_ranks)
            for rank, value in enumerate(self._values)
        )
        self._runs = SuitRuns(meld_rules, self._weights)
        self._bound = tuple(meld_rules.bound_ranks)
        self._ways = SetWays(meld_rules, self._runs)
        self._pairs: dict[int, _Pairs] = {}

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        naturals, wilds = sort_out(hand, self._rules)
        wilds.sort(key=lambda card: self._values[card.rank], reverse=True)
        pairs = self._pairs.setdefault(len(wilds), _Pairs(self._runs, len(wilds)))
        play = _NO_PLAY
        for own, free in parted_wilds(wilds, self._rules):
            play = self._best_play([*naturals, *own], free, pairs, play)
            if not play.cost:
                break
        bound = [card for card in hand if card.rank in self._bound]
        melds = lay_out(self._plan(play), self._rules, bound, play.wild_cards)
        loose = list(hand)
        for meld in melds:
            for card in meld.cards:
                loose.remove(card)
        points = sum(self._values[card.rank] for card in loose)
        return Melding(points, melds, sort_hand(loose))

    def _plan(self, play: _Play) -> Plan:
        """Return the runs and sets of a play, with the wilds of each."""
        most, in_runs = len(play.wild_cards), play.wilds - play.set_wilds
        suits = [play.way >> suit * SUIT_BITS & SUIT for suit in range(4)]
        plays = [self._runs.best(suit, most) for suit in suits]
        shares = min(
            _shares([_ANY] * len(plays), in_runs),
            key=lambda share: sum(plays[suit][used][0] for suit, used in enumerate(share)),
        )
        runs = [plays[suit][used][1] for suit, used in enumerate(shares)]
        chosen = sets_of(play.way, play.options)
        possible = [self._ways.wilds_alone(most), *(choice.wilds for choice in chosen)]
        alone, *wilds = next(_shares(possible, play.set_wilds))
        sets = [(rank, naturals, wilds[n]) for n, (rank, naturals, _) in enumerate(chosen)]
        return Plan(runs, sets, alone)

    def _best_play(
        self,
        naturals: list[Card],
        wilds: list[Card],
        pairs: _Pairs,
        best: _Play,
    ) -> _Play:
        """Find the cheapest play, or give back the one that is as cheap already."""
        loose = self._costs_of_wilds(wilds)
        options, ways = self._ways.of(naturals, wilds)
        for set_wilds, group in ways.items():
            rest = _best_in_sets(set_wilds, loose)
            most = len(rest) - 1
            spend(len(group) // AT_A_STEP)
            for way in group:
                some, more = pairs[way & PAIR], pairs[way >> 2 * SUIT_BITS & PAIR]
                if some.least[most] + more.least[most] >= best.cost:
                    continue
                if _least_shared(some.least, more.least, most) >= best.cost:
                    continue
                total, in_runs = _shared(some.costs, more.costs, rest)
                if total < best.cost:
                    in_sets = rest[in_runs][1]
                    best = _Play(total, in_sets, in_runs + in_sets, way, wilds, options)
        return best

    def _costs_of_wilds(self, wilds: list[Card]) -> list[int]:
        """Return what the wilds left over cost when 0, 1, 2 … of the dearest are melded."""
        return [
            sum(self._weights[card.rank] for card in wilds[used:]) for used in range(len(wilds) + 1)
        ]


class _Pair(NamedTuple):
    """The costs of two suits with just 0, 1, 2 … wilds in their runs, and with at most so many."""

    costs: list[int]
    least: list[int]


class _Pairs(Remembered[int, _Pair]):
    """The costs of two suits with wilds up to a number, remembered from hand to hand."""

    def __init__(self, runs: SuitRuns, wilds: int) -> None:
        super().__init__()
        self._runs, self._wilds = runs, wilds

    def find(self, suits: int) -> _Pair:
        """Join two suits."""
        first = self._runs.best(suits & SUIT, self._wilds)
        second = self._runs.best(suits >> SUIT_BITS, self._wilds)
        costs = [
            min([first[here][0] + second[used - here][0] for here in range(used + 1)])
            for used in range(self._wilds + 1)
        ]
        return _Pair(costs, [*accumulate(costs, min)])


def _least_shared(some: list[int], others: list[int], most: int) -> int:
    """Return the least cost of all suits if they may share so many wilds."""
    return min([own + other for own, other in zip(some, others[most::-1], strict=False)])


def _shared(some: list[int], others: list[int], rest: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the least cost of all suits and of the wilds in none, and how many runs take then."""
    return min(
        [
            (min([some[here] + others[used - here] for here in range(used + 1)]) + after, used)
            for used, (after, _) in enumerate(rest)
        ]
    )


def _best_in_sets(set_wilds: int, loose: list[int]) -> list[tuple[int, int]]:
    """For 0, 1, 2 … wilds in runs, the least cost of the others and how many of them are in sets.

    `set_wilds` tells as bits how many the sets may take, `loose` what those left over cost. The
    sets take some at least: no more than the others are left for runs.
    """
    fewest = (set_wilds & -set_wilds).bit_length() - 1
    return [
        min(
            (loose[in_runs + in_sets], in_sets)
            for in_sets in range(len(loose) - in_runs)
            if set_wilds >> in_sets & 1
        )
        for in_runs in range(len(loose) - fewest)
    ]


def _shares(possible: list[int], wilds: int) -> Iterator[tuple[int, ...]]:
    """Ways to share out wilds where each may take only certain numbers (as bits)."""
    if not possible:
        if wilds == 0:
            yield ()
        return
    for used in range(wilds + 1):
        if possible[0] >> used & 1:
            for rest in _shares(possible[1:], wilds - used):
                yield (used, *rest)
