"""New keys for the server: `flask new-keys`."""

from __future__ import annotations

from pathlib import Path

import click
from flask import current_app

from companion.store.keys import replace_key

from .output import PlainCommand

KEYS = ("secret_key", "seal_key")


@click.command("new-keys", cls=PlainCommand)
def new_keys() -> None:
    """Make new keys; what the ones before made stays good, and they stay beside them."""
    for name in KEYS:
        replace_key(Path(current_app.instance_path) / name)
    click.echo(
        "New keys are in place. Restart the server, and keep a copy of all files named "
        "secret_key and seal_key, those with a number too."
    )
