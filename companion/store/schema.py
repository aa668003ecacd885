"""Whether the tables are those of this version, part by part and not by a version's number."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from sqlalchemy import Connection, Inspector, MetaData, inspect, text
from sqlalchemy.schema import Table

from .database import SettingError, has_database, versions
from .installation import COMMAND
from .models import APPEND_ONLY, Base, db

TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": (
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal AND tgenabled <> 'D' "
        "AND relnamespace = current_schema()::text::regnamespace"
    ),
}
GUARDS = {
    "sqlite": ("{table}_no_update", "{table}_no_delete"),
    "postgresql": ("{table}_append_only",),
}
UNREADABLE = ("The database lacks the table", "The database lacks the column")
OF_ALEMBIC = "alembic_version"
MADE_BY = "SELECT name, sql FROM sqlite_master ORDER BY name, type"


def holds_rows(connection: Connection) -> bool:
    """Return whether any table holds anything, of whatever version the tables are."""
    names = set(inspect(connection).get_table_names()) - {OF_ALEMBIC}
    looks = (f'SELECT 1 FROM "{name}" LIMIT 1' for name in names)  # noqa: S608
    return any(connection.execute(text(look)).all() for look in looks)


def is_behind(connection: Connection) -> bool:
    """Return whether the tables are those of an earlier version, or there are none yet.

    Raises `SettingError` for the database of a later version, or of another program.
    """
    known = versions()
    tables = inspect(connection).get_table_names()
    version = text(f"SELECT version_num FROM {OF_ALEMBIC}")  # noqa: S608
    current = set(connection.execute(version).scalars()) if OF_ALEMBIC in tables else set()
    if not current and tables:
        raise SettingError("This is the database of another program; it was left as it is.")
    if current - {*known}:
        raise SettingError(
            "The database was made by a later version of this program: install that one."
        )
    return current != {known[-1]}


def refuse_behind() -> None:
    """Refuse to work on tables of an earlier version, or on none; makes no file.

    Raises `SettingError`, also as `is_behind` does.
    """
    if has_database():
        with db.engine.connect() as connection:
            if not is_behind(connection):
                return
    raise SettingError(f"The database is not ready: run {COMMAND} prepare first.")


def schema_faults(connection: Connection) -> list[str]:
    """List what the database lacks of this version's tables, and what it has beside them."""
    ours = set(_expected(Base.metadata, connection.dialect.name))
    theirs = set(_found(connection))
    lacking, foreign = sorted(ours - theirs, key=_tables_first), sorted(theirs - ours)
    return [
        *(f"The database lacks the {part}." for part in lacking),
        *(f"The {part} is none of ours." for part in foreign),
    ]


def is_as_checked(connection: Connection) -> bool:
    """Return whether an SQLite file's tables are as `note_checked` saw them, without reading all.

    Other databases are to be looked at each time.
    """
    if connection.dialect.name != "sqlite":
        return False
    noted = connection.execute(text("PRAGMA application_id")).scalar_one()
    return bool(noted == _sum_of(connection.execute(text(MADE_BY)).all()))


def note_checked(connection: sqlite3.Connection) -> None:
    """Note in the head of an SQLite file that its tables as they stand are this version's."""
    (noted,) = connection.execute("PRAGMA application_id").fetchone()
    if noted != (now := _sum_of(connection.execute(MADE_BY).fetchall())):
        connection.execute(f"PRAGMA application_id={now}")


def _sum_of(made_by: Iterable[Any]) -> int:
    """Add up what a file says its tables are, and what this version expects of them."""
    expected = sorted(_expected(Base.metadata, "sqlite"))
    # `application_id` is a signed number of 32 bits.
    return crc32(repr(([tuple(row) for row in made_by], expected)).encode()) >> 1


def is_readable(faults: list[str]) -> bool:
    """Return whether every row can be read all the same: only rules or triggers differ."""
    return not any(fault.startswith(UNREADABLE) for fault in faults)


def _tables_first(part: str) -> tuple[bool, str]:
    return not part.startswith("table "), part


def _expected(metadata: MetaData, dialect: str) -> Iterator[str]:
    for table in metadata.tables.values():
        yield f"table {table.name}"
        for column in table.columns:
            yield _column(table.name, column.name, nullable=bool(column.nullable))
        for name in _names_of(table, dialect):
            yield f"rule {name} of {table.name}"
    for name in APPEND_ONLY:
        yield from (f"trigger {guard.format(table=name)}" for guard in GUARDS[dialect])


def _names_of(table: Table, dialect: str) -> Iterator[str]:
    """Name the foreign keys, unique and other rules of a table that this kind of database has."""
    yield from (str(index.name) for index in table.indexes)
    for constraint in table.constraints - {table.primary_key}:
        # SQLAlchemy tells nowhere else for which database a constraint is.
        only = getattr(constraint, "_ddl_if", None)
        if only is None or only.dialect == dialect:
            yield str(constraint.name)


def _column(table: str, column: str, *, nullable: bool) -> str:
    return f"column {table}.{column}" + (" (may be empty)" if nullable else "")


def _found(connection: Connection) -> Iterator[str]:
    tables = inspect(connection)
    for (_, table), columns in tables.get_multi_columns().items():
        if table != OF_ALEMBIC:
            yield f"table {table}"
            yield from (_column(table, c["name"], nullable=c["nullable"]) for c in columns)
    yield from _rules(tables)
    for name in connection.execute(text(TRIGGERS[connection.dialect.name])).scalars():
        yield f"trigger {name}"


def _rules(tables: Inspector) -> Iterator[str]:
    """Name every rule once: an index that only carries a unique rule has the rule's name."""
    for list_rules in (
        tables.get_multi_foreign_keys,
        tables.get_multi_unique_constraints,
        tables.get_multi_check_constraints,
        tables.get_multi_indexes,
    ):
        for (_, table), found in list_rules().items():
            if table != OF_ALEMBIC:
                yield from (f"rule {one['name']} of {table}" for one in found)
