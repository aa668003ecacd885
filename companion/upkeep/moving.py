"""The whole database into another one, row by row with its numbers: SQLite, PostgreSQL and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from flask import current_app
from sqlalchemy import Connection, Engine, Table, create_engine, false, func, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from companion.store.database import SettingError, database_url, engine_options, sqlite_file, watch
from companion.store.installation import COMMAND
from companion.store.models import Base, db
from companion.store.progress import Progress, silent
from companion.store.schema import holds_rows, is_behind, schema_faults
from companion.store.trouble import explain

from .backups import nobody_else
from .integrity import all_faults
from .startup import migrate, one_at_a_time

AT_ONCE = 500


def move_database(setting: str, progress: Progress = silent) -> int:
    """Copy every row into another, empty database and prove it there; returns how many there are.

    `setting` is written as for `DATABASE_URL`. The rows come in one transaction: a move that ends
    early leaves both as they were, but for the empty tables that it made.
    Raises `SettingError` where the other database is not there, not empty or not ours, a server
    uses the file, or what arrived is not whole.
    """
    url = make_url(database_url(setting, Path(current_app.instance_path), "TARGET"))
    engine = create_engine(url, poolclass=NullPool, **engine_options(url.drivername))
    watch(engine)
    with ExitStack() as ends:
        ends.callback(engine.dispose)
        ends.enter_context(one_at_a_time(Path(current_app.instance_path)))
        if sqlite_file():
            ends.enter_context(nobody_else())
        _make_ready(engine)
        source = ends.enter_context(db.engine.connect())
        # On SQLite too a whole read of one moment, and a write that takes its lock at once.
        target = ends.enter_context(engine.execution_options(writing=True).connect())
        with target.begin():
            _refuse_rows(target)
            count = _copy(source, target, progress)
            with Session(target) as arrived:
                faults = list(islice(all_faults(arrived), 1))
            if faults:
                raise SettingError(f"Nothing was moved: {faults[0]} Run {COMMAND} doctor first.")
    return count


def _make_ready(engine: Engine) -> None:
    """Give an empty database the tables of this version."""
    if engine.url.render_as_string() == db.engine.url.render_as_string():
        raise SettingError("TARGET is the database that the scores are in. Name another one.")
    try:
        with engine.connect() as connection:
            is_new = not inspect(connection).get_table_names()
    except OperationalError as fault:
        raise SettingError(_not_there(engine.url, fault)) from None
    if is_new:
        migrate(engine)
    with engine.connect() as connection:
        try:
            is_ours = not is_behind(connection) and not schema_faults(connection)
        except SettingError:  # its words are for whoever would serve it
            is_ours = False
    if not is_ours:
        raise SettingError(
            "TARGET has not the tables of this version, and was left as it is. Name an empty one."
        )


def _not_there(url: URL, fault: OperationalError) -> str:
    if url.get_backend_name() == "sqlite":
        return f"Nothing was moved. TARGET {url.database} cannot be made: is there such a folder?"
    return f"Nothing was moved. Of TARGET: {explain(fault)}"


def _refuse_rows(target: Connection) -> None:
    if holds_rows(target):
        raise SettingError("TARGET is not empty, and was left as it is. Name an empty one.")


def _copy(source: Connection, target: Connection, progress: Progress) -> int:
    tables = Base.metadata.sorted_tables
    total = sum(source.execute(select(func.count()).select_from(t)).scalar_one() for t in tables)
    done = 0
    for table in tables:
        for rows in _rows(source, table):
            target.execute(table.insert(), rows)
            done += len(rows)
            progress(done, total)
        _number_on(target, table)
    return total


def _rows(source: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    """Read a table in parts; who is named by others of the same table comes before them."""
    own = (key.parent for key in table.foreign_keys if key.column is table.c.get("id"))
    later = (func.coalesce(column != table.c.id, false()) for column in own)
    order = (*later, *table.primary_key)
    found = source.execution_options(yield_per=AT_ONCE).execute(select(table).order_by(*order))
    for part in found.mappings().partitions():
        yield [dict(row) for row in part]


def _number_on(target: Connection, table: Table) -> None:
    """Let PostgreSQL give the numbers after those that came along; SQLite looks by itself."""
    column = table.autoincrement_column
    if column is None or target.dialect.name != "postgresql":
        return
    last = target.execute(select(func.max(column))).scalar_one()
    if last is not None:
        words = text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")
        target.execute(words, {"table": table.name, "column": column.name, "last": last})
