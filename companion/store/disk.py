"""Files that survive a power cut: their bytes and their names are on the disk before we go on.

A file that was only written, or only renamed, may be empty or gone after a power cut, half a minute
later: the system keeps both in memory for a while. Only `fsync` of the file, and of the folder that
holds its name, waits for the disk.
"""

from __future__ import annotations

import os
from pathlib import Path


def sync_file(path: Path) -> None:
    """Wait until the bytes of a file are on the disk. Never for a database that SQLite has open."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system offers that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put_in_place(part: Path, target: Path) -> None:
    """Rename a finished file to its final name, whole or not at all."""
    sync_file(part)
    os.replace(part, target)
    sync_folder(target.parent)
