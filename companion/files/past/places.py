"""Where cells stand, as spreadsheets say it: B3, and A2–A9 for those that go on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .tables import Cell

_PLACE = re.compile(r"(.*?)([A-Z]+)(\d+)")


def place_of(cell: str, sheet: str = "") -> str:
    """Return where a cell stands; in a log of plays, which play it is of."""
    if not isinstance(cell, Cell):
        return ""
    letters, column = "", cell.column
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    place = f"{letters}{cell.row}" if letters else f"play {cell.row}"
    return f"{sheet}!{place}" if sheet else place


def as_runs(places: Sequence[str]) -> list[str]:
    """Write places that go on down a column, or across a row, as their first and last.

    >>> as_runs(["A2", "A3", "A4", "D9"]), as_runs(["B5", "C5", "D5"])
    (['A2–A4', 'D9'], ['B5–D5'])
    """
    return min(_runs(places, down=True), _runs(places, down=False), key=len)


def _runs(places: Sequence[str], *, down: bool) -> list[str]:
    ordered = sorted((*_parts(place, down=down), place) for place in dict.fromkeys(places))
    runs: list[list[tuple[str, int, int, str]]] = []
    for part in ordered:
        sheet, line, number, _ = part
        if runs and number and runs[-1][-1][:3] == (sheet, line, number - 1):
            runs[-1].append(part)
        else:
            runs.append([part])
    return [run[0][3] if len(run) == 1 else f"{run[0][3]}–{run[-1][3]}" for run in runs]


def _parts(place: str, *, down: bool) -> tuple[str, int, int]:
    """Return the sheet of a place, the line that it is part of, and its number in that."""
    found = _PLACE.fullmatch(place)
    if not found:
        return place, 0, 0
    column = 0
    for letter in found[2]:
        column = 26 * column + ord(letter) - 64
    return (found[1], column, int(found[3])) if down else (found[1], int(found[3]), column)
