"""A table of a sheet: its head, its rows, and what each of its columns is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Literal

from msgspec import Struct, field

from companion.store.names import name_key, one_line

from . import cell_values, headings
from .cells import Cell
from .tables import MOST_COLUMNS
from .unlike_players import unlike_players

Kind = Literal[
    "player", "date", "game", "contract", "deal", "who", "score", "winner", "name", "other"
]
MOST_LOOKED = 1_000
_YEAR = re.compile(r" \d{4}$")
YES_OR_NO = {"true", "false", "yes", "no", "y", "n"}
MOSTLY = 0.8
FEWEST_POINTS = 0.5
"""The share of its cells with points from which on a column under a name is a player's."""


class Table(Struct):
    """One table of a sheet: titles above it, the head, and the rows under it, all equally wide.

    `twins` are the columns whose player has the name of another one's, `feet` the ids of rows
    about the others and `sums` of those of them that are what these come to, `unnamed` where
    nothing says so; `pairs` the columns of points by those of the names whose points they are,
    `players` those of players, `doubtful` those of them that may be none.
    """

    titles: list[str]
    head: list[str]
    rows: list[list[str]]
    kinds: list[Kind] = field(default_factory=list)
    twins: list[int] = field(default_factory=list)
    feet: set[int] = field(default_factory=set)
    sums: set[int] = field(default_factory=set)
    unnamed: set[int] = field(default_factory=set)
    pairs: dict[int, int] = field(default_factory=dict)
    players: list[int] = field(default_factory=list)
    doubtful: set[int] = field(default_factory=set)

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
        return {self.head[column]: row[column] for column in self.players}

    @property
    def is_long(self) -> bool:
        """Whether each row says who had what; whoever has a column as well only dealt."""
        if "who" not in self.kinds:
            return False
        names = {self.cell(row, "who") for row in self.rows}
        return len(names & {self.head[column] for column in self.columns("player")}) < 2

    @property
    def columns_of_points(self) -> list[str]:
        """The headings above numbers of which any may be the points of who is named beside."""
        is_open = self.is_long and "score" not in self.kinds
        return [self.head[column] for column in self.columns("player")] if is_open else []

    def is_foot(self, row: Sequence[str]) -> bool:
        """Return whether a row is about the others, and no game or deal."""
        return id(row) in self.feet

    def is_named(self, row: Sequence[str]) -> bool:
        """Return whether a row says which deal it is, or which day."""
        deal, day = self.cell(row, "deal"), self.cell(row, "date")
        return cell_values.deal_number(deal) is not None or bool(cell_values.day_cell(day))

    def is_total(self, row: Sequence[str]) -> bool:
        """Return whether a row has the sums of the others."""
        return id(row) in self.sums


def described(table: Table) -> Table:
    """Find out what each column is; a table with the players down its side is turned."""
    if _is_turned(table):
        whole = [table.head, *table.rows]
        turned = [[row[column] for row in whole] for column in range(len(table.head))]
        head = ["", *turned[0][1:]]  # the corner named the players, not the deals
        table = Table(table.titles, head, turned[1:])
    _take_points_beside_totals(table)
    foot_words = headings.FEET | _foot_words(table)
    table.pairs = _name_pairs(table)
    beside = set[int]() if table.pairs else _name_player_columns(table)
    table.kinds = [
        "other" if column in beside else _kind(table, column, foot_words)
        for column in range(len(table.head))
    ]
    if not ({"date", "game", "deal", "who"} & set(table.kinds)) and table.rows:
        labels = [row[0] for row in table.rows]
        others = headings.words_of(table.head[0]) & (headings.KNOWN - headings.DEALS)
        if table.kinds[0] != "player" and not others and all(map(is_label, labels)):
            table.kinds[0] = "deal"
    _leave_out_other_days(table)
    _leave_out_row_numbers(table)
    if _says_contracts(table):
        table.kinds[table.kinds.index("game")] = "contract"
    for name, points in table.pairs.items():
        table.kinds[name], table.kinds[points] = "name", "player"
    _leave_out_stakes(table)
    if not table.pairs:
        _tell_apart(table)
    table.players = table.columns("player")
    _find_feet(table, foot_words)
    table.doubtful = unlike_players(table)
    return table


def _take_points_beside_totals(table: Table) -> None:
    """Take the points of cells like 20 (35), where the other number is their total so far."""
    for column in range(len(table.head)):
        cells = [(row, row[column]) for row in table.rows]
        both = [(row, c, two) for row, c in cells if (two := cell_values.two_numbers(c))]
        for points, total in ((0, 1), (1, 0)):
            adds_up = len(both) > 1 and all(
                two[total] == before[total] + two[points]
                for (*_, before), (*_, two) in pairwise(both)
            )
            for row, cell, two in both if adds_up else ():
                if isinstance(cell, Cell):
                    row[column] = Cell(str(two[points]), cell.row, cell.column, cell.sheet)
            if adds_up:
                break


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
    if len(columns) < 4 or len(table.rows) < 3 or {"date", "game", "who"} & set(table.kinds):
        return
    rows = [[cell_values.points(row[column]) or 0 for column in columns] for row in table.rows]
    # One slip of the pen makes no player.
    are_even = cell_values.share(sum(row[:-1]) == 0 for row in rows) >= MOSTLY
    if are_even and cell_values.share(sum(row) != 0 for row in rows) > 1 - MOSTLY:
        table.kinds[columns[-1]] = "other"


