"""Files and pasted text into sheets of cells; `score_shapes.py` makes games of them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path
from statistics import mode

from charset_normalizer import from_bytes
from msgspec import Struct

from .cell_values import PastError, is_points
from .cells import Cell

MOST_BYTES = 10 * 2**20
MOST_ROWS, MOST_COLUMNS, MOST_CELLS, MOST_CELL = 120_000, 300, 150_000, 400
MOST_UNPACKED = 100 * 2**20
PATIENCE = 5
"""Seconds that a workbook may take in its own process."""
WORKBOOK = Path(__file__).with_name("workbook.py")
DELIMITERS = "\t;,|"
TOO_LARGE = f"This is too large: {MOST_BYTES // 2**20} MB are the most. Send it in parts."
NO_TABLE = "This isn't a table that can be read. Save it as CSV or XLSX and try again."
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f]")
_NAME_AND_NUMBERS = re.compile(r"[^\W\d][^\d]*(?:\s[-+]?\d+){2,}")
_FOREIGN_WORD = re.compile(r"[\w'’]*[^\x00-\x7f][^\s,;|\"]*")
ENCODINGS = {"cp1252", "cp1250", "cp1251", "mac_roman"}
MOST_LOOKED = 2**16
_WIDE_BLANKS = re.compile(r" {2,}")


Rows = Sequence[Sequence[str]]
"""Cells row by row, empty ones as "" only; days of a workbook are written `2024-01-06`."""


class Encoding(Struct, frozen=True):
    """One way to read a file's letters: some words in it, and whether it is unsure."""

    name: str
    words: str
    is_unsure: bool = False


def read_file(data: bytes, encoding: str = "") -> tuple[dict[str, Rows], list[Encoding]]:
    """Read the sheets of a workbook (XLSX, XLS, ODS), or a text with delimiters as the only one.

    Returns how its letters may be read as well.
    `encoding` takes the place of the guess, the first of these. Raises `PastError` in a sentence
    for anything else, and for what is too large.
    """
    if len(data) > MOST_BYTES:
        raise PastError(TOO_LARGE)
    # A ZIP is XLSX or ODS; the other one begins an older XLS.
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return _workbook(data), []
    plain = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    with suppress(UnicodeDecodeError):
        return {"": read_text(data.decode(plain))}, []
    encodings = sorted(_encodings(data), key=lambda one: one.name != encoding)
    if not encodings:
        raise PastError(NO_TABLE)
    return {"": read_text(data.decode(encodings[0].name, "replace"))}, encodings


def read_text(text: str) -> Rows:
    """Read pasted cells, or a file of text: its delimiter is found by looking."""
    if len(text) > MOST_BYTES:
        raise PastError(TOO_LARGE)
    if _UNPRINTABLE.search(text):
        raise PastError(NO_TABLE)
    # Not all lines at once: a file of empty ones would be a list of ten million.
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    some = [line.strip() for line in islice(lines, 400) if line.strip()]
    delimiter = _delimiter(some)
    lines.seek(0)
    rows: Iterable[Sequence[str]]
    if delimiter:
        rows = csv.reader(lines, delimiter=delimiter)
    elif some and all(map(_NAME_AND_NUMBERS.fullmatch, some)):
        rows = (re.split(r"\s+(?=[-+\d])", line.strip()) for line in lines)
    else:
        width = _width_of_numbers(some)
        rows = (
            words if len(words := line.split()) == width else _WIDE_BLANKS.split(line.strip())
            for line in lines
        )
    try:
        return _bounded(rows)
    except csv.Error:
        raise PastError(NO_TABLE) from None


def _width_of_numbers(lines: Sequence[str]) -> int:
    """Return how many numbers stand in each line of nothing else; 0 where these differ."""
    words = [line.split() for line in lines]
    widths = {len(row) for row in words if len(row) > 1 and all(map(is_points, row))}
    return widths.pop() if len(widths) == 1 else 0


def _encodings(data: bytes) -> list[Encoding]:
    """List the encodings that a text may have, the likeliest first."""
    found = []
    for match in from_bytes(data[:MOST_LOOKED], cp_isolation=list(ENCODINGS)):
        words = list(dict.fromkeys(_FOREIGN_WORD.findall(str(match))))[:40]
        odd = sum(map(_is_odd, words)) + round(match.chaos, 2)
        for encoding in {match.encoding, *match.could_be_from_charset} & ENCODINGS:
            found.append((odd, encoding != "cp1252", encoding, ", ".join(words[:4])))
    found.sort()
    unsure = len({words for odd, _, _, words in found if odd == found[0][0]}) > 1
    return [Encoding(encoding, words, unsure) for _, _, encoding, words in found]


def _is_odd(word: str) -> bool:
    """Return whether a sign, or a capital within it, stands in a word where a name has none."""
    return not word.isupper() and any(
        (one > "\x7f" and not one.isalpha()) or (one.isupper() and before.isalpha())
        for before, one in pairwise(f" {word}")
    )


def _delimiter(lines: Sequence[str]) -> str:
    """Find what most lines have the same number of, preferring what stands in more of them."""

    def fits(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines]
        return sum(count == mode(counts) for count in counts if count), max(counts, default=0)

    best = max(DELIMITERS, key=fits) if lines else ""
    return best if best and fits(best)[1] else ""


def _bounded(rows: Iterable[Sequence[str]], sheet: str = "") -> list[list[str]]:
    """Trim every cell; raises `PastError` for a table that no league has."""
    bounded: list[list[str]] = []
    cells = 0
    for number, row in enumerate(rows, start=1):
        trimmed = [
            Cell(text[:MOST_CELL], number, column, sheet) if (text := cell.strip()) else ""
            for column, cell in enumerate(row[: MOST_COLUMNS + 1], start=1)
        ]
        while trimmed and not trimmed[-1]:
            trimmed.pop()
        cells += len(trimmed)
        bounded.append(trimmed)
        if len(row) > MOST_COLUMNS or number > MOST_ROWS or cells > MOST_CELLS:
            most = f"{MOST_ROWS:,} rows, {MOST_COLUMNS} columns and {MOST_CELLS:,} cells"
            raise PastError(f"This table is too large: {most} are the most. Send it in parts.")
    return bounded


def _workbook(data: bytes) -> dict[str, Rows]:
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
    return {name: _bounded(rows, name) for name, rows in json.loads(done.stdout)}
