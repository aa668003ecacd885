"""How likely each player is to win a running game, by what this league's own deals were like.

The rest of the game is played on many times with whole past deals, each given to the players by
chance: nobody is taken for the better player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random

from msgspec import Struct, field
from msgspec.structs import replace

from companion.cards import Pack
from companion.rules import Variant

from .course import standing_after, steps_left
from .deal import bounded, eliminated_seats
from .played import PlayedDeal, SeatStay, Standing
from .tally import Tally

ENOUGH_DEALS = 12
"""The fewest past deals of a kind that are drawn from."""
MOST_DEALS = 60
"""A game that has no end by then is given to whoever is best."""
PLAY_OUTS = 1000
REACH = 1.2816
"""An 80 % interval of a normal curve reaches so many standard errors to either side."""
OUT = Tally(declared="out")


class Chance(Struct, frozen=True):
    """A seat's chance to win, from 0 to 1, and between what it lies in four cases of five.

    A shared win counts in parts. The range covers the chance of the draw and that the league's
    deals are only so many. It holds for players of equal skill only, and a page must say so: even
    small differences move the chance by more than the range (`make statistics`).
    """

    seat: int
    likely: float
    low: float
    high: float


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
        first = self.points[: int(self.ended)]
        pool, more = self.points[len(first) :] or self.points, players - len(first)
        draw = random.sample if more <= len(pool) else random.choices
        return [*first, *draw(pool, k=more)]


class Pools:
    """A league's past deals of one game, by what was dealt and to how many."""

    def __init__(self, variant: Variant, past: Iterable[PastDeal]) -> None:
        self._variant = variant
        ordered = sorted(past, key=lambda deal: (deal.step, deal.points, deal.ended))
        self._all = list(enumerate(ordered))
        self._found: dict[tuple[int, int], Sequence[tuple[int, PastDeal]]] = {}

    def like(self, step: int, players: int) -> Sequence[tuple[int, PastDeal]]:
        """Return the past deals of the same cards and contract, each with its number.

        Those among as many players or, where these are too few, among any number of them; never
        those of another contract, which are worth more or less.
        """
        if (step, players) not in self._found:
            deal = self._variant.deal
            same = {
                past
                for past in {past_deal.step for _, past_deal in self._all}
                if deal(past) == deal(step)
            }
            alike = [past_deal for past_deal in self._all if past_deal[1].step in same]
            as_many = [past_deal for past_deal in alike if len(past_deal[1].points) == players]
            self._found[step, players] = as_many if len(as_many) >= ENOUGH_DEALS else alike
        return self._found[step, players]

    @property
    def offered(self) -> int:
        """How many past deals there were to draw from so far."""
        return len({number for pool in self._found.values() for number, _ in pool})


class RunningGame(Struct, frozen=True):
    """A game to be played on, with what it is played on from."""

    variant: Variant
    seats: Sequence[SeatStay]
    deals: Sequence[PlayedDeal]
    first_dealer: int
    pack: Pack
    pools: Pools

    def after(self, drawn: Sequence[PlayedDeal] = ()) -> Standing:
        """Return where the game stands after its deals and these."""
        deals = [*self.deals, *drawn]
        return standing_after(self.variant, self.seats, deals, self.first_dealer, self.pack)

    def steps(self, upcoming: int) -> Sequence[int]:
        """List the deals to come, extra ones aside: many where no number of them is fixed."""
        if self.variant.deal_count is None:
            return range(upcoming, upcoming + MOST_DEALS)
        return steps_left(self.variant, self.deals) or [upcoming]


class PlayOut(Struct, frozen=True):
    """A game played on: the deals drawn, the number of the past deal each was, who won."""

    deals: list[PlayedDeal] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    winners: Sequence[int] = ()

    def draw(self, game: RunningGame, step: int, players: Sequence[int], random: Random) -> None:
        """Draw a past deal and give what it brought to the players by chance."""
        pool = game.pools.like(step, len(players))
        source, past = pool[int(random.random() * len(pool))]
        order = list(players)
        random.shuffle(order)
        points = dict(zip(order, past.among(len(order), random), strict=True))
        tallies = {order[0]: OUT} if past.ended else {}
        self.deals.append(PlayedDeal(step=step, dealer=0, points=points, tallies=tallies))
        self.sources.append(source)


