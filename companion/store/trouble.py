"""What can go wrong outside the program, in a sentence: the disk, the file, the other server."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy import exc

from .installation import COMMAND

DAMAGED = f"The database file is damaged. Restore a backup with {COMMAND} restore."
OF_SQLITE = {
    "SQLITE_FULL": "The server's disk is full.",
    "SQLITE_READONLY": "The server may not write to its database file.",
    "SQLITE_CANTOPEN": "The server cannot open its database file.",
    "SQLITE_PERM": "The server may not open its database file.",
    "SQLITE_AUTH": "The server may not open its database file.",
    "SQLITE_NOTADB": "The database file is no SQLite database.",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_IOERR": "The server's disk does not answer.",
    "SQLITE_BUSY": "The database is busy.",
    "SQLITE_LOCKED": "The database is busy.",
    "SQLITE_PROTOCOL": "The database is busy.",
}
"""By the beginning of SQLite's name for a fault."""
OF_POSTGRESQL = {
    "53100": "The database server's disk is full.",
    "25006": "The database server takes no changes now.",
    "3D000": "The database server has no database of this name.",
    "28": "The database server does not let us in.",
    "42501": "The database server does not let us change this database.",
}
"""By the beginning of PostgreSQL's number for a fault."""
AWAY = "The database server does not answer."
PROGRAM = ("22", "23", "42", "0A")
"""How PostgreSQL's numbers begin for faults that are the program's own."""
OF_DISK = {
    errno.ENOSPC: "The server's disk is full.",
    errno.EDQUOT: "The server's disk is full.",
    errno.EROFS: "The server may not write to its disk.",
    errno.EACCES: "The server may not write to its folder.",
    errno.EPERM: "The server may not write to its folder.",
    errno.EIO: "The server's disk does not answer.",
}


def trouble(fault: BaseException) -> str:
    """Say what is wrong outside the program; nothing where a fault is the program's own."""
    if isinstance(fault, exc.TimeoutError):
        return "The database is busy."
    if isinstance(fault, exc.DBAPIError) and fault.orig is not None:
        return trouble(fault.orig)
    if isinstance(fault, sqlite3.Error):
        return _starting(OF_SQLITE, getattr(fault, "sqlite_errorname", ""))
    if isinstance(fault, OSError):
        return OF_DISK.get(fault.errno or 0, "")
    return _of_postgresql(fault)


def _of_postgresql(fault: BaseException) -> str:
    """Sort a fault of psycopg by its number; one without a number is a lost connection."""
    if not type(fault).__module__.startswith("psycopg"):
        return ""
    number = getattr(fault, "sqlstate", None) or ""
    if said := _starting(OF_POSTGRESQL, number):
        return said
    return "" if number.startswith(PROGRAM) else AWAY


def _starting(sentences: dict[str, str], name: str) -> str:
    return next((words for start, words in sentences.items() if name.startswith(start)), "")


TROUBLES: tuple[type[Exception], ...] = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""What may be raised for a cause outside the program; `trouble` tells whether it was."""
