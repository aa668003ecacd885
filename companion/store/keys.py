"""The server's own keys: files beside the database, each read by its owner only.

A key is never used itself: each purpose has one derived from it, so that nothing made for one can
stand for another. A key that was replaced stays beside it, `secret_key-1` and so on: with it
nothing is made any more, and what was made is still known.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from .database import SettingError
from .disk import sync_folder

LENGTH = 32

MOST = 40
"""Keys of a server and its purposes, those that were replaced too."""


def load_or_create_key(path: Path, loss: str) -> bytes:
    """Read a key of the server, or make one that only its owner can read.

    Raises `SettingError` for a damaged one, which says what removing it would lose.
    """
    if not path.exists():
        _make_key(path)
    key = _read(path)
    if len(key) < LENGTH:
        raise SettingError(f"{path.name} is damaged: remove it, and {loss}.")
    return key


def earlier_keys(path: Path) -> list[bytes]:
    """Read the keys that were replaced, the latest first."""
    return [_read(old) for old in reversed(_replaced(path))]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise SettingError(f"{path} can't be read by the user who runs this program.") from None


def replace_key(path: Path) -> None:
    """Put a new key in place of one that stays beside it, for what was made with it."""
    if path.exists():
        number = len(_replaced(path)) + 1
        # A second name instead of a rename: there is a key under this one at every moment.
        os.link(path, path.with_name(f"{path.name}-{number}"))
    whole = _write_key(path)
    os.replace(whole, path)
    sync_folder(path.parent)


def _replaced(path: Path) -> list[Path]:
    found = path.parent.glob(f"{path.name}-*")
    numbered = [old for old in found if old.name.rpartition("-")[2].isdecimal()]
    return sorted(numbered, key=lambda old: int(old.name.rpartition("-")[2]))


@lru_cache(MOST)
def derived(key: bytes, purpose: str) -> bytes:
    """Derive the key of one purpose.

    >>> derived(b"key", "link") == derived(b"key", "form")
    False
    """
    # One secret for several purposes is safe only if each has a key derived from it.
    return hmac.digest(key, f"card table companion: {purpose}".encode(), hashlib.sha256)


def _make_key(path: Path) -> None:
    """Put a whole key in place at once: of several servers starting together one is first."""
    whole = _write_key(path)
    # A link fails where the name is taken, a rename would replace another server's key.
    with suppress(FileExistsError):
        os.link(whole, path)
    whole.unlink()
    sync_folder(path.parent)


def _write_key(path: Path) -> Path:
    """Write a new key under a name of its own; it is on the disk before it is used."""
    whole = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    made = os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(made, secrets.token_bytes(LENGTH))
        os.fsync(made)
    finally:
        os.close(made)
    return whole
