"""Transactions of one game or one league: who may, what is held, and once more where it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from companion.store.authors import Author, Writer
from companion.store.database import writing
from companion.store.models import Game, League

from .opening import author_for
from .reading import is_number

Answer = TypeVar("Answer")


class NoSuchGameError(LookupError):
    """No game of this league has this number."""


def in_game(author: Author, game_id: int, write: Callable[[Session, Game], Answer]) -> Answer:
    """Run a write about a game in one transaction, with the game locked and not its league.

    Raises `NotAllowedError` and `NoSuchGameError`.
    """
    return retry_on_conflict(
        author, lambda session, _: write(session, lock_game(session, author, game_id))
    )


def in_league(author: Author, write: Callable[[Session], Answer]) -> Answer:
    """Run a write of the league itself in one transaction, with the league locked.

    Raises `NotAllowedError` where the author's phone may not do this any more.

    A write that changes games must lock them first, as every save does after locking the league.
    """
    return in_own_league(author, lambda session, _: write(session))


def in_own_league(writer: Writer, write: Callable[[Session, Author], Answer]) -> Answer:
    """Run a write of a league, opened in the same transaction where a newcomer has none.

    Raises `NotAllowedError`, and what the write raises; then there is no new league either.
    """

    def locked(session: Session, author: Author) -> Answer:
        lock_league(session, author.league_id)
        return write(session, author)

    return retry_on_conflict(writer, locked)


def retry_on_conflict(writer: Writer, write: Callable[[Session, Author], Answer]) -> Answer:
    """Run a write, and the whole of it once more if PostgreSQL asks for that (40001, 40P01)."""
    try:
        return _allowed(writer, write)
    except OperationalError as fault:
        # Serialization failure and deadlock: PostgreSQL asks for the whole transaction again.
        if getattr(fault.orig, "sqlstate", None) not in ("40001", "40P01"):
            raise
    return _allowed(writer, write)


def _allowed(writer: Writer, write: Callable[[Session, Author], Answer]) -> Answer:
    with writing() as session:
        return write(session, author_for(session, writer))


def lock_league(session: Session, league_id: int) -> None:
    """Hold a league until the end of the transaction; always before any of its games.

    Rows that only name the league (`KEY SHARE`) need not wait. A write to SQLite has it all.
    """
    # SQLite has one writer, so there it holds everything already (`BEGIN IMMEDIATE`).
    if session.get_bind().dialect.name == "postgresql":
        league = select(League.id).where(League.id == league_id)
        session.execute(league.with_for_update(key_share=True)).one()


def lock_game(session: Session, author: Author, game_id: int) -> Game:
    """Lock first, then look: a key or revision read before the lock may be old."""
    if not is_number(game_id):
        raise NoSuchGameError(game_id)
    of_league = select(Game).where(Game.id == game_id, Game.league_id == author.league_id)
    game = session.execute(of_league.with_for_update(key_share=True)).scalar_one_or_none()
    if game is None:
        raise NoSuchGameError(game_id)
    return game
