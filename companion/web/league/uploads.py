"""Files between being looked at and being brought in: kept beside the database for a while.

Each phone has one at most, and only that phone can name it; the oldest make room for new ones.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from flask import current_app

from companion.store.authors import token_hash

MOST = 8
_NAME = re.compile(r"[0-9a-f]{64}-[0-9a-f]{32}")


def keep_upload(token: str, data: bytes) -> str:
    """Keep what a phone sent, instead of what it sent before, and give its name."""
    folder = _folder()
    folder.mkdir(exist_ok=True, mode=0o700)
    mine = token_hash(f"upload {token}")
    for old in folder.glob(f"{mine}-*"):
        old.unlink(missing_ok=True)
    _make_room(folder)
    name = f"{mine}-{secrets.token_hex(16)}"
    with os.fdopen(os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as f:
        f.write(data)
    return name


def _make_room(folder: Path) -> None:
    """Remove the oldest files until there is room for one more; others may do so too."""
    found: list[tuple[float, Path]] = []
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            found.append((path.stat().st_mtime, path))
    for _, path in sorted(found)[: max(0, len(found) - MOST + 1)]:
        path.unlink(missing_ok=True)


def read_upload(token: str, name: str) -> bytes | None:
    """Return what this phone sent under this name; None if it is not there any more."""
    if not _NAME.fullmatch(name) or not name.startswith(token_hash(f"upload {token}")):
        return None
    with suppress(FileNotFoundError):
        return (_folder() / name).read_bytes()
    return None


def drop_upload(name: str) -> None:
    """Forget a file that was brought in; the name is one that `read_upload` took."""
    (_folder() / name).unlink(missing_ok=True)


def _folder() -> Path:
    return Path(current_app.instance_path) / "imports"
