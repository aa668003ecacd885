"""A league as such: opened, left, handed to another phone, and what it chose for itself."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from .dates import now, today
from .devices import Author, token_hash
from .keeper import in_league, lock_league
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


def claimed_league(session: Session, code: str) -> tuple[int, str]:
    """Find the league that waits for a phone under this code: its number and name.

    Raises `LookupError` where none does.
    """
    waiting = (Device.token_hash == token_hash(code), Device.revoked_at.is_(None))
    row = session.execute(
        select(League.id, League.name)
        .join(Device, Device.league_id == League.id)
        .where(*waiting, Device.role == "owner")
    ).first()
    if row is None:
        raise LookupError("no league waits under this code")
    return row.id, row.name


def claim_league(code: str, token: str, phone: str = "") -> None:
    """Let the phone with this token own the league that waits under a code, which ends with it.

    Raises `LookupError` where no league waits.
    """
    with writing() as session:
        league_id, _ = claimed_league(session, code)
        lock_league(session, league_id)
        claimed_league(session, code)
        theirs = update(Device).where(Device.league_id == league_id)
        used = theirs.where(Device.token_hash == token_hash(code))
        session.execute(used.values(revoked_at=now()))
        mine = theirs.where(Device.token_hash == token_hash(token))
        owner = {"role": "owner", "revoked_at": None}
        if not session.execute(mine.values(owner)).rowcount:  # type: ignore[attr-defined]
            facts = {"token_hash": token_hash(token), "role": "owner", "created_at": now()}
            session.add(Device(league_id=league_id, name=phone, **facts))


def choose(author: Author, what: str, *, chosen: bool) -> None:
    """Change one of the `CHOICES` of a league.

    They say whether the judge answers while a deal is played, whether a running game tells who can
    still win it, and whether a neighbour confirms each hand.
    """

    def write(session: Session) -> None:
        mine = League.id == author.league_id
        session.execute(update(League).where(mine).values({what: chosen}))

    in_league(author, write)
