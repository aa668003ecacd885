"""A sheet of cells as tables: where each begins, and what each of its columns is.

A sheet falls into tables, parted by empty rows or columns or by a head that comes again, each under
a head that names its columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal

from msgspec import Struct, field

from companion.store.names import name_key, one_line

from . import cell_values, headings
from .cell_values import PastError
from .cells import Cell
from .tables import MOST_CELLS, MOST_COLUMNS, Rows

Kind = Literal["player", "date", "game", "deal", "who", "score", "winner", "name", "other"]
MOST_LOOKED = 1_000
_YEAR = re.compile(r" \d{4}$")
YES_OR_NO = {"true", "false", "yes", "no", "y", "n"}
FEWEST_POINTS = 0.5
"""The share of its cells with points from which on a column under a name is a player's."""


class Table(Struct):
    """One table of a sheet: titles above it, the head, and the rows under it, all equally wide.

    `twins` are the columns whose player has the name of another one's, `feet` the words that name
    rows below a row of sums, `sums` the rows that are what those above come to, whatever they are
    called; `pairs` the columns of points by those of the names whose points they are.
    """

    titles: list[str]
    head: list[str]
    rows: list[list[str]]
    kinds: list[Kind] = field(default_factory=list)
    twins: list[int] = field(default_factory=list)
    feet: set[str] = field(default_factory=set)
    sums: list[list[str]] = field(default_factory=list)
    pairs: dict[int, int] = field(default_factory=dict)

    def columns(self, kind: Kind) -> list[int]:
        """Return the numbers of all columns of a kind."""
        return [column for column, one in enumerate(self.kinds) if one == kind]

    def cell(self, row: Sequence[str], kind: Kind) -> str:
        """Return what stands in the first column of a kind; nothing where there is none."""
        return row[self.kinds.index(kind)] if kind in self.kinds else ""

    def scores(self, row: Sequence[str]) -> dict[str, str]:
        """Return the cell in which a row gives each player points."""
        if self.pairs:
            # As teams are written in a league: Ann + Bob.
            return {
                one_line(row[name]).replace(" & ", " + "): row[points]
                for name, points in self.pairs.items()
            }
        return {self.head[column]: row[column] for column in self.columns("player")}

    def is_foot(self, row: Sequence[str]) -> bool:
        """Return whether a row is about the others, and no game or deal."""
        return self._label(row) in headings.FEET | self.feet or self.is_total(row)

    def is_total(self, row: Sequence[str]) -> bool:
        """Return whether a row has the sums of the others."""
        return self._label(row) in headings.TOTALS or any(row is one for one in self.sums)

    def _label(self, row: Sequence[str]) -> str:
        """Return what names a row: the first text in a column that has no points."""
        cells = (cell for cell, kind in zip(row, self.kinds, strict=True) if kind != "player")
        return headings.word(_YEAR.sub("", next(filter(None, cells), "")))


def score_tables(rows: Rows) -> Iterator[Table]:
    """Part a sheet into its tables, each with the titles that stand above it."""
    titles: list[str] = []
    last: Table | None = None
    rows = [row for row in rows if not _is_rule(row)]
    for is_empty, part in groupby(rows, lambda row: not any(row)):
        if is_empty:
            continue
        for chunk in _side_by_side(_cut(list(part))):
            above, body = _titles(chunk)
            titles += above
            if not body:
                continue
            if last and not titles and _has_points(body[0]) and len(body[0]) == len(last.head):
                last.rows += body
                continue
            if last:
                yield _described(last)
            *whole, (more, end) = _heads(body)
            for heading, block in whole:
                yield _described(_headed(titles + heading, block))
                titles = []
            last = _headed(titles + more, end)
            titles = []
    if last:
        yield _described(last)


