"""A sheet of cells as tables: where each begins, and what each of its columns is.

A sheet falls into tables, parted by empty rows, each under a head that names its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal

from msgspec import Struct, field

from . import meaning
from .meaning import PastError
from .tables import MOST_CELLS

Kind = Literal["player", "date", "game", "deal", "who", "score", "winner", "other"]
Rows = Sequence[Sequence[str]]


class Table(Struct):
    """One table of a sheet: titles above it, the head, and the rows under it, all equally wide."""

    titles: list[str]
    head: list[str]
    rows: list[list[str]]
    kinds: list[Kind] = field(default_factory=list)

    def columns(self, kind: Kind) -> list[int]:
        """Return the numbers of all columns of a kind."""
        return [column for column, one in enumerate(self.kinds) if one == kind]

    def cell(self, row: Sequence[str], kind: Kind) -> str:
        """Return what stands in the first column of a kind; nothing where there is none."""
        columns = self.columns(kind)
        return row[columns[0]] if columns else ""

    def numbers(self, row: Sequence[str]) -> dict[str, int | None]:
        """Return what a row gives each player."""
        return {self.head[column]: meaning.points(row[column]) for column in self.columns("player")}


def score_tables(rows: Rows) -> Iterator[Table]:
    """Part a sheet into its tables; a title may stand alone above one."""
    titles: list[str] = []
    last: Table | None = None
    rows = [row for row in rows if not _is_rule(row)]
    for is_empty, part in groupby(rows, lambda row: not any(row)):
        if is_empty:
            continue
        chunk = _cut(list(part))
        while chunk and sum(map(bool, chunk[0])) == 1 and not _has_points(chunk[0]):
            titles.append(next(filter(None, chunk.pop(0))))
        if not chunk:
            continue
        if last and not titles and _has_points(chunk[0]) and len(chunk[0]) == len(last.head):
            last.rows += chunk
            continue
        if last:
            yield _described(last)
        last = Table(titles, chunk[0], chunk[1:])
        titles = []
    if last:
        yield _described(last)


def _is_rule(row: Sequence[str]) -> bool:
    """Return whether a row is the line under a head, as in Markdown: `|---|:--:|`."""
    cells = [cell for cell in row if cell]
    return bool(cells) and all(len(cell) > 2 and set(cell) <= {"-", ":"} for cell in cells)


def _cut(rows: list[Sequence[str]]) -> list[list[str]]:
    """Make rows equally wide, without columns that are empty."""
    width = max(map(len, rows))
    if width * len(rows) > MOST_CELLS:
        raise PastError(
            f"This table is too wide for its {len(rows):,} rows: {MOST_CELLS:,} cells are the "
            "most. Send it in parts."
        )
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in full)]
    return [[row[column] for column in used] for row in full]


def _has_points(row: Sequence[str]) -> bool:
    return any(meaning.number(cell) is not None for cell in row)


def _described(table: Table) -> Table:
    """Find out what each column is; a table with the players down its side is turned."""
    if _is_turned(table):
        whole = [table.head, *table.rows]
        turned = [[row[column] for row in whole] for column in range(len(table.head))]
        head = ["", *turned[0][1:]]  # the corner named the players, not the deals
        table = Table(table.titles, head, turned[1:])
    table.kinds = [_kind(table, column) for column in range(len(table.head))]
    if not ({"date", "game", "deal", "who"} & set(table.kinds)) and table.rows:
        labels = [row[0] for row in table.rows]
        if table.kinds[0] != "player" and all(map(_is_label, labels)):
            table.kinds[0] = "deal"
    return table


def _is_turned(table: Table) -> bool:
    labels = [cell for cell in table.head[1:] if meaning.word(cell) not in meaning.TOTALS]
    are_labels = len(labels) > 1 and all(
        meaning.deal_number(cell) is not None or meaning.days(cell) for cell in labels
    )
    names = [row[0] for row in table.rows]
    return are_labels and all(name and not _is_label(name) for name in names)


def _is_label(text: str) -> bool:
    """Return whether this names a row: a deal, a sum at the foot, or nothing."""
    if not text or meaning.deal_number(text) is not None:
        return True
    return meaning.word(text) in meaning.TOTALS | meaning.OTHERS


def _kind(table: Table, column: int) -> Kind:
    heading = meaning.word(table.head[column])
    names = meaning.heading_words(heading)
    cells = [row[column] for row in table.rows if row[column]]
    body = [cell for cell in cells if meaning.word(cell) not in meaning.FEET]
    are_points = bool(body) and all(map(meaning.is_points, body))
    if names & meaning.DATES or meaning.share(bool(meaning.days(one)) for one in body) > 0.6:
        return "date" if any(meaning.days(one) for one in body) else "other"
    named: list[tuple[frozenset[str], Kind, bool]] = [
        (meaning.GAMES, "game", True),
        (meaning.DEALS, "deal", all(meaning.deal_number(one) is not None for one in body)),
        (meaning.PLAYERS, "who", not are_points),
        (meaning.WINNERS, "winner", not are_points),
        (meaning.SCORES, "score", are_points and _has_names(table)),
        (meaning.TOTALS | meaning.OTHERS | meaning.WINNERS, "other", True),
    ]
    for words, kind, is_so in named:
        if names & words and is_so:
            return kind
    if column == 0 and all(map(_is_label, body)) and _counts_up(body):
        return "deal"
    is_name = any(map(str.isalpha, heading))
    return "player" if is_name and are_points and any(map(meaning.is_number, body)) else "other"


def _has_names(table: Table) -> bool:
    return any(meaning.heading_words(meaning.word(cell)) & meaning.PLAYERS for cell in table.head)


def _counts_up(labels: Sequence[str]) -> bool:
    numbers = [meaning.deal_number(label) for label in labels]
    return len(numbers) > 1 and all(
        one is not None and other is not None and other == one + 1
        for one, other in pairwise(numbers)
    )
