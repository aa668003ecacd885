"""New keys for the server: `flask new-keys`."""

from __future__ import annotations

from pathlib import Path

import click
from flask import current_app

from companion.store.keys import replace_key

from .output import PlainCommand


@click.command("new-keys", cls=PlainCommand)
def new_keys() -> None:
    """Make a new key; what the one before made stays good, and it stays beside the new one."""
    replace_key(Path(current_app.instance_path) / "secret_key")
    click.echo(
        "A new key is in place. Restart the server, and keep a copy of all files named "
        "secret_key, those with a number too."
    )
