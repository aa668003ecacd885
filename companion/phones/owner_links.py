"""Codes from the server's own terminal: whoever opens one with a phone owns the league."""

from __future__ import annotations

import secrets
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session

from companion.games.locking import lock_league
from companion.store.authors import token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.event_log import log_event
from companion.store.models import Device, League

from .joining import device_of
from .rights import Kind, note_event

LIFE = timedelta(hours=1)
# What opens a league for ever is found for ever, in a terminal's history or a mail.
LIFE_OF_IMPORT = timedelta(days=7)


def wait_for_owner(league_id: int) -> str:
    """Make a code with which one phone can own a league within the hour.

    Its row is a device that is out from the start, so the code is no cookie: all it does is to be
    claimed until it ends.
    """
    code = secrets.token_urlsafe(16)
    with writing() as session:
        lock_league(session, league_id)
        made = now()
        ends = {"created_at": made, "revoked_at": made + LIFE}
        hashed = token_hash(_link(code))
        session.add(Device(league_id=league_id, token_hash=hashed, role="owner", **ends))
    return code


def claimed_league(session: Session, code: str) -> tuple[int, str]:
    """Find the league that waits for a phone under this code: its number and name.

    Raises `LookupError` where none does.
    """
    row = session.execute(
        select(League.id, League.name)
        .join(Device, Device.league_id == League.id)
        .where(_waits(code), Device.role == "owner")
    ).first()
    if row is None:
        raise LookupError("no league waits under this code")
    return row.id, row.name


def claim_league(code: str, token: str, phone: str = "") -> int:
    """Let the phone with this token own the league that waits under a code, which ends with it.

    Gives the league's number. Raises `LookupError` where no league waits.
    """
    with writing() as session:
        league_id, _ = claimed_league(session, code)
        lock_league(session, league_id)
        # Once more under the lock: of two phones with one code a single one owns the league.
        claimed_league(session, code)
        used = update(Device).where(Device.league_id == league_id, _waits(code))
        session.execute(used.values(revoked_at=now()))
        own_league(session, league_id, token, phone, how="claimed")
    log_event("league claimed", league=league_id)
    return league_id


def own_league(session: Session, league_id: int, token: str, phone: str = "", *, how: Kind) -> None:
    """Let the phone with this token own a league that is locked, whatever it was before."""
    device = device_of(session, league_id, token, phone)
    device.role, device.revoked_at = "owner", None
    session.flush()
    note_event(session, league_id, how, about=device.id)


def _waits(code: str) -> ColumnElement[bool]:
    """Match the code of an import, or of an owner's link, before its end."""
    moment = now()
    waits = and_(Device.revoked_at.is_(None), Device.created_at > moment - LIFE_OF_IMPORT)
    imported = and_(Device.token_hash == token_hash(code), waits)
    linked = and_(Device.token_hash == token_hash(_link(code)), Device.revoked_at > moment)
    # Made later than now: the clock was set back, and their time would be longer (I17).
    return and_(Device.created_at <= moment, or_(imported, linked))


def _link(code: str) -> str:
    """Set codes of links apart from phones' own tokens: one that was revoked is never a code."""
    return f"owner-link {code}"
