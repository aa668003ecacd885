"""What was read of old scores before anything is decided: games of cells, and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from msgspec import Struct, field

from . import meaning
from .meaning import Order
from .tables import Writing

RowKind = Literal["", "games", "games so far", "deals", "deals so far"]
"""What a row stands for: a game's total or a deal's points, each for itself or the total so far."""


class PastGame(Struct):
    """One game as a sheet tells it; each row of cells is in the order of `players`.

    `days` is the day in each order in which its writing can be read. A row is a deal, or with
    `are_totals` all there is. `stated` are totals that the sheet gives beside its deals,
    `highest_wins` what is better, None where that is not said; `won_only` where the file names
    winners and no points; `twins` those whose name stands above two columns.
    """

    players: list[str]
    rows: list[list[str]]
    are_totals: bool
    days: Mapping[Order, date] = field(default_factory=dict)
    game: str = ""
    stated: Mapping[str, str] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    highest_wins: bool | None = None
    deal_word: str = "deal"
    sheet: str = ""
    table: int = 0
    row_kind: RowKind = ""
    won_only: bool = False
    twins: tuple[str, ...] = ()

    @property
    def numbers(self) -> list[list[int]]:
        """The whole points of every cell, nothing and what cannot be read as 0."""
        return [[int(meaning.points(cell) or 0) for cell in row] for row in self.rows]

    @property
    def sums(self) -> list[int]:
        """What the rows come to, added up."""
        return [sum(column) for column in zip(*self.numbers, strict=True)]


class Leftover(Struct, frozen=True):
    """A number that is part of no score, and why."""

    sheet: str
    cell: str
    reason: str


class PastScores(Struct):
    """All that was read of a file; `writings` are the ways to read its letters, the taken first."""

    games: list[PastGame]
    leftovers: list[Leftover]
    notices: list[str]
    writings: list[Writing] = field(default_factory=list)
