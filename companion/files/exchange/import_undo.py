"""What was brought into a league: listed, and taken out again as one act."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.people.bulk_games import (
    IMPORT_KINDS,
    close_undoing,
    games_of,
    hide_games,
    note_last_games,
)
from companion.store.authors import Author
from companion.store.models import LeagueAction

from .document_reader import ExchangeError


class Import(Struct, frozen=True):
    """One file that was brought in, by which phone, and whether that was undone."""

    act_id: int
    at: datetime
    league_name: str
    games: int
    undone_at: datetime | None
    device_id: int


def undo_import(author: Author, act_id: int) -> None:
    """Take everything out again that one file brought in; the history of its games stays.

    Raises `ExchangeError` where there is no such import, or it was undone before.
    """

    def write(session: Session) -> None:
        of_league = (LeagueAction.league_id == author.league_id, LeagueAction.id == act_id)
        brought_in = select(LeagueAction).where(*of_league, LeagueAction.kind.in_(IMPORT_KINDS))
        act = session.execute(brought_in.with_for_update()).scalar_one_or_none()
        if act is None or act.undone_at is not None:
            raise ExchangeError("This has already been undone.")
        hide_games(session, author.league_id, games_of(session, author.league_id, act_id))
        note_last_games(session, author.league_id)
        close_undoing(session, act)

    in_league(author, write)


def imports(session: Session, league_id: int) -> list[Import]:
    """List what was brought into a league, the latest first."""
    of_league = (LeagueAction.league_id == league_id, LeagueAction.kind.in_(IMPORT_KINDS))
    acts = select(LeagueAction).where(*of_league).order_by(LeagueAction.id.desc())
    return [
        Import(
            act.id,
            act.at,
            str(act.facts.get("league", "")),
            int(str(act.facts.get("games", 0))),
            act.undone_at,
            act.device_id,
        )
        for act in session.execute(acts).scalars()
    ]
