"""How a finished game went: by how much it was won, where it turned, its best and worst deals."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.games.record import Record
from companion.scoring import Standing

from .outcome import lead_of, sole_leader


class HowItWent(Struct, frozen=True):
    """One true story of a finished game, for who won it alone.

    `led_before` led before the last deal, by `lead` points, if it was not the winner, who perhaps
    `went_out` in it; else the winner led alone after every deal from `led_since` on. `won_with` is
    what won whatever the points were: a hand that wins at once, or the last contract. `margin` and
    `lead` are 0 where points didn't decide.
    """

    winner: int | None
    margin: int
    led_before: int | None = None
    lead: int = 0
    went_out: bool = False
    led_since: int | None = None
    won_with: str = ""


class Feat(Struct, frozen=True):
    """The same points of one seat in one or more deals, by their numbers."""

    seat: int
    points: int
    deals: tuple[int, ...]


class CourseOfPlay(Struct, frozen=True):
    """What is said of a game that is over.

    `best` and `dearest` are the best and the worst points of one deal, of the seat that had them
    most often; None where several had.
    """

    how_it_went: HowItWent
    behind: Mapping[int, int]
    best: Feat | None
    dearest: Feat | None


def course_of_play(record: Record) -> CourseOfPlay:
    """Look back on a game that is over."""
    cost = record.variant.ending.cost
    best, dearest = _feat(record, cost), _feat(record, -cost)
    return CourseOfPlay(how_it_went(record), behind(record.standing()), best, dearest)


def how_it_went(record: Record) -> HowItWent:
    """Tell how a finished game was won; without a sole winner there is little to tell."""
    standing = record.standing()
    winner = standing.winners[0] if len(standing.winners) == 1 else None
    if winner is None or not record.deals:
        return HowItWent(None, 0)
    before = record.standing(len(record.deals) - 1)
    margin, former = lead_of(standing, winner), sole_leader(before)
    lead = lead_of(before, former)
    won_with = won_at_once(record) or (record.variant.last_contract if standing.met else "")
    if former in (None, winner):
        return HowItWent(winner, margin, led_since=_led_since(record, winner), won_with=won_with)
    last = record.deals[-1].lines.get(winner)
    went_out = last is not None and last.tally.declared == "out"
    return HowItWent(winner, margin, former, lead, went_out, won_with=won_with)


def won_at_once(record: Record) -> str:
    """Return the name of the hand that ended the game at once, such as seven twos, or nothing."""
    win = record.variant.scoring.instant_win
    last = next((deal for deal in reversed(record.deals) if not deal.void), None)
    lines = last.lines.values() if last else ()
    declared = any(line.tally.declared == "instant_win" for line in lines)
    return win.name if win and declared else ""


def _led_since(record: Record, winner: int) -> int | None:
    """Return the number of the deal from which the winner led; None if only the last decided."""
    since = len(record.deals)
    while since > 1 and sole_leader(record.standing(since - 1)) == winner:
        since -= 1
    return record.deals[since - 1].step if since < len(record.deals) else None


def behind(standing: Standing) -> Mapping[int, int]:
    """Return by how many points each seat with a place is worse than the best, by seat.

    Nobody is behind where the points did not decide.
    """
    if not standing.winners:
        return {}
    first, seats = standing.winners[0], range(len(standing.totals))
    apart = {seat: standing.apart(seat, first) for seat in seats}
    return {seat: points for seat, points in apart.items() if points is not None}


def _feat(record: Record, sign: int) -> Feat | None:
    if record.variant.has_totals_only:
        return None
    lines = [
        (sign * line.points, seat, deal.step)
        for deal in record.deals
        for seat, line in deal.lines.items()
        if not deal.void and not any(reason.rule == "instant-win" for reason in line.reasons)
    ]
    if not lines:
        return None
    least = min(lines)[0]
    deals: dict[int, list[int]] = {}
    for points, seat, number in lines:
        if points == least:
            deals.setdefault(seat, []).append(number)
    often = max(map(len, deals.values()))
    seat, *others = [seat for seat, numbers in deals.items() if len(numbers) == often]
    return None if others else Feat(seat, sign * least, tuple(deals[seat]))
