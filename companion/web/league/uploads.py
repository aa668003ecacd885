"""Files between being looked at and being brought in: kept beside the database for a while.

Each phone has one at most, and only that phone can name it. Those of one address make room for
its next; where all together are too much, the largest that wait longest go first.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from flask import Blueprint, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion.cards import Refusal
from companion.store.authors import token_hash

MOST, MOST_BYTES = 400, 256 * 2**20
MOST_OF_ONE = 3
"""The most that are kept at once, and for one address."""
KEPT = 60 * 60
_NAME = re.compile(r"[0-9a-f]{64}-[0-9a-f]{32}\.[0-9a-f]{16}")


def sent_file() -> bytes:
    """Return the file of the request's form, or what was pasted in its place."""
    uploaded = request.files.get("file")
    return (uploaded.read() if uploaded else b"") or request.form.get("text", "").encode()


def say_refusals(blueprint: Blueprint, page: Callable[..., str], too_large: str) -> None:
    """Have a page for files say why one was not taken, above what was pasted."""

    def refuse(fault: Exception) -> tuple[str, int]:
        # As much of what was pasted as a page shows again.
        return page(str(fault), request.form.get("text", "")[:2000]), 422

    blueprint.register_error_handler(Refusal, refuse)
    blueprint.register_error_handler(RequestEntityTooLarge, lambda _: (page(too_large), 413))


def keep_upload(token: str, address: str, data: bytes) -> str:
    """Keep what a phone sent, instead of what it sent before, and return its name."""
    folder = _folder()
    folder.mkdir(exist_ok=True, mode=0o700)
    mine, address_hash = token_hash(f"upload {token}"), token_hash(f"address {address}")[:16]
    for old in folder.glob(f"{mine}-*"):
        old.unlink(missing_ok=True)
    _make_room(folder, address_hash, len(data))
    name = f"{mine}-{secrets.token_hex(16)}.{address_hash}"
    with os.fdopen(os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as f:
        f.write(data)
    return name


def _make_room(folder: Path, address_hash: str, size: int) -> None:
    """Remove what is too old, or too much for one address or all; others may do so too."""
    found: list[tuple[float, int, Path]] = []
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            facts = path.stat()
            found.append((time.time() - facts.st_mtime, facts.st_size, path))
    own = [path for *_, path in sorted(found, reverse=True) if path.suffix == f".{address_hash}"]
    gone = {*own[: 1 - MOST_OF_ONE]}
    files = len(found)
    room = MOST_BYTES - size - sum(kept for _, kept, _ in found)
    # By size and age: what a family sent a minute ago outlasts ten megabytes of just now.
    for age, kept, path in sorted(found, key=lambda one: -one[0] * one[1]):
        if age >= KEPT or path in gone or files >= MOST or room < 0:
            path.unlink(missing_ok=True)
            files, room = files - 1, room + kept


def read_upload(token: str, name: str) -> bytes | None:
    """Return what this phone sent under this name; None if it is not there any more."""
    # The name comes from a form and becomes a path: nothing but our own may pass.
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
