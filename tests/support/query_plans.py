"""How SQLite goes about what is asked of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from companion.store.models import db

SCANNED = re.compile(r"SCAN (\w+?)(_\d+)?( |$)")


@contextmanager
def scans(engine: Engine) -> Iterator[dict[str, str]]:
    """Gather the questions that read a table from end to end, or make an index of it first."""
    found: dict[str, str] = {}

    def note(_connection: object, cursor: Any, asked: str, values: Any, *_: object) -> None:
        if asked.startswith(("SELECT", "WITH")):
            steps = cursor.connection.execute(f"EXPLAIN QUERY PLAN {asked}", values).fetchall()
            if whole := [step[3] for step in steps if _reads_all(step[3])]:
                found[asked] = "; ".join(whole)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


def _reads_all(step: str) -> bool:
    scanned = SCANNED.match(step)
    # What one league's sums are joined by is an index of those few rows, and of no table.
    is_of_sums = step.startswith("SEARCH anon_")
    return ("AUTOMATIC" in step and not is_of_sums) or (
        scanned is not None and scanned[1] in db.metadata.tables
    )
