"""A league as such: opened, left, and what it chose for itself."""

from __future__ import annotations

from sqlalchemy import update
from sqlalchemy.orm import Session

from .dates import now, today
from .devices import Author, token_hash
from .keeper import in_league
from .models import Device, League
from .names import clean_name
from .seasons import season_for
from .store import writing

CHOICES = ("judge_during_deal", "show_chances", "confirm_hands")


def open_league(name: str, token: str, *, is_sample: bool = False, phone: str = "") -> Author:
    """Open a league owned by the device with this token, with this year's season running."""
    with writing() as session:
        opened = now()
        league = League(
            name=clean_name(name),
            is_sample=is_sample,
            judge_during_deal=True,
            show_chances=True,
            created_at=opened,
            revision=0,
            upheaval=0,
        )
        session.add(league)
        session.flush()
        season_for(session, league.id, today())
        device = Device(league_id=league.id, token_hash=token_hash(token), name=phone)
        device.role, device.created_at = "owner", opened
        session.add(device)
        session.flush()
        return Author(league.id, device.id)


def leave_league(author: Author) -> None:
    """Take a device out of its league; the row stays, revoked."""
    with writing() as session:
        mine = (Device.league_id == author.league_id, Device.id == author.device_id)
        session.execute(update(Device).where(*mine).values(revoked_at=now()))


def choose(author: Author, what: str, *, chosen: bool) -> None:
    """Change one of the `CHOICES` of a league.

    They say whether the judge answers while a deal is played, whether a running game tells who can
    still win it, and whether a neighbour confirms each hand.
    """

    def write(session: Session) -> None:
        mine = League.id == author.league_id
        session.execute(update(League).where(mine).values({what: chosen}))

    in_league(author, write)
