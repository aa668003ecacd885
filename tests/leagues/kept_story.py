"""Long stories that many tests begin with: told once, and copied as a file after that."""

from __future__ import annotations

import atexit
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from companion.store import database
from companion.store.authors import Author
from companion.store.models import db

Story = Callable[[Author], Author]


def kept(story: Story) -> Story:
    """Let a fixture that begins with `ann` and gives her back be told once a worker, on SQLite.

    Later tests find the database that it left. It must be the first thing that happens to it.
    """
    copies: list[Path] = []

    @wraps(story)
    def told(ann: Author) -> Author:
        if db.engine.dialect.name != "sqlite":
            return story(ann)
        if not copies:
            assert story(ann) == ann
            copies.append(_folder() / f"{story.__module__}.{story.__qualname__}.sqlite")
            _copy(Path(database.sqlite_path()), copies[0])
        else:
            _copy(copies[0], Path(database.sqlite_path()))
        return ann

    return told


class KeptRows:
    """The rows of a SQLite database as they were, to be put back into its file."""

    def __init__(self, path: str | None) -> None:
        self._path = str(path)
        self._rows = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(self._path)) as live:
            live.backup(self._rows)

    def put_back(self) -> None:
        """Make the database what it was."""
        with closing(sqlite3.connect(self._path)) as live:
            self._rows.backup(live)


def _folder() -> Path:
    folder = Path(mkdtemp(prefix="companion-"))
    atexit.register(rmtree, folder)
    return folder


def _copy(source: Path, target: Path) -> None:
    """Copy a database through SQLite itself, whoever has it open."""
    db.session.rollback()
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
