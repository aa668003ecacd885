"""Columns of numbers under a name that nobody knows, and that look like no player's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from . import cell_values, headings

if TYPE_CHECKING:
    from .column_kinds import Table

FEW, SOME, MORE = 3, 4, 5
"""The rows from which on numbers that are all the same, that rise by the same, or that are of
another size than those of the others, look like no player's."""
FAR, NARROW = 20, 5
"""How many times larger than those of all others numbers are, or how many times closer together."""
MOST_LOOKED = 400
_NAME = re.compile(r"[\w .,'’&+-]+")
_OF_PROGRAM = re.compile("[a-z]+(_|[A-Z])")
Column = Sequence[float | None]


def unlike_players(table: Table) -> set[int]:
    """Return the columns of players that are to be asked about."""
    columns = table.players
    if table.pairs or table.is_long or len(columns) < 2:
        return set()
    if _has_words_for_players(table):
        return set(columns)
    rows = [row for row in table.rows[:MOST_LOOKED] if not table.is_foot(row)]
    points = {c: [cell_values.points(row[c]) for row in rows] for c in columns}
    names = {c: table.head[c] for c in columns}
    odd = {c for c, name in names.items() if name[0].islower() or not _NAME.fullmatch(name)}
    sums = [sum(p or 0 for p in row) for row in zip(*points.values(), strict=True)]
    present = [sum(p is not None for p in row) for row in zip(*points.values(), strict=True)]
    doubtful = odd if 2 * len(odd) < len(columns) else set()
    doubtful = doubtful | {c for c, name in names.items() if _OF_PROGRAM.match(name)}
    if len(columns) > 2 and len(rows) >= FEW:
        counted = {c for c in columns if _counts(points[c], sums, present)}
        doubtful = doubtful | (counted if 2 * len(counted) < len(columns) else set())
    if len(columns) > 2 and len(rows) >= MORE:
        doubtful |= _by_size(points) | _by_spread(points)
    return doubtful


def _has_words_for_players(table: Table) -> bool:
    """Return whether words of a column nobody knows tell apart the rows of one day, or game."""
    for column in table.columns("other"):
        cells = [
            (table.cell(row, "date") or table.cell(row, "game"), row[column])
            for row in table.rows[:MOST_LOOKED]
            if row[column]
        ]
        words = [word for _, word in cells]
        if headings.words_of(table.head[column]) & headings.KNOWN or not all(
            any(map(str.isalpha, word)) and not cell_values.holds_number(word) for word in words
        ):
            continue
        is_few = 1 < len(set(words)) <= len(words) / 2
        if is_few and len(set(cells)) == len(cells) >= 2 * len({day for day, _ in cells}):
            return True
    return False


def _counts(column: Column, sums: Sequence[float], present: Sequence[int]) -> bool:
    """Return whether numbers are always the same, rise by the same, or count or add the others."""
    numbers = [p for p in column if p is not None]
    if len(numbers) < len(column) or not any(numbers):
        return False
    steps = {after - before for before, after in pairwise(numbers)}
    return (
        (len(steps) == 1 and (steps == {0} or len(numbers) >= SOME))
        or all(p == count - 1 for p, count in zip(numbers, present, strict=True))
        or all(2 * p == total for p, total in zip(numbers, sums, strict=True))
    )


def _by_size(points: dict[int, list[float | int | None]]) -> set[int]:
    sizes = {c: sorted(abs(p or 0) for p in column) for c, column in points.items()}
    middle = {c: size[len(size) // 2] for c, size in sizes.items()}
    largest, second, *_ = sorted(middle.values(), reverse=True)
    return {c for c, size in middle.items() if size == largest > FAR * second > 0}


def _by_spread(points: dict[int, list[float | int | None]]) -> set[int]:
    """Find numbers that hardly differ, though those of all others do."""
    spreads: dict[int, float] = {}
    for c, column in points.items():
        numbers = [p for p in column if p is not None]
        mean = sum(map(abs, numbers)) / len(numbers) if numbers else 0
        spreads[c] = (max(numbers) - min(numbers)) / mean if mean else FAR
    least, second, *_ = sorted(spreads.values())
    return {c for c, spread in spreads.items() if spread == least and NARROW * least < second}
