"""The shapes in which people keep scores: found in a sheet of cells, and read into games.

A sheet falls into tables, parted by empty rows, each under a head that names its columns. A table
is read by the first of `SHAPES` that knows its columns; a new shape is one class more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, pairwise
from typing import Literal, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from . import meaning
from .meaning import Order
from .tables import CellSheet

Kind = Literal["player", "date", "game", "deal", "who", "score", "winner", "other"]
Rows = Sequence[Sequence[str]]
Kept = Literal["", "players", "games", "deals"]
"""What each row of a sheet is: a player's points, a game, or a deal."""
FEWEST_RUNNING = 3
"""Rows that never fall are running totals, where there are at least so many."""


class PastGame(Struct):
    """One game as a sheet tells it; seats and totals are in the order of `players`.

    `days` is the day in each order in which its writing can be read, `deals` is None where only
    totals are known, and in it a number that is missing is None. `told` are totals that the sheet
    gives beside its deals; `running` whether its rows could be totals so far.
    """

    players: list[str]
    deals: list[list[int | None]] | None
    totals: list[int]
    days: Mapping[Order, date] = field(default_factory=dict)
    game: str = ""
    told: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    running: Literal["no", "maybe", "yes"] = "no"
    deal_word: str = "deal"
    sheet: str = ""
    kept: Kept = ""


class Table(Struct):
    """One table of a sheet: titles above it, the head, and the rows under it, all equally wide."""

    titles: list[str]
    head: list[str]
    rows: list[list[str]]
    kinds: list[Kind] = field(default_factory=list)

    def columns(self, kind: Kind) -> list[int]:
        """Return the places of all columns of a kind."""
        return [place for place, one in enumerate(self.kinds) if one == kind]

    def cell(self, row: Sequence[str], kind: Kind) -> str:
        """Return what stands in the first column of a kind; nothing where there is none."""
        places = self.columns(kind)
        return row[places[0]] if places else ""

    def numbers(self, row: Sequence[str]) -> dict[str, int | None]:
        """Return what a row gives each player."""
        return {self.head[place]: meaning.points(row[place]) for place in self.columns("player")}


def read_sheet(sheet: CellSheet, kept: Kept = "") -> list[PastGame]:
    """Read every game of a sheet; none where no players with whole numbers are found.

    `kept` says what a row is, where somebody has said so; else it is guessed.
    """
    games: list[PastGame] = []
    for table in tables(sheet.rows):
        found = next((name for name, shape in SHAPES.items() if shape.fits(table)), None)
        if found:
            name = kept if kept and found != "players" else found
            games += [_titled(game, table, name) for game in SHAPES[name].games(table)]
    for game in games:
        game.sheet = sheet.name
    return [game for game in games if game.players]


def _titled(game: PastGame, table: Table, kept: Kept) -> PastGame:
    """Take day and game from the title, where the table itself does not say them."""
    game.kept = kept
    for title in table.titles:
        found, rest = meaning.day_within(title)
        if found and not game.days:
            game.days = found
            game.game = game.game or rest
    if not game.game and table.titles and not game.days:
        game.game = table.titles[-1]
    return game


def tables(rows: Rows) -> Iterator[Table]:
    """Part a sheet into its tables; a title may stand alone above one."""
    titles: list[str] = []
    last: Table | None = None
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


def _cut(rows: list[Sequence[str]]) -> list[list[str]]:
    """Make rows equally wide, without columns that are empty."""
    width = max(map(len, rows))
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [place for place in range(width) if any(row[place] for row in full)]
    return [[row[place] for place in used] for row in full]


def _has_points(row: Sequence[str]) -> bool:
    return any(meaning.number(cell) is not None for cell in row)


def _described(table: Table) -> Table:
    """Find out what each column is; a table with the players down its side is turned."""
    if _is_turned(table):
        whole = [table.head, *table.rows]
        turned = [[row[place] for row in whole] for place in range(len(table.head))]
        head = ["", *turned[0][1:]]  # the corner named the players, not the deals
        table = Table(table.titles, head, turned[1:])
    table.kinds = [_kind(table, place) for place in range(len(table.head))]
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


