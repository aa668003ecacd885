"""Programs that read or keep scores for a league: devices like phones, with a token each."""

from __future__ import annotations

import secrets

from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.store.authors import Author, token_hash
from companion.store.dates import now
from companion.store.event_log import log_event
from companion.store.models import Device
from companion.store.names import clean_name

from .rights import note_event

PROGRAM_ROLES = ("viewer", "scorekeeper")
TOKEN_BYTES = 32


def let_in_program(author: Author, name: str, role: str) -> str:
    """Let a program into the author's league and return its token, which nobody can read again.

    Raises `PlayerNameError` for a name that cannot be used, `ValueError` for a role that is none
    of `PROGRAM_ROLES`, `NotAllowedError` where the author may not do this any more.
    """
    if role not in PROGRAM_ROLES:
        raise ValueError(role)
    called, token = clean_name(name), secrets.token_urlsafe(TOKEN_BYTES)

    def write(session: Session) -> int:
        # Not None: putting out a phone of an unknown link ends every link there was by then.
        facts = {"role": role, "name": called, "created_at": now(), "link_id": Device.NO_LINK}
        device = Device(league_id=author.league_id, token_hash=token_hash(token), **facts)
        session.add(device)
        session.flush()
        note_event(session, author.league_id, "joined", about=device.id, role=role)
        return device.id

    made = in_league(author, write)
    log_event("program let in", league=author.league_id, joined=made, role=role)
    return token
