"""The leagues of a server: a new one, and the way back for whoever lost the only phone."""

from __future__ import annotations

import secrets

import click
from sqlalchemy import func, select

from companion.people.leagues import open_league
from companion.store.models import Device, Game, League, db

from .file_commands import CLAIM, find_league
from .output import PlainCommand, need_tables


@click.group()
def league() -> None:
    """Look at the leagues of this server."""


@league.command("list", cls=PlainCommand)
def list_() -> None:
    """List every league: its number, its name, how many games and phones."""
    need_tables()
    games = select(func.count()).where(Game.league_id == League.id, Game.hidden.is_(False))
    phones = select(func.count()).where(Device.league_id == League.id, Device.revoked_at.is_(None))
    rows = select(League.id, League.name, games.scalar_subquery(), phones.scalar_subquery())
    listed = db.session.execute(rows.order_by(League.id)).all()
    for number, name, played, held in listed:
        click.echo(f"{number} {name}: {_many(played, 'game')}, {_many(held, 'phone')}")
    if not listed:
        click.echo("There is no league yet.")


@league.command("new", cls=PlainCommand)
@click.argument("name")
def new(name: str) -> None:
    """Open a league called NAME, and print an address with which one phone owns it."""
    need_tables()
    code = secrets.token_urlsafe(16)
    # The code stands in the place of a phone's token until a phone claims the league.
    opened = open_league(name, code)
    click.echo(
        f"League {opened.league_id} is open. The phone that opens this address of the server can "
        f"own it, once, within a week:\n{CLAIM}{code}"
    )


@league.command("owner-link", cls=PlainCommand)
@click.argument("wanted", metavar="LEAGUE")
def owner_link(wanted: str) -> None:
    """Print an address with which one phone owns LEAGUE, a number or a name, within the hour."""
    from companion.phones.owner_links import wait_for_owner

    need_tables()
    found = find_league(db.session(), wanted)
    name, code = found.name, wait_for_owner(found.id)
    click.echo(
        f"The phone that opens this address of the server can own {name}, once, within an hour:"
    )
    click.echo(f"{CLAIM}{code}")


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
