"""Files and pasted text into sheets of cells; what they mean is found in `score_shapes.py`."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from statistics import mode

from msgspec import Struct

from .meaning import PastError

MOST_BYTES = 10 * 2**20
MOST_ROWS, MOST_COLUMNS, MOST_CELLS, MOST_CELL = 120_000, 300, 200_000, 400
MOST_UNPACKED = 100 * 2**20
PATIENCE = 5
"""Seconds that a workbook may take in its own process."""
WORKBOOK = Path(__file__).with_name("workbook.py")
DELIMITERS = "\t;,|"
TOO_LARGE = f"This is too large: {MOST_BYTES // 2**20} MB are the most. Send it in parts."
NO_TABLE = "This isn't a table that can be read. Save it as CSV or XLSX and try again."
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f]")
_COLUMNS_OF_SPACES = re.compile(r" {2,}")


class CellSheet(Struct, frozen=True):
    """Cells as text, row by row; days of a workbook are written `2024-01-06`."""

    name: str
    rows: Sequence[Sequence[str]]


def read_file(data: bytes) -> list[CellSheet]:
    """Read a workbook (XLSX, XLS, ODS) or a text with delimiters.

    Raises `PastError` in a sentence for anything else, and for what is too large.
    """
    if len(data) > MOST_BYTES:
        raise PastError(TOO_LARGE)
    # A ZIP is XLSX or ODS; the other one begins an older XLS.
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return _workbook(data)
    return [read_text(_decoded(data))]


def read_text(text: str) -> CellSheet:
    """Read pasted cells, or a file of text: its delimiter is found by looking."""
    if len(text) > MOST_BYTES:
        raise PastError(TOO_LARGE)
    if _UNPRINTABLE.search(text):
        raise PastError(NO_TABLE)
    # Not all lines at once: a file of empty ones would be a list of ten million.
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    delimiter = _delimiter([line for line in islice(lines, 400) if line.strip()])
    lines.seek(0)
    rows: Iterable[Sequence[str]]
    if delimiter:
        rows = csv.reader(lines, delimiter=delimiter)
    else:
        rows = (_COLUMNS_OF_SPACES.split(line.strip()) for line in lines)
    try:
        return CellSheet("", _bounded(rows))
    except csv.Error:
        raise PastError(NO_TABLE) from None


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        # Spreadsheets on Windows save CSV in cp1252 unless told otherwise.
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise PastError(NO_TABLE)


def _delimiter(lines: Sequence[str]) -> str:
    """Find what most lines have the same number of, preferring what stands in more of them."""

    def fits(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines]
        return sum(count == mode(counts) for count in counts if count), max(counts, default=0)

    best = max(DELIMITERS, key=fits) if lines else ""
    return best if best and fits(best)[1] else ""


def _bounded(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Trim every cell; raises `PastError` for a table that no league has."""
    bounded: list[list[str]] = []
    cells = 0
    for row in rows:
        trimmed = [cell.strip()[:MOST_CELL] for cell in row[: MOST_COLUMNS + 1]]
        while trimmed and not trimmed[-1]:
            trimmed.pop()
        cells += len(trimmed)
        bounded.append(trimmed)
        if len(row) > MOST_COLUMNS or len(bounded) > MOST_ROWS or cells > MOST_CELLS:
            most = f"{MOST_ROWS:,} rows, {MOST_COLUMNS} columns and {MOST_CELLS:,} cells"
            raise PastError(f"This table is too large: {most} are the most. Send it in parts.")
    return bounded


def _workbook(data: bytes) -> list[CellSheet]:
    """Read a workbook in a process of its own: one cell far out may ask for any memory."""
    if data.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                unpacked = sum(part.file_size for part in packed.infolist())
        except zipfile.BadZipFile:
            raise PastError(NO_TABLE) from None
        if unpacked > MOST_UNPACKED:
            raise PastError(TOO_LARGE)
    # -I: nothing in the folder or the environment takes the place of a module.
    command = [sys.executable, "-I", str(WORKBOOK), str(MOST_ROWS), str(MOST_COLUMNS)]
    try:
        done = subprocess.run(  # noqa: S603  # our own file, read by this Python
            command, input=data, capture_output=True, timeout=PATIENCE, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise PastError(NO_TABLE) from None
    found = json.loads(done.stdout)
    return [CellSheet(name, _bounded(rows)) for name, rows in found]
