"""The server's own keys: files beside the database, each made once and read by its owner only."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from .database import SettingError
from .disk import sync_folder

LENGTH = 32


def kept_key(path: Path, loss: str) -> bytes:
    """Read a key of the server, or make one that only its owner can read.

    Raises `SettingError` for a damaged one, which says what removing it would lose.
    """
    if not path.exists():
        _make_key(path)
    key = path.read_bytes()
    if len(key) < LENGTH:
        raise SettingError(f"{path.name} is damaged: remove it, and {loss}.")
    return key


def _make_key(path: Path) -> None:
    """Put a whole key in place at once: of several servers starting together one is first.

    It is on the disk before anything is made with it.
    """
    whole = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    made = os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(made, secrets.token_bytes(LENGTH))
        os.fsync(made)
    finally:
        os.close(made)
    with suppress(FileExistsError):
        os.link(whole, path)
    whole.unlink()
    sync_folder(path.parent)
