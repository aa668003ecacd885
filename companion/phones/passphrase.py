"""The owner's way back: a passphrase that lets a phone own its league again.

Stored by scrypt at the cost OWASP names (128 MiB for each look), so one is looked at at a time in
a process; as much work is done for a league that is not here.
"""

from __future__ import annotations

from threading import BoundedSemaphore

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from werkzeug.security import check_password_hash, generate_password_hash

from companion.cards import Refusal
from companion.games.locking import in_league, lock_league
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.event_log import log_event, log_refusal
from companion.store.models import Device, League, Player, db
from companion.store.names import name_key, normalised, one_line

from .attempts import MOST, TooManyError, attempt, forget, subject_key, take_back
from .gate import Gate
from .guessable import is_guessable
from .owner_links import own_league
from .phone_list import put_out_other_owners
from .rights import Kind, note_event

COST = "scrypt:131072:8:1"
SHORTEST, LONGEST, FEWEST_LETTERS = 12, 200, 5
MOST_NAMESAKES = 3
"""Leagues of one name that may have a passphrase: each costs a look of 128 MiB at every try."""
MOST_OF_LEAGUE = 20
"""So many tries at a league may fail: more than one address has, so that none shuts others out."""
HASHING = Gate(60, room=BoundedSemaphore(3))
"""Whoever finds no place is asked to come again at once: no guess keeps a thread from others."""


class PassphraseError(Refusal):
    """A passphrase that cannot be set, or does not fit; in a sentence."""


class _Held(Struct, frozen=True):
    league_id: int
    hashed: str


NOBODY = _Held(0, f"{COST}$nobody${'0' * 128}")
"""What nothing fits: a name that is not here takes as long as one that is."""


def set_passphrase(author: Author, words: str, *, others_out: bool = False) -> None:
    """Let whoever knows these words own the league from now on; no words take it away.

    `others_out`: every other phone that owns the league is put out, for it may know the old words.
    Raises `PassphraseError` for words that are too few, too many or what others try first, and
    `NotAllowedError`.
    """
    plain, hashed = _plain(words), None
    if plain:
        _refuse_weak(plain)
        # Before the league is locked: scrypt takes long, and saves would wait for it.
        with HASHING.passed():
            hashed = generate_password_hash(plain, COST)

    def write(session: Session) -> None:
        of_league = League.id == author.league_id
        name = session.execute(select(League.name).where(of_league)).scalar_one()
        people = session.execute(select(Player.name).where(Player.league_id == author.league_id))
        # A name of signs alone has no letters to be found by: it is compared as a whole.
        if name_key(plain) == name_key(name) or is_guessable(plain, [name, *people.scalars()]):
            raise PassphraseError(
                "Common words and names of the league are the first things people try. "
                "Four unrelated words are easy to remember."
            )
        # Only the oldest of a name are tried at all, so only older ones can shut this one out.
        others = [held for held in _held(session, name) if held.league_id < author.league_id]
        if plain and len(others) >= MOST_NAMESAKES:
            raise PassphraseError(
                "Too many leagues here have this name and a passphrase, so this one can't have one."
            )
        session.execute(update(League).where(of_league).values(passphrase=hashed))
        kind: Kind = "passphrase" if plain else "passphrase gone"
        note_event(session, author.league_id, kind, by=author.device_id)
        if others_out:
            put_out_other_owners(session, author)

    in_league(author, write)
    log_event(
        "passphrase set" if plain else "passphrase taken away",
        league=author.league_id,
        others_out=others_out,
    )


def has_passphrase(session: Session, league_id: int) -> bool:
    """Return whether a league has a passphrase."""
    held = select(League.id).where(League.id == league_id, League.passphrase.is_not(None))
    return session.execute(held).first() is not None


