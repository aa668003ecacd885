"""How commands speak: one sentence where they refuse, and how far they are where they are long."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from companion.cards import Refusal
from companion.store import database
from companion.store.schema import refuse_behind
from companion.store.trouble import explain

STEP = 500


def print_first(lines: Sequence[str], most: int, what: str = "more") -> None:
    """Print the first lines, and how many more there are."""
    for line in lines[:most]:
        click.echo(line)
    if len(lines) > most:
        click.echo(f"and {len(lines) - most} {what}.")


class PlainCommand(click.Command):
    """A command that refuses in one sentence instead of a trace, and names its database first."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it writes is for the eyes of who owns the instance folder."""
        os.umask(0o077)
        # A server's errors are its log, whose lines are JSON.
        click.echo(f"Database: {database.shown()}", err=self.name != "serve")
        try:
            return super().invoke(ctx)
        except (Refusal, database.SettingError) as fault:
            raise click.ClickException(str(fault)) from None
        except OSError as fault:
            raise click.ClickException(_of_file(fault)) from None
        except (SQLAlchemyError, sqlite3.Error) as fault:
            words = explain(fault)
            if not words:
                raise
            raise click.ClickException(words) from None
        finally:
            # Otherwise the service, which runs as the folder's owner, could not read its own
            # database or keys after a `restore` or `new-keys` by root.
            if os.name == "posix" and os.geteuid() == 0:
                _chown_to_owner(Path(current_app.instance_path))


def _chown_to_owner(folder: Path) -> None:
    """Make the owner of a folder, as whom the server runs, the owner of root's files in it.

    Files with more than one hard link stay root's: another link may lie outside the folder.
    """
    owner = folder.stat()
    for path in folder.rglob("*") if owner.st_uid else ():
        # A server beside may have taken the file away since it was listed.
        with suppress(FileNotFoundError):
            found = path.lstat()
            if not found.st_uid and (path.is_dir() or found.st_nlink == 1):
                # Followed, a symbolic link would hand over any file of the machine.
                os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _of_file(fault: OSError) -> str:
    return f"{fault.strerror}: {fault.filename}." if fault.filename else f"{fault.strerror}."


def need_tables() -> None:
    """Refuse to work on a database that is not ready.

    Raises `SettingError`.
    """
    if not database.has_database():
        raise database.SettingError(f"There is no database at {database.sqlite_path()} yet.")
    refuse_behind()


class Progress:
    """Says how far something is: a bar at a terminal, a line now and then elsewhere."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.printed = 0
        self.live = sys.stderr.isatty()

    def __call__(self, done: int, of: int) -> None:
        """Show how many of how many are done."""
        if self.live:
            click.echo(f"\r{self.what}: {done} of {of}", err=True, nl=done >= of)
        elif done - self.printed >= STEP or (done >= of and of > STEP):
            self.printed = done
            click.echo(f"{self.what}: {done} of {of}", err=True)
