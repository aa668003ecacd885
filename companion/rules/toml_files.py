"""Files in TOML: parsed once, and kept as JSON where Python keeps compiled modules.

It lies beside the folder of a file, so that the folder of a game holds nothing but its data. Python
parses TOML a hundred times as slowly as JSON, and a shelf of games is forty files.
"""

from __future__ import annotations

import sys
import tomllib
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import msgspec


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, from what was kept of it if that is of these very bytes.

    What is kept is a help and not a duty: where it is spoilt, missing or can't be written, the file
    is parsed; and Python's own setting to write no bytecode holds for it too. Raises
    `tomllib.TOMLDecodeError`.
    """
    source = path.read_bytes()
    beside = Path(cache_from_source(str(path.parent.parent / "_.py"))).parent
    place = beside / f"{path.parent.name}.{path.name}.json"
    data = _kept(place, source)
    if data is None:
        data = tomllib.loads(source.decode("utf-8"))
        _keep(place, source, data)
    return data


def _kept(place: Path, source: bytes) -> dict[str, Any] | None:
    with suppress(OSError):
        mark, _, body = place.read_bytes().partition(b"\n")
        if mark == _mark(source, body):
            data: dict[str, Any] = msgspec.json.decode(body)
            return data
    return None


def _keep(place: Path, source: bytes, data: dict[str, Any]) -> None:
    """Keep what a file says, if JSON can say it: a date it can't."""
    body = msgspec.json.encode(data)
    if sys.dont_write_bytecode or msgspec.json.decode(body) != data:
        return
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_mark(source, body) + b"\n" + body)


def _mark(source: bytes, body: bytes) -> bytes:
    """Name a file and what it says, so that neither another one nor half of one passes for it."""
    return f"{sha256(source).hexdigest()} {sha256(body).hexdigest()}".encode()
