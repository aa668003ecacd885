"""Whether rows are points or totals so far, and the points that such totals were made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

FEWEST = 3
"""Rows may be totals so far where there are at least so many."""
LESS_BETWEEN = 0.8
"""Rows of totals differ less from the row above than they differ from 0."""
SoFar = Literal["no", "maybe", "yes"]
Row = Sequence[int | None]


def likely_so_far(rows: Sequence[Row], stated: Sequence[int | None] = ()) -> SoFar:
    """Guess whether each row is a total so far; the totals at its foot settle it."""
    if not rows or len(rows) < 2:
        return "no"
    sums = [sum(points or 0 for points in column) for column in zip(*rows, strict=True)]
    if stated and None not in stated:
        if list(stated) == sums:
            return "no"
        if list(stated) == list(rows[-1]):
            return "yes"
    if len(rows) < FEWEST or any(points is None for row in rows for points in row):
        return "no"
    whole = [[points or 0 for points in row] for row in rows]
    pairs = [pair for above, row in pairwise(whole) for pair in zip(above, row, strict=True)]
    goes_one_way = all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs)
    return "maybe" if goes_one_way or _balance_slowly(whole) else "no"


def _balance_slowly(rows: Sequence[Sequence[int]]) -> bool:
    """Return whether points that make 0 together change less than they come to."""
    if any(map(sum, rows)):
        return False
    between = sum(abs(p) for row in between_rows(rows) for p in row if p)
    return between <= LESS_BETWEEN * sum(abs(points) for row in rows for points in row)


def counts_wins(rows: Sequence[Row]) -> bool:
    """Return whether each row has just one win more than that above it."""
    changes = between_rows(rows)
    return len(rows) >= FEWEST and all(
        sorted(p or 0 for p in row)[:-1] == [0] * (len(row) - 1) and sum(p or 0 for p in row) == 1
        for row in changes
    )


def between_rows(rows: Sequence[Row]) -> list[list[int | None]]:
    """Turn totals so far into the points of each row; who has no total scored nothing yet."""
    last = [0] * len(rows[0]) if rows else []
    changes: list[list[int | None]] = []
    for row in rows:
        changes.append([None if p is None else p - was for p, was in zip(row, last, strict=True)])
        last = [was if p is None else p for p, was in zip(row, last, strict=True)]
    return changes
