"""Playing a running game on to its end, with deals as this league has played them before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from random import Random

from msgspec import Struct, field

from companion.rules import Variant
from companion.scoring import PlayedDeal, SeatStay, Standing
from companion.scoring.course import steps_left
from companion.scoring.deal import floored, put_out
from companion.scoring.placing import won_deal

ENOUGH_DEALS = 12
"""The fewest past deals of a kind that are drawn from."""

MOST_DEALS = 60
"""A game that has no end by then is given to whoever is best."""


class PastDeal(Struct, frozen=True):
    """What a deal of an earlier game brought its players: who ended it first, the others after.

    `step` is the contract that the deal stood for; nobody needs to have ended it.
    """

    step: int
    points: tuple[int, ...]
    ended: bool = True

    def among(self, players: int, random: Random) -> Sequence[int]:
        """Return the points as for this many players: some of the others' left out, or doubled."""
        if len(self.points) == players:
            return self.points
        first = [*self.points[:1]] if self.ended else []
        rest, wanted = self.points[len(first) :] or self.points, players - len(first)
        more = (
            random.sample(rest, wanted) if wanted <= len(rest) else random.choices(rest, k=wanted)
        )
        return [*first, *more]


class Drawn(Struct, frozen=True):
    """A deal of a play-out: which past deal it was, and what it brought each seat."""

    source: int
    step: int
    points: dict[int, int]
    out: int | None


class PlayOut(Struct, frozen=True):
    """A game played on to its end: the deals drawn, and who won."""

    deals: Sequence[Drawn]
    winners: Sequence[int]


Pool = Sequence[tuple[int, PastDeal]]
"""Past deals with their numbers."""


class Pools:
    """A league's past deals of one game, by what was dealt and to how many."""

    def __init__(self, variant: Variant, past: Iterable[PastDeal]) -> None:
        self._variant = variant
        self._all: Pool = list(
            enumerate(sorted(past, key=lambda deal: (deal.step, deal.points, deal.ended)))
        )
        self._found: dict[tuple[int, int], Pool] = {}

    def like(self, step: int, players: int) -> Pool:
        """Return the past deals of the same cards and contract, among as many players if enough.

        Where these are too few, those among any number of players; never those of another
        contract, which are worth more or less.
        """
        if (step, players) not in self._found:
            self._found[step, players] = self._like(step, players)
        return self._found[step, players]

    def are_enough(self, steps: Iterable[int], players: int) -> bool:
        """Return whether there is enough to draw from for each of these deals."""
        return all(len(self.like(step, players)) >= ENOUGH_DEALS for step in steps)

    @property
    def offered(self) -> int:
        """How many past deals there were to draw from so far."""
        return len({number for pool in self._found.values() for number, _ in pool})

    def _like(self, step: int, players: int) -> Pool:
        deal = self._variant.deal(step)
        steps = {one.step for _, one in self._all}
        same = {other for other in steps if self._variant.deal(other) == deal}
        alike = [one for one in self._all if one[1].step in same]
        as_many = [one for one in alike if len(one[1].points) == players]
        return as_many if len(as_many) >= ENOUGH_DEALS else alike


class SimulatedGame(Struct, frozen=True, kw_only=True):
    """A running game, ready to be played on many times.

    `steps` are the deals left, without end where play decides it. `settling`: the deals of the
    game are played and only tied players go on. `rivals` can still have the first place; `won`
    counts the deals that each seat has won.
    """

    variant: Variant
    totals: Sequence[int]
    playing: Sequence[int]
    rivals: Sequence[int]
    won: Mapping[int, int]
    steps: Sequence[int]
    upcoming: int
    settling: bool
    pools: Pools


def game_of(
    variant: Variant,
    seats: Sequence[SeatStay],
    deals: Sequence[PlayedDeal],
    standing: Standing,
    pools: Pools,
) -> SimulatedGame:
    """Make a running game ready to be played on; `standing` is what `follow` says of it."""
    at, upcoming = len(deals) + 1, standing.upcoming.step if standing.upcoming else 1
    fixed = variant.deal_count is not None
    settling = _is_reached(variant, standing.totals) and bool(deals)
    steps = steps_left(variant, deals) if fixed else range(upcoming, upcoming + MOST_DEALS)
    scored = [deal for deal in deals if not deal.void]
    return SimulatedGame(
        variant=variant,
        totals=standing.totals,
        playing=standing.playing,
        rivals=[
            seat
            for seat, place in enumerate(standing.places)
            if place is not None
            and standing.out_at[seat] is None
            and (seats[seat].plays(at) or variant.ending.winner != "last_standing")
        ],
        won={seat: sum(won_deal(deal, seat) for deal in scored) for seat in range(len(seats))},
        steps=[] if settling else steps,
        upcoming=upcoming,
        settling=settling or not steps,
        pools=pools,
    )


