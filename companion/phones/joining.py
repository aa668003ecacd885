"""Joining by a link: the phone is let in, and tells whose it is.

A name that no other phone holds is taken at once. One that is held is asked for: until the phone
that holds it, or whoever keeps the score, says yes, the phone has its role but no seat.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.orm import Session, aliased

from companion.cards import Refusal
from companion.games.entries import person_called, with_people
from companion.games.locking import NoSuchGameError, lock_league
from companion.games.writer import seat_newcomer
from companion.store.authors import Author, Role, may, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.event_log import log_event
from companion.store.models import Device, Game, Link, Player, Seat, TeamMember
from companion.store.names import clean_person, name_key

from .links import LinkRole, LinkRow, find_link
from .pending_deal import own_seats
from .rights import note_event


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
    person = aliased(Player)
    named = select(person.id, person.name)
    if link.game_id is None:
        teams = select(TeamMember.team_id)
        of_league = (person.league_id == link.league_id, person.person_id == person.id)
        choices = named.where(
            *of_league, person.archived.is_(False), person.id.not_in(teams)
        ).order_by(person.last_game.desc().nulls_last(), person.id)
    else:
        seats = with_people(named.select_from(Seat)).join(person, person.id == Player.person_id)
        choices = seats.where(Seat.game_id == link.game_id).order_by(Seat.number, person.id)
    held = phones_of_people(session, link.league_id)
    return [
        Offered(number, name, bool(held[number] - {device_id}), device_id in held[number])
        for number, name in session.execute(choices.limit(MOST_OFFERED))
    ]


def phones_of_people(session: Session, league_id: int) -> dict[Any, set[int]]:
    """Return which phones each person of a league holds, by whichever of their names."""
    rows = select(Player.person_id, Device.id).join(Device, Device.player_id == Player.id)
    of_league = rows.where(Device.league_id == league_id, Device.revoked_at.is_(None))
    held: dict[Any, set[int]] = defaultdict(set)
    for person, device in session.execute(of_league):
        held[person].add(device)
    return held


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
    nobody = person is None and not called
    with writing() as session:
        link = _held_link(session, token)
        role = "viewer" if nobody and link.role == "player" else link.role
        device = _let_in(session, link, phone, role)
        note_event(session, link.league_id, "joined", about=device.id, role=device.role)
        # The page with the code says who has joined, and looks when the report revision moves.
        game = update(Game).where(Game.id == link.game_id)
        session.execute(game.values(report_revision=Game.report_revision + 1))
        waits = sits = False
        if not nobody and may(device.role, "player"):
            whom = _whom(session, link, device, person, called)
            waits = not claim(session, device, whom)
            if not waits and link.game_id is not None:
                author = Author(link.league_id, device.id)
                sits = seat_newcomer(session, author, link.game_id, key, whom)
        joined = Joined(link.league_id, link.game_id, cast("Role", device.role), waits, sits)
        # Logged after the commit, so that nothing undone is: the row can't be asked then.
        number = device.id
    log_event(
        "phone joined",
        league=link.league_id,
        joined=number,
        role=joined.role,
        link=link.link_id,
    )
    return joined


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
    # Once more under the lock: of eight phones at the last use one is in.
    return find_link(session, token)


def _let_in(session: Session, link: LinkRow, phone: Phone, role: LinkRole) -> Device:
    """Return the phone's row in the league: new, back again, or with this role if it is higher."""
    device = device_of(session, link.league_id, phone.token, phone.name)
    if device.revoked_at is not None:
        # What it was before it was put out comes back neither as a role nor as a name.
        device.revoked_at, device.role, device.link_id = None, "", link.link_id
        device.player_id = device.asks_id = None
    if not may(device.role, role):
        device.role = role
        if link.uses_left is not None:
            used = update(Link).where(Link.id == link.link_id)
            session.execute(used.values(uses_left=link.uses_left - 1))
    # It knows two links by now; None ends both, and all others it can know, when it is put out.
    if device.link_id != link.link_id:
        device.link_id = None
    # When it came in last: links up to here end with it.
    device.created_at = now()
    session.flush()
    return device


def device_of(session: Session, league_id: int, token: str, name: str) -> Device:
    """Return a phone's row in a league that is held; a new one has no role, and is out."""
    of_token = {"league_id": league_id, "token_hash": token_hash(token)}
    device = session.execute(select(Device).filter_by(**of_token)).scalar_one_or_none()
    if device is None:
        device = Device(name=name, role="", created_at=now(), revoked_at=now(), **of_token)
        session.add(device)
    return device


def _whom(session: Session, link: LinkRow, device: Device, person: int | None, name: str) -> int:
    """Find the person who was tapped, or the one of this name, who may be new to the league."""
    named = Player.id == person if person is not None else Player.name_key == name_key(name)
    theirs = select(Player.person_id).where(Player.league_id == link.league_id, named)
    person_id = session.execute(theirs).scalar_one_or_none()
    if person_id is not None:
        return person_id
    if person is not None:
        raise JoinError("No one here has this name. Choose again.")
    author = Author(link.league_id, device.id)
    if link.game_id is not None and own_seats(session, author, link.game_id):
        raise JoinError("This phone already has a seat. Ask the scorekeeper to correct a name.")
    return person_called(session, link.league_id, name)


def claim(session: Session, device: Device, person: int) -> bool:
    """Make a person this phone's own where no other phone holds them, else ask; tell whether.

    Whoever keeps the score need not ask. The league must be held.
    """
    held = phones_of_people(session, device.league_id)[person]
    if held and device.id not in held and not may(device.role, "scorekeeper"):
        device.asks_id = person
        return False
    device.player_id, device.asks_id = person, None
    return True


def rename_phone(token: str, renewed: str) -> None:
    """Let a phone be known by another token in all its leagues; the one before opens nothing.

    Where two taps were at once and the other one was first, its phone is the one that stays.
    """
    new = token_hash(renewed)
    with writing() as session:
        leagues = set(session.scalars(select(Device.league_id).where(Device.token_hash == new)))
        devices = select(Device).where(Device.token_hash == token_hash(token)).with_for_update()
        for device in session.scalars(devices).all():
            if device.league_id not in leagues:
                device.token_hash = new
            elif device.revoked_at is None:
                device.revoked_at = now()
