"""Run by itself: a workbook from the input, its cells as JSON to the output, in little memory."""

from __future__ import annotations

import datetime
import io
import json
import sys
from contextlib import suppress

MEMORY = 640 * 2**20
"""Of addresses, not of pages in use: the interpreter and its libraries take some 200 of them."""


def limit() -> None:
    """Let a workbook that asks for more memory fail, where the system can do that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def text_of(cell: object) -> str:
    """Write a cell as it would be typed; a formula is its stored value."""
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat()
    if isinstance(cell, datetime.date):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, float):
        # Whatever the language, four digits after the point are no thousands.
        return f"{cell:.4f}"
    return "" if isinstance(cell, bool) or cell is None else str(cell)


def main(most_rows: int, most_columns: int) -> None:
    """Read every sheet; fails where one is larger than this."""
    limit()
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
    sheets = []
    for name in book.sheet_names[:50]:
        sheet = book.get_sheet_by_name(name)
        # Before cells are made: one far cell can ask for a table of 17 thousand million.
        if sheet.total_width > most_columns or sheet.total_height > most_rows:
            sys.exit(1)
        rows = sheet.to_python(skip_empty_area=False)
        sheets.append((name, [[text_of(cell) for cell in row] for row in rows]))
    json.dump(sheets, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