def _leave_out_row_numbers(table: Table) -> None:
    """Leave out what only counts the rows, where a column says which deal each of them is."""
    unnamed, *named = table.columns("deal") or [0]
    if named and not table.head[unnamed]:
        table.kinds[unnamed] = "other"


def _says_contracts(table: Table) -> bool:
    """Return whether a column has what each deal was (Grand, Herz), and no names of games.

    The numbers of the deals go on beside it, and begin anew with each day.
    """
    if not {"game", "deal"} <= set(table.kinds):
        return False
    rows: list[tuple[str, str, int]] = []
    day = ""
    for row in table.rows:
        day = table.cell(row, "date") or day
        number = cell_values.deal_number(table.cell(row, "deal"))
        if number is not None:
            rows.append((day, table.cell(row, "game"), number))
    changes = [(one, other) for one, other in pairwise(rows) if one[:2] != other[:2]]
    goes_on = all(
        other[2] in (one[2] + 1, 1) if one[0] == other[0] else (other[2] <= one[2])
        for one, other in changes
    )
    # A list of numbered games, too, may have several of one day.
    comes_again = len(changes) >= len({one[:2] for one in rows})
    begins = all(other[2] == 1 for _, other in changes)
    return goes_on and not begins and (comes_again or "date" not in table.kinds)


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


def _find_feet(table: Table, words: Set[str]) -> None:
    """Find the rows about the others, by their names or as the sums of those above."""
    columns = table.columns("player") if table.pairs or not table.columns("who") else []
    sums, above = [0] * len(columns), 0
    for row in table.rows:
        label = _label(table, row)
        points = [int(cell_values.points(row[column]) or 0) for column in columns]
        if label in words:
            table.feet.add(id(row))
            if label in headings.TOTALS:
                table.sums.add(id(row))
        elif above > 1 and points == sums and any(points) and not table.is_named(row):
            for ids in (table.feet, table.sums, table.unnamed):
                ids.add(id(row))
        else:
            sums = [total + more for total, more in zip(sums, points, strict=True)]
            above += 1


def _label(table: Table, row: Sequence[str]) -> str:
    """Return what names a row: the first text in a column that has no points."""
    cells = (cell for cell, kind in zip(row, table.kinds, strict=True) if kind != "player")
    return headings.word(_YEAR.sub("", next(filter(None, cells), "")))


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
    are_names = all(name and not (is_label(name) or cell_values.days(name)) for name in names)
    return are_labels and are_names and len(names) <= MOST_COLUMNS


def is_label(text: str) -> bool:
    """Return whether this names a row: a deal, a sum at the foot, or nothing."""
    if not text or cell_values.deal_number(text) is not None:
        return True
    return headings.word(text) in headings.TOTALS | headings.OTHERS


def _kind(table: Table, column: int, feet: Set[str]) -> Kind:
    heading = headings.word(table.head[column])
    names = headings.words_of(table.head[column])
    cells = [row[column] for row in table.rows if row[column]]
    # A long column is known by some of its cells, from its beginning to its end.
    some = cells[:: 1 + len(cells) // MOST_LOOKED]
    body = [cell for cell in some if headings.word(cell) not in feet]
    are_points = cell_values.share(map(cell_values.is_points, body)) >= FEWEST_POINTS
    if (
        names & headings.DATES
        or cell_values.share(bool(cell_values.days(one)) for one in body) > 0.6
    ):
        are_labels = not any(map(cell_values.day_cell, body)) and all(map(is_label, body))
        return "game" if are_labels else "date"
    numbered = [cell_values.deal_number(one) is not None for one in body]
    # Words may stand between: carried over, a subtotal, a penalty.
    labels = [one for one, is_number in zip(body, numbered, strict=True) if is_number]
    if column == 0 and all(map(is_label, body)) and _counts_up(body, names, table):
        return "deal"
    has_names = any(headings.words_of(cell) & headings.PLAYERS for cell in table.head)
    named: list[tuple[frozenset[str], Kind, bool]] = [
        (headings.GAMES, "game", True),
        (headings.DEALS, "deal", all(numbered) or _counts_up(labels, names, table)),
        (
            headings.PLAYERS,
            "who",
            not are_points and not YES_OR_NO.issuperset(map(str.lower, some)),
        ),
        (headings.WINNERS, "winner", not are_points),
        (headings.SCORES, "score", are_points and has_names),
        (headings.TOTALS | headings.OTHERS | headings.WINNERS, "other", True),
    ]
    for words, kind, is_so in named:
        if names & words and is_so:
            return kind
    is_name = any(map(str.isalpha, heading)) and heading not in headings.SCORES | headings.PLAYERS
    return (
        "player" if is_name and are_points and any(map(cell_values.holds_number, body)) else "other"
    )


def _counts_up(labels: Sequence[str], names: Set[str], table: Table) -> bool:
    """Return whether labels are 1, 2, 3 …, as often as a game begins.

    Under another name than that of deals they count the rows, or places, unless they begin anew
    where nobody is named.
    """
    numbers = [cell_values.deal_number(label) for label in labels]
    steps = [
        one is not None and other is not None and other == one + 1
        for one, other in pairwise(numbers)
        if other != 1
    ]
    again = numbers[1:].count(1)
    if names & headings.GAMES or (names & headings.OTHERS and (not again or _has_texts(table))):
        return False
    return len(steps) > 2 * again and all(steps)


def _has_texts(table: Table) -> bool:
    """Return whether words stand in a column that is not called a comment or the like."""
    return any(
        any(map(str.isalpha, row[column]))
        for row in table.rows[:2]
        for column in range(len(table.head))
        if not headings.words_of(table.head[column]) & headings.OTHERS
    )
