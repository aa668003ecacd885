"""A league with games played, and its pages in words."""

from __future__ import annotations

from datetime import date

from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.support.reports import CONTRACT, ZIONCHECK


def played(author: Author, *points: int, on: date, names: str = "Ann Bob Cleo") -> Table:
    """Play a game in which every deal brings the same points; two people play Zioncheck."""
    people = names.split()
    variant = CONTRACT if len(people) > 2 else ZIONCHECK
    table = Table.start(author, *people, variant=variant, on=on)
    for _ in variant.deals:
        table.score(*points)
    return table
