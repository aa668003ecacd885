"""What can go wrong outside the program, in a sentence: the disk, the file, the other server."""

from __future__ import annotations

import errno
import re
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
NO_USER = "The database server knows no user of this name."
OTHER_TLS = "The database server's encryption is not what the address asks for."
NO_ROOM = "The database server takes no more connections."
NO_HOST = "There is no database server of this name."
AT_THE_DOOR = (
    (r"\bdatabase .* does not exist", OF_POSTGRESQL["3D000"]),
    (r"\brole .* does not exist", NO_USER),
    (r"authentication failed|no pg_hba\.conf entry|no password supplied", OF_POSTGRESQL["28"]),
    (r"support SSL|certificate|sslmode", OTHER_TLS),
    (r"too many clients|connection slots", NO_ROOM),
    (r"failed to resolve host|could not translate host name", NO_HOST),
)
"""By what libpq says of a connection that was not made: it keeps PostgreSQL's number to itself."""
AWAY = "The database server does not answer."
NEXT_STEP = {
    OF_POSTGRESQL["3D000"]: "Make it with createdb, or look at the address.",
    NO_USER: "Make one with createuser, or look at the address.",
    OF_POSTGRESQL["28"]: "Look at user and password in the address, and at pg_hba.conf.",
    OTHER_TLS: "Look at sslmode and sslrootcert in the address.",
    NO_ROOM: "Raise its max_connections, or start fewer processes.",
    NO_HOST: "Look at the address.",
    AWAY: "Start it, or look at host and port in the address.",
}
"""For who runs the server; pages, which others read, leave it out."""
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


def explain(fault: BaseException) -> str:
    """Say what is wrong outside the program and what to do next; nothing as `trouble` does."""
    words = trouble(fault)
    return f"{words} {NEXT_STEP.get(words, '')}".rstrip()


def _of_postgresql(fault: BaseException) -> str:
    """Sort a fault of psycopg by its number; without one the connection was not made or lost."""
    if not type(fault).__module__.startswith("psycopg"):
        return ""
    number = getattr(fault, "sqlstate", None) or ""
    if not number:
        return next((words for sign, words in AT_THE_DOOR if re.search(sign, str(fault))), AWAY)
    if said := _starting(OF_POSTGRESQL, number):
        return said
    return "" if number.startswith(PROGRAM) else AWAY


def _starting(sentences: dict[str, str], name: str) -> str:
    return next((words for start, words in sentences.items() if name.startswith(start)), "")


TROUBLES: tuple[type[Exception], ...] = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""What may be raised for a cause outside the program; `trouble` tells whether it was."""
