"""Tables under a second name, for questions that many threads ask with the same words."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy import inspect
from sqlalchemy.orm import aliased

Table = TypeVar("Table")


def shared_alias(table: type[Table]) -> type[Table]:
    """Return an alias that any number of threads may use at once from the first moment.

    SQLAlchemy indexes an alias's columns when one is first looked up, and a thread that looks
    meanwhile is given the column of the plain table: its question is then wrong for as long as the
    server runs. Here the first look is that of the thread that imports.
    """
    alias = aliased(table)
    key = inspect(table).primary_key[0]
    inspect(alias).selectable.corresponding_column(key)
    return alias
