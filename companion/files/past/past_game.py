"""What was read of old scores before anything is decided: games of cells, and every number."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from msgspec import Struct, field

from . import cell_values
from .cell_values import Order
from .cells import Cell
from .tables import Encoding

RowKind = Literal["games", "games so far", "deals", "deals so far"]
"""What a row stands for: a game's total or a deal's points, each for itself or the total so far."""


class PastGame(Struct):
    """One game as a sheet has it; each row of cells is in the order of `players`.

    `days` is the day in each order in which its writing can be read. A row is a deal, or with
    `are_totals` all there is; where `is_certain`, nothing else can be meant. `stated` are totals
    that the sheet gives beside its deals, "" where it has none; `highest_wins` what is better,
    None where that is not said; `won_only` where the file names winners and no points;
    `is_stopped` where the rules would have gone on, `is_titled` where the name is a title.
    """

    players: list[str]
    rows: list[list[str]]
    are_totals: bool
    days: Mapping[Order, date] = field(default_factory=dict)
    game: str = ""
    stated: list[str] = field(default_factory=list)
    winners: tuple[str, ...] = ()
    highest_wins: bool | None = None
    deal_word: str = "deal"
    sheet: str = ""
    table: int = 0
    is_certain: bool = False
    won_only: bool = False
    note: str = ""
    is_stopped: bool = False
    is_titled: bool = False

    @property
    def points(self) -> list[list[int | None]]:
        """The whole points of every cell; None for nothing, and for what cannot be read."""
        return [[_whole(cell) for cell in row] for row in self.rows]

    @property
    def sums(self) -> list[int]:
        """What the rows come to, added up."""
        return [sum(p or 0 for p in column) for column in zip(*self.points, strict=True)]


def _whole(cell: str) -> int | None:
    points = cell_values.points(cell)
    return None if points is None else int(points)


class PastScores(Struct):
    """All that was read of a file.

    `numbers` are all cells with a number, each with the reason why it is no score if no game has
    it; `twins` the players whose name stands above two columns, `doubtful` those whose column may
    be no player's; `columns` the headings of which any may
    be that of the points; `encodings` the ways to read the file's letters, the taken first.
    """

    games: list[PastGame]
    numbers: list[tuple[Cell, str]]
    notices: list[str]
    twins: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    columns: list[str] = field(default_factory=list)
    encodings: list[Encoding] = field(default_factory=list)
