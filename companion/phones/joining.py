"""Joining by a link: the phone is let in, and tells whose it is.

A name that no other phone holds is taken at once. One that is held is asked for: until the phone
that holds it, or whoever keeps the score, says yes, the phone has its role but no seat.
"""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.orm import Session, aliased

from companion.cards import Refusal
from companion.games.entries import person_called
from companion.games.locking import NoSuchGameError, lock_league
from companion.games.reading import is_number
from companion.games.writer import seat_newcomer
from companion.store.aliases import shared_alias
from companion.store.authors import Author, Role, may, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.event_log import LogValue, log_event
from companion.store.models import Device, Game, Link, Player, Seat
from companion.store.names import clean_person, name_key

from .links import LinkRole, LinkRow, find_link
from .rights import note_event

Entry = shared_alias(Player)


class JoinError(Refusal):
    """Somebody who cannot sit down so, in a sentence."""


class Phone(Struct, frozen=True):
    """A phone that asks to come in: its own token, and what it is called until it is renamed."""

    token: str
    name: str


class Joined(Struct, frozen=True):
    """Where a phone came in: `waits` for a yes to be somebody, or `sits` in the link's game."""

    league_id: int
    game_id: int | None
    role: Role
    waits: bool
    sits: bool


class Offered(Struct, frozen=True):
    """A person whom a phone may be: `taken` if another phone is theirs, `mine` if this one is."""

    person_id: int
    name: str
    taken: bool
    mine: bool


def offered(session: Session, link: LinkRow, device_id: int | None) -> list[Offered]:
    """List whom a phone that came by this link may be: those at its table, else the regulars."""
    holders = select(Device.id).join(Entry, Entry.id == Device.player_id)
    held = holders.where(
        Device.league_id == link.league_id,
        Device.revoked_at.is_(None),
        Entry.person_id == Player.id,
    )
    taken = held.where(Device.id != (device_id or 0)).exists()
    mine = held.where(Device.id == (device_id or 0)).exists()
    named = select(Player.id, Player.name, taken, mine).where(
        Player.league_id == link.league_id, Player.person_id == Player.id
    )
    if link.game_id is None:
        wanted = named.where(Player.archived.is_(False)).order_by(
            Player.last_game.desc().nulls_last(), Player.id
        )
    else:
        seated = aliased(Player)
        wanted = (
            named.join(seated, seated.person_id == Player.id)
            .join(Seat, Seat.player_id == seated.id)
            .where(Seat.game_id == link.game_id)
            .order_by(Seat.number)
        )
    return [Offered(*row) for row in session.execute(wanted.limit(MOST_OFFERED))]


MOST_OFFERED = 24


def join_by_link(
    token: str, phone: Phone, key: str, *, person: int | None = None, name: str = ""
) -> Joined:
    """Let a phone in by a link, as a person of the league, somebody new by `name`, or nobody.

    Whoever comes by a link for players and is nobody only looks on. A phone that is in keeps its
    role where it may do more, and takes up no use of the link then.
    Raises `DeadLinkError`, `PlayerNameError` for a name that cannot be used, and `JoinError` for a
    person who is not in the league, or a phone that would seat a second one.
    """
    called = clean_person(name) if name.strip() and person is None else ""
    with writing() as session:
        joined, facts = _join(session, token, phone, key, person, called)
    log_event("phone joined", **facts)
    return joined


def _join(
    session: Session, token: str, phone: Phone, key: str, person: int | None, called: str
) -> tuple[Joined, dict[str, LogValue]]:
    """Let a phone in, in a session that writes; give where it came, and what the log says of it."""
    link = _held_link(session, token)
    nobody = person is None and not called
    role = "viewer" if nobody and link.role == "player" else link.role
    device = _let_in(session, link, phone, role)
    note_event(session, link.league_id, "joined", about=device.id, role=device.role)
    bump_pulse(session, link.game_id)
    author = Author(link.league_id, device.id)
    facts: dict[str, LogValue] = {
        "league": link.league_id,
        "joined": device.id,
        "role": device.role,
    }
    facts["link"] = link.link_id
    joined = Joined(link.league_id, link.game_id, device.role, waits=False, sits=False)  # type: ignore[arg-type]
    if nobody or not may(device.role, "player"):
        return joined, facts
    whom = _whom(session, link, device, person, called)
    if not claim(session, device, whom):
        return Joined(link.league_id, link.game_id, joined.role, waits=True, sits=False), facts
    sits = link.game_id is not None and seat_newcomer(session, author, link.game_id, key, whom)
    return Joined(link.league_id, link.game_id, joined.role, waits=False, sits=sits), facts


def bump_pulse(session: Session, game_id: int | None) -> None:
    """Let the pages of a game notice that something about its phones changed."""
    here = update(Game).where(Game.id == game_id)
    session.execute(here.values(pulse=Game.pulse + 1))


def bump_pulses(session: Session, league_id: int) -> None:
    """Let the pages of every running game of a league notice that its phones changed."""
    running = update(Game).where(Game.league_id == league_id, Game.status == "running")
    session.execute(running.values(pulse=Game.pulse + 1))


