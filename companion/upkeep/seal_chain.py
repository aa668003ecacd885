"""A league's chain of seals: whether it fits its history, link by link (`I11`), and its beginning.

What was there before there were seals is sealed in the transaction that brings their table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hmac import compare_digest
from itertools import groupby
from typing import Any

import msgspec
from flask import current_app
from msgspec import Struct
from sqlalchemy import Connection, Text, case, cast, func, select, type_coerce
from sqlalchemy.orm import Session

from companion.games.seals import MADE, Head, add_seals, beginning, seal_of
from companion.store.dates import say_day
from companion.store.models import Device, Game, History, League, Seal

from .recount import leagues

BATCH = 500
MOST_UNSEALED = 200
WRITTEN = ("notes", "before", "after")
SPOILED = (TypeError, ValueError, msgspec.MsgspecError)
"""What reading a row can raise that nobody here wrote."""


class SealedChange(Struct, frozen=True):
    """One seal of a chain with the history row it is of, which may be gone or spoiled."""

    number: int
    seal: str
    game_id: int
    revision: int
    row: Mapping[str, Any]

    def facts(self) -> dict[str, Any]:
        """Read the row; raises one of `SPOILED` where somebody wrote what we never would."""
        plain = {name: msgspec.json.decode(self.row[name]) for name in WRITTEN}
        at = self.row["at"]
        known = at if isinstance(at, datetime) else datetime.fromisoformat(at)
        here = {"game_id": self.game_id, "revision": self.revision}
        return {**self.row, **plain, **here, "at": known}

    def fits(self, key: bytes, before: str) -> bool:
        """Return whether the seal is what this key makes of the row after the seal before."""
        try:
            return compare_digest(self.seal.encode(), seal_of(key, before, self.facts()).encode())
        except SPOILED:
            return False


class SealFault(Struct, frozen=True):
    """What is wrong with one link; links of one `kind` in a row are said at once."""

    kind: str
    link: SealedChange
    words: str


def chain_faults(session: Session, league_id: int) -> Iterator[str]:
    """Find what is wrong with the chain of a league, in its order; then what is not sealed."""
    phones = _phones(session, league_id)
    for kind, found in groupby(_faults(session, league_id, phones), lambda fault: fault.kind):
        if kind:
            yield from (fault.words for fault in found)
        else:
            yield _say_other_key(found)
    yield from _unsealed(session, league_id, phones)


def _faults(session: Session, league_id: int, phones: Mapping[int, str]) -> Iterator[SealFault]:
    """Compare link by link; what follows a hole cannot be compared with the seal before it."""
    keys: Mapping[str, bytes] = current_app.config["SEAL_KEYS"]
    number, before = 0, beginning(league_id)
    for link in _links(session, league_id):
        whole = link.number == number + 1
        if not whole:
            yield SealFault("hole", link, _say_missing(number, link))
        if not link.row:
            sentence = f"{_name_link(link)}, sealed as number {link.number}, is gone."
            yield SealFault("gone", link, sentence)
        elif (key := keys.get(link.seal[MADE:])) is None:
            yield SealFault("", link, "")
        elif whole and not link.fits(key, before):
            sentence = (
                f"{_name_link(link)} ({_describe_change(link.row, phones)}) is not what was sealed"
            )
            yield SealFault("other", link, f"{sentence} as number {link.number}.")
        number, before = link.number, link.seal


def _links(session: Session, league_id: int) -> Iterator[SealedChange]:
    """Read a chain part by part, in its order."""
    chain = select(Seal.number, Seal.seal, Seal.game_id, Seal.revision, *_history_columns())
    of = (History.game_id == Seal.game_id) & (History.revision == Seal.revision)
    rows = session.execute(
        chain.outerjoin(History, of)
        .outerjoin(Game, Game.id == History.game_id)
        .where(Seal.league_id == league_id)
        .order_by(Seal.number)
        .execution_options(yield_per=BATCH)
    )
    for row in rows:
        change = dict(row._mapping) if row.key is not None else {}
        yield SealedChange(row.number, row.seal, row.game_id, row.revision, change)


def _history_columns() -> list[Any]:
    """Ask for a history row as it is written, so that a spoiled one can be shown."""
    plain = [History.key, History.device_id, History.action]
    written = [type_coerce(History.at, Text).label("at")]
    written += [cast(getattr(History, name), Text).label(name) for name in WRITTEN]
    return [*plain, *written, case((History.revision == 1, Game.rules), else_="").label("rules")]


def _name_link(link: SealedChange) -> str:
    return f"Game {link.game_id}: change {link.revision}"


def _say_missing(number: int, link: SealedChange) -> str:
    """Say which seals are missing, and before which change."""
    last = link.number - 1
    missing = f"seal {last} is" if last == number + 1 else f"seals {number + 1} to {last} are"
    return f"{_name_link(link)}: {missing} missing before it."


def _say_other_key(found: Iterator[SealFault]) -> str:
    """Say of seals in a row that they are of a key that is not ours."""
    first = last = next(found).link
    for fault in found:
        last = fault.link
    if first is last:
        sentence = f"Seal {first.number}, of change {first.revision} of game {first.game_id}, was"
    else:
        sentence = (
            f"Seals {first.number} to {last.number}, from change {first.revision} of game "
            f"{first.game_id} to change {last.revision} of game {last.game_id}, were"
        )
    return (
        f"{sentence} made with another key than this server's seal_key, and cannot be checked. "
        "Put the right key back if it was lost, and compare them with a print."
    )


def _unsealed(session: Session, league_id: int, phones: Mapping[int, str]) -> Iterator[str]:
    """Find changes without a seal in their league."""
    sealed = (Seal.game_id == History.game_id) & (Seal.revision == History.revision)
    rows = session.execute(
        select(History.game_id, History.revision, *_history_columns())
        .join(Game, Game.id == History.game_id)
        .outerjoin(Seal, sealed & (Seal.league_id == league_id))
        .where(History.league_id == league_id, Seal.number.is_(None))
        .order_by(History.game_id, History.revision)
        .limit(MOST_UNSEALED)
    )
    for row in rows:
        said = _describe_change(dict(row._mapping), phones)
        yield f"Game {row.game_id}: change {row.revision} ({said}) was never sealed."


def _phones(session: Session, league_id: int) -> dict[int, str]:
    mine = select(Device.id, Device.name).where(Device.league_id == league_id)
    return {number: name or f"phone {number}" for number, name in session.execute(mine)}


def _describe_change(row: Mapping[str, Any], phones: Mapping[int, str]) -> str:
    """Say what a change says of itself: what was done, to which deals, who and when."""
    try:
        units = msgspec.json.decode(row["after"], type=dict[str, Any])
    except SPOILED:
        units = {}
    deals = [name.replace(":", " ") for name in units if name.startswith("deal:")]
    by = phones.get(row["device_id"], f"phone {row['device_id']}")
    what = ", ".join([str(row["action"]), *deals])
    return f"{what}, by {by} at {str(row['at'])[:16]} UTC"


def find_print(session: Session, printed: Head) -> list[str]:
    """Find a printed seal in the chains of all leagues; say what it sealed, and what came since."""
    code = printed.code.replace("-", "").lower()
    last = select(func.max(Seal.number)).where(Seal.league_id == League.id)
    rows = session.execute(
        select(League.id, League.name, Seal.game_id, Seal.revision)
        .add_columns(Game.variant_name, Game.played_on)
        .add_columns((last.correlate(League).scalar_subquery() - Seal.number).label("since"))
        .join(Seal, Seal.league_id == League.id)
        .join(Game, Game.id == Seal.game_id)
        .where(Seal.number == printed.number, Seal.seal.startswith(code))
        .order_by(League.id)
    )
    return [
        f"is in the chain of league {row.id}, {row.name}: change {row.revision} of game "
        f"{row.game_id}, {row.variant_name} of {say_day(row.played_on)}. "
        f"{'1 change was' if row.since == 1 else f'{row.since} changes were'} sealed since."
        for row in rows
    ]


def seal_all(connection: Connection) -> None:
    """Seal every history there is, league by league, in a transaction that is open."""
    # Only a migration calls this: a later start could be made to seal rows that were altered.
    with Session(connection) as session:
        for league in leagues(session):
            for changes in _histories(session, league):
                add_seals(session, league, changes)


def _histories(session: Session, league_id: int) -> Iterator[Sequence[Any]]:
    """Yield the changes of a league as they are sealed, game by game, a part at a time."""
    rules = case((History.revision == 1, Game.rules), else_="").label("rules")
    mine = select(*History.__table__.columns, rules).join(Game, Game.id == History.game_id)
    mine = mine.where(History.league_id == league_id).order_by(History.game_id, History.revision)
    yield from session.execute(mine, execution_options={"yield_per": BATCH}).mappings().partitions()
