"""Who is ahead of whom: places by the rules of the game, equal results sharing one."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from companion.rules import Variant

from .played import PlayedDeal, SeatStay


def place_seats(
    variant: Variant,
    seats: Sequence[SeatStay],
    deals: Sequence[PlayedDeal],
    extra: Sequence[PlayedDeal],
    totals: Sequence[int],
    out_at: Sequence[int | None],
    winner: int | None,
    met: Sequence[int],
) -> tuple[int | None, ...]:
    """Rank the seats: equal results share a place, and the places after them are skipped.

    `totals` are those without the `extra` deals.
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
    return tuple(
        order.index(ranked[number]) + 1 if number in ranked else None
        for number in range(len(seats))
    )


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
) -> tuple[float, ...]:
    """Return the key by which seats are ordered, the best first."""
    lost_at_once = winner not in (None, seat)
    stayed = 0 if gone_at is None else len(deals) + 1 - gone_at
    behind = -met[seat] if met else 0
    cost = variant.ending.cost
    # Deal by deal and not as a sum: the first extra deal that tells the tied apart decides.
    extra_points = [_points_in(deal, seat, cost) for deal in extra if not deal.void]
    tiebreak = _tiebreak(variant, seat, deals)
    # In this order: who won at once, who stayed in longest, who met most contracts, then points.
    return (lost_at_once, stayed, behind, cost * total, *extra_points, *tiebreak)


def _points_in(deal: PlayedDeal, seat: int, cost: int) -> float:
    """Return how a seat did in one deal, less being better; whoever missed it was not the best."""
    points = deal.points.get(seat)
    return inf if points is None else cost * points


def _tiebreak(variant: Variant, seat: int, deals: Sequence[PlayedDeal]) -> tuple[float, ...]:
    scored = [deal for deal in deals if not deal.void]
    match variant.ending.tiebreak:
        case "most_deals_won":
            return (-sum(won_deal(deal, seat) for deal in scored),)
        case "best_last_deal" if scored:
            return (_points_in(scored[-1], seat, variant.ending.cost),)
        case _:
            return ()


def won_deal(deal: PlayedDeal, seat: int) -> bool:
    """Return whether a seat ended this deal by going out or by rummy."""
    tally = deal.tallies.get(seat)
    return tally is not None and tally.declared in ("out", "rummy")