def come_back(name: str, words: str, token: str, address: str, phone: str = "") -> int:
    """Let the phone with this token own the league of this name, and give the league's number.

    `phone` is the token it had before: tries of one that owned the league once are counted by
    themselves, so that nobody else makes it wait. Raises `PassphraseError` with the same sentence
    whatever was wrong, after the same work, and `TooManyError` where league or address failed too
    often, `BusyError` where others are trying just now.
    """
    whose = subject_key("address", address)
    # First of all: who finds no place here comes again, and has used up no try.
    with HASHING.passed():
        attempt(whose)
        try:
            doors = _open_doors(name, phone)
        except TooManyError:
            # Nothing was looked at, so the address has guessed at nothing.
            take_back(whose)
            raise
        # Leagues that share a name are all tried, whichever fits.
        plain = _plain(words)[:LONGEST]
        fits = [door for door in doors if check_password_hash(door.hashed, plain)]
    if not fits or not _own(fits[0], token):
        log_refusal("wrong passphrase", leagues=sum(1 for door in doors if door.league_id))
        raise PassphraseError("No league here has this name and this passphrase. Check both.")
    # The league's count is forgotten, the address loses one: a league of one's own, where one can
    # always come back, would else clear what was guessed at others.
    forget(doors[fits[0]])
    take_back(whose)
    log_event("came back by passphrase", league=fits[0].league_id)
    return fits[0].league_id


def _open_doors(name: str, phone: str) -> dict[_Held, str]:
    """Count a try at each league of a name, and give those that may be tried, with what counts it.

    One that fits a league of the same name was still a guess at the others, and stays counted
    there. Raises `TooManyError` where none may be tried.
    """
    nobodys = subject_key("name", name_key(one_line(name))[:320]), MOST_OF_LEAGUE
    doors = {held: _door(held, phone) for held in _held(db.session(), name)}
    waits, opened = [], {}
    for held, (about, most) in (doors or {NOBODY: nobodys}).items():
        try:
            attempt(about, most=most)
        except TooManyError as wait:
            waits.append(wait)
        else:
            opened[held] = about
    if not opened:
        raise min(waits, key=lambda wait: wait.seconds)
    return opened


def _door(held: _Held, phone: str) -> tuple[str, int]:
    """Return under what a phone's tries at a league are counted, and how many may fail."""
    theirs = (Device.league_id == held.league_id, Device.token_hash == token_hash(phone))
    owned = select(Device.id).where(*theirs, Device.role == "owner")
    device = db.session.execute(owned).scalar_one_or_none()
    if device is not None:
        return subject_key("phone", str(device)), MOST
    return subject_key("league", str(held.league_id)), MOST_OF_LEAGUE


def _own(held: _Held, token: str) -> bool:
    """Let the phone own the league, unless the passphrase was changed meanwhile."""
    with writing() as session:
        lock_league(session, held.league_id)
        same = (League.id == held.league_id, League.passphrase == held.hashed)
        if session.execute(select(League.id).where(*same)).first() is None:
            return False
        own_league(session, held.league_id, token, how="returned")
    return True


def _plain(words: str) -> str:
    """Write words as one keyboard does like another; capitals and accents count."""
    return normalised("NFKC", " ".join(one_line(words).split()))


def _refuse_weak(plain: str) -> None:
    if len(plain) < SHORTEST:
        raise PassphraseError(
            f"{SHORTEST} characters at least: shorter ones can be guessed. "
            "Four unrelated words are easy to remember."
        )
    if len(plain) > LONGEST:
        raise PassphraseError(f"Keep it to {LONGEST} characters.")
    if len(set(plain.casefold())) < FEWEST_LETTERS:
        raise PassphraseError("So few different letters can be guessed.")


def _held(session: Session, name: str) -> list[_Held]:
    """List the oldest leagues of a name that have a passphrase."""
    rows = select(League.id, League.passphrase, League.name).where(League.passphrase.is_not(None))
    listed = session.execute(rows.order_by(League.id)).all()
    # Here and not in SQL: no database folds letters as `name_key` does.
    key = name_key(one_line(name))
    same = [_Held(row.id, row.passphrase) for row in listed if name_key(row.name) == key]
    return same[:MOST_NAMESAKES]
