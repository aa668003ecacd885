"""Links: addresses that let a phone into a league, shown as a code to scan.

A link's token is made from a random nonce in its row with the server's own key, so that the code
can be shown again and a copy of the database opens no door. Only the token's hash is looked up.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from msgspec import Struct
from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.locking import in_league, lock_game
from companion.games.reading import is_number
from companion.store.authors import Author, token_hash
from companion.store.database import Statement
from companion.store.dates import now
from companion.store.event_log import log_event
from companion.store.models import Device, Game, History, League, Link

from .rights import note_event

LinkRole = Literal["viewer", "player", "scorekeeper"]
LINK_ROLES: tuple[LinkRole, ...] = get_args(LinkRole)
AFTER_THE_GAME = timedelta(days=1)
MOST_USES = 1000


class LinkError(Refusal):
    """A link that cannot be made so, in a sentence."""


class DeadLinkError(LookupError):
    """No link opens with this token: a stranger is not told whether there ever was one."""

    def __init__(self) -> None:
        super().__init__("This link doesn't work, or not any more.")


class LinkRow(Struct, frozen=True):
    """A link that works: whom it lets in, where to, until when and how often (None: always)."""

    link_id: int
    league_id: int
    league_name: str
    game_id: int | None
    game_name: str | None
    role: LinkRole
    nonce: str
    created_at: datetime
    ends_at: datetime | None
    uses_left: int | None
    token_hash: str

    def token(self, *keys: bytes) -> str:
        """Make the token anew that is in the link's address, with the key that it was made with."""
        made = [token_of(key, self.nonce) for key in keys]
        return next((token for token in made if token_hash(token) == self.token_hash), made[0])


def token_of(server_key: bytes, nonce: str) -> str:
    """Make a link's token of 128 bits from its nonce.

    >>> token_of(b"key", "nonce")
    'X8_PWpIZrhRAJ2ixORF06w'
    """
    # Its purpose is part of it: no proof of a form or cookie is ever the address of a link.
    digest = hmac.digest(server_key, f"link{nonce}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def make_link(
    author: Author,
    server_key: bytes,
    role: LinkRole,
    lasts: timedelta | None = None,
    uses: int | None = None,
) -> int:
    """Make a link into the league that ends after a time or a number of uses, or never.

    Gives its number. Raises `LinkError` for a number of uses that cannot be.
    """
    if uses is not None and not 1 <= uses <= MOST_USES:
        raise LinkError(f"A link is for 1 to {MOST_USES} phones, or for any number.")
    ends_at = now() + lasts if lasts else None

    def write(session: Session) -> int:
        link = _new_link(author, server_key, role, ends_at=ends_at, uses_left=uses)
        session.add(link)
        session.flush()
        note_event(session, author.league_id, "link", by=author.device_id, role=role)
        return link.id

    made = in_league(author, write)
    log_event("link made", league=author.league_id, link=made, role=role)
    return made


def make_game_link(author: Author, server_key: bytes, game_id: int) -> None:
    """Make the link that seats players of a game; where there is one already nothing happens.

    Raises `LookupError` where the league has no such game.
    """

    def write(session: Session) -> None:
        if lock_game(session, author, game_id).hidden:
            raise LookupError(game_id)
        if game_link(session, author.league_id, game_id) is None:
            add_game_link(server_key, session, author, game_id)

    in_league(author, write)


def add_game_link(server_key: bytes, session: Session, author: Author, game_id: int) -> None:
    """Make a game's link for players, in a transaction that writes."""
    session.add(_new_link(author, server_key, "player", game_id=game_id))


def _new_link(author: Author, server_key: bytes, role: LinkRole, **limits: Any) -> Link:
    nonce = secrets.token_urlsafe(16)
    made = {"nonce": nonce, "token_hash": token_hash(token_of(server_key, nonce))}
    who = {"league_id": author.league_id, "device_id": author.device_id}
    return Link(role=role, created_at=now(), **who, **made, **limits)


def revoke_link(author: Author, link_id: int) -> None:
    """End a link at once; raises `LookupError` where the league has none that works."""

    def write(session: Session) -> None:
        link = find_in_league(session, author.league_id, link_id)
        session.get_one(Link, link_id).revoked_at = now()
        note_event(session, author.league_id, "link ended", by=author.device_id, role=link.role)

    in_league(author, write)
    log_event("link ended", league=author.league_id, link=link_id)


def end_links_of(session: Session, phone: Device) -> None:
    """End the links that a phone made and the one it came by; the league must be held.

    Where that isn't known, each that was there when it last came in.
    """
    if phone.link_id is not None:
        came = Link.id == phone.link_id
    else:
        came = Link.created_at <= phone.created_at
    theirs = (Link.league_id == phone.league_id, or_(came, Link.device_id == phone.id))
    ended = update(Link).where(*theirs, Link.revoked_at.is_(None))
    session.execute(ended.values(revoked_at=now()))


def links(session: Session, league_id: int) -> list[LinkRow]:
    """List the links of a league that work, the latest first."""
    return _working(session, Link.league_id == league_id)


def find_in_league(session: Session, league_id: int, link_id: int) -> LinkRow:
    """Find a link of the league that works; raises `DeadLinkError`."""
    if not is_number(link_id):
        raise DeadLinkError
    return _one(session, Link.league_id == league_id, Link.id == link_id)


def find_link(session: Session, token: str) -> LinkRow:
    """Find the link that opens with this token; raises `DeadLinkError`."""
    return _one(session, Link.token_hash == token_hash(token))


def _one(session: Session, *conditions: ColumnElement[bool]) -> LinkRow:
    links = _working(session, *conditions)
    if not links:
        raise DeadLinkError
    return links[0]


def game_link(session: Session, league_id: int, game_id: int) -> LinkRow | None:
    """Return the link that seats players of a game, if one works."""
    theirs = (Link.league_id == league_id, Link.game_id == game_id, Link.role == "player")
    return next(iter(_working(session, *theirs)), None)


def _working(session: Session, *conditions: ColumnElement[bool]) -> list[LinkRow]:
    """List links that work, the latest first: a game's until the day after it is over."""
    moment = now()
    changed = select(func.max(History.at)).where(History.game_id == Game.id).scalar_subquery()
    played = or_(Game.status == "running", changed > moment - AFTER_THE_GAME)
    columns = (Link.id, Link.league_id, League.name, Link.game_id, Game.variant_name, Link.role)
    times = (Link.nonce, Link.created_at, Link.ends_at, Link.uses_left, Link.token_hash)
    rows: Statement = (
        select(*columns, *times)
        .join(League, League.id == Link.league_id)
        .outerjoin(Game, Game.id == Link.game_id)
        .where(
            *conditions,
            Link.revoked_at.is_(None),
            or_(Link.ends_at.is_(None), Link.ends_at > moment),
            or_(Link.uses_left.is_(None), Link.uses_left > 0),
            or_(Link.game_id.is_(None), and_(Game.hidden.is_(False), played)),
        )
    )
    return [LinkRow(*row) for row in session.execute(rows.order_by(Link.id.desc()))]
