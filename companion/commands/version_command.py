"""Which version this is: `flask version`."""

from __future__ import annotations

import click
from flask import current_app


@click.command()
def version() -> None:
    """Print the version of Card Table Companion."""
    click.echo(f"Card Table Companion {current_app.config['VERSION']}")
