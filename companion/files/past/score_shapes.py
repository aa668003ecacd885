"""The shapes in which people keep scores: a table is read by the first that fits it.

A new shape is one class in `SHAPES`, and one sample file beside the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from . import meaning
from .meaning import Order, PastError
from .score_tables import Table, score_tables
from .tables import CellSheet

RowKind = Literal["", "games", "deals"]
"""What a row stands for, a game's total or a deal's points; "" where nothing else is possible."""
MOST_GAMES, MOST_TITLES = 20_000, 8
FEWEST_RUNNING = 3
"""Rows that never fall are running totals, where there are at least so many."""


class PastGame(Struct):
    """One game as a sheet tells it; seats and totals are in the order of `players`.

    `days` is the day in each order in which its writing can be read, `deals` is None where only
    totals are known, and in it a number that is missing is None. `stated` are totals that the sheet
    gives beside its deals; `running` whether its rows could be totals so far; `highest_wins` what
    is better, None where that is not said.
    """

    players: list[str]
    deals: list[list[int | None]] | None
    totals: list[int]
    days: Mapping[Order, date] = field(default_factory=dict)
    game: str = ""
    stated: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    highest_wins: bool | None = None
    running: Literal["no", "maybe", "yes"] = "no"
    deal_word: str = "deal"
    sheet: str = ""
    row_kind: RowKind = ""


def read_sheet(sheet: CellSheet, row_kind: RowKind = "") -> list[PastGame]:
    """Read every game of a sheet; none where no players with whole numbers are found.

    `row_kind` takes the place of the guess whether a row is a game or a deal.
    """
    games: list[PastGame] = []
    for table in score_tables(sheet.rows):
        shape = next((shape for shape in SHAPES if shape.fits(table)), None)
        if shape:
            titles = [meaning.day_within(title) for title in table.titles[-MOST_TITLES:]]
            for game in shape.games(table, row_kind):
                games.append(_titled(game, titles))
                if len(games) > MOST_GAMES:
                    raise PastError(f"{MOST_GAMES:,} games are the most at once.")
    for game in games:
        game.sheet = sheet.name
    return [game for game in games if game.players]


def _titled(game: PastGame, titles: Sequence[tuple[Mapping[Order, date], str]]) -> PastGame:
    """Take day and game from the titles, where the table itself does not say them."""
    for found, rest in titles:
        if found and not game.days:
            game.days = found
            game.game = game.game or rest
    if not game.game and titles and not game.days:
        game.game = titles[-1][1]
    return game


class Shape(Protocol):
    """One way to keep scores."""

    @staticmethod
    def fits(table: Table) -> bool:
        """Return whether a table is kept in this way."""

    @staticmethod
    def games(table: Table, row_kind: RowKind) -> Iterable[PastGame]:
        """Read its games; `row_kind` takes the place of the guess, where there is a choice."""


class RowForEachPlayer:
    """Long form: a row says who had what, in which deal of which game."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are a column of names and one of points, whatever that is called."""
        return bool(table.columns("who") and _score_columns(table))

    @staticmethod
    def games(table: Table, row_kind: RowKind) -> Iterable[PastGame]:
        """Gather the rows of each game, whatever their order.

        Where no column numbers the deals, whoever stands there twice on a day played two games.
        """
        are_numbered = bool(table.columns("deal"))
        is_dated = bool(table.columns("date") or table.columns("game"))
        are_deals = are_numbered or (row_kind or ("games" if is_dated else "deals")) == "deals"
        for (day, game), rows in _gathered(table).items():
            rounds = _rounds(table, rows)
            players = list(dict.fromkeys(table.cell(row, "who") for row in rows))
            when, name = meaning.days(day), _name(game)
            if are_deals:
                found = _dealt(table, players, rounds, {}, when, name)
                found.row_kind = "" if are_numbered else "deals"
                yield found
            else:
                yield from (_totals_only(totals, when, name) for totals in rounds)


class RowForEachGame:
    """A league's list: each row is one game, with the total of each who was there."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are days or games beside two players or more, and no deals."""
        says_game = table.columns("date") or table.columns("game")
        return bool(says_game) and not table.columns("deal") and RowForEachDeal.fits(table)

    @staticmethod
    def games(table: Table, row_kind: RowKind) -> Iterable[PastGame]:
        """Read a game of each row that is no sum of others; a day may stand for the rows below."""
        if row_kind == "deals":
            yield from RowForEachDeal.games(table, row_kind)
            return
        day = ""
        for row in table.rows:
            if _is_foot(table, row):
                continue
            day = table.cell(row, "date") or day
            name = _name(table.cell(row, "game"))
            found = _totals_only(table.numbers(row), meaning.days(day), name)
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
    def games(table: Table, row_kind: RowKind) -> Iterable[PastGame]:
        """Read one game, or one for each day and name that the rows give."""
        if row_kind == "games":
            yield from RowForEachGame.games(table, row_kind)
            return
        players = [table.head[column] for column in table.columns("player")]
        for (day, game), rows in _gathered(table).items():
            deals = [table.numbers(row) for row in rows if not _is_foot(table, row)]
            stated = [table.numbers(row) for row in rows if _is_total(table, row)]
            totals = stated[-1] if stated else {}
            found = _dealt(table, players, deals, totals, meaning.days(day), _name(game))
            found.row_kind = "deals"
            yield found


