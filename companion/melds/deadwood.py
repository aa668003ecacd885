"""The least points unmelded in a hand, and the melds that prove it (`H-1` to `H-11`, `H-23`).

Sets are chosen rank by rank, runs suit by suit. A card that is in no set either is kept for a run
or is loose; each suit's best runs are remembered (`suit_runs`). What joins the two is the number
of wilds each takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.cards import Card, Hand, Rank, sort_hand

from .layout import Plan, lay_out, parted_sets, wild_melds
from .meld import RANK_NAMES, Melding, MeldRules
from .places import parted_wilds, set_ranks, sort_out, suit_index
from .quick_melds import QuickMelds, is_unlimited
from .suit_runs import LOOSE_CARD, NEVER, POINT, WILD_USED, SuitRuns


class _SetChoice(NamedTuple):
    """The cards of a rank, by suit, that lie in sets, and with how many wilds (as bits)."""

    rank: int
    naturals: tuple[int, ...]
    wilds: int


Suits = tuple[int, int, int, int]


class _Way(NamedTuple):
    """The cards left to each suit, the wilds that sets may take in all (as bits), the sets."""

    suits: Suits
    set_wilds: int
    sets: tuple[_SetChoice, ...]


class _Play(NamedTuple):
    """A way to meld the hand: its cost, the wilds in the sets and in all, the runs by suit."""

    cost: int
    set_wilds: int
    wilds: int
    way: _Way
    wild_cards: list[Card]


_NO_PLAY = _Play(NEVER, 0, 0, _Way((0, 0, 0, 0), 1, ()), [])


def best_melds(hand: Hand, meld_rules: MeldRules) -> Melding:
    """Find the melds that leave the least points unmelded.

    Among melds that leave as little, those with the most cards, then the fewest wilds are taken.

    >>> from companion.cards import read_hand, write_hand
    >>> values = dict.fromkeys(RANK_NAMES.values(), 5)
    >>> rules = MeldRules(run_size=3, wilds=("2",), values=values)
    >>> melding = best_melds(read_hand("7H 8H 2C KS KD KC 4D"), rules)
    >>> melding.points, [write_hand(meld.cards) for meld in melding.melds]
    (5, ['KC KD KS', '7H 8H 2C'])

    Raises `RuleError` for more than 20 cards, an untold suit, or a joker where there is none.
    """
    return _solver(meld_rules).solve(hand)


@lru_cache(maxsize=32)
def _solver(meld_rules: MeldRules) -> QuickMelds | _Solver:
    return QuickMelds(meld_rules) if is_unlimited(meld_rules) else _Solver(meld_rules)


class _Solver:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._values = tuple(meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank)
        self._weights = tuple(value * POINT + LOOSE_CARD for value in self._values)
        # A wild in its own place counts as melded too: left loose, it is one wild the less.
        own = tuple(
            weight - WILD_USED * (rank in meld_rules.free_ranks)
            for rank, weight in zip(Rank, self._weights, strict=True)
        )
        self._runs = SuitRuns(meld_rules, own)
        self._bound = tuple(meld_rules.bound_ranks)
        self._set_wilds = lru_cache(self._find_set_wilds)
        self._wild_melds = lru_cache(self._find_wild_melds)
        self._joined = lru_cache(self._find_joined)
        self._pair = lru_cache(4_000)(self._find_pair)
        self._options = lru_cache(4_000)(self._find_options)

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        naturals, wilds = sort_out(hand, self._rules)
        wilds.sort(key=lambda card: self._values[card.rank], reverse=True)
        play = _NO_PLAY
        for own, free in parted_wilds(wilds, self._rules):
            saved = [cost + len(own) * WILD_USED for cost in self._costs_of_wilds(free)]
            play = self._best_play([*naturals, *own], free, saved, play)
            if play.cost == len(wilds) * WILD_USED:
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
        """Tell the runs and sets of a play, with the wilds of each."""
        way, most = play.way, len(play.wild_cards)
        plays = [self._runs.best(suit, most) for suit in way.suits]
        in_runs = play.wilds - play.set_wilds
        shares = (
            (0, 0, 0, 0)
            if not in_runs
            else min(
                (share for share in product(range(in_runs + 1), repeat=4) if sum(share) == in_runs),
                key=lambda share: sum(
                    suit[used][0] for suit, used in zip(plays, share, strict=True)
                ),
            )
        )
        runs = [suit[used][1] for suit, used in zip(plays, shares, strict=True)]
        possible = [self._wild_melds(most), *(chosen.wilds for chosen in way.sets)]
        alone, *wilds = next(_shares(possible, play.set_wilds))
        sets = [(c.rank, c.naturals, used) for c, used in zip(way.sets, wilds, strict=True)]
        return Plan(runs, sets, alone)

    def _best_play(
        self, naturals: list[Card], wilds: list[Card], saved: list[int], best: _Play
    ) -> _Play:
        """Find the cheapest play, or give back the one that is as cheap already."""
        least = best.cost
        pair, number = self._pair, len(wilds)
        rest: dict[int, list[tuple[int, int]]] = {}
        for way in self._ways(naturals, number):
            clubs, diamonds, hearts, spades = way.suits
            some, costs = pair(clubs, diamonds, number)
            others, more = pair(hearts, spades, number)
            if some + others + saved[number] >= least:
                continue
            if way.set_wilds not in rest:
                rest[way.set_wilds] = _best_in_sets(way.set_wilds, saved)
            for in_runs, (after, in_sets) in enumerate(rest[way.set_wilds]):
                for first in range(in_runs + 1):
                    total = costs[first] + more[in_runs - first] + after
                    if total < least:
                        least = total
                        best = _Play(least, in_sets, in_runs + in_sets, way, wilds)
        return best

    def _costs_of_wilds(self, wilds: list[Card]) -> list[int]:
        """Tell what the wilds left over cost when 0, 1, 2 … of the dearest are melded."""
        return [
            sum(self._weights[card.rank] for card in wilds[used:]) + used * WILD_USED
            for used in range(len(wilds) + 1)
        ]

    def _find_pair(self, one: int, other: int, wilds: int) -> tuple[int, tuple[int, ...]]:
        """Tell the least cost of two suits, in all and for 0, 1, 2 … wilds in their runs."""
        first, second = self._runs.best(one, wilds), self._runs.best(other, wilds)
        costs = tuple(
            min(first[here][0] + second[used - here][0] for here in range(used + 1))
            for used in range(wilds + 1)
        )
        return min(costs), costs

    def _ways(self, naturals: list[Card], wilds: int) -> list[_Way]:
        """Every choice of sets worth a look."""
        suits, held = [0, 0, 0, 0], [0] * 14
        for card in naturals:
            held[card.rank] += 1
            if card.rank not in self._bound:
                suits[suit_index(card)] += 1 << 4 * card.rank
        bound = sum(1 << rank for rank in self._bound if held[rank])
        useful = [self._runs.useful(_mask(suit) | bound, wilds) for suit in suits]
        ways = [_Way((suits[0], suits[1], suits[2], suits[3]), self._wild_melds(wilds), ())]
        for rank in set_ranks(self._rules.ace):
            if held[rank] and rank in self._bound:
                ways = self._with_sets(ways, self._options(rank, held[rank], (), wilds), wilds)
            elif held[rank] and self._set_wilds(held[rank], wilds):
                kept = tuple(
                    (suit >> 4 * rank & 15, runs >> rank & 1)
                    for suit, runs in zip(suits, useful, strict=True)
                )
                ways = self._with_sets(ways, self._options(rank, 0, kept, wilds), wilds)
        return ways

    def _find_options(
        self, rank: int, lent: int, kept: tuple[tuple[int, int], ...], wilds: int
    ) -> tuple[_Option, ...]:
        """Tell what each move of the cards of a rank changes, the impossible ones left out."""
        options = []
        for moved, in_sets in _taken(kept) if kept else _lent(lent):
            possible = self._set_wilds(sum(in_sets), wilds) if any(in_sets) else 0
            if possible or not any(in_sets):
                sets = (_SetChoice(rank, in_sets, possible),) if possible else ()
                clubs, diamonds, hearts, spades = (number << 4 * rank for number in moved)
                options.append(((clubs, diamonds, hearts, spades), possible, sets))
        return tuple(options)

    def _with_sets(self, ways: list[_Way], options: tuple[_Option, ...], wilds: int) -> list[_Way]:
        """Join each way with each choice of what to do with a rank."""
        found = []
        for (clubs, diamonds, hearts, spades), possible, sets in options:
            for (c, d, h, s), before, others in ways:
                both = self._joined(before, possible, wilds) if possible else before
                if both:
                    suits = (c + clubs, d + diamonds, h + hearts, s + spades)
                    found.append(_Way(suits, both, others + sets))
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

    def _find_wild_melds(self, wilds: int) -> int:
        """How many wilds can lie in melds of wilds alone, as bits."""
        return sum(
            1 << used for used in range(wilds + 1) if wild_melds(self._rules, used) is not None
        )


_Move = tuple[tuple[int, ...], tuple[int, ...]]
"""Cards of one rank: those that come to each suit (less than 0: go from it), those in sets."""


_Option = tuple[Suits, int, tuple[_SetChoice, ...]]
"""What a move adds to the suits, the wilds its sets may take (as bits), and the sets."""


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


def _best_in_sets(set_wilds: int, saved: list[int]) -> list[tuple[int, int]]:
    """For 0, 1, 2 … wilds in runs, the least cost of the others and how many of them are in sets.

    `set_wilds` tells as bits how many the sets may take, `saved` what those left over cost.
    """
    return [
        min(
            (
                (saved[in_runs + in_sets], in_sets)
                for in_sets in range(len(saved) - in_runs)
                if set_wilds >> in_sets & 1
            ),
            default=(NEVER, 0),
        )
        for in_runs in range(len(saved))
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


def _lent(held: int) -> list[_Move]:
    """Ways to share out cards whose suit is free among the suits and a set (`H-6`)."""
    return [
        (lent, (held - sum(lent), 0, 0, 0))
        for lent in product(range(held + 1), repeat=4)
        if sum(lent) <= held
    ]
