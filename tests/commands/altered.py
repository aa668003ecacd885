"""A database changed behind the program's back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def alter(path: Path | str, *statements: str) -> None:
    """Run statements on a file, whatever its rows promise each other."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        for statement in statements:
            connection.execute(statement)