# In this order: whatever is a list of games fits the sheet of deals too.
SHAPES: Sequence[type[Shape]] = (RowForEachPlayer, RowForEachGame, RowForEachDeal)


def _score_columns(table: Table) -> list[int]:
    """Find where the points of a long form stand: the last of its columns with whole numbers."""
    return table.columns("score") or table.columns("player")


def _rounds(table: Table, rows: Sequence[Sequence[str]]) -> list[dict[str, int | None]]:
    """Sort the rows of one game by the number of their deal, else by how often a name came."""
    score = _score_columns(table)[-1]
    rounds: dict[int, dict[str, int | None]] = {}
    seen: Counter[str] = Counter()
    for row in rows:
        who = table.cell(row, "who")
        seen[who] += 1
        number = meaning.deal_number(table.cell(row, "deal"))
        rounds.setdefault(seen[who] if number is None else number, {})[who] = meaning.points(
            row[score]
        )
    return [rounds[number] for number in sorted(rounds)]


def _name(game: str) -> str:
    """Return what a game is called; a number only tells it from others."""
    return "" if meaning.is_number(game) else game


def _gathered(table: Table) -> dict[tuple[str, str], list[list[str]]]:
    """Gather rows by the day and the game that they name; a day may stand for the rows below."""
    games: dict[tuple[str, str], list[list[str]]] = {}
    day = ""
    for row in table.rows:
        if not _is_foot(table, row):
            day = table.cell(row, "date") or day
            game = table.cell(row, "game")
            if meaning.is_number(game) and not (table.columns("deal") or table.columns("who")):
                game = ""  # somebody says that these are the deals of one game
            games.setdefault((day, game), []).append(row)
        elif games:
            games[next(reversed(games))].append(row)
    return games


def _first_text(table: Table, row: Sequence[str]) -> str:
    """Return what names a row: the text in the first column that has no points."""
    others = [column for column, kind in enumerate(table.kinds) if kind != "player"]
    return meaning.word(next((row[column] for column in others if row[column]), ""))


def _is_foot(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in meaning.FEET


def _is_total(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in meaning.TOTALS


def _totals_only(
    numbers: Mapping[str, int | None], days: Mapping[Order, date], game: str
) -> PastGame:
    """Make a game of totals; who has none was not there."""
    present = {name: total for name, total in numbers.items() if total is not None}
    return PastGame(list(present), None, list(present.values()), days, game, row_kind="games")


def _dealt(
    table: Table,
    players: Sequence[str],
    rows: Sequence[Mapping[str, int | None]],
    stated: Mapping[str, int | None],
    days: Mapping[Order, date],
    game: str,
) -> PastGame:
    """Make a game of deals; who has no number in any of them was not there."""
    present = [name for name in players if any(row.get(name) is not None for row in rows)]
    deals = [[row.get(name) for name in present] for row in rows]
    deals = [deal for deal in deals if any(one is not None for one in deal)]
    sums = [sum(deal[seat] or 0 for deal in deals) for seat in range(len(present))]
    known = {name: total for name in present if (total := stated.get(name)) is not None}
    headings = [table.head[column] for column in table.columns("deal")]
    heading = meaning.word(headings[0]) if headings else ""
    return PastGame(
        present,
        deals,
        sums,
        days,
        game,
        stated=known,
        running=_running(deals, sums, [known.get(name) for name in present]),
        deal_word=heading if heading.isalpha() and heading.isascii() else "deal",
    )


def _running(
    deals: Sequence[Sequence[int | None]], sums: Sequence[int], stated: Sequence[int | None]
) -> Literal["no", "maybe", "yes"]:
    """Whether each row may be the total so far; totals at the foot settle it."""
    rises = len(deals) >= FEWEST_RUNNING and all(
        one is not None and other is not None and other >= one
        for above, below in pairwise(deals)
        for one, other in zip(above, below, strict=True)
    )
    if not rises:
        return "no"
    if stated and None not in stated:
        return "yes" if list(stated) == list(deals[-1]) and list(stated) != list(sums) else "no"
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
