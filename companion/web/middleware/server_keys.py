"""The server's own keys, one for each purpose, the newest first: with the first things are made."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, current_app

from companion.store.keys import derived, earlier_keys, load_or_create_key


def init_app(app: Flask) -> None:
    """Read the secret key and those that it replaced; Flask's own settings for both come first."""
    path = Path(app.instance_path) / "secret_key"
    given = app.config.get("SECRET_KEY")
    app.secret_key = given or load_or_create_key(path, "devices must join again")
    older = app.config.get("SECRET_KEY_FALLBACKS") or ([] if given else earlier_keys(path))
    app.extensions["keys"] = [_bytes(key) for key in (app.secret_key, *older)]


def _bytes(key: str | bytes) -> bytes:
    return key if isinstance(key, bytes) else key.encode()


def first_keys() -> list[bytes]:
    """Return the keys themselves: only to know again what earlier versions made with them."""
    keys: list[bytes] = current_app.extensions["keys"]
    return keys


def keys_for(purpose: str) -> list[bytes]:
    """Return the keys of a purpose."""
    return [derived(key, purpose) for key in first_keys()]


def link_keys() -> list[bytes]:
    """Return the keys of links; earlier versions made theirs with the secret key itself."""
    return [*keys_for("link"), *first_keys()]
