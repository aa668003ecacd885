"""The sums on an old score sheet against its cells: what does not agree, and which cell it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from msgspec import Struct

from companion.rules import Variant
from companion.scoring.deal import bounded

from .from_paper import PaperRow


class PaperSheet(Struct, frozen=True):
    """A score sheet as it was read; `totals` are by seat and `sums` by deal, where it has them."""

    names: Sequence[str]
    rows: Sequence[PaperRow]
    totals: Mapping[int, int]
    sums: Mapping[int, int]


class Conflict(Struct, frozen=True):
    """A sum on the paper that its cells do not make, or the cell that explains two of them.

    `deal`, from 0, and `seat` say where to look; a whole row or column has only one of them.
    """

    words: str
    deal: int | None = None
    seat: int | None = None


def cross_check(variant: Variant, paper: PaperSheet) -> list[Conflict]:
    """Compare the sums on the paper with its cells, wrong cells first where they can be told.

    A cell is named where its row and its column are off by the same amount and no other row or
    column is off by that. Three wrong cells or more can hide behind one; two cannot.
    """
    rows, columns = _rows_off(paper), _columns_off(variant, paper)
    if variant.ending.floor is None and (cells := _cells(paper, rows, columns)):
        return [_cell_clash(variant, paper, deal, seat, rows[deal]) for deal, seat in cells]
    word = variant.deal_word.capitalize()
    return [
        *(
            Conflict(_off(f"{paper.names[seat]}'s column", paper.totals[seat], off), seat=seat)
            for seat, off in columns.items()
        ),
        *(
            Conflict(_off(f"{word} {deal + 1}", paper.sums[deal], off), deal=deal)
            for deal, off in rows.items()
        ),
    ]


def _rows_off(paper: PaperSheet) -> dict[int, int]:
    """Return by how much each row's sum on the paper exceeds its cells."""
    off = {
        deal: total - sum(points or 0 for points in paper.rows[deal].values())
        for deal, total in sorted(paper.sums.items())
    }
    return {deal: more for deal, more in off.items() if more}


def _columns_off(variant: Variant, paper: PaperSheet) -> dict[int, int]:
    """Return by how much each column's total on the paper exceeds its cells."""
    off = {}
    for seat, total in sorted(paper.totals.items()):
        points = [row.get(seat) or 0 for row in paper.rows]
        off[seat] = total - reduce(lambda sofar, won: bounded(variant, sofar + won), points, 0)
    return {seat: more for seat, more in off.items() if more}


def _cells(
    paper: PaperSheet, rows: Mapping[int, int], columns: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Find the cells that explain every sum that is off, if they are certain."""
    amounts = sorted(rows.values())
    if amounts != sorted(columns.values()) or len(set(amounts)) != len(amounts):
        return []
    seat_of = {off: seat for seat, off in columns.items()}
    cells = [(deal, seat_of[off]) for deal, off in rows.items()]
    return cells if all(seat in paper.rows[deal] for deal, seat in cells) else []


def _cell_clash(variant: Variant, paper: PaperSheet, deal: int, seat: int, off: int) -> Conflict:
    right = (paper.rows[deal][seat] or 0) + off
    where = f"{paper.names[seat]}'s {variant.deal_word} {deal + 1}"
    return Conflict(f"{where}: {_number(right)} would make both sums right.", deal, seat)


def _off(what: str, written: int, off: int) -> str:
    made = f"{what} adds up to {_number(written - off)}, the paper says {_number(written)}"
    return f"{made}: {abs(off)} {'less' if off > 0 else 'more'} than on the paper."


def _number(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)
