"""The choices of runs that leave the fewest places of a contract empty, sets and runs together.

Runs are chosen among the offers of the suits, those first that miss least. What the sets then lack
depends on the ranks alone (`sets`), and never is less for more cards taken: so that a choice
is left as soon as it can come no nearer than the nearest. Those that come as near are all kept.
"""

from __future__ import annotations

from itertools import combinations, permutations
from sys import maxsize
from typing import NamedTuple

from companion.melds.meld import MeldRules

from .runs import ranks_held
from .sets import Step, lacking, scarce_ranks
from .suit_places import Both, Offer, offers_alone

Tie = tuple[int, int, tuple[tuple[int, Offer], ...]]
"""A nearest choice of offers, with their suits; before them the ranks they use, and use twice."""

Offers = list[list[tuple[Offer, ...]]]
"""What each suit offers to each run, or to all of one size."""

_NO_RUNS: Tie = (0, 0, ())


class Nearest(NamedTuple):
    """How many places stay empty, every choice that leaves so few, and the steps of the sets.

    Of the steps only those are told that may come to lack a card.
    """

    empty: int
    ties: list[Tie]
    steps: list[Step]


class RunsAsked:
    """At most two runs; `twice` are the ranks of which both may ask one suit for a card."""

    def __init__(self, sizes: list[int], meld_rules: MeldRules) -> None:
        unlike = sorted(set(sizes))
        self.number = len(sizes)
        self._size = sum(sizes)
        self._alone = [offers_alone(size, meld_rules.ace) for size in unlike]
        self._both = Both((unlike[0], unlike[-1]), meld_rules) if len(sizes) == 2 else None
        self.twice = self._both.twice if self._both else 0
        pairs = combinations(range(4), 2) if len(unlike) < 2 else permutations(range(4), 2)
        self._suit_pairs = [*pairs]

    def nearest(self, suits: list[int], steps: list[Step]) -> Nearest:
        """Find the choices of runs in suits so held that leave the fewest places empty."""
        held = [ranks_held(suit, 1) for suit in suits]
        offers = [[*map(alone.__getitem__, held)] for alone in self._alone]
        if self._both is None:
            return _at_most_one(offers, steps)
        least = [[of_suit[0].missing for of_suit in of_run] for of_run in offers]
        taken = self._size - min(least[0]) - min(least[-1])
        steps = [step for step in steps if step[0] < taken]
        empty, ties = self._in_two_suits(offers, least, steps)
        room, scarce = empty - lacking(steps), scarce_ranks(steps)
        for suit, cards in enumerate(suits):
            if least[0][suit] + least[-1][suit] > room:
                continue
            for pair in self._both.pairs(cards, scarce, room):
                missing, used, twice, _, _ = pair
                missing += lacking(steps, used, twice)
                if missing < empty:
                    empty, ties = missing, []
                if missing == empty:
                    ties.append((used, twice, ((suit, self._both.offer(pair)),)))
        return Nearest(empty, ties, steps)

    def _in_two_suits(
        self, offers: Offers, least: list[list[int]], steps: list[Step]
    ) -> tuple[int, list[Tie]]:
        """Choose two suits for a run each, `least` being what their nearest offers miss."""
        ones, others, of_ones, of_others = offers[0], offers[-1], least[0], least[-1]
        suits = [(of_ones[one] + of_others[other], one, other) for one, other in self._suit_pairs]
        best, ties, room = maxsize, list[Tie](), maxsize
        sets_lack, scarce = lacking(steps), scarce_ranks(steps)
        for nearest, first, second in sorted(suits):
            if nearest > room:
                break
            for one in ones[first]:
                so_far = one.missing + (one.used & scarce).bit_count()
                for other in others[second]:
                    if so_far + other.missing > room:
                        break
                    used, twice = one.used | other.used, one.used & other.used
                    empty = one.missing + other.missing + lacking(steps, used, twice)
                    if empty < best:
                        best, ties, room = empty, [], empty - sets_lack
                    if empty == best:
                        ties.append((used, twice, ((first, one), (second, other))))
        return best, ties


def _at_most_one(offers: Offers, steps: list[Step]) -> Nearest:
    """Choose an offer for one run, or none where none is asked."""
    choices: list[tuple[int, Tie]] = [
        (offer.missing + lacking(steps, offer.used), (offer.used, offer.twice, ((suit, offer),)))
        for of_run in offers
        for suit, of_suit in enumerate(of_run)
        for offer in of_suit
    ]
    if not offers:
        choices = [(lacking(steps), _NO_RUNS)]
    empty = min([missing for missing, _ in choices])
    return Nearest(empty, [tie for missing, tie in choices if missing == empty], steps)