def _is_reached(variant: Variant, totals: Iterable[int]) -> bool:
    target = variant.ending.target
    return variant.ending.length == "until_score" and any(total >= target for total in totals)


def play_out(game: SimulatedGame, random: Random) -> PlayOut:
    """Play a game on to its end once, with past deals drawn and given to the seats by chance."""
    run = _Run(game, list(game.totals), list(game.playing), dict(game.won))
    for step in game.steps:
        run.score(run.draw(step, run.playing, random))
        if run.is_over():
            break
    return PlayOut(run.drawn, run.winners(random))


class _Run(Struct):
    """One play-out on its way."""

    game: SimulatedGame
    totals: list[int]
    playing: list[int]
    won: dict[int, int]
    drawn: list[Drawn] = field(default_factory=list)
    last_out: list[int] = field(default_factory=list)

    def draw(self, step: int, players: Sequence[int], random: Random) -> Drawn:
        """Draw a past deal and give what it brought to the players by chance."""
        pool = self.game.pools.like(step, len(players))
        source, past = pool[int(random.random() * len(pool))]
        order = list(players)
        random.shuffle(order)
        points = dict(zip(order, past.among(len(order), random), strict=True))
        deal = Drawn(source, step, points, order[0] if past.ended else None)
        self.drawn.append(deal)
        return deal

    def score(self, deal: Drawn) -> None:
        """Add a deal to the totals, and put out whom it puts out."""
        ending = self.game.variant.ending
        if ending.floor is not None or ending.eliminate:
            self._score_carefully(deal)
        else:
            for seat, points in deal.points.items():
                self.totals[seat] += points
        if deal.out is not None:
            self.won[deal.out] += 1

    def _score_carefully(self, deal: Drawn) -> None:
        variant, rule = self.game.variant, self.game.variant.ending.eliminate
        after = {s: floored(variant, self.totals[s] + p) for s, p in deal.points.items()}
        if rule and rule.all_out == "replay" and all(map(rule.takes, after.values())):
            deal.points.update(dict.fromkeys(after, 0))
            return
        for seat, total in after.items():
            self.totals[seat] = total
        gone = put_out(variant, after)
        if gone:
            self.last_out = list(gone)
            self.playing = [seat for seat in self.playing if seat not in gone]

    def is_over(self) -> bool:
        """Return whether the game has ended, its number of deals aside."""
        ending = self.game.variant.ending
        if ending.eliminate:
            return len(self.playing) < (2 if ending.winner == "last_standing" else 1)
        return ending.length == "until_score" and _is_reached(self.game.variant, self.totals)

    def winners(self, random: Random) -> Sequence[int]:
        """Name the best, who may be several; where the rules ask for it they play on."""
        if self.game.settling:
            return self._parted(self.playing, random)
        gone = [seat for seat in self.game.playing if seat not in self.playing]
        left = [seat for seat in self.game.rivals if seat not in gone] or self.last_out
        best = _best({seat: self._merit(seat) for seat in left})
        tied = [seat for seat in best if seat in self.playing]
        if self.game.variant.ending.tiebreak == "extra_deal" and len(tied) > 1:
            return self._parted(tied, random)
        return best

    def _merit(self, seat: int) -> tuple[float, ...]:
        ending = self.game.variant.ending
        cost = ending.cost
        tiebreak: float = 0
        if ending.tiebreak == "most_deals_won":
            tiebreak = -self.won[seat]
        elif ending.tiebreak == "best_last_deal":
            points = self.drawn[-1].points.get(seat)
            tiebreak = inf if points is None else cost * points
        return cost * self.totals[seat], tiebreak

    def _parted(self, tied: Sequence[int], random: Random) -> Sequence[int]:
        """Let tied players play on until one is best, or for as long as anybody would."""
        cost = self.game.variant.ending.cost
        first = max([self.game.upcoming, *(deal.step + 1 for deal in self.drawn)])
        for step in range(first, first + MOST_DEALS):
            if len(tied) < 2:
                break
            points = self.draw(step, tied, random).points
            tied = _best({seat: (cost * points[seat],) for seat in tied})
        return tied


def _best(merits: Mapping[int, tuple[float, ...]]) -> list[int]:
    best = min(merits.values())
    return [seat for seat, merit in merits.items() if merit == best]
