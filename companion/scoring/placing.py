"""Who is ahead of whom: places by the rules of the game, equal results sharing one."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from companion.rules import Variant

from .bonuses import FIRST
from .played import PlayedDeal, SeatStay


class Merit(Struct, frozen=True, order=True):
    """The key by which seats are ordered, the best first.

    `level` ranks before points: who won at once, who stayed in longest, who met most contracts
    and, where the game says so, who went out on the last. Points tell seats of one level apart,
    then what settles a tie.
    """

    level: tuple[int, ...]
    cost: int
    settled_by: tuple[float, ...] = ()


def place_seats(
    variant: Variant,
    seats: Sequence[SeatStay],
    deals: Sequence[PlayedDeal],
    extra: Sequence[PlayedDeal],
    totals: Sequence[int],
    out_at: Sequence[int | None],
    winner: int | None,
    met: Sequence[int],
) -> tuple[tuple[int | None, ...], dict[int, Merit]]:
    """Rank the seats: equal results share a place, and the places after them are skipped.

    `totals` are those without the `extra` deals. Returns the places, and by seat what they rest on.
    """
    position = len(deals) + 1
    ranked = {
        number: _merit(
            variant,
            number,
            deals,
            extra,
            totals[number],
            _gone_at(variant, seat, out, position),
            winner,
            met,
        )
        for number, (seat, out) in enumerate(zip(seats, out_at, strict=True))
        if seat.plays(position) or (seat.placed and seat.joined <= position)
    }
    order = sorted(ranked.values())
    # Where players win or lose against the game and none has won, the game comes first.
    first = 2 if variant.scoring.entry == "winner" and deals and not any(totals) else 1
    places = tuple(
        order.index(ranked[number]) + first if number in ranked else None
        for number in range(len(seats))
    )
    return places, ranked


def _gone_at(variant: Variant, seat: SeatStay, out_at: int | None, position: int) -> int | None:
    """Return the last deal of a seat that is out; where the last one wins, leaving is out."""
    if out_at is None and variant.ending.winner == "last_standing" and not seat.plays(position):
        return None if seat.left is None else seat.left - 1
    return out_at


def _merit(
    variant: Variant,
    seat: int,
    deals: Sequence[PlayedDeal],
    extra: Sequence[PlayedDeal],
    total: int,
    gone_at: int | None,
    winner: int | None,
    met: Sequence[int],
) -> Merit:
    lost_at_once = winner not in (None, seat)
    stayed = 0 if gone_at is None else len(deals) + 1 - gone_at
    behind = -met[seat] if met else 0
    finished = _finished(variant, seat, deals) if variant.ending.first_out else (0, 0)
    cost = variant.ending.cost
    # Deal by deal and not as a sum: the first extra deal that tells the tied apart decides.
    extra_points = [_points_in(deal, seat, cost) for deal in extra if not deal.void]
    tiebreak = _tiebreak(variant, seat, deals)
    level = (lost_at_once, stayed, behind, *finished)
    return Merit(level, cost * total, (*extra_points, *tiebreak))


def _finished(variant: Variant, seat: int, deals: Sequence[PlayedDeal]) -> tuple[int, int]:
    """Return when a seat met the last contract, and 0 if it went out in that deal."""
    met = [n for n, deal in enumerate(deals) if not deal.void and has_met(deal, seat)]
    if len(met) < len(variant.deals):
        return len(deals), 1
    last = met[len(variant.deals) - 1]
    return last, 0 if won_deal(deals[last], seat) else 1


def _points_in(deal: PlayedDeal, seat: int, cost: int) -> float:
    """Return how a seat did in one deal, less being better; whoever missed it was not the best."""
    points = deal.points.get(seat)
    return inf if points is None else cost * points


def _tiebreak(variant: Variant, seat: int, deals: Sequence[PlayedDeal]) -> tuple[float, ...]:
    scored = [deal for deal in deals if not deal.void]
    match variant.ending.tiebreak:
        case "most_deals_won":
            return (-sum(won_deal(deal, seat) for deal in scored),)
        case "first_there":
            tallies = [deal.tallies[seat] for deal in scored if seat in deal.tallies]
            return (-sum(tally.bonuses.get(FIRST, 0) for tally in tallies),)
        case "best_last_deal" if scored:
            return (_points_in(scored[-1], seat, variant.ending.cost),)
        case _:
            return ()


def has_met(deal: PlayedDeal, seat: int) -> bool:
    """Return whether a seat met its contract in this deal."""
    tally = deal.tallies.get(seat)
    return tally is not None and (tally.met or tally.declared == "out")


def won_deal(deal: PlayedDeal, seat: int) -> bool:
    """Return whether a seat ended this deal by going out or by rummy."""
    tally = deal.tallies.get(seat)
    return tally is not None and tally.declared in ("out", "rummy")
