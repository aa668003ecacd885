"""Things done to the league itself: each is stored once under its key, and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.games.reading import is_number
from companion.store.authors import Author
from companion.store.dates import now
from companion.store.models import LeagueAction

MOST_LISTED = 30
Facts = Mapping[str, Any]
Undo = Callable[[Session, int, Facts], None]


class ActionRow(Struct, frozen=True):
    """One thing done to the league, as a page tells it."""

    act_id: int
    kind: str
    facts: Facts
    at: datetime
    undone: bool


def league_actions(session: Session, league_id: int, kinds: Collection[str]) -> list[ActionRow]:
    """List the latest things of these kinds done to a league, the last first."""
    rows = select(
        LeagueAction.id,
        LeagueAction.kind,
        LeagueAction.facts,
        LeagueAction.at,
        LeagueAction.undone_at.is_not(None),
    )
    of_league = rows.where(
        LeagueAction.league_id == league_id, LeagueAction.kind.in_(sorted(kinds))
    )
    listed = of_league.order_by(LeagueAction.id.desc()).limit(MOST_LISTED)
    return [ActionRow(*row) for row in session.execute(listed)]


def was_done(session: Session, league_id: int, key: str) -> bool:
    """Return whether something was done to the league under this key."""
    same = select(LeagueAction.id).where(
        LeagueAction.league_id == league_id, LeagueAction.key == key
    )
    return session.execute(same).first() is not None


def do_once(author: Author, key: str, kind: str, do: Callable[[Session], Facts]) -> None:
    """Do something to the league under its lock and remember its facts; a known key does nothing.

    Raises what `do` raises; then nothing is stored.
    """

    def write(session: Session) -> None:
        if was_done(session, author.league_id, key):
            return
        facts = dict(do(session))
        act = LeagueAction(
            league_id=author.league_id, device_id=author.device_id, key=key, kind=kind
        )
        act.at, act.facts = now(), facts
        session.add(act)

    in_league(author, write)


def undo_once(author: Author, act_id: int, undoing: Mapping[str, Undo]) -> None:
    """Undo something done to the league; what was undone before stays so.

    Raises `LookupError` where the league knows no such act of these kinds, and what the undoing
    raises; then nothing is stored.
    """
    of_league = select(LeagueAction).where(
        LeagueAction.league_id == author.league_id,
        LeagueAction.id == act_id,
        LeagueAction.kind.in_(sorted(undoing)),
    )

    def write(session: Session) -> None:
        act = session.execute(of_league).scalar_one_or_none() if is_number(act_id) else None
        if act is None:
            raise LookupError(act_id)
        if act.undone_at is None:
            undoing[act.kind](session, author.league_id, act.facts)
            act.undone_at = now()

    in_league(author, write)
