"""A league opened by a phone's first write, in the transaction of that write."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from companion.store.authors import ROLES, Author, Newcomer, Writer, require, token_hash
from companion.store.dates import now, today
from companion.store.models import Device, League
from companion.store.names import clean_name

from .game_season import begin_year_of

WRITERS = ROLES[ROLES.index("scorekeeper") :]


def author_for(session: Session, writer: Writer) -> Author:
    """Return who writes, in a league of their own: a newcomer opens one, once.

    Two taps at once are one after the other here; the second finds what the first opened. Raises
    `NotAllowedError` where a phone's role does not cover this any more.
    """
    if isinstance(writer, Author):
        require(session, writer)
        return writer
    return already_opened(session, writer) or open_in(session, writer)


def already_opened(session: Session, writer: Newcomer) -> Author | None:
    """Return a newcomer in the league that another tap opened; until the end none can open one."""
    hold_phone(session, writer.token)
    return _opened(session, writer)


def hold_phone(session: Session, token: str) -> None:
    """Let one request of a phone that has no row yet follow the other; SQLite holds everything."""
    if session.get_bind().dialect.name == "postgresql":
        # An advisory lock is a number of 63 bits: fifteen hexadecimal digits.
        number = int(token_hash(token)[:15], 16)
        session.execute(select(func.pg_advisory_xact_lock(number)))


def _opened(session: Session, writer: Newcomer) -> Author | None:
    of_phone = (Device.token_hash == token_hash(writer.token), Device.revoked_at.is_(None))
    held = select(Device.league_id, Device.id).where(*of_phone, Device.role.in_(WRITERS))
    row = session.execute(held.order_by(Device.id)).first()
    return Author(row.league_id, row.id, "scorekeeper") if row else None


def leagues_opened(session: Session, hashed: str, within: timedelta) -> int:
    """Count the leagues of a phone that were opened within so long, those that it left as well."""
    moment = now()
    lately = League.created_at.between(moment - within, moment)
    as_owner = (Device.token_hash == hashed, Device.role == "owner", lately)
    opened = select(func.count()).select_from(Device).join(League, League.id == Device.league_id)
    return session.execute(opened.where(*as_owner)).scalar_one()


def open_in(session: Session, writer: Newcomer, *, is_sample: bool = False) -> Author:
    """Open a league that this phone owns, with this year's season running."""
    opened = now()
    league = League(
        name=clean_name(writer.league_name),
        is_sample=is_sample,
        judge_during_deal=True,
        show_chances=True,
        created_at=opened,
    )
    session.add(league)
    session.flush()
    begin_year_of(session, league.id, [today()])
    device = Device(league_id=league.id, token_hash=token_hash(writer.token), name=writer.phone)
    device.role, device.created_at = "owner", opened
    session.add(device)
    session.flush()
    return Author(league.id, device.id)