def _kind(table: Table, place: int) -> Kind:
    heading = meaning.word(table.head[place])
    names = meaning.heading_words(heading)
    cells = [row[place] for row in table.rows if row[place]]
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
    if place == 0 and all(map(_is_label, body)) and _counts_up(body):
        return "deal"
    is_name = any(map(str.isalpha, heading))
    return "player" if is_name and are_points and any(map(_is_number, body)) else "other"


def _is_number(cell: str) -> bool:
    return meaning.number(cell) is not None


def _has_names(table: Table) -> bool:
    return any(meaning.heading_words(meaning.word(cell)) & meaning.PLAYERS for cell in table.head)


def _counts_up(labels: Sequence[str]) -> bool:
    numbers = [meaning.deal_number(label) for label in labels]
    return len(numbers) > 1 and all(
        one is not None and other is not None and other == one + 1
        for one, other in pairwise(numbers)
    )


class Shape(Protocol):
    """One way to keep scores."""

    @staticmethod
    def fits(table: Table) -> bool:
        """Return whether a table is kept in this way."""

    @staticmethod
    def games(table: Table) -> Iterable[PastGame]:
        """Read its games."""


class RowForEachPlayer:
    """Long form: a row says who had what, in which deal of which game."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are a column of names and one of points, whatever that is called."""
        return bool(table.columns("who") and _score_columns(table))

    @staticmethod
    def games(table: Table) -> Iterable[PastGame]:
        """Gather the rows of each game, whatever their order."""
        score = _score_columns(table)[-1]
        for (day, game), rows in _gathered(table).items():
            players = list(dict.fromkeys(table.cell(row, "who") for row in rows))
            found: dict[int, dict[str, int | None]] = {}
            seen: dict[str, int] = {}
            for row in rows:
                who = table.cell(row, "who")
                seen[who] = seen.get(who, 0) + 1
                label = meaning.deal_number(table.cell(row, "deal"))
                deal = seen[who] if label is None else label
                found.setdefault(deal, {})[who] = meaning.points(row[score])
            deals = [found[number] for number in sorted(found)]
            known = "" if _is_number(game) else game
            if len(deals) == 1 and not table.columns("deal"):
                yield _totals_only(deals[0], meaning.days(day), known)
            else:
                yield _dealt(table, players, deals, {}, meaning.days(day), known)


class RowForEachGame:
    """A league's list: each row is one game, with the total of each who was there."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are days or games beside two players or more, and no deals."""
        told = table.columns("date") or table.columns("game")
        return (
            bool(told)
            and not table.columns("who")
            and not table.columns("deal")
            and len(table.columns("player")) > 1
        )

    @staticmethod
    def games(table: Table) -> Iterable[PastGame]:
        """Read a game of each row that is no sum of others; a day may stand for the rows below."""
        day = ""
        for row in table.rows:
            if _is_foot(table, row):
                continue
            day = table.cell(row, "date") or day
            game = table.cell(row, "game")
            found = _totals_only(
                table.numbers(row), meaning.days(day), "" if _is_number(game) else game
            )
            winners = table.cell(row, "winner").replace("&", ",").split(",")
            found.winners = tuple(name.strip() for name in winners if name.strip())
            if len(found.players) > 1:
                yield found


class RowForEachDeal:
    """A score sheet: each row is a deal, and sums may stand at its foot."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are two players or more."""
        return len(table.columns("player")) > 1 and not table.columns("who")

    @staticmethod
    def games(table: Table) -> Iterable[PastGame]:
        """Read one game, or one for each day and name that the rows give."""
        for (day, game), rows in _gathered(table).items():
            deals = [table.numbers(row) for row in rows if not _is_foot(table, row)]
            told = [table.numbers(row) for row in rows if _is_total(table, row)]
            known = "" if _is_number(game) else game
            players = [table.head[place] for place in table.columns("player")]
            totals = told[-1] if told else {}
            yield _dealt(table, players, deals, totals, meaning.days(day), known)


