"""The shapes in which people keep scores: a table is read by the first that fits it.

A new shape is one class in `SHAPES`, and one sample file beside the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Protocol

from companion.store.names import one_line

from . import cell_values, headings
from .cell_values import Order, PastError
from .cells import Cell
from .past_game import PastGame, PastScores
from .score_tables import Table, score_tables
from .tables import Rows

MOST_GAMES, MOST_TABLES, MOST_TITLES = 20_000, 4_000, 8


def read_sheets(sheets: Mapping[str, Rows], row_kind: str = "") -> PastScores:
    """Read every game of some sheets, and why each number is no score if no game has it.

    `row_kind`, one of `RowKind`, takes the place of the guess what a row is.
    """
    found = ((name, table) for name, rows in sheets.items() for table in score_tables(rows))
    tables = list(islice(found, MOST_TABLES + 1))
    if len(tables) > MOST_TABLES:
        raise PastError(f"{MOST_TABLES:,} tables are the most at once. Send it in parts.")
    names = _names_by_id([table for _, table in tables])
    scores = PastScores([], [], [])
    reasons: dict[tuple[str, int, int], str] = {}
    for number, (sheet, table) in enumerate(tables):
        shape = next((shape for shape in SHAPES if shape.fits(table)), None)
        titles = [cell_values.day_within(title) for title in table.titles[-MOST_TITLES:]]
        for game in shape.games(table, row_kind) if shape else ():
            if len(game.players) < 2:
                continue
            game.sheet, game.table = sheet, number
            game.players = [names.get(player, player) for player in game.players]
            scores.games.append(_titled(game, titles))
            if len(scores.games) > MOST_GAMES:
                raise PastError(f"{MOST_GAMES:,} games are the most at once.")
        scores.twins |= {table.head[column] for column in table.twins}
        scores.notices.extend(_unread_days(table))
        reasons.update(
            (cell.position, reason) for cell, reason in _reasons(table) if isinstance(cell, Cell)
        )
    scores.numbers = [
        (cell, reasons.get(cell.position, "outside of any table"))
        for rows in sheets.values()
        for row in rows
        for cell in row
        if isinstance(cell, Cell) and cell_values.holds_number(cell)
    ]
    return scores


def _names_by_id(tables: Sequence[Table]) -> dict[str, str]:
    """Read the names that stand in one table for the numbers that stand in another."""
    names: dict[str, str] = {}
    for table in tables:
        words = [headings.word(heading) for heading in table.head]
        ids = [n for n, heading in enumerate(words) if heading.split()[-1:] == ["id"]]
        who = [
            n
            for n, heading in enumerate(words)
            if n not in ids and headings.words_of(heading) & headings.PLAYERS
        ]
        if len(ids) == 1 and who and len(words) <= 3:
            names.update({row[ids[0]]: one_line(row[who[0]]) for row in table.rows})
    return names


def _unread_days(table: Table) -> Iterator[str]:
    """Say which cells of a column of days say none."""
    for column in table.columns("date"):
        cells = [row[column] for row in table.rows if not _is_foot(table, row)]
        odd = [cell for cell in cells if cell and not cell_values.day_cell(cell)]
        if odd:
            yield (
                f"{_quoted(odd)} in the column {table.head[column]} can't be read as "
                f"{'a day' if len(odd) == 1 else 'days'}"
            )


def _quoted(cells: Sequence[str]) -> str:
    some = ", ".join(f"“{cell[:40]}”" for cell in cells[:3])
    return some if len(cells) <= 3 else f"{some} and {len(cells) - 3} more"


def _reasons(table: Table) -> Iterator[tuple[str, str]]:
    """Say of every cell of a table what it is if no game took it for points."""
    yield from ((title, "titles") for title in table.titles)
    yield from ((heading, "headings") for heading in table.head)
    for row in table.rows:
        foot = _is_foot(table, row)
        for cell, kind, heading in zip(row, table.kinds, table.head, strict=True):
            if foot:
                name = next((cell for cell in row if cell), "")
                yield cell, f"in the row {name[:40]}, to compare with"
            elif kind in REASONS:
                yield cell, REASONS[kind]
            else:
                yield cell, f"in the column {heading[:40]}, which is no player's"


REASONS = {
    "date": "days",
    "deal": "numbers of deals",
    "game": "names of games",
    "who": "names of players",
    "winner": "names of winners",
    "player": "points of only one player, or a second time in one deal",
    "score": "points of only one player, or a second time in one deal",
}
"""What a number is that no game has, by the kind of its column."""


def _titled(game: PastGame, titles: Sequence[tuple[Mapping[Order, date], str]]) -> PastGame:
    """Take day and game from the titles, where the table itself does not say them."""
    for found, rest in titles:
        if found and not game.days:
            game.days = found
            game.game = game.game or rest
        elif rest and not game.game and not cell_values.is_number(rest):
            game.game = rest
    return game


class Shape(Protocol):
    """One way to keep scores."""

    @staticmethod
    def fits(table: Table) -> bool:
        """Return whether a table is kept in this way."""

    @staticmethod
    def games(table: Table, row_kind: str) -> Iterable[PastGame]:
        """Read its games; `row_kind` takes the place of the guess, where there is a choice."""


class RowForEachPlayer:
    """Long form: a row says who had what, in which deal of which game."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are a column of names and one of points, whatever that is called."""
        return bool(table.columns("who") and _score_columns(table))

    @staticmethod
    def games(table: Table, row_kind: str) -> Iterable[PastGame]:
        """Gather the rows of each game, whatever their order.

        Where no column numbers the deals, whoever stands there twice on a day played two games.
        """
        are_numbered = bool(table.columns("deal"))
        is_dated = bool(table.columns("date") or table.columns("game"))
        are_deals = are_numbered or not (row_kind or "games" * is_dated).startswith("games")
        for (day, title), rows in _gathered(table).items():
            rounds = _rounds(table, rows)
            players = list(dict.fromkeys(one_line(table.cell(row, "who")) for row in rows))
            when, name = cell_values.day_cell(day), _name(title)
            if are_deals:
                game = _dealt(table, players, rounds, {}, when, name)
                game.is_certain = are_numbered
                yield game
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
    def games(table: Table, row_kind: str) -> Iterable[PastGame]:
        """Read a game of each row that is no sum of others; a day may stand for the rows below."""
        if row_kind.startswith("deals"):
            yield from RowForEachDeal.games(table, row_kind)
            return
        day = ""
        for row in table.rows:
            if _is_foot(table, row):
                continue
            day = table.cell(row, "date") or day
            name = _name(table.cell(row, "game"))
            game = _totals_only(table.scores(row), cell_values.day_cell(day), name)
            winner = one_line(table.cell(row, "winner"))
            several = winner.replace("&", ",").replace("/", ",").split(",")
            is_named = winner in game.players
            game.winners = (winner,) if is_named else tuple(filter(None, map(str.strip, several)))
            yield game


