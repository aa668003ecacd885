"""Long stories that many tests begin with: told once, and put back as rows after that."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import wraps

from companion.store import database
from companion.store.authors import Author
from companion.store.models import db

Story = Callable[[Author], Author]


def kept(story: Story) -> Story:
    """Let a fixture that begins with `ann` and gives her back be told once a worker, on SQLite.

    Later tests find the database that it left. It must be the first thing that happens to it.
    """
    rows: list[KeptRows] = []

    @wraps(story)
    def told(ann: Author) -> Author:
        if db.engine.dialect.name != "sqlite":
            return story(ann)
        if not rows:
            assert story(ann) == ann
            db.session.rollback()
            rows.append(KeptRows(database.sqlite_path()))
        else:
            db.session.rollback()
            rows[0].put_back(database.sqlite_path())
        return ann

    return told


class KeptRows:
    """The rows of a SQLite database as they were, whoever has its file open."""

    def __init__(self, path: str) -> None:
        self._rows = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(path)) as live:
            live.backup(self._rows)

    def put_back(self, path: str) -> None:
        """Make the database of this file what that one was."""
        with closing(sqlite3.connect(path)) as live:
            self._rows.backup(live)
