"""Which phones are here: whose page of this game asked, or waits, within the last 20 seconds.

Each phone has a file with the number of the game that it shows, whose time is set when it asks. So
every process of a machine knows, nothing is written to the database and no lock is waited for. It
is a courtesy: where no file can be written nobody is shown as here.
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


def note_presence(instance: Path, author: Author, game_id: int) -> None:
    """Note that the author's phone asked about this game just now."""
    path = _path(instance, author.league_id, author.device_id)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        # Written where it differs: a file being written is empty for a moment.
        if _game_shown(path) == str(game_id):
            path.touch()
        else:
            path.write_text(str(game_id), encoding="ascii")


def present_phones(
    instance: Path, league_id: int, game_id: int, devices: Iterable[int]
) -> list[int]:
    """List those of a league's phones that show this game, in the order asked."""
    paths = {device: _path(instance, league_id, device) for device in devices}
    return [device for device, path in paths.items() if _game_shown(path) == str(game_id)]


def present_in_text(instance: Path, league_id: int, game_id: int, asked: str) -> str:
    """Name those phones that show a game, of which a page asks by their numbers: `2-5-6`."""
    numbers = [
        number for number in asked.split("-", MOST_ASKED)[:MOST_ASKED] if NUMBER.fullmatch(number)
    ]
    return " ".join(map(str, present_phones(instance, league_id, game_id, map(int, numbers))))


def forget_all(instance: Path) -> None:
    """Forget who was here, as a server does at its start."""
    shutil.rmtree(instance / FOLDER, ignore_errors=True)


def _path(instance: Path, league_id: int, device_id: int) -> Path:
    return instance / FOLDER / f"{league_id}-{device_id}"


def _game_shown(path: Path) -> str:
    """Return the game of which a phone's page asked lately; nothing where none did."""
    try:
        # abs: a label from a clock that was ahead tells of no phone that is here (I17).
        is_here = abs(time.time() - path.stat().st_mtime) < SECONDS
        return path.read_text(encoding="ascii") if is_here else ""
    except OSError:
        return ""
