"""The whole server into another database: `flask move`."""

from __future__ import annotations

import click

from companion.store.database import sqlite_file

from .output import PlainCommand, Progress, need_tables


@click.command(cls=PlainCommand)
@click.argument("target")
def move(target: str) -> None:
    """Copy everything into the empty database TARGET, an address as for DATABASE_URL.

    Stop the server first. What was there before stays; keys stay in the instance folder.
    """
    from companion.upkeep.moving import move_database

    need_tables()
    count = move_database(target, Progress("Rows moved"))
    click.echo(f"Moved and proved: {count} rows. Set DATABASE_URL to it, and start the server.")
    if old := sqlite_file():
        click.echo(f"Put {old} away: without DATABASE_URL it may be served again.")
