"""A game known from an old score sheet: all its deals at once, with the points as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.rules import Variant
from companion.scoring import Finding, Standing, Tally, TallyError
from companion.store.notes import clean_note

from .changes import Change, ChangeError
from .deal_lines import scored_lines
from .record import DealRecord, LineRecord, Record

PaperRow = Mapping[int, int | None]
"""The points of one deal by seat; None for a dash, nothing for a cell that is empty."""


def write_down(record: Record, rows: Sequence[PaperRow], note: str = "") -> Change:
    """Score all deals of an old game; one that its rules do not end is stopped.

    Who dealt follows from the first dealer. Where the rules give exactly these points for
    totals, a deal is kept as if they had been typed then; else as on the paper.
    Raises `TallyError` for somebody whose points are missing or who was out already,
    `ChangeError` for deals after the end, `NoteError` for a note that is too long.
    """
    if not fits_paper(record.variant):
        raise ChangeError(
            "A paper sheet doesn't say who met which contract, and this game needs that."
        )
    if not rows:
        raise ChangeError("Enter at least one deal.")
    for row in rows:
        record = record.with_deal(_next_deal(record, row))
    over = record.standing().over
    return Change(replace(record, stopped=not over, note=clean_note(note)))


def fits_paper(variant: Variant) -> bool:
    """Return whether points alone say how a game went."""
    return not variant.is_each_on_their_own


def _next_deal(record: Record, row: PaperRow) -> DealRecord:
    standing, word = record.standing(), record.variant.deal_word
    if standing.upcoming is None:
        played = len(record.deals)
        raise ChangeError(f"The game was over after {word} {played}: the paper has more.")
    points = _points(f"{word.capitalize()} {len(record.deals) + 1}", standing, row)
    step, dealer = standing.upcoming.step, standing.upcoming.dealer
    lines = _lines(record, step, points, standing.totals)
    return DealRecord(step=step, dealer=dealer, lines=lines)


def _points(where: str, standing: Standing, row: PaperRow) -> dict[int, int]:
    """Return everybody's points; a dash is nothing, also for who was out."""
    scored = {seat for seat, points in row.items() if points is not None}
    gone = sorted(scored - set(standing.playing))
    missing = [seat for seat in standing.playing if seat not in row]
    faults = [Finding(f"{where}: {{0}} was already out.", (seat,)) for seat in gone]
    faults += [
        Finding(f"{where}: {{0}} has no points. Write 0, or a dash.", (seat,)) for seat in missing
    ]
    if faults:
        raise TallyError(faults)
    return {seat: row[seat] or 0 for seat in standing.playing}


def _lines(
    record: Record, step: int, points: Mapping[int, int], totals: Sequence[int]
) -> dict[int, LineRecord]:
    """Score totals that give these points, or keep the points alone."""
    best = _best(record.variant, points)
    counts = record.variant.scoring.entry == "cards_left"
    scored = [
        _tally(seat == best, points[seat] if counts else None) if seat in points else None
        for seat in range(len(record.seats))
    ]
    # Totals that the game's own rules give are kept as totals, so that a later change of a price
    # can be counted again.
    try:
        lines = scored_lines(record, step, scored, totals, as_played=True)
    except TallyError:
        lines = {}
    if {seat: line.points for seat, line in lines.items()} == points:
        return lines
    out = best if counts and points.get(best) == record.variant.scoring.out_points else None
    return {
        seat: LineRecord.on_paper(won, "out" if seat == out else "") for seat, won in points.items()
    }


def _best(variant: Variant, points: Mapping[int, int]) -> int:
    """Find who alone has the best points of a deal; no seat where there are several."""
    costs = {seat: variant.ending.cost * won for seat, won in points.items()}
    best = [seat for seat, cost in costs.items() if cost == min(costs.values())]
    return best[0] if len(best) == 1 else -1


def _tally(out: bool, total: int | None) -> Tally:
    return Tally(declared="out") if out else Tally(total=total)
