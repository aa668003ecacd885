"""The database as a file: `flask backup` and `flask restore`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.store import database
from companion.store.models import db
from companion.store.schema import is_behind

from .output import PlainCommand, Progress, print_first

MOST_PRINTED = 20


@click.command(cls=PlainCommand)
@click.argument("target", type=click.Path(path_type=Path))
def backup(target: Path) -> None:
    """Copy the live SQLite database to TARGET and check the copy."""
    source = database.sqlite_file()
    if source is None:
        raise click.ClickException("PostgreSQL is backed up with its own pg_dump.")
    # An empty file would pass for a database, and its copy for a backup.
    if not database.has_database():
        raise click.ClickException(f"There is no database at {source} yet.")
    if not target.parent.is_dir():
        raise click.ClickException(f"There is no folder {target.parent}.")
    with db.engine.connect() as connection:
        is_behind(connection)  # refuses what is no database of this program
    database.copy_database(source, target)
    click.echo(f"Copied and checked: {target}, {target.stat().st_size // 1024} KiB.")


@click.command(cls=PlainCommand)
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--anyway", is_flag=True, help="Restore it even if it is not sound; says why not.")
def restore(source: Path, *, anyway: bool) -> None:
    """Put a backup in the place of the database, which is backed up first."""
    from companion.upkeep.restoring import DoubtfulBackupError, restore_database

    try:
        restored = restore_database(source, anyway=anyway, progress=Progress("Games proved"))
    except DoubtfulBackupError as fault:
        print_first(fault.faults, MOST_PRINTED)
        raise
    print_first(restored.faults, MOST_PRINTED)
    click.echo(f"Restored: {restored.held.words}.")
    if restored.kept:
        click.echo(f"What was there before is in {restored.kept}.")
