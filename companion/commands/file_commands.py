"""A league as a file: `flask export` and `flask import`."""

from __future__ import annotations

import secrets
from pathlib import Path

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.store.authors import Author
from companion.store.disk import put_in_place
from companion.store.models import Device, League, db
from companion.store.names import name_key

from .output import PlainCommand, Progress, need_tables

CLAIM = "/claims/"


@click.command(cls=PlainCommand)
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path))
def export(league: str, file: Path) -> None:
    """Write LEAGUE, a number or a name, to FILE as one packed document; never over another file."""
    from companion.files.exchange import export_league, packed, write_document

    need_tables()
    found = find_league(db.session(), league)
    if file.exists():
        raise click.ClickException(f"{file} exists already.")
    document = export_league(db.session(), found.id, Progress("Games written"))
    # Half an export must not look like one.
    part = file.with_name(f"{file.name}.part")
    with part.open("wb") as target:
        target.writelines(packed(write_document(document)))
    put_in_place(part, file)
    click.echo(f"{document['league'].name}: {len(document['games'])} games in {file}.")


@click.command("import", cls=PlainCommand)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--into", default="", help="The league to bring it into, a number or a name.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def import_(file: Path, into: str, *, dry_run: bool) -> None:
    """Bring a league from FILE into another one, or a new one."""
    from companion.files import exchange
    from companion.files.exchange.document_reader import LONGEST

    need_tables()
    league_id = find_league(db.session(), into).id if into else None
    with file.open("rb") as source:
        # One byte more than is taken: what is larger is refused, not cut off.
        document = exchange.read_document(source.read(LONGEST + 1))
    for words in exchange.preview_import(db.session(), league_id, document).sentences():
        click.echo(words)
    if dry_run:
        click.echo("Nothing was changed.")
        return
    code = secrets.token_urlsafe(16)
    brought = exchange.import_document(
        document,
        secrets.token_urlsafe(12),
        author=_owner(db.session(), league_id) if league_id else None,
        token=code,
        progress=Progress("Games imported"),
        # The preview above has looked over this very document.
        checked=True,
    )
    if brought.act_id is not None:
        click.echo(f"Imported into league {brought.league_id}.")
    if not league_id:
        click.echo(
            "The phone that opens this address of the server can own it, once, within a week:\n"
            f"{CLAIM}{code}"
        )


def find_league(session: Session, wanted: str) -> League:
    """Find a league by its number or its name.

    Raises `ClickException` that lists the leagues where this is none, or several.
    """
    every = session.execute(select(League.id, League.name).order_by(League.id)).all()
    # A league may be called 2024.
    found = [number for number, name in every if name_key(name) == name_key(wanted)]
    found = found or [number for number, _ in every if str(number) == wanted]
    if len(found) == 1:
        return session.get_one(League, found[0])
    named = ", ".join(f"{number} {name}" for number, name in every[:20]) or "none at all"
    raise click.ClickException(f"Which league is {wanted}? There are: {named}.")


def _owner(session: Session, league_id: int) -> Author:
    """Act for the league's first owner: whoever runs the server may."""
    mine = select(Device.id).where(Device.league_id == league_id, Device.role == "owner")
    device = session.execute(mine.order_by(Device.revoked_at.is_(None).desc(), Device.id)).scalars()
    return Author(league_id, device.first() or 0)