class RowForEachDeal:
    """A score sheet: each row is a deal, and sums may stand at its foot."""

    @staticmethod
    def fits(table: Table) -> bool:
        """There are two players or more."""
        return len(table.columns("player")) > 1 and not table.columns("who")

    @staticmethod
    def games(table: Table, row_kind: str) -> Iterable[PastGame]:
        """Read one game, or one for each day and name that the rows give."""
        if row_kind.startswith("games") and not table.is_turned:
            yield from RowForEachGame.games(table, row_kind)
            return
        players = [table.head[column] for column in table.columns("player")]
        for (day, game), rows in _gathered(table).items():
            deals = [table.scores(row) for row in rows if not _is_foot(table, row)]
            stated = [table.scores(row) for row in rows if _is_total(table, row)]
            totals = stated[-1] if stated else {}
            yield _dealt(table, players, deals, totals, cell_values.day_cell(day), _name(game))


# In this order: whatever is a list of games fits the sheet of deals too.
SHAPES: Sequence[type[Shape]] = (RowForEachPlayer, RowForEachGame, RowForEachDeal)


def _score_columns(table: Table) -> list[int]:
    """Find where the points of a long form stand: the last of its columns with whole numbers."""
    return table.columns("score") or table.columns("player")


def _rounds(table: Table, rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Sort the rows of one game by the number of their deal, else by how often a name came."""
    score = _score_columns(table)[-1]
    rounds: dict[int, dict[str, str]] = {}
    seen: Counter[str] = Counter()
    for row in rows:
        who = one_line(table.cell(row, "who"))
        if not who:
            continue
        seen[who] += 1
        number = cell_values.deal_number(table.cell(row, "deal"))
        deal = rounds.setdefault(seen[who] if number is None else number, {})
        # A second number in one deal is named as left over, never put over the first.
        deal.setdefault(who, row[score])
    return [rounds[number] for number in sorted(rounds)]


def _name(game: str) -> str:
    """Return what a game is called; a number only tells it from others."""
    return "" if cell_values.is_number(game) else game


def _gathered(table: Table) -> dict[tuple[str, str], list[list[str]]]:
    """Gather rows by the day and the game that they name; a day may stand for the rows below."""
    games: dict[tuple[str, str], list[list[str]]] = {}
    day = ""
    for row in table.rows:
        if not _is_foot(table, row):
            day = table.cell(row, "date") or day
            game = table.cell(row, "game")
            if cell_values.is_number(game) and not (table.columns("deal") or table.columns("who")):
                game = ""  # somebody says that these are the deals of one game
            games.setdefault((day, game), []).append(row)
        elif games:
            games[next(reversed(games))].append(row)
    return games


def _first_text(table: Table, row: Sequence[str]) -> str:
    """Return what names a row: the text in the first column that has no points."""
    others = [column for column, kind in enumerate(table.kinds) if kind != "player"]
    return headings.word(next((row[column] for column in others if row[column]), ""))


def _is_foot(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in headings.FEET


def _is_total(table: Table, row: Sequence[str]) -> bool:
    return _first_text(table, row) in headings.TOTALS


def _totals_only(cells: Mapping[str, str], days: Mapping[Order, date], game: str) -> PastGame:
    """Make a game of totals; who has no cell was not there."""
    present = {name: cell for name, cell in cells.items() if not cell_values.is_nothing(cell)}
    return PastGame(list(present), [list(present.values())], True, days, game)


def _dealt(
    table: Table,
    players: Sequence[str],
    rows: Sequence[Mapping[str, str]],
    stated: Mapping[str, str],
    days: Mapping[Order, date],
    game: str,
) -> PastGame:
    """Make a game of deals; who has nothing in any of them was not there."""
    present = [
        p for p in players if any(not cell_values.is_nothing(row.get(p, "")) for row in rows)
    ]
    deals = [[row.get(name, "") for name in present] for row in rows]
    deals = [deal for deal in deals if not all(map(cell_values.is_nothing, deal))]
    columns = table.columns("deal")
    heading = headings.word(table.head[columns[0]]) if columns else ""
    word = heading if heading.isalpha() and heading.isascii() else "deal"
    totals = [stated.get(name, "") for name in present] if stated else []
    return PastGame(present, deals, False, days, game, totals, deal_word=word)
