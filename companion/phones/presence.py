"""Which phones are here: those whose page of a game asked, or waits, within the last 20 seconds.

Each phone has an empty file whose time is set when it asks. So every process of a machine knows,
nothing is written to the database and no lock is waited for. It is a courtesy: where no file can
be written nobody is shown as here.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.store.authors import Author

FOLDER = "here"
NUMBER = re.compile("[0-9]{1,10}")
SECONDS = 20  # a question waits for 15, and the next one follows
MOST_ASKED = 40
"""About how many phones a page may ask at once."""


def note_here(instance: Path, author: Author) -> None:
    """Note that the author's phone asked just now."""
    path = _path(instance, author.league_id, author.device_id)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.touch()


def phones_here(instance: Path, league_id: int, devices: Iterable[int]) -> list[int]:
    """List those of a league's phones that are here, in the order asked."""
    since = time.time() - SECONDS
    return [one for one in devices if _asked_at(_path(instance, league_id, one)) > since]


def named_here(instance: Path, league_id: int, asked: str) -> str:
    """Name those phones that are here, of which a page asks by their numbers: `2-5-6`."""
    numbers = [one for one in asked.split("-", MOST_ASKED)[:MOST_ASKED] if NUMBER.fullmatch(one)]
    return " ".join(map(str, phones_here(instance, league_id, map(int, numbers))))


def forget_all(instance: Path) -> None:
    """Forget who was here, as a server does at its start."""
    shutil.rmtree(instance / FOLDER, ignore_errors=True)


def _path(instance: Path, league_id: int, device_id: int) -> Path:
    return instance / FOLDER / f"{league_id}-{device_id}"


def _asked_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0
