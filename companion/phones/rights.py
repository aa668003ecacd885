"""What happened to rights in a league: who came, went or may do what since when, for its owners.

Written in the transaction that does it, by numbers: no token, no code and no passphrase. Wrong
passphrases are no events; they are counted where guesses are (`attempts.py`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct
from sqlalchemy import delete, select
from sqlalchemy.orm import Session, aliased

from companion.store.database import Statement
from companion.store.dates import now
from companion.store.models import Device, Player, RightEvent

from .attempts import failures, subject_key

Kind = Literal[
    "joined",
    "returned",
    "claimed",
    "role",
    "removed",
    "left",
    "link",
    "link ended",
    "passphrase",
    "passphrase gone",
]
KEPT, SHOWN = 300, 30


class ShownEvent(Struct, frozen=True):
    """An event as the page of phones tells it: whose phones they are, where that is known."""

    kind: str
    at: datetime
    role: str
    by: str | None
    by_person: str | None
    about: str | None
    about_person: str | None


def note_event(
    session: Session,
    league_id: int,
    kind: Kind,
    *,
    by: int | None = None,
    about: int | None = None,
    role: str = "",
) -> None:
    """Note what is being done in a league that is held: by which phone, about which, with a role.

    The oldest of very many go.
    """
    event = RightEvent(league_id=league_id, at=now(), kind=kind, role=role)
    event.device_id, event.about_id = by, about
    session.add(event)
    session.flush()
    of_league = RightEvent.league_id == league_id
    # By number, never by time: a clock may be set back (I17).
    latest = select(RightEvent.id).where(of_league).order_by(RightEvent.id.desc())
    oldest = latest.offset(KEPT).limit(1).scalar_subquery()
    session.execute(delete(RightEvent).where(of_league, RightEvent.id <= oldest))


def events(session: Session, league_id: int) -> list[ShownEvent]:
    """List what happened last in a league, the latest first."""
    of_league = RightEvent.league_id == league_id
    rows: Statement = select(RightEvent.kind, RightEvent.at, RightEvent.role).where(of_league)
    for number in (RightEvent.device_id, RightEvent.about_id):
        device, entry, person = aliased(Device), aliased(Player), aliased(Player)
        rows = (
            rows.add_columns(device.name, person.name)
            .outerjoin(device, device.id == number)
            .outerjoin(entry, entry.id == device.player_id)
            .outerjoin(person, person.id == entry.person_id)
        )
    latest = session.execute(rows.order_by(RightEvent.id.desc()).limit(SHOWN))
    return [ShownEvent(*row) for row in latest]


def wrong_passphrases(session: Session, league_id: int) -> int:
    """Return how many wrong passphrases were tried at a league within a quarter of an hour."""
    return failures(session, subject_key("league", str(league_id)))