def chances(
    variant: Variant,
    seats: Sequence[SeatStay],
    deals: Sequence[PlayedDeal],
    first_dealer: int,
    pack: Pack,
    past: Iterable[PastDeal],
) -> tuple[Chance, ...] | None:
    """Estimate the chance of every seat still in; None where there is too little to go by.

    The same game with the same past gives the same numbers. None as well where the game is over,
    and where contracts met decide it.
    """
    game = RunningGame(variant, seats, deals, first_dealer, pack, Pools(variant, past))
    standing = game.after()
    if standing.upcoming is None or variant.is_each_on_their_own:
        return None
    to_come = game.steps(standing.upcoming.step)
    if any(len(game.pools.like(n, len(standing.playing))) < ENOUGH_DEALS for n in to_come):
        return None
    random = Random(f"{variant.key} {len(deals)} {standing.totals} {first_dealer}")  # noqa: S311
    played = [play_out(game, standing, random) for _ in range(PLAY_OUTS)]
    return tuple(_chance(seat, played, game.pools.offered) for seat in _rivals(game, standing))


def _rivals(game: RunningGame, standing: Standing) -> list[int]:
    """List the seats that can still have the first place."""
    at, last_wins = len(game.deals) + 1, game.variant.ending.winner == "last_standing"
    ranked = [seat for seat, place in enumerate(standing.places) if place is not None]
    still_in = [seat for seat in ranked if standing.out_at[seat] is None]
    return [seat for seat in still_in if game.seats[seat].plays(at) or not last_wins]


def play_out(game: RunningGame, standing: Standing, random: Random) -> PlayOut:
    """Play a game on to its end once, from where it stands."""
    run = PlayOut()
    _play_regular_deals(game, standing, run, random)
    standing = game.after(run.deals)
    while standing.upcoming and len(run.deals) < MOST_DEALS:
        run.draw(game, standing.upcoming.step, standing.playing, random)
        standing = game.after(run.deals)
    return replace(run, winners=standing.winners)


def _play_regular_deals(
    game: RunningGame, standing: Standing, run: PlayOut, random: Random
) -> None:
    """Draw deals until the game is over or only extra ones can part the tied.

    Following the whole game after each of them would take ten times as long.
    """
    variant, ending = game.variant, game.variant.ending
    totals, playing = dict(enumerate(standing.totals)), standing.playing
    for step in game.steps(standing.upcoming.step if standing.upcoming else 1):
        run.draw(game, step, playing, random)
        points = run.deals[-1].points
        after = {seat: bounded(variant, totals[seat] + points[seat]) for seat in playing}
        rule = ending.eliminate
        if rule and rule.all_out == "replay" and all(map(rule.takes, after.values())):
            run.deals[-1] = replace(run.deals[-1], points=dict.fromkeys(points, 0))
            continue
        totals |= after
        gone = eliminated_seats(variant, after)
        playing = tuple(seat for seat in playing if seat not in gone)
        if ending.is_reached(totals.values()) or len(playing) < (
            2 if ending.winner == "last_standing" else 1
        ):
            return


def _chance(seat: int, played: Sequence[PlayOut], offered: int) -> Chance:
    shares = [1 / len(play_out.winners) if seat in play_out.winners else 0.0 for play_out in played]
    likely = sum(shares) / len(shares)
    spread = sum((share - likely) ** 2 for share in shares) / len(shares)
    variance = spread / len(shares) + _from_the_deals(played, shares) / offered
    evidence = spread / variance if variance else len(shares)
    return Chance(seat, likely, *_interval(likely, evidence))


def _from_the_deals(played: Sequence[PlayOut], shares: Sequence[float]) -> float:
    """Estimate the variance that each past deal brings into the result, were it another deal.

    A one-way analysis of variance: do the play-outs that drew the same past deal end alike?
    """
    of_source: dict[int, list[float]] = {}
    for play_out, share in zip(played, shares, strict=True):
        for source in play_out.sources:
            of_source.setdefault(source, []).append(share)
    groups = [(len(group), sum(group)) for group in of_source.values()]
    drawn = sum(uses for uses, _ in groups)
    if len(groups) < 2 or drawn <= len(groups):
        return 0.0
    mean = sum(total for _, total in groups) / drawn
    of_groups = sum(total * total / uses for uses, total in groups)
    squares = sum(share * share for group in of_source.values() for share in group)
    between = (of_groups - drawn * mean * mean) / (len(groups) - 1)
    within = (squares - of_groups) / (drawn - len(groups))
    evenly = (drawn - sum(uses * uses for uses, _ in groups) / drawn) / (len(groups) - 1)
    return max(0.0, (between - within) / evenly) * (drawn / len(played)) ** 2


def _interval(likely: float, evidence: float) -> tuple[float, float]:
    """Return Wilson's interval for a share seen in so many cases."""
    pull = REACH**2 / evidence
    middle = (likely + pull / 2) / (1 + pull)
    reach = REACH / (1 + pull) * sqrt(likely * (1 - likely) / evidence + pull / (4 * evidence))
    return middle - reach if likely > 0 else 0.0, middle + reach if likely < 1 else 1.0
