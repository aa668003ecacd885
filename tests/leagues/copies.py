"""Leagues written to a file, and what is in them."""

from __future__ import annotations

from datetime import date

from companion.cards import Refusal
from companion.files.exchange import (
    ImportResult,
    export_league,
    import_document,
    read_document,
    write_document,
)
from companion.files.exchange.import_check import check_document
from companion.games.shown.game_lists import list_games
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import db

from .game_driver import Table


def exported(author: Author | ImportResult) -> bytes:
    """A league's file."""
    db.session.rollback()
    return b"".join(write_document(export_league(db.session(), author.league_id)))


def copied(text: bytes, key: str = "once") -> ImportResult:
    return import_document(read_document(text), key, token="bob's token")


def finished(author: Author, *points: int, on: date | None = None) -> Table:
    table = Table.start(author, on=on)
    for _ in range(7):
        table.score(*points)
    return table


def wins(author: Author | ImportResult) -> dict[str, int]:
    db.session.rollback()
    return {row.name: int(row.wins) for row in standings(db.session(), author.league_id)}


def games(author: Author | ImportResult) -> list[int]:
    db.session.rollback()
    return [game.game_id for game in list_games(db.session(), author.league_id, most=100)]


def complaint(data: bytes) -> str:
    """What is said against a file; nothing if it may be brought in."""
    try:
        check_document(read_document(data))
    except Refusal as fault:
        return str(fault)
    return ""
