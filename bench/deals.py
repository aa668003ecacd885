"""Leagues made up with known deals, to see what the chance to win is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from companion.rules import Variant
from companion.scoring import PlayedDeal, SeatStay, Tally
from companion.scoring.chances import Chance, PastDeal, Pools, RunningGame, chances, play_out

OUT = Tally(declared="out")


@dataclass(frozen=True, slots=True)
class Habits:
    """What a league's deals are like: points of who is caught, by contract, and how they vary.

    `blank` is how often a player is caught with everything.
    """

    means: Sequence[float]
    shape: float
    blank: float

    def deal(self, rng: Random, step: int, players: int) -> PastDeal:
        """Make up a deal among equals, who went out first."""
        return PastDeal(step, (0, *(self.caught(rng, step) for _ in range(players - 1))))

    def seated(self, rng: Random, step: int, clumsy: Sequence[float]) -> list[int]:
        """Make up a deal by seat: who is twice as clumsy goes out half as often and pays double."""
        out = rng.choices(range(len(clumsy)), [1 / factor for factor in clumsy])[0]
        return [
            0 if seat == out else 5 * max(1, round(factor * self.caught(rng, step) / 5))
            for seat, factor in enumerate(clumsy)
        ]

    def caught(self, rng: Random, step: int) -> int:
        """Make up what one player is caught with."""
        if rng.random() < self.blank:
            return 5 * rng.randint(14, 30)
        mean = self.means[(step - 1) % len(self.means)]
        return 5 * max(1, round(rng.gammavariate(self.shape, mean / self.shape) / 5))


def habits(rng: Random, steps: int) -> Habits:
    """Make up a league's habits."""
    means = [rng.uniform(15, 60) for _ in range(steps)]
    return Habits(means, rng.uniform(0.7, 4), rng.choice((0, 0, 0.1)))


@dataclass(frozen=True, slots=True)
class Case:
    """One seat of one running game: the chance estimated, and the true one."""

    chance: Chance
    truth: float

    @property
    def is_inside(self) -> bool:
        """Whether the range holds the truth."""
        return self.chance.low <= self.truth <= self.chance.high


def cases(
    seed: int, variant: Variant, *, players: int, games: int, play_outs: int = 10_000
) -> list[Case]:
    """Make up a league and its past, leave a new game somewhere, and judge the estimate."""
    rng = Random(f"chances {seed} {variant.key} {players} {games}")
    last = variant.deal_count or 6
    own = habits(rng, last)
    steps = range(1, last + 1)
    past = [own.deal(rng, step, players) for _ in range(games) for step in steps]
    deals = [_played(rng, own, step, players) for step in range(1, rng.randint(1, last))]
    seats, pack = [SeatStay()] * players, variant.pack(players)
    told = chances(variant, seats, deals, 0, pack, past)
    if told is None:
        return []
    fresh = [own.deal(rng, step, players) for _ in range(play_outs) for step in steps]
    game = RunningGame(variant, seats, deals, 0, pack, Pools(variant, fresh))
    standing = game.after()
    won = [0.0] * players
    for _ in range(play_outs):
        winners = play_out(game, standing, rng).winners
        for seat in winners:
            won[seat] += 1 / len(winners)
    return [Case(chance, won[chance.seat] / play_outs) for chance in told]


def unequal_cases(
    seed: int, variant: Variant, *, players: int, games: int, spread: float, play_outs: int = 5_000
) -> list[Case]:
    """Do the same with players of unlike skill, which the estimate does not know of."""
    rng = Random(f"unequal {seed} {spread}")
    last = len(variant.deals)
    own, clumsy = habits(rng, last), [exp(rng.gauss(0, spread)) for _ in range(players)]
    steps = range(1, last + 1)
    past = [
        PastDeal(step, tuple(sorted(own.seated(rng, step, clumsy))))
        for _ in range(games)
        for step in steps
    ]
    before = [own.seated(rng, step, clumsy) for step in range(1, rng.randint(1, last))]
    deals = [
        PlayedDeal(step=step, dealer=0, points=dict(enumerate(points)))
        for step, points in enumerate(before, 1)
    ]
    told = chances(variant, [SeatStay()] * players, deals, 0, variant.pack(players), past) or ()
    won = [0.0] * players
    for _ in range(play_outs):
        rest = [own.seated(rng, step, clumsy) for step in range(len(deals) + 1, last + 1)]
        totals = [sum(column) for column in zip(*before, *rest, strict=True)]
        winners = [seat for seat, total in enumerate(totals) if total == min(totals)]
        for seat in winners:
            won[seat] += 1 / len(winners)
    return [Case(chance, won[chance.seat] / play_outs) for chance in told]


def _played(rng: Random, own: Habits, step: int, players: int) -> PlayedDeal:
    points = own.deal(rng, step, players).points
    order = rng.sample(range(players), players)
    scores = dict(zip(order, points, strict=True))
    return PlayedDeal(step=step, dealer=0, points=scores, tallies={order[0]: OUT})
