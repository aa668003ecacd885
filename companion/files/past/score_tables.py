"""A sheet of cells as tables: where each begins, and what each of its columns is.

A sheet falls into tables, parted by empty rows or columns or by a head that comes again, each under
a head that names its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from . import cell_values, headings
from .cell_values import PastError
from .cells import Cell
from .column_kinds import Table, described, is_label
from .tables import MOST_CELLS, Rows

SPARSE = 0.5
"""The share of filled cells below which an empty row is a deal in which nobody scored."""


def score_tables(rows: Rows) -> Iterator[Table]:
    """Part a sheet into its tables, each with the titles that stand above it."""
    titles: list[str] = []
    last: Table | None = None
    rows = [row for row in rows if not _is_rule(row)]
    for is_empty, part in groupby(rows, lambda row: not any(row)):
        if is_empty:
            continue
        for chunk in _side_by_side(_cut(list(part))):
            above, body = _titles(chunk)
            titles += above
            if not body:
                continue
            if last and not titles and (rest := _rows_below(last, body)):
                last.rows += rest
                continue
            if last:
                yield described(last)
            *whole, (more, end) = _heads(body)
            for heading, block in whole:
                yield described(_headed(titles + heading, block))
                titles = []
            last = _headed(titles + more, end)
            titles = []
    if last:
        yield described(last)


def _rows_below(table: Table, rows: list[list[str]]) -> list[list[str]]:
    """Return rows of a table that go on below an empty one; none where they do not.

    Where few cells are filled, those of its columns may be left that have one.
    """
    if _has_points(rows[0]) and len(rows[0]) == len(table.head):
        return rows
    columns = {
        cell.column: place for place, cell in enumerate(table.head) if isinstance(cell, Cell)
    }
    filled = cell_values.share(bool(cell) for row in table.rows for cell in row)
    cells = [cell for row in rows for cell in row if cell]
    if not 0 < filled < SPARSE or not all(map(cell_values.is_number, cells)):
        return []
    placed = [["" for _ in table.head] for _ in rows]
    for row, target in zip(rows, placed, strict=True):
        for cell in filter(None, row):
            if not isinstance(cell, Cell) or cell.column not in columns:
                return []
            target[columns[cell.column]] = cell
    return placed


def _titles(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Part the lines above a head from it: a title alone, or *Game* or *Date* with its value."""
    titles: list[str] = []
    count = 0
    for row in rows:
        filled = [cell for cell in row if cell]
        if _has_points(row) and not cell_values.days(filled[-1]):
            break
        is_named = len(filled) == 2 and filled[0] == row[0] and _named(filled[0])
        if len(filled) != 1 and not (is_named and len(row) > 2):
            break
        titles.append(filled[-1])
        count += 1
    return titles, _cut(rows[count:])


def _named(heading: str) -> bool:
    return headings.word(heading) in headings.GAMES | headings.DATES


def _heads(rows: list[list[str]]) -> list[tuple[list[str], list[list[str]]]]:
    """Part rows wherever their head comes again, or a title with a head below it."""
    head = {headings.word(cell) for cell in rows[0] if cell}
    starts = [0]
    for number in range(2, len(rows)):
        filled = [cell for cell in rows[number] if cell]
        if len(filled) < 2 or any(map(cell_values.holds_number, filled)):
            continue
        again = sum(headings.word(cell) in head for cell in filled)
        is_titled = sum(map(bool, rows[number - 1])) == 1
        if 2 * again > len(filled) or (is_titled and not _has_points(rows[number - 1])):
            starts.append(number - is_titled)
    parts = [rows[start:end] for start, end in zip(starts, [*starts[1:], len(rows)], strict=True)]
    return [_titles(part) for part in parts]


def _headed(titles: list[str], rows: list[list[str]]) -> Table:
    """Make a table of its rows: the head may be two rows, or none above names and numbers."""
    if not rows:
        return Table(titles, [""], [])
    if len(rows) > 2 and not any(map(_has_points, rows[:2])):
        below = [cell for cell in rows[1] if cell]
        known = [
            cell for cell in below if headings.words_of(cell) & (headings.KNOWN | headings.BESIDE)
        ]
        if len(below) > len(set(map(headings.word, known))) < len(known) and not all(rows[0]):
            return Table(titles, _joined_head(rows[0], rows[1]), rows[2:])
    if _is_headless(rows):
        return Table(titles, ["", *map(str, range(1, len(rows[0])))], rows)
    return Table(titles, rows[0], rows[1:])


def _is_headless(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether each row is a name and its numbers, with nothing above them."""
    names = [row[0] for row in rows]
    return len(set(names)) == len(names) > 1 and all(
        bool(name)
        and not (is_label(name) or cell_values.days(name) or cell_values.is_number(name))
        and all(map(cell_values.is_number, more))
        for name, *more in rows
    )


def _joined_head(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Write a name that stands over several columns before what each of them is."""
    name, head = "", []
    for one, other in zip(above, below, strict=True):
        name = one or name
        head.append(" ".join(filter(None, (name, other))))
    return head


def _side_by_side(rows: list[list[str]]) -> list[list[list[str]]]:
    """Part tables that stand beside one another, each with deals of its own or the same names."""
    width = len(rows[0])
    used = [any(row[column] for row in rows) for column in range(width)]
    starts = [c for c in range(width) if used[c] and (c == 0 or not used[c - 1])]
    parts = [
        _cut([row[start:end] for row in rows])
        for start, end in zip(starts, [*starts[1:], width], strict=True)
    ]
    if len(parts) > 1 and all(map(_is_whole, parts)):
        return parts
    return [_cut(rows, closely=True)]


def _is_whole(rows: list[list[str]]) -> bool:
    """Return whether a part has a head of its own with numbered deals or days beside its names."""
    body = _titles(rows)[1]
    if len(body) < 2 or len(body[0]) < 3 or _has_points(body[0]):
        return False
    return all(is_label(row[0]) or bool(cell_values.days(row[0])) for row in body[1:])


def _is_rule(row: Sequence[str]) -> bool:
    """Return whether a row is the line under a head, as in Markdown: `|---|:--:|`."""
    cells = [cell for cell in row if cell]
    return bool(cells) and all(len(cell) > 2 and set(cell) <= {"-", ":"} for cell in cells)


def _cut(rows: Sequence[Sequence[str]], *, closely: bool = False) -> list[list[str]]:
    """Make rows equally wide, without empty columns at their ends, `closely` without any."""
    if not rows:
        return []
    width = max(map(len, rows))
    if width * len(rows) > MOST_CELLS:
        raise PastError(
            f"This table is too wide for its {len(rows):,} rows: {MOST_CELLS:,} cells are the "
            "most. Send it in parts."
        )
    full = [list(row) if len(row) == width else [*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in full)]
    kept = used if closely else range(used[0], used[-1] + 1)
    return [[row[column] for column in kept] for row in full] if len(kept) < width else full


def _has_points(row: Sequence[str]) -> bool:
    return any(cell_values.number(cell) is not None for cell in row)