def _held_link(session: Session, token: str) -> LinkRow:
    """Find the link, hold its league and its game, and look once more whether it works."""
    link = find_link(session, token)
    # League before game, as everywhere: the other order ended in a deadlock.
    lock_league(session, link.league_id)
    if link.game_id is not None:
        game = select(Game.id).where(Game.id == link.game_id, Game.league_id == link.league_id)
        # key_share is FOR NO KEY UPDATE: others may go on adding rows that name the game.
        if session.execute(game.with_for_update(key_share=True)).first() is None:
            raise NoSuchGameError(link.game_id)
    return find_link(session, token)


def _let_in(session: Session, link: LinkRow, phone: Phone, role: LinkRole) -> Device:
    """Return the phone's row in the league: new, back again, or with this role if it is higher."""
    mine = (Device.league_id == link.league_id, Device.token_hash == token_hash(phone.token))
    device = session.execute(select(Device).where(*mine)).scalar_one_or_none()
    if device is None:
        _use(session, link)
        device = Device(league_id=link.league_id, token_hash=token_hash(phone.token))
        device.name, device.role, device.link_id = phone.name, role, link.link_id
        session.add(device)
    elif device.revoked_at is not None:
        _use(session, link)
        device.revoked_at, device.role, device.link_id = None, role, link.link_id
        device.player_id = device.asks_id = None
    elif not may(device.role, role):
        _use(session, link)
        device.role = role
    # It knows two links by now; None ends both, and all others it can know, when it is put out.
    if device.link_id != link.link_id:
        device.link_id = None
    # When it came in last: links up to here end with it.
    device.created_at = now()
    session.flush()
    return device


def _use(session: Session, link: LinkRow) -> None:
    """Take one of the uses of a link that has a number of them; the league must be held."""
    if link.uses_left is not None:
        used = update(Link).where(Link.id == link.link_id)
        session.execute(used.values(uses_left=link.uses_left - 1))


def _whom(session: Session, link: LinkRow, device: Device, person: int | None, name: str) -> int:
    """Find the person who was tapped, or the one of this name, who may be new to the league."""
    named = Player.id == person if person is not None else Player.name_key == name_key(name)
    theirs = select(Player.person_id).where(Player.league_id == link.league_id, named)
    possible = person is None or is_number(person)
    known = session.execute(theirs).scalar_one_or_none() if possible else None
    if known is not None:
        return known
    if person is not None:
        raise JoinError("No one here has this name. Choose again.")
    if device.player_id is not None and _sits(session, link, device.player_id):
        raise JoinError("This phone already has a seat. Ask the scorekeeper to correct a name.")
    return person_called(session, link.league_id, name)


def _sits(session: Session, link: LinkRow, entry: int) -> bool:
    """Return whether a person has a seat in the link's game, by whichever of their names."""
    person = select(Entry.person_id).where(Entry.id == entry).scalar_subquery()
    seats = select(Seat.number).join(Player, Player.id == Seat.player_id)
    theirs = seats.where(Seat.game_id == link.game_id, Player.person_id == person)
    return session.execute(theirs).first() is not None


def claim(session: Session, device: Device, person: int) -> bool:
    """Make a person this phone's own where no other phone holds them, else ask; tell whether.

    Whoever keeps the score need not ask. The league must be held.
    """
    held = device.player_id is not None and _is_of(session, device.player_id, person)
    if not held and not may(device.role, "scorekeeper") and holders(session, device, person):
        device.asks_id = person
        return False
    device.player_id, device.asks_id = person, None
    return True


def holders(session: Session, device: Device, person: int) -> list[int]:
    """List the other phones that a person holds, by whichever of their names."""
    theirs = select(Device.id).join(Player, Player.id == Device.player_id)
    others = theirs.where(
        Device.league_id == device.league_id,
        Device.revoked_at.is_(None),
        Device.id != device.id,
        Player.person_id == person,
    )
    return list(session.execute(others.order_by(Device.id)).scalars())


def _is_of(session: Session, entry: int, person: int) -> bool:
    held = select(Player.person_id).where(Player.id == entry)
    return session.execute(held).scalar_one() == person


def rename_phone(token: str, renewed: str) -> None:
    """Let a phone be known by another token in all its leagues; the one before opens nothing.

    Where two taps were at once and the other one was first, its phone is the one that stays.
    """
    old, new = token_hash(token), token_hash(renewed)
    there = aliased(Device)
    same = select(there.id).where(there.league_id == Device.league_id, there.token_hash == new)
    with writing() as session:
        mine = update(Device).where(Device.token_hash == old)
        first = mine.where(same.exists(), Device.revoked_at.is_(None))
        unsynced = {"synchronize_session": False}
        session.execute(first.values(revoked_at=now()), execution_options=unsynced)
        rest = mine.where(~same.exists())
        session.execute(rest.values(token_hash=new), execution_options=unsynced)
