"""What a server does before it serves: one at a time, lock, back up, migrate, bring up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from flask import current_app
from sqlalchemy import Engine

from companion.phones.presence import forget_all
from companion.store.database import (
    MIGRATIONS,
    SettingError,
    copy_database,
    free_backup_path,
    has_database,
    load_migrations,
    sqlite_file,
)
from companion.store.installation import COMMAND
from companion.store.models import db
from companion.store.schema import (
    holds_rows,
    is_as_checked,
    is_behind,
    note_checked,
    schema_faults,
)
from companion.store.trouble import DAMAGED

LARGEST_LOOK = 256 * 2**20


def prepare(*, is_backed_up: bool = False) -> str | None:
    """Make the database ready before any worker starts: lock, backup, migrate, WAL.

    Returns the path of the backup made before a migration of existing data, if one was due.
    PostgreSQL has tools of its own for that: whoever starts says that it `is_backed_up`.
    Raises `SettingError` where it is not, or the tables are not those of this version afterwards.
    """
    instance = Path(current_app.instance_path)
    _keep_private(instance)
    forget_all(instance)
    with one_at_a_time(instance):
        saved = None
        _check_file()
        with db.engine.connect() as connection:
            changes = is_behind(connection)
            is_at_stake = changes and sqlite_file() is None and holds_rows(connection)
        if is_at_stake and not is_backed_up:
            raise SettingError(
                "The tables are those of an earlier version. Back the database up with pg_dump, "
                f"then run {COMMAND} prepare --backed-up. Nothing was changed."
            )
        if changes:
            saved = _backup_before_migrating(instance)
            _upgrade()
        _check_schema()
        if path := sqlite_file():
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                note_checked(connection)
        return str(saved) if saved else None


def _upgrade() -> None:
    """Bring the tables to this version."""
    # Only here: to import Alembic took an eighth of the time to the first page.
    load_migrations(current_app)
    from flask_migrate import upgrade

    upgrade(directory=str(MIGRATIONS))


def _check_schema() -> None:
    """Refuse to serve tables that are not those of this version, whatever their number says."""
    with db.engine.connect() as connection:
        # To read every table took most of a start; the file notes what was found in order.
        faults = [] if is_as_checked(connection) else schema_faults(connection)
    if faults:
        raise SettingError(
            f"The database has not the tables of this version: {faults[0]} "
            f"Restore a backup with {COMMAND} restore."
        )


def migrate(engine: Engine) -> None:
    """Bring the tables of another database to this version, such as a copy that is looked over."""
    load_migrations(current_app)
    from alembic import command

    config = current_app.extensions["migrate"].migrate.get_config(str(MIGRATIONS))
    config.attributes["engine"] = engine
    command.upgrade(config, "head")


def _keep_private(instance: Path) -> None:
    """Let nobody else on this computer read scores, keys or backups; older versions did not ask.

    The folder itself is closed where it is the product's own; one that somebody chose may hold
    more than ours.
    """
    names = ("companion.sqlite*", "*_key", "*_key-*", "*.lock")
    ours = [path for name in names for path in instance.glob(name)]
    folders = [path for path in (instance / "backups", instance / "imports") if path.is_dir()]
    if instance.name == "instance":
        folders.append(instance)
    with suppress(PermissionError):
        for folder in folders:
            folder.chmod(0o700)
        for path in (*ours, *(instance / "backups").glob("*.sqlite")):
            path.chmod(0o600)


@contextmanager
def one_at_a_time(instance: Path) -> Iterator[None]:
    """Hold a lock that dies with its process, on every system that has SQLite."""
    # Several processes start at once: the others wait for the one that migrates.
    with closing(sqlite3.connect(instance / "start.lock", timeout=120)) as lock:
        lock.isolation_level = None
        lock.execute("BEGIN EXCLUSIVE")
        yield


def _check_file() -> None:
    """Refuse to serve a damaged SQLite file, as far as a look at the start may take.

    Raises `SettingError`; `flask doctor` looks at larger ones.
    """
    path = sqlite_file()
    if path is None or not path.exists() or path.stat().st_size > LARGEST_LOOK:
        return
    with closing(sqlite3.connect(path)) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise SettingError(DAMAGED)


def _backup_before_migrating(instance: Path) -> Path | None:
    """Copy a SQLite database that holds data; PostgreSQL has its own tools for this."""
    source = sqlite_file()
    if source is None or not has_database():
        return None
    target = free_backup_path(instance, "migration")
    copy_database(source, target)
    return target
