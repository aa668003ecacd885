"""Whether anything was written to a SQLite file since somebody looked, told without a lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock


@dataclass
class Written:
    """A look at one file: it tells of what any other connection of any process committed.

    It asks SQLite's own `data_version`, which another connection's commit changes and nothing
    else, and knows when another file was put in the place of this one.
    """

    path: Path
    _connection: sqlite3.Connection | None = None
    _opened: tuple[int, int, int] = (0, 0, 0)
    _lock: Lock = field(default_factory=Lock)
    _times: int = 0

    def state(self) -> Hashable:
        """Return what is alike as long as nothing is written; None where nobody can tell."""
        with self._lock:
            try:
                (version,) = self._file().execute("PRAGMA data_version").fetchall()[0]
            except (OSError, sqlite3.Error):
                self._connection = None
                return None
            return self._times, version

    def _file(self) -> sqlite3.Connection:
        """Return a connection to the file that lies there now, opened by this process."""
        there = os.stat(self.path)
        current = (os.getpid(), there.st_dev, there.st_ino)
        if self._connection is None or current != self._opened:
            address = f"{self.path.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._opened, self._times = current, self._times + 1
        return self._connection

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None and self._opened[0] == os.getpid():
                self._connection.close()
            self._connection = None
