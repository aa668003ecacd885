"""Whether a stored league is whole: the invariants, from the rows alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from companion.games.entries import seated_twice
from companion.games.reading import history_units, load_game
from companion.games.record import DealRecord, Record
from companion.store.models import Deal, Game, History, Line
from companion.store.progress import Progress, silent
from companion.store.schema import is_readable, schema_faults

from .recount import leagues, one_by_one

OF_GAME = ("seat", "deal", "line", "history", "rating")
"""Tables whose rows hang on a game, which must be of the same league (`I16`)."""


def all_faults(session: Session, progress: Progress = silent) -> Iterator[str]:
    """Find everything that is wrong: the file, every game and its history.

    `progress` hears how many games of how many are done.
    """
    schema = schema_faults(session.connection())
    yield from schema
    if not is_readable(schema):
        return
    yield from database_faults(session)
    for league_id in leagues(session):
        for number in one_by_one(session, league_id, progress):
            for words in game_faults(session, league_id, number):
                yield f"League {league_id}: {words}"


def database_faults(session: Session) -> Iterator[str]:
    """Find what is wrong with the database as a whole."""
    if session.get_bind().dialect.name == "sqlite":
        yield from _file_faults(session)
    for table in OF_GAME:
        lost = (
            f"SELECT count(*) FROM {table} JOIN game ON game.id = {table}.game_id "  # noqa: S608
            f"WHERE {table}.league_id <> game.league_id"
        )
        if count := session.execute(text(lost)).scalar_one():
            yield f"{count} rows of {table} are in another league than their game."
    twice = session.execute(seated_twice(Game.hidden.is_(False)))
    for number in dict.fromkeys(twice.scalars()):
        yield f"Game {number}: one person has two seats, under two names."
    outside = select(func.count()).select_from(Line).where(~Line.points.between(-99_999, 99_999))
    if count := session.execute(outside).scalar_one():
        yield f"{count} lines have points beyond those of any game."


def _file_faults(session: Session) -> Iterator[str]:
    """Ask SQLite itself, and what SQLite does not ask: whether numbers are whole."""
    for (verdict,) in session.execute(text("PRAGMA integrity_check")):
        if verdict != "ok":
            yield f"The file is damaged: {verdict}."
    for table, row, parent, _ in session.execute(text("PRAGMA foreign_key_check")):
        yield f"Row {row} of {table} belongs to no row of {parent}."
    for column in ("points", "position", "seat"):
        broken = f"SELECT count(*) FROM line WHERE typeof({column}) <> 'integer'"  # noqa: S608
        if count := session.execute(text(broken)).scalar_one():
            yield f"In {count} rows of line, {column} is not a whole number."


def game_faults(session: Session, league_id: int, number: int) -> Iterator[str]:
    """Find what is wrong with one game: its deals, its lines, its history."""
    where = f"Game {number}"
    try:
        # Hidden ones too, for they may come back.
        record = load_game(session, league_id, number, hidden=True).record
        for words in _row_faults(session, number, record):
            yield f"{where}: {words}"
        for words in _history_faults(session, number, record):
            yield f"{where}: {words}"
    except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
        first = str(fault).split("\n")[0][:200]
        yield f"{where} cannot be read: {first or type(fault).__name__}."


def _row_faults(session: Session, number: int, record: Record) -> Iterator[str]:
    positions = select(Deal.position).where(Deal.game_id == number).order_by(Deal.position)
    if list(session.execute(positions).scalars()) != list(range(1, len(record.deals) + 1)):
        yield "a deal is missing."
    for position, deal in enumerate(record.deals, start=1):
        seats = {seat for seat, stay in enumerate(record.seats) if stay.plays(position)}
        for words in _deal_faults(deal, seats):
            yield f"deal {position} {words}"
    points = select(Line.seat, func.sum(Line.points)).where(Line.game_id == number)
    added = {seat: int(total) for seat, total in session.execute(points.group_by(Line.seat))}
    totals = [stay.start + added.get(seat, 0) for seat, stay in enumerate(record.seats)]
    # Where no total falls below a floor it is no plain sum.
    if record.variant.ending.floor is None and totals != list(record.standing().totals):
        yield "its totals are not the sums of its lines."


def _deal_faults(deal: DealRecord, seats: set[int]) -> Iterator[str]:
    if deal.void and deal.lines:
        yield "is cancelled but has points."
    if not deal.void and not deal.lines:
        yield "has no points."
    if not set(deal.lines) <= seats:
        yield "has points for a player who was not there."
    if sum(line.tally.declared != "" for line in deal.lines.values()) > 1:
        yield "was ended by two players."


def _history_faults(session: Session, number: int, record: Record) -> Iterator[str]:
    revision = session.execute(select(Game.revision).where(Game.id == number)).scalar_one()
    numbers = select(History.revision).where(History.game_id == number).order_by(History.revision)
    kept = set(session.execute(numbers).scalars())
    if missing := set(range(1, revision + 1)) - kept:
        yield f"change {min(missing)} is missing from its history."
        return
    if len(kept) > revision:
        yield f"its history goes on after its latest change, {revision}."
        return
    then = Record.from_units(record.variant, history_units(session, number, revision))
    if replace(then, played_on=then.played_on or record.played_on) != record:
        yield "what is stored is not what its history says."
