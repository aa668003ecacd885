"""A sealed league, what is altered in it behind our back, and what the doctor says of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from sqlalchemy import Connection, text

from companion.store.authors import Author
from companion.store.models import Base, db
from tests.support.command_runner import run

from .game_driver import Table

WHOLE = "The database is whole.\n"
TABLES: dict[str, Any] = dict(Base.metadata.tables)
HISTORY, SEAL, GAME, LINE = (TABLES[name] for name in ("history", "seal", "game", "line"))


def doctor(app: Flask, *words: str) -> str:
    """What the doctor says; it never breaks down, and only a whole database is none of its ills."""
    result = run(app, "doctor", *words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == (0 if result.output.endswith(WHOLE) else 1)
    return result.output


def two_games(author: Author) -> tuple[Table, Table]:
    """Two games side by side: seals 1, 3 and 5 are of the first one, 2, 4 and 6 of the other."""
    first, second = Table.start(author), Table.start(author)
    for points in ((0, 5, 9), (5, 0, 9)):
        first.score(*points)
        second.score(*points)
    return first, second


@contextmanager
def behind_our_back() -> Iterator[Connection]:
    """Somebody at the database itself, with the triggers out of the way."""
    db.session.remove()
    on_sqlite = db.engine.dialect.name == "sqlite"
    with db.engine.execution_options(writing=True).begin() as connection:
        if on_sqlite:
            triggers = connection.execute(text(TRIGGERS)).all()
            for name, _ in triggers:
                connection.execute(text(f"DROP TRIGGER {name}"))
            yield connection
            for _, statement in triggers:
                connection.exec_driver_sql(statement)
        else:
            for table in ("history", "seal"):
                connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
            yield connection
            for table in ("history", "seal"):
                connection.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))


TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
