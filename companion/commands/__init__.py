"""Commands for whoever keeps the scores of a league safe: backups, files, checks."""

from __future__ import annotations

from flask import Flask

from .archiving import archive
from .checking import doctor, recount
from .exchanging import export, import_
from .keeping import backup, restore
from .owning import league


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    for command in (backup, restore, export, import_, archive, recount, doctor, league):
        app.cli.add_command(command)
