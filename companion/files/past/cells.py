"""Cells with their place, as spreadsheets say it: B3, and A2–A9 for those that go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Cell(str):
    """What stands in a cell, and where: its sheet, and its row and column counted from 1.

    In a log the row is the play, and the column 0 or less.
    """

    __slots__ = ("column", "row", "sheet")
    sheet: str
    row: int
    column: int

    def __new__(cls, text: str, row: int, column: int, sheet: str = "") -> Cell:
        """Make a cell of its text and its place."""
        cell = super().__new__(cls, text)
        cell.row, cell.column, cell.sheet = row, column, sheet
        return cell

    @property
    def position(self) -> tuple[str, int, int]:
        """Its sheet, row and column, by which it is known."""
        return self.sheet, self.row, self.column

    @property
    def place(self) -> str:
        """The same in words; in a log of plays, which play it is of."""
        letters, column = "", self.column
        while column > 0:
            column, letter = divmod(column - 1, 26)
            letters = chr(65 + letter) + letters
        place = f"{letters}{self.row}" if letters else f"play {self.row}"
        return f"{self.sheet}!{place}" if self.sheet else place


def place_runs(cells: Sequence[Cell]) -> list[str]:
    """Write the places of cells that go on down a column, or across a row, as first and last.

    >>> place_runs([Cell("5", 2, 1), Cell("6", 3, 1), Cell("7", 9, 4)])
    ['A2–A3', 'D9']
    """
    down = _runs(cells, lambda cell: (cell.sheet, cell.column, cell.row))
    across = _runs(cells, lambda cell: (cell.sheet, cell.row, cell.column))
    return min(down, across, key=len)


def _runs(cells: Sequence[Cell], ordered: Callable[[Cell], tuple[str, int, int]]) -> list[str]:
    runs: list[list[Cell]] = []
    for cell in sorted(cells, key=ordered):
        sheet, line, number = ordered(cell)
        if runs and ordered(runs[-1][-1]) == (sheet, line, number - 1):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return ["–".join(dict.fromkeys((run[0].place, run[-1].place))) for run in runs]
