"""How likely each player is to win a running game, by what this league's own deals were like.

The rest of the game is played on many times with whole past deals, each given to the players by
chance: nobody is taken for the better player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random

from msgspec import Struct

from companion.cards import Pack
from companion.rules import Variant
from companion.scoring import PlayedDeal, SeatStay, standing_after

from .simulation import PastDeal, PlayOut, Pools, game_of, play_out

PLAY_OUTS = 1000
REACH = 1.2816
"""An 80 % interval of a normal curve reaches so many standard errors to either side."""


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
    standing, pools = (
        standing_after(variant, seats, deals, first_dealer, pack),
        Pools(variant, past),
    )
    if standing.over or variant.is_each_on_their_own:
        return None
    game = game_of(variant, seats, deals, standing, pools)
    if not pools.are_enough(game.steps or [game.upcoming], len(game.playing)):
        return None
    random = Random(f"{variant.key} {len(deals)} {standing.totals} {first_dealer}")  # noqa: S311
    played = [play_out(game, random) for _ in range(PLAY_OUTS)]
    return tuple(
        _chance(seat, played, pools.offered) for seat in sorted({*game.rivals, *game.playing})
    )


def _chance(seat: int, played: Sequence[PlayOut], offered: int) -> Chance:
    shares = [1 / len(one.winners) if seat in one.winners else 0.0 for one in played]
    likely = sum(shares) / len(shares)
    spread = sum((share - likely) ** 2 for share in shares) / len(shares)
    variance = spread / len(shares) + _from_the_deals(played, shares) / offered
    known = spread / variance if variance else len(shares)
    return Chance(seat, likely, *_interval(likely, known))


def _from_the_deals(played: Sequence[PlayOut], shares: Sequence[float]) -> float:
    """Estimate the variance that each past deal brings into the result, were it another deal.

    A one-way analysis of variance: do the play-outs that drew the same past deal end alike?
    """
    drawn = sum(len(one.deals) for one in played)
    uses, sums, squares = dict[int, int](), dict[int, float](), 0.0
    for one, share in zip(played, shares, strict=True):
        for deal in one.deals:
            source = deal.source
            uses[source] = uses.get(source, 0) + 1
            sums[source] = sums.get(source, 0.0) + share
            squares += share * share
    groups = len(uses)
    if groups < 2 or drawn <= groups:
        return 0.0
    mean = sum(sums.values()) / drawn
    between = sum(uses[g] * (sums[g] / uses[g] - mean) ** 2 for g in uses)
    within = squares - sum(sums[g] ** 2 / uses[g] for g in uses)
    evenly = (drawn - sum(n * n for n in uses.values()) / drawn) / (groups - 1)
    alike = max(0.0, (between / (groups - 1) - within / (drawn - groups)) / evenly)
    return alike * (drawn / len(played)) ** 2


def _interval(likely: float, known: float) -> tuple[float, float]:
    """Return Wilson's interval for a share seen in so many cases."""
    pull = REACH**2 / known
    middle = (likely + pull / 2) / (1 + pull)
    reach = REACH / (1 + pull) * sqrt(likely * (1 - likely) / known + pull / (4 * known))
    return middle - reach if likely > 0 else 0.0, middle + reach if likely < 1 else 1.0
