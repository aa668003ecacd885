"""SQLite's own counter of commits, read in microseconds: whether a database has changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Hashable
from pathlib import Path
from threading import Lock


class DataVersion:
    """The `data_version` of one file, as a connection sees it that never writes.

    Another connection's commit changes it, of this process or of any other, and so does another
    file in the place of this one.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._connection: sqlite3.Connection | None = None
        self._opened, self._times = (0, 0, 0), 0

    def current(self) -> Hashable:
        """Return what stays the same until something is committed; None if it can't be read."""
        with self._lock:
            try:
                (version,) = self._file().execute("PRAGMA data_version").fetchall()[0]
            except (OSError, sqlite3.Error):
                self._connection = None
                return None
            return self._times, version

    def _file(self) -> sqlite3.Connection:
        """Return a connection to the file that lies there now, opened by this process."""
        there = os.stat(self._path)
        current = (os.getpid(), there.st_dev, there.st_ino)
        if self._connection is None or current != self._opened:
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._opened, self._times = current, self._times + 1
        return self._connection
