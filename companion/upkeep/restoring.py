"""A backup in the place of the database: copied, proved sound there, then exchanged."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

from flask import current_app
from msgspec import Struct
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from companion.store.database import (
    SettingError,
    copy_database,
    free_backup_path,
    sqlite_file,
    versions,
    watch,
)
from companion.store.disk import put_in_place, sync_file, sync_folder
from companion.store.models import db
from companion.store.progress import Progress, silent
from companion.store.schema import schema_faults

from .backups import Contents, contents, is_plain_copy, nobody_else
from .integrity import all_faults
from .startup import migrate, one_at_a_time, prepare

BESIDE = ("-wal", "-shm", "-journal")
MOST_FAULTS = 200


class Restored(Struct, frozen=True):
    """What was put in the place of the database, what is wrong with it, where the old one is."""

    held: Contents
    kept: Path | None
    faults: tuple[str, ...]


class DoubtfulBackupError(SettingError):
    """A file that can be read as our database and is not what its own history says."""

    def __init__(self, source: Path, faults: tuple[str, ...]) -> None:
        self.faults = faults
        super().__init__(
            f"{source} is not sound, and nothing was changed. Take another backup, or add "
            "--anyway to restore it as it is."
        )


def restore_database(
    source: Path, *, anyway: bool = False, progress: Progress = silent
) -> Restored:
    """Put a backup in the place of the database, once its scores are proved by their history.

    Raises `SettingError` in a sentence where the source is no database of ours or a server is
    running, and `DoubtfulBackupError` where it was copied by hand from a server in use or does not
    hold what its history says, unless `anyway`. Then nothing changed.
    """
    target = sqlite_file()
    if target is None:
        raise SettingError("PostgreSQL is restored with its own pg_restore.")
    # An open connection would go on in the file that is being replaced.
    db.session.remove()
    db.engine.dispose()
    with one_at_a_time(Path(current_app.instance_path)), nobody_else():
        fresh = _beside(target, "restoring")
        try:
            faults = (*_copied_by_hand(source), *_checked_copy(source, fresh, progress))
            if faults and not anyway:
                raise DoubtfulBackupError(source, faults)
            held, kept = contents(fresh), _put_aside(target)
            put_in_place(fresh, target)
        finally:
            _remove(fresh)
    prepare()
    return Restored(held, kept, faults)


def _beside(target: Path, what: str) -> Path:
    # In the database's folder: only there the exchange is one renaming.
    return target.with_name(f".{what}-{os.getpid()}.sqlite")


def _copied_by_hand(source: Path) -> tuple[str, ...]:
    if not source.is_file():
        raise SettingError(f"There is no file {source}.")
    if not is_plain_copy(source):
        return ()
    return (f"{source} was copied by hand from a running server: its latest scores may be lost.",)


def _checked_copy(source: Path, fresh: Path, progress: Progress) -> tuple[str, ...]:
    """Copy a source, its log as well, look the copy over and list what its history does not say."""
    _remove(fresh)
    for ending in ("", "-wal"):
        if Path(f"{source}{ending}").exists():
            shutil.copyfile(f"{source}{ending}", f"{fresh}{ending}")
    _look_over(source, fresh)
    return _disproved(source, fresh, progress)


def _look_over(source: Path, fresh: Path) -> None:
    """Refuse what SQLite cannot read whole, and what is no database of this program."""
    # The copy: to open the live file ourselves would drop the locks on it.
    with fresh.open("rb") as file:
        if not file.read(16).startswith(b"SQLite format 3\0"):
            raise SettingError(f"{source} is no database.")
    try:
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                raise SettingError(f"{source} is damaged: {verdict}.")
            if connection.execute("PRAGMA foreign_key_check").fetchone():
                raise SettingError(f"{source} is damaged: some of its rows belong to nothing.")
            _check_version(source, connection)
            # Folds the copied log in, for this one file takes the place of the database.
            connection.execute("PRAGMA journal_mode=DELETE")
            # The mark of the file that it was copied from would make it look like a careless copy.
            connection.execute("PRAGMA user_version=0")
    except sqlite3.DatabaseError as fault:
        raise SettingError(f"{source} is damaged or no database of ours: {fault}.") from None


def _check_version(source: Path, connection: sqlite3.Connection) -> None:
    """Refuse a database of another program, or of a later version of this one."""
    wanted = "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'game', 'line')"
    if connection.execute(wanted).fetchone() != (3,):
        raise SettingError(f"{source} is a database of another program.")
    found = {version for (version,) in connection.execute("SELECT * FROM alembic_version")}
    if not found or not found <= {*versions()}:
        raise SettingError(f"{source} was made by a later version of this program.")


def _disproved(source: Path, fresh: Path, progress: Progress) -> tuple[str, ...]:
    """Replay every history of a copy; an older one is migrated for it."""
    # Proved on a copy of the copy: the start after this migrates, and backs up before.
    trial = _beside(fresh, "proving")
    shutil.copyfile(fresh, trial)
    engine = create_engine(f"sqlite:///{trial}", connect_args={"isolation_level": None})
    watch(engine)
    try:
        migrate(engine)
        with Session(engine) as session:
            if faults := schema_faults(session.connection()):
                raise SettingError(f"{source} has not the tables of its version: {faults[0]}")
            return tuple(islice(all_faults(session, progress), MOST_FAULTS))
    finally:
        engine.dispose()
        _remove(trial)


def _put_aside(target: Path) -> Path | None:
    """Back the present database up; then make sure that nobody has it open, and fold its log in."""
    if not target.exists() or not target.stat().st_size:
        return None
    kept = free_backup_path(Path(current_app.instance_path), "restore")
    try:
        with closing(sqlite3.connect(target, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        copy_database(target, kept)
    except sqlite3.OperationalError:
        raise SettingError("The database is open in another program: stop that first.") from None
    except (sqlite3.DatabaseError, SettingError):
        shutil.copyfile(target, kept)  # damaged: kept as it is
        sync_file(kept)
    sync_folder(kept.parent)
    return kept


def _remove(path: Path) -> None:
    for ending in ("", *BESIDE):
        Path(f"{path}{ending}").unlink(missing_ok=True)
