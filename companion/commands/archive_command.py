"""A league as a page that opens from a disk: `flask archive`."""

from __future__ import annotations

from pathlib import Path

import click
from flask import render_template

from companion.store.disk import put_in_place
from companion.store.models import db

from .file_commands import find_league
from .output import PlainCommand, Progress, need_tables


@click.command(cls=PlainCommand)
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path))
def archive(league: str, file: Path) -> None:
    """Write LEAGUE, a number or a name, to FILE as one page to read; never over another file."""
    from companion.files.html_archive import html_archive

    need_tables()
    found = find_league(db.session(), league)
    name, number = found.name, found.id
    if file.exists():
        raise click.ClickException(f"{file} exists already.")
    # Half a page must not look like a whole one.
    part = file.with_name(f"{file.name}.part")
    with part.open("w", encoding="utf-8") as target:
        for template, shown in html_archive(db.session(), number, Progress("Games written")):
            target.write(render_template(template, **shown))
    put_in_place(part, file)
    click.echo(f"{name} is in {file}: open it with any browser.")
