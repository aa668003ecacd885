"""What was brought into a league: listed, and taken out again as one act."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.people.bulk_games import AT_ONCE, IMPORTED, SHOWING, TAKING, Pause, go_on
from companion.store.authors import Author
from companion.store.models import Game, LeagueAction

from .document_reader import ExchangeError


class Import(Struct, frozen=True):
    """One file that was brought in: whether that was undone, or is still going on."""

    act_id: int
    at: datetime
    league_name: str
    games: int
    undone_at: datetime | None
    is_moving: bool


def undo_import(author: Author, act_id: int, pause: Pause = lambda: None) -> None:
    """Take everything out again that one file brought in; the history of its games stays.

    A few games are taken out in each transaction, and `pause` is called in between. Raises
    `ExchangeError` where there is no such import, or it was undone before.
    """

    def write(session: Session) -> None:
        mine = (LeagueAction.league_id == author.league_id, LeagueAction.id == act_id)
        found = select(LeagueAction).where(*mine, LeagueAction.kind == IMPORTED)
        act = session.execute(found.with_for_update()).scalar_one_or_none()
        if act is None or act.undone_at is not None:
            raise ExchangeError("This has already been undone.")
        act.kind = TAKING

    in_league(author, write)
    go_on(author.league_id, act_id, pause)


def is_large(session: Session, league_id: int, act_id: int) -> bool:
    """Return whether an import has more games than one transaction should take out."""
    mine = select(func.count()).where(Game.league_id == league_id, Game.act_id == act_id)
    return session.execute(mine).scalar_one() > 2 * AT_ONCE


def imports(session: Session, league_id: int) -> list[Import]:
    """List what was brought into a league, the latest first."""
    shown = LeagueAction.kind.in_((IMPORTED, SHOWING, TAKING))
    mine = select(LeagueAction).where(LeagueAction.league_id == league_id, shown)
    return [
        Import(
            act.id,
            act.at,
            str(act.facts.get("league", "")),
            int(str(act.facts.get("games", 0))),
            act.undone_at,
            act.kind != IMPORTED,
        )
        for act in session.execute(mine.order_by(LeagueAction.id.desc())).scalars()
    ]
