"""The seal: a chain over all changes of a league, keyed from outside the database (`I11`).

The seal of a change is made with the server's key from the seal before and from everything the
change says. Nobody can write the seal of an altered row without the key; and whoever cuts the
chain off, or makes it anew, cannot make the head that was printed earlier.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, current_app
from msgspec import Struct
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.store.keys import derived, earlier_keys, load_or_create_key
from companion.store.models import League, Seal

SEAL: Any = Seal.__table__
MADE = 56
"""So many digits of a seal are proof; the rest name the key it was made with."""
_PRINTED = re.compile(
    r"(?:seal)?\s*([0-9]{1,9})[\s·.:,]+([0-9a-f]{4}(?:[\s–-]?[0-9a-f]{4}){3})", re.IGNORECASE
)


class SealError(Refusal):
    """A text that is no seal as it is printed, in a sentence."""


class Head(Struct, frozen=True):
    """The last link of a chain, as it is printed: its number and the first digits of its seal."""

    number: int
    code: str

    def __str__(self) -> str:
        """Write it as it is printed.

        >>> str(Head.of(412, "3f9a77c201be5d20" + 48 * "0"))
        'Seal 412 · 3F9A-77C2-01BE-5D20'
        """
        return f"Seal {self.number} · {self.code}"

    @property
    def typed(self) -> str:
        """The same without a word, as a command takes it."""
        return f"{self.number} {self.code}"

    @staticmethod
    def of(number: int, seal: str) -> Head:
        """Return what is printed of a seal."""
        groups = (seal[start : start + 4] for start in range(0, 16, 4))
        return Head(number, "-".join(groups).upper())

    @staticmethod
    def read(text: str) -> Head:
        """Read a seal as somebody types it from a print.

        >>> Head.read("412 3f9a 77c2 01be 5d20")
        Head(number=412, code='3F9A-77C2-01BE-5D20')

        Raises `SealError` for anything else.
        """
        match = _PRINTED.fullmatch(text.strip())
        if not match:
            raise SealError(f"{text[:60]} is no seal: write it like 412 3F9A-77C2-01BE-5D20.")
        return Head.of(int(match[1]), re.sub(r"[^0-9a-f]", "", match[2].lower()))


def init_app(app: Flask) -> None:
    """Set the key of the seals, a file of its own that no copy of the database has.

    Seals of earlier versions, and of keys that were replaced, are still looked at with theirs.
    """
    loss = "what was sealed with it can never be checked again"
    # Beside the database and not in it: who can write the rows must not be able to seal them.
    path = Path(app.instance_path) / "seal_key"
    key = app.config.get("SEAL_KEY") or load_or_create_key(path, loss)
    app.config["SEAL_KEY"] = derived(key, "seal")
    made_with = [key, *earlier_keys(path)]
    known = [*(derived(one, "seal") for one in made_with), *made_with]
    app.config["SEAL_KEYS"] = {name_of(one): one for one in known}


def head(session: Session, league_id: int) -> Head | None:
    """Return the head of a league's chain; None where nothing was played yet."""
    last = _last(session, league_id)
    return Head.of(*last) if last else None


def heads(session: Session) -> list[tuple[int, str, Head]]:
    """List the leagues with their names and the heads of their chains."""
    later = select(Seal.number).where(Seal.league_id == League.id).order_by(Seal.number.desc())
    rows = session.execute(
        select(League.id, League.name, Seal.number, Seal.seal)
        .join(Seal, Seal.league_id == League.id)
        .where(Seal.number == later.limit(1).correlate(League).scalar_subquery())
        .order_by(League.id)
    )
    return [(row.id, row.name, Head.of(row.number, row.seal)) for row in rows]


def add_seals(session: Session, league_id: int, changes: Iterable[Mapping[str, Any]]) -> None:
    """Seal history rows, which are stored by now, in this order; the league must be locked.

    Each is a row of the history, and `rules` of the game where it is the game's first.
    """
    key: bytes = current_app.config["SEAL_KEY"]
    # The league is locked, so nobody else takes this number.
    done, seal = _last(session, league_id) or (0, beginning(league_id))
    rows = []
    for number, change in enumerate(changes, start=done + 1):
        seal = seal_of(key, seal, change)
        of = {"game_id": change["game_id"], "revision": change["revision"]}
        rows.append({"league_id": league_id, "number": number, "seal": seal, **of})
    if rows:
        session.execute(insert(SEAL), rows if len(rows) > 1 else rows[0])


def _last(session: Session, league_id: int) -> tuple[int, str] | None:
    mine = select(SEAL.c.number, SEAL.c.seal).where(SEAL.c.league_id == league_id)
    row = session.execute(mine.order_by(SEAL.c.number.desc()).limit(1)).first()
    return (row.number, row.seal) if row else None


def beginning(league_id: int) -> str:
    """Return what stands before the first seal of a league."""
    return f"the beginning of league {league_id}"


def seal_of(key: bytes, before: str, change: Mapping[str, Any]) -> str:
    """Make the seal of a change after the seal before: proof, then the name of the key.

    The bytes are those of JSON with sorted keys, alike on every database and after reading back.
    """
    # The seal before is part of what is sealed: that makes it a chain.
    sealed = [before, *(change[name] for name in SEALED), change.get("rules") or ""]
    sealed.append(change["at"].isoformat())
    made = hmac.digest(key, msgspec.json.encode(sealed, order="sorted"), "sha256")
    return made.hex()[:MADE] + name_of(key)


SEALED = ("game_id", "revision", "key", "device_id", "action", "notes", "before", "after")
"""What is sealed of a change, apart from its time and the rules of a new game."""


def name_of(key: bytes) -> str:
    """Name a key without telling it, so that a lost one is told from a forged seal."""
    return hashlib.sha256(b"the name of " + key).hexdigest()[: 64 - MADE]
