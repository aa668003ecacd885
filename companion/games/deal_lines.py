"""The lines of a deal as they are kept: scored, and within what can be stored."""

from __future__ import annotations

from collections.abc import Sequence

from companion.scoring import Finding, Tally, TallyError, score_deal
from companion.scoring.tally import MOST_POINTS

from .record import LineRecord, Record


def scored_lines(
    record: Record,
    step: int,
    by_seat: Sequence[Tally | None],
    totals: Sequence[int],
    bags: Sequence[int] = (),
    *,
    as_played: bool = False,
) -> dict[int, LineRecord]:
    """Score a deal into the lines that are kept, by seat.

    Raises `TallyError` with every fault.
    """
    score = score_deal(record.variant, step, by_seat, totals, as_played=as_played, bags=bags)
    numbered = enumerate(zip(by_seat, score.lines, strict=True))
    return in_bounds(
        {
            seat: LineRecord(tally, line.points, line.reasons)
            for seat, (tally, line) in numbered
            if tally and line
        }
    )


def in_bounds(lines: dict[int, LineRecord]) -> dict[int, LineRecord]:
    """Return lines that can be stored.

    Raises `TallyError` for points beyond them, as a bonus that is dear and came often brings.
    """
    largest = {
        seat: max((line.points, *(reason.points for reason in line.reasons)), key=abs)
        for seat, line in lines.items()
    }
    beyond = {seat: points for seat, points in largest.items() if abs(points) > MOST_POINTS}
    if beyond:
        words = "{{0}} can't have {0:,} points in one deal: {1:,} are the most."
        raise TallyError(
            [Finding(words.format(points, MOST_POINTS), (seat,)) for seat, points in beyond.items()]
        )
    return lines