def _score_columns(table: Table) -> list[int]:
    """Find where the points of a long form stand: the last of its columns with whole numbers."""
    return table.columns("score") or table.columns("player")


SHAPES: Mapping[Kept, type[Shape]] = {
    "players": RowForEachPlayer,
    "games": RowForEachGame,
    "deals": RowForEachDeal,
}


def _gathered(table: Table) -> dict[tuple[str, str], list[list[str]]]:
    """Gather rows by the day and the game that they name; a day may stand for the rows below."""
    games: dict[tuple[str, str], list[list[str]]] = {}
    day = ""
    for row in table.rows:
        if not _is_foot(table, row):
            day = table.cell(row, "date") or day
            game = table.cell(row, "game")
            if _is_number(game) and not (table.columns("deal") or table.columns("who")):
                game = ""  # somebody says that these are the deals of one game
            games.setdefault((day, game), []).append(row)
        elif games:
            games[next(reversed(games))].append(row)
    return games


def _first_text(table: Table, row: Sequence[str]) -> str:
    """Return what names a row: the text in the first column that has no points."""
    places = [place for place, kind in enumerate(table.kinds) if kind != "player"]
    return meaning.word(next((row[place] for place in places if row[place]), ""))


def _is_foot(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in meaning.FEET


def _is_total(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in meaning.TOTALS


def _totals_only(
    numbers: Mapping[str, int | None], days: Mapping[Order, date], game: str
) -> PastGame:
    """Make a game of totals; who has none was not there."""
    there = {name: total for name, total in numbers.items() if total is not None}
    return PastGame(list(there), None, list(there.values()), days, game)


def _dealt(
    table: Table,
    players: Sequence[str],
    rows: Sequence[Mapping[str, int | None]],
    told: Mapping[str, int | None],
    days: Mapping[Order, date],
    game: str,
) -> PastGame:
    """Make a game of deals; who has no number in any of them was not there."""
    there = [name for name in players if any(row.get(name) is not None for row in rows)]
    deals = [[row.get(name) for name in there] for row in rows]
    deals = [deal for deal in deals if any(one is not None for one in deal)]
    sums = [sum(deal[seat] or 0 for deal in deals) for seat in range(len(there))]
    known = {name: total for name in there if (total := told.get(name)) is not None}
    headings = [table.head[place] for place in table.columns("deal")]
    heading = meaning.word(headings[0]) if headings else ""
    return PastGame(
        there,
        deals,
        sums,
        days,
        game,
        told=known,
        running=_running(deals, sums, [known.get(name) for name in there]),
        deal_word=heading if heading.isalpha() and heading.isascii() else "deal",
    )


def _running(
    deals: Sequence[Sequence[int | None]], sums: Sequence[int], told: Sequence[int | None]
) -> Literal["no", "maybe", "yes"]:
    """Tell whether each row may be the total so far; totals at the foot settle it."""
    rises = len(deals) >= FEWEST_RUNNING and all(
        one is not None and other is not None and other >= one
        for above, below in pairwise(deals)
        for one, other in zip(above, below, strict=True)
    )
    if not rises:
        return "no"
    if None not in told and told:
        return "yes" if list(told) == list(deals[-1]) and list(told) != list(sums) else "no"
    return "maybe"


def as_points(game: PastGame) -> PastGame:
    """Turn running totals into the points of each deal."""
    if game.deals is None:
        return game
    above: Sequence[int | None] = [0] * len(game.players)
    deals: list[list[int | None]] = []
    for row in game.deals:
        deals.append([(one or 0) - (was or 0) for was, one in zip(above, row, strict=True)])
        above = row
    totals = [one or 0 for one in above]
    return replace(game, deals=deals, totals=totals, running="no")
