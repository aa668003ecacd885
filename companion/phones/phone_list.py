"""The phones of a league: whose each is, what it may do, and who waits for a yes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import and_, false, func, or_, select, update
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.locking import in_league
from companion.games.reading import StoredGame, is_number
from companion.store.aliases import shared_alias
from companion.store.authors import Author, NotAllowedError, Role, may
from companion.store.dates import now
from companion.store.event_log import log_event
from companion.store.models import Device, Game, Player, Seat
from companion.store.names import clean_name

from .joining import phones_of_people
from .links import end_links_of
from .pending_deal import phones_at_seats
from .rights import Kind, note_event

Own, Asked = shared_alias(Player), shared_alias(Player)
OwnPerson, AskedPerson = shared_alias(Player), shared_alias(Player)
MyPhone, Me = shared_alias(Device), shared_alias(Player)


class PhoneError(Refusal):
    """Something that cannot be done to a phone, in a sentence."""


class PhoneRow(Struct, frozen=True):
    """A phone in the league: `since` when, whose (`person`), and who it would like to be.

    A program stands among them, with a token instead of a cookie.
    """

    device_id: int
    name: str
    role: Role
    since: datetime
    person: str | None
    asks: str | None
    is_program: bool


class Waiting(Struct, frozen=True):
    """A phone that waits at a table: to be somebody (`asks`), or with a person without a seat.

    `may_answer` if the phone that looks holds the person asked for; `is_mine` if it is that phone.
    """

    device_id: int
    phone: str
    asks: str | None
    guest: str | None
    may_answer: bool
    is_mine: bool


def phones(session: Session, league_id: int) -> list[PhoneRow]:
    """List the phones that are in a league, the latest first."""
    columns = (Device.id, Device.name, Device.role, Device.created_at)
    # Of a phone whose link isn't known the comparison is NULL, which is no bool.
    is_program = func.coalesce(Device.link_id == Device.NO_LINK, false())
    rows = _with_people(select(*columns, OwnPerson.name, AskedPerson.name, is_program)).where(
        Device.league_id == league_id, Device.revoked_at.is_(None)
    )
    return [PhoneRow(*row) for row in session.execute(rows.order_by(Device.id.desc()))]


def _with_people(rows: Any) -> Any:
    return (
        rows.select_from(Device)
        .outerjoin(Own, Own.id == Device.player_id)
        .outerjoin(OwnPerson, OwnPerson.id == Own.person_id)
        .outerjoin(Asked, Asked.id == Device.asks_id)
        .outerjoin(AskedPerson, AskedPerson.id == Asked.person_id)
    )


def waiting(session: Session, author: Author, game: StoredGame) -> list[Waiting]:
    """List the phones that wait at the table of a game, as the author's phone sees them."""
    own_person = select(Me.person_id).join(MyPhone, MyPhone.player_id == Me.id)
    asks_me = Asked.person_id == own_person.where(MyPhone.id == author.device_id).scalar_subquery()
    seated = phones_at_seats(Device.id).where(Seat.game_id == game.game_id)
    # A phone that is nobody's is no guest.
    is_someone = Own.person_id.is_not(None)
    guest = and_(Device.created_at >= game.started_at, is_someone, Device.id.not_in(seated))
    names = (Device.id, Device.name, AskedPerson.name, OwnPerson.name)
    is_mine = Device.id == author.device_id
    rows = _with_people(select(*names, func.coalesce(asks_me, false()), is_mine)).where(
        Device.league_id == author.league_id,
        Device.revoked_at.is_(None),
        or_(Device.asks_id.is_not(None), guest),
    )
    return [Waiting(*row) for row in session.execute(rows.order_by(Device.id).limit(MOST_WAITING))]


MOST_WAITING = 12


def change_phone(author: Author, device_id: int, name: str, role: Role) -> None:
    """Call a phone otherwise, and change what it may do.

    Raises `PlayerNameError` for a name that cannot be used, `PhoneError` where nobody would own
    the league any more, `LookupError` where the league has no such phone.
    """
    called = clean_name(name)

    def write(session: Session) -> None:
        device = _one(session, author, device_id)
        if role != "owner":
            _refuse_last_owner(session, device)
        if role != device.role:
            note_event(
                session, author.league_id, "role", by=author.device_id, about=device_id, role=role
            )
        device.name, device.role = called, role

    in_league(author, write)
    log_event("phone changed", league=author.league_id, changed=device_id, role=role)


