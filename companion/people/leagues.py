"""A league as such: opened, left, and what it chose for itself."""

from __future__ import annotations

from sqlalchemy import update
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.games.opening import already_opened, open_in
from companion.games.rating_replay import rate_from
from companion.store.authors import Author, Newcomer
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, League
from companion.store.names import clean_name

CHOICES = ("judge_during_deal", "show_chances", "confirm_hands")


def open_league(name: str, token: str) -> Author:
    """Open a league owned by the device with this token, with this year's season running."""
    with writing() as session:
        return open_in(session, Newcomer(token, name))


def open_first(newcomer: Newcomer, *, is_sample: bool = False) -> Author | None:
    """Open a phone's first league; None where a tap before this one did."""
    with writing() as session:
        if already_opened(session, newcomer):
            return None
        return open_in(session, newcomer, is_sample=is_sample)


def leave_league(author: Author) -> None:
    """Take a device out of its league; the row stays, revoked."""
    with writing() as session:
        device = (Device.league_id == author.league_id, Device.id == author.device_id)
        session.execute(update(Device).where(*device).values(revoked_at=now()))


def rename_league(author: Author, name: str) -> str:
    """Give a league another name; returns the one it had.

    Raises `PlayerNameError` for a name that cannot be used.
    """
    clean = clean_name(name)

    def write(session: Session) -> str:
        league = session.get_one(League, author.league_id)
        former, league.name = league.name, clean
        return former

    return in_league(author, write)


def choose_standings(author: Author, variant_key: str) -> None:
    """Choose the one game that standings and ratings count; an empty key counts all games."""

    def write(session: Session) -> None:
        session.get_one(League, author.league_id).standings_variant = variant_key[:80]
        # Only the chosen game is rated, so every rating is another one now.
        rate_from(session, author.league_id)

    in_league(author, write)


def choose(author: Author, what: str, *, chosen: bool) -> None:
    """Change one of the `CHOICES` of a league.

    They say whether the judge answers while a deal is played, whether a running game tells who can
    still win it, and whether a neighbour confirms each hand.
    """

    def write(session: Session) -> None:
        setattr(session.get_one(League, author.league_id), what, chosen)

    in_league(author, write)