def _titles(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Part the lines above a head from it: a title alone, or *Game* or *Date* with its value."""
    titles: list[str] = []
    count = 0
    for row in rows:
        filled = [cell for cell in row if cell]
        if _has_points(row) and not cell_values.days(filled[-1]):
            break
        is_named = len(filled) == 2 and filled[0] == row[0] and _named(filled[0])
        if len(filled) != 1 and not (is_named and len(row) > 2):
            break
        titles.append(filled[-1])
        count += 1
    return titles, _cut(rows[count:])


def _named(heading: str) -> bool:
    return headings.word(heading) in headings.GAMES | headings.DATES


def _heads(rows: list[list[str]]) -> list[tuple[list[str], list[list[str]]]]:
    """Part rows wherever their head comes again, or a title with a head below it."""
    head = {headings.word(cell) for cell in rows[0] if cell}
    starts = [0]
    for number in range(2, len(rows)):
        filled = [cell for cell in rows[number] if cell]
        if len(filled) < 2 or any(map(cell_values.holds_number, filled)):
            continue
        again = sum(headings.word(cell) in head for cell in filled)
        is_titled = sum(map(bool, rows[number - 1])) == 1
        if 2 * again > len(filled) or (is_titled and not _has_points(rows[number - 1])):
            starts.append(number - is_titled)
    parts = [rows[start:end] for start, end in zip(starts, [*starts[1:], len(rows)], strict=True)]
    return [_titles(part) for part in parts]


def _headed(titles: list[str], rows: list[list[str]]) -> Table:
    """Make a table of its rows: the head may be two rows, or none above names and numbers."""
    if not rows:
        return Table(titles, [""], [])
    if len(rows) > 2 and not any(map(_has_points, rows[:2])):
        below = [cell for cell in rows[1] if cell]
        known = [
            cell for cell in below if headings.words_of(cell) & (headings.KNOWN | headings.BESIDE)
        ]
        if len(below) > len(set(map(headings.word, known))) < len(known) and not all(rows[0]):
            return Table(titles, _joined_head(rows[0], rows[1]), rows[2:])
    if _is_headless(rows):
        return Table(titles, ["", *map(str, range(1, len(rows[0])))], rows)
    return Table(titles, rows[0], rows[1:])


def _is_headless(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether each row is a name and its numbers, with nothing above them."""
    names = [row[0] for row in rows]
    return len(set(names)) == len(names) > 1 and all(
        bool(name)
        and not (_is_label(name) or cell_values.days(name) or cell_values.is_number(name))
        and all(map(cell_values.is_number, more))
        for name, *more in rows
    )


def _joined_head(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Write a name that stands over several columns before what each of them is."""
    name, head = "", []
    for one, other in zip(above, below, strict=True):
        name = one or name
        head.append(" ".join(filter(None, (name, other))))
    return head


def _side_by_side(rows: list[list[str]]) -> list[list[list[str]]]:
    """Part tables that stand beside one another, each with deals of its own or the same names."""
    width = len(rows[0])
    used = [any(row[column] for row in rows) for column in range(width)]
    starts = [c for c in range(width) if used[c] and (c == 0 or not used[c - 1])]
    parts = [
        _cut([row[start:end] for row in rows])
        for start, end in zip(starts, [*starts[1:], width], strict=True)
    ]
    if len(parts) > 1 and all(map(_is_whole, parts)):
        return parts
    return [_cut(rows, closely=True)]


def _is_whole(rows: list[list[str]]) -> bool:
    """Return whether a part has a head of its own with numbered deals or days beside its names."""
    body = _titles(rows)[1]
    if len(body) < 2 or len(body[0]) < 3 or _has_points(body[0]):
        return False
    return all(_is_label(row[0]) or bool(cell_values.days(row[0])) for row in body[1:])


def _is_rule(row: Sequence[str]) -> bool:
    """Return whether a row is the line under a head, as in Markdown: `|---|:--:|`."""
    cells = [cell for cell in row if cell]
    return bool(cells) and all(len(cell) > 2 and set(cell) <= {"-", ":"} for cell in cells)


def _cut(rows: Sequence[Sequence[str]], *, closely: bool = False) -> list[list[str]]:
    """Make rows equally wide, without empty columns at their ends, `closely` without any."""
    if not rows:
        return []
    width = max(map(len, rows))
    if width * len(rows) > MOST_CELLS:
        raise PastError(
            f"This table is too wide for its {len(rows):,} rows: {MOST_CELLS:,} cells are the "
            "most. Send it in parts."
        )
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in full)]
    kept = used if closely else range(used[0], used[-1] + 1)
    return [[row[column] for column in kept] for row in full]


def _has_points(row: Sequence[str]) -> bool:
    return any(cell_values.number(cell) is not None for cell in row)


def _described(table: Table) -> Table:
    """Find out what each column is; a table with the players down its side is turned."""
    if _is_turned(table):
        whole = [table.head, *table.rows]
        turned = [[row[column] for row in whole] for column in range(len(table.head))]
        head = ["", *turned[0][1:]]  # the corner named the players, not the deals
        table = Table(table.titles, head, turned[1:])
    table.feet = _foot_words(table)
    table.pairs = _name_pairs(table)
    beside = set[int]() if table.pairs else _name_player_columns(table)
    table.kinds = [
        "other" if column in beside else _kind(table, column) for column in range(len(table.head))
    ]
    if not ({"date", "game", "deal", "who"} & set(table.kinds)) and table.rows:
        labels = [row[0] for row in table.rows]
        others = headings.words_of(table.head[0]) & (headings.KNOWN - headings.DEALS)
        if table.kinds[0] != "player" and not others and all(map(_is_label, labels)):
            table.kinds[0] = "deal"
    _leave_out_other_days(table)
    for name, points in table.pairs.items():
        table.kinds[name], table.kinds[points] = "name", "player"
    _leave_out_stakes(table)
    if not table.pairs:
        _tell_apart(table)
    _find_sums(table)
    return table


def _foot_words(table: Table) -> set[str]:
    """Find what names the rows that go on below a row of sums: Evenings won."""
    feet: set[str] = set()
    is_below = False
    for row in table.rows if not headings.words_of(table.head[0]) & headings.GAMES else ():
        label = next(filter(None, row), "")
        if headings.word(label) in headings.FEET:
            is_below = True
        elif is_below and any(map(str.isalpha, label)) and not cell_values.holds_number(label):
            feet.add(headings.word(label))
        else:
            is_below = False
    return feet


def _name_player_columns(table: Table) -> set[int]:
    """Where each player has several columns, name that of points by them; return the others."""
    columns: dict[str, dict[int, str]] = {}
    _name_by_last_word(table)
    for column, heading in enumerate(table.head):
        name, _, last = one_line(heading).rpartition(" ")
        if name and headings.word(last) in headings.SCORES | headings.BESIDE:
            columns.setdefault(name, {})[column] = headings.word(last)
    several = {name: words for name, words in columns.items() if len(words) > 1}
    beside: set[int] = set()
    for name, words in several.items() if len(several) > 1 else ():
        ranked = sorted(
            words,
            key=lambda c: (words[c] not in headings.POINTS, words[c] in headings.BESIDE),
        )
        table.head[ranked[0]] = name
        beside.update(ranked[1:])
    return beside


def _name_by_last_word(table: Table) -> None:
    """Name columns by their players where several are called *Total Ann*, *Score Bob*."""
    names: dict[int, str] = {}
    for column, heading in enumerate(table.head):
        first, _, name = one_line(heading).partition(" ")
        is_sum = headings.word(first) in headings.TOTALS | headings.SCORES
        if is_sum and name and not headings.words_of(name) & headings.KNOWN:
            names[column] = name
    if len(names) > 1 and not {*names.values()} & {*table.head}:
        for column, name in names.items():
            table.head[column] = name


def _leave_out_stakes(table: Table) -> None:
    """See a last column for what was played for, where all others add up to 0 without it."""
    columns = table.columns("player")
    if len(columns) < 4 or len(table.rows) < 3 or not {"deal", "player"} >= set(table.kinds):
        return
    rows = [[cell_values.points(row[column]) or 0 for column in columns] for row in table.rows]
    if all(sum(row[:-1]) == 0 for row in rows) and any(map(sum, rows)):
        table.kinds[columns[-1]] = "other"


def _leave_out_other_days(table: Table) -> None:
    """Where one column has days, another that is only called so has weekdays or the like."""
    columns = table.columns("date")
    read = [c for c in columns if any(cell_values.day_cell(row[c]) for row in table.rows)]
    for column in columns if read else ():
        if column not in read:
            table.kinds[column] = "other"


def _name_pairs(table: Table) -> dict[int, int]:
    """Find names that stand beside their points: 1st, pts, 2nd, pts."""
    columns = [
        (column, [row[column] for row in table.rows if row[column]])
        for column in range(len(table.head))
    ]
    points = [
        column
        for column, cells in columns
        if _is_score(table.head[column]) and cells and all(map(cell_values.is_points, cells))
    ]
    names = [
        column
        for column, cells in columns
        if not headings.words_of(table.head[column]) & headings.GAMES
        and cells
        and all(any(map(str.isalpha, cell)) and not cell_values.days(cell) for cell in cells)
    ]
    return dict(zip(names, points, strict=True)) if len(points) == len(names) > 1 else {}


def _is_score(heading: str) -> bool:
    return bool(headings.words_of(heading.rstrip("0123456789")) & headings.SCORES)


def _find_sums(table: Table) -> None:
    """Find the rows that are the sums of those above, though nothing says so."""
    if table.columns("who") and not table.pairs:
        return
    columns = table.columns("player")
    sums, above = [0] * len(columns), 0
    for row in table.rows:
        points = [int(cell_values.points(row[column]) or 0) for column in columns]
        deal = cell_values.deal_number(table.cell(row, "deal")) is not None
        is_named = deal or bool(cell_values.day_cell(table.cell(row, "date")))
        if above > 1 and points == sums and any(points) and not is_named:
            table.sums.append(row)
        elif not table.is_foot(row):
            sums = [total + more for total, more in zip(sums, points, strict=True)]
            above += 1


def _tell_apart(table: Table) -> None:
    """Clean the players' names, and number those who have the same one."""
    seen: Counter[str] = Counter()
    for column in table.columns("player"):
        name = one_line(table.head[column])
        key = name_key(name)
        seen[key] += 1
        if seen[key] > 1:
            name = f"{name} {seen[key]}"
            table.twins.append(column)
        heading = table.head[column]
        if isinstance(heading, Cell):
            name = Cell(name, heading.row, heading.column, heading.sheet)
        table.head[column] = name


def _is_turned(table: Table) -> bool:
    labels = [
        cell
        for cell in table.head[1:]
        if not headings.words_of(cell) & (headings.TOTALS | headings.OTHERS)
    ]
    are_labels = len(labels) > 1 and all(
        cell_values.deal_number(cell) is not None or cell_values.days(cell) for cell in labels
    )
    names = [row[0] for row in table.rows[: MOST_COLUMNS + 1]]
    are_names = all(name and not (_is_label(name) or cell_values.days(name)) for name in names)
    return are_labels and are_names and len(names) <= MOST_COLUMNS


def _is_label(text: str) -> bool:
    """Return whether this names a row: a deal, a sum at the foot, or nothing."""
    if not text or cell_values.deal_number(text) is not None:
        return True
    return headings.word(text) in headings.TOTALS | headings.OTHERS


def _kind(table: Table, column: int) -> Kind:
    heading = headings.word(table.head[column])
    names = headings.words_of(table.head[column])
    cells = [row[column] for row in table.rows if row[column]]
    # A long column is known by some of its cells, from its beginning to its end.
    some = cells[:: 1 + len(cells) // MOST_LOOKED]
    body = [cell for cell in some if headings.word(cell) not in headings.FEET | table.feet]
    are_points = cell_values.share(map(cell_values.is_points, body)) >= FEWEST_POINTS
    if (
        names & headings.DATES
        or cell_values.share(bool(cell_values.days(one)) for one in body) > 0.6
    ):
        are_labels = not any(map(cell_values.day_cell, body)) and all(map(_is_label, body))
        return "game" if are_labels else "date"
    numbered = [cell_values.deal_number(one) is not None for one in body]
    # Words may stand between: carried over, a subtotal, a penalty.
    labels = [one for one, is_number in zip(body, numbered, strict=True) if is_number]
    named: list[tuple[frozenset[str], Kind, bool]] = [
        (headings.GAMES, "game", True),
        (headings.DEALS, "deal", all(numbered) or _counts_up(labels)),
        (
            headings.PLAYERS,
            "who",
            not are_points and not YES_OR_NO.issuperset(map(str.lower, some)),
        ),
        (headings.WINNERS, "winner", not are_points),
        (headings.SCORES, "score", are_points and _has_names(table)),
        (headings.TOTALS | headings.OTHERS | headings.WINNERS, "other", True),
    ]
    for words, kind, is_so in named:
        if names & words and is_so:
            return kind
    if column == 0 and all(map(_is_label, body)) and _counts_up(body):
        return "deal"
    is_name = any(map(str.isalpha, heading)) and heading not in headings.SCORES | headings.PLAYERS
    return "player" if is_name and are_points and any(map(cell_values.is_number, body)) else "other"


def _has_names(table: Table) -> bool:
    return any(headings.words_of(cell) & headings.PLAYERS for cell in table.head)


def _counts_up(labels: Sequence[str]) -> bool:
    numbers = [cell_values.deal_number(label) for label in labels]
    return len(numbers) > 1 and all(
        one is not None and other is not None and other == one + 1
        for one, other in pairwise(numbers)
    )