def revoke_phone(author: Author, device_id: int, *, ends_links: bool = False) -> None:
    """Put a phone out of the league: at its next request it is a stranger's.

    `ends_links`: the links that it has end as well, so that it can't come back by one. Raises
    `PhoneError` for the last one that owns the league, `LookupError` for no such phone.
    """

    def write(session: Session) -> None:
        device = _one(session, author, device_id)
        # Under the lock: of two owners who put each other out at once one stays.
        _refuse_last_owner(session, device)
        _put_out(session, device, "removed", author.device_id, ends_links=ends_links)

    in_league(author, write)
    log_event("phone put out", league=author.league_id, removed=device_id, links_end=ends_links)


def leave(author: Author) -> None:
    """Let the author's own phone go out of the league; links stay as they are.

    Raises `PhoneError` for the last one that owns the league.
    """

    def write(session: Session) -> None:
        device = _one(session, author, author.device_id)
        _refuse_last_owner(session, device)
        _put_out(session, device, "left")

    in_league(author, write)
    log_event("phone left", league=author.league_id)


def put_out_other_owners(session: Session, author: Author) -> None:
    """Put out every other phone that owns a league that is held, with the links that it has."""
    theirs = (Device.league_id == author.league_id, Device.id != author.device_id)
    owners = select(Device).where(*theirs, Device.role == "owner", Device.revoked_at.is_(None))
    for device in session.execute(owners).scalars().all():
        _put_out(session, device, "removed", author.device_id, ends_links=True)


def _put_out(
    session: Session,
    device: Device,
    kind: Kind,
    by: int | None = None,
    *,
    ends_links: bool = False,
) -> None:
    """Put a phone out of a league that is held, and note how."""
    device.revoked_at, device.asks_id = now(), None
    if ends_links:
        end_links_of(session, device)
    note_event(session, device.league_id, kind, by=by, about=device.id)


def forget_person(author: Author, device_id: int) -> None:
    """Let a phone be nobody's, so that it may take another name; its role stays.

    Raises `LookupError` where the league has no such phone.
    """

    def write(session: Session) -> None:
        device = _one(session, author, device_id)
        device.player_id = device.asks_id = None
        _bump_report_revisions(session, author.league_id)

    in_league(author, write)


def answer(author: Author, device_id: int, *, yes: bool) -> None:
    """Say whether a phone is what it asks to be: somebody's second one.

    Whoever keeps the score may, and the phone that holds the person. What was answered already
    stays so. Raises `LookupError` where the league has no such phone, `NotAllowedError`.
    """

    def write(session: Session) -> None:
        device = _one(session, author, device_id)
        if device.asks_id is None:
            return
        person = session.get_one(Player, device.asks_id)
        own_phone = _one(session, author, author.device_id)
        held = phones_of_people(session, author.league_id).get(person.person_id, ())
        if not may(own_phone.role, "scorekeeper") and own_phone.id not in held:
            raise NotAllowedError("Only that player or the scorekeeper can say that.")
        if yes:
            device.player_id = person.person_id
        device.asks_id = None
        _bump_report_revisions(session, author.league_id)

    in_league(author, write)


def _bump_report_revisions(session: Session, league_id: int) -> None:
    """Let the pages of every running game of a league notice that its phones changed."""
    running = update(Game).where(Game.league_id == league_id, Game.status == "running")
    session.execute(running.values(report_revision=Game.report_revision + 1))


def _one(session: Session, author: Author, device_id: int) -> Device:
    """Load a phone that is in the author's league; raises `LookupError`."""
    of_league = (Device.league_id == author.league_id, Device.id == device_id)
    present = select(Device).where(*of_league, Device.revoked_at.is_(None))
    device = session.execute(present).scalar_one_or_none() if is_number(device_id) else None
    if device is None:
        raise LookupError(device_id)
    return device


def is_last_owner(session: Session, league_id: int, device_id: int) -> bool:
    """Return whether nobody would own the league without this phone."""
    others = select(func.count()).where(
        Device.league_id == league_id,
        Device.id != device_id,
        Device.role == "owner",
        Device.revoked_at.is_(None),
    )
    return not session.execute(others).scalar_one()


def _refuse_last_owner(session: Session, device: Device) -> None:
    """Raise `PhoneError` where nobody would own the league without this phone."""
    if is_last_owner(session, device.league_id, device.id):
        raise PhoneError(
            "This is the only phone that owns the league. Make another phone an owner first."
        )
