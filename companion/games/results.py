"""What a game came to for each of its players: worked out once, when it has ended.

Who counts: everybody with a place. A late joiner and somebody who left have a place like the
rest if the table says so, but their totals rest on fewer deals, so they are neither compared with
the table's average nor among the best and worst totals. Extra deals only part the tied: totals,
and all that is made of them, are those of the regular deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from companion.scoring import Standing
from companion.store.models import WIN

from .record import Record


class SeatResult(Struct, frozen=True, kw_only=True):
    """One seat's part: `share` of the win in parts of `WIN`, `ahead` in hundredths of a point.

    `ahead` tells how much better than the table's average the total is; `high` and `low` are the
    most and the fewest points in one deal; `comeback` how far behind the leader a winner once was.
    `ahead` and `comeback` are None where points did not decide.
    """

    place: int | None = None
    total: int | None = None
    share: int | None = None
    ahead: int | None = None
    high: int | None = None
    low: int | None = None
    comeback: int | None = None


class GameResults(Struct, frozen=True):
    """What an ended game came to: by seat, how many have a place, how close the finish was.

    `counts` tells whether it belongs in the standings: nobody wins against nobody.
    """

    seats: tuple[SeatResult, ...]
    players: int = 0
    margin: int | None = None
    counts: bool = False


def game_results(record: Record) -> GameResults:
    """Work out what a game came to; a game in progress has come to nothing yet."""
    standing = record.standing()
    if not standing.over and not record.stopped:
        return GameResults(tuple(SeatResult() for _ in record.seats))
    whole = _from_first_to_last(record, standing)
    seats = tuple(_receipt(record, standing, whole, seat) for seat in range(len(record.seats)))
    players = sum(place is not None for place in standing.places)
    counts = record.status == "finished" and record.counts and players > 1
    return GameResults(seats, players, _margin(record, standing, whole), counts)


def _from_first_to_last(record: Record, standing: Standing) -> tuple[int, ...]:
    return tuple(
        number
        for number, seat in enumerate(record.seats)
        if seat.joined == 1 and seat.left is None and standing.places[number] is not None
    )


def _receipt(record: Record, standing: Standing, whole: Sequence[int], seat: int) -> SeatResult:
    place = standing.places[seat]
    if place is None:
        return SeatResult()
    won = place == 1
    dealt = () if record.variant.has_totals_only else record.deals
    points = [d.lines[seat].points for d in dealt if not d.void and seat in d.lines]
    compared = seat in whole and _points_decided(record)
    return SeatResult(
        place=place,
        total=standing.decisive[seat] if seat in whole else None,
        # A win that several share counts once: their shares add up to `WIN`.
        share=WIN // len(standing.winners) if won else 0,
        ahead=_ahead(record, standing, whole, seat) if compared else None,
        high=max(points, default=None),
        low=min(points, default=None),
        comeback=_comeback(record, standing, whole, seat) if won and compared else None,
    )


def _points_decided(record: Record) -> bool:
    """Return whether points made the order: neither contracts met nor a hand that won at once."""
    # Who wins at once with seven twos (C-22) may have more points than who comes second.
    at_once = any(deal.played.won_by is not None for deal in record.deals)
    return record.variant.ending.winner != "furthest" and not at_once


def _ahead(record: Record, standing: Standing, whole: Sequence[int], seat: int) -> int:
    average = Fraction(sum(standing.decisive[other] for other in whole), len(whole))
    return round(100 * record.variant.ending.cost * (average - standing.decisive[seat]))


def _comeback(record: Record, standing: Standing, whole: Sequence[int], seat: int) -> int:
    """Find the most that a winner was behind the leader after any regular deal but the last."""
    cost = record.variant.ending.cost
    return max(
        (
            max(cost * (totals[seat] - totals[other]) for other in whole)
            for totals in standing.regular[:-1]
        ),
        default=0,
    )


def _margin(record: Record, standing: Standing, whole: Sequence[int]) -> int | None:
    """Return how many points lie between first and second.

    None where points did not decide, or where one of the two joined late or left.
    """
    if record.variant.ending.winner == "last_standing" or not _points_decided(record):
        return None
    placed = sorted((place, seat) for seat, place in enumerate(standing.places) if place)
    if len(placed) < 2 or any(seat not in whole for place, seat in placed if place <= placed[1][0]):
        return None
    (_, first), (_, second), *_ = placed
    gap = record.variant.ending.cost * (standing.decisive[second] - standing.decisive[first])
    # Behind by rank and not by points, as after an extra deal: no close finish.
    return gap if gap >= 0 else None
