"""Commands for whoever keeps the scores of a league safe: backups, files, checks."""

from __future__ import annotations

import click
from flask import Flask

from .archive_command import archive
from .backup_commands import backup, restore
from .check_commands import doctor, recount
from .file_commands import export, import_
from .key_command import new_keys
from .league_commands import league
from .move_command import move
from .version_command import version


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    for command in (
        backup,
        restore,
        export,
        import_,
        archive,
        recount,
        doctor,
        league,
        move,
        new_keys,
        version,
    ):
        app.cli.add_command(command)
    click.version_option(app.config["VERSION"], message="Card Table Companion %(version)s")(app.cli)
