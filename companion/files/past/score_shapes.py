"""The shapes in which people keep scores: tables become rounds, and rounds games.

A new shape is one function that reads rounds, and one sample file beside the tests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, islice
from typing import NamedTuple, get_args

from companion.store.names import one_line

from . import cell_values, headings
from .cell_values import Order, PastError
from .cells import Cell
from .column_kinds import Table
from .past_game import PastGame, PastScores, RowKind
from .score_tables import score_tables
from .tables import Rows

MOST_GAMES, MOST_TABLES, MOST_TITLES = 20_000, 4_000, 8


def read_sheets(
    sheets: Mapping[str, Rows], row_kind: str = "", points_column: str = ""
) -> PastScores:
    """Read every game of some sheets, and why each number is no score if no game has it.

    `row_kind`, one of `RowKind`, takes the place of the guess what a row is; `points_column` is
    the heading of the points where each row says who had what.
    """
    found = ((name, table) for name, rows in sheets.items() for table in score_tables(rows))
    tables = list(islice(found, MOST_TABLES + 1))
    if len(tables) > MOST_TABLES:
        raise PastError(f"{MOST_TABLES:,} tables are the most at once. Send it in parts.")
    names = _names_by_id([table for _, table in tables])
    scores = PastScores([], [], [])
    reasons: dict[tuple[str, int, int], str] = {}
    for number, (sheet, table) in enumerate(tables):
        titles = [cell_values.day_within(title) for title in table.titles[-MOST_TITLES:]]
        # A sheet is often called by its day; its other words say little.
        titles.append((cell_values.day_within(sheet)[0], ""))
        before = len(scores.games)
        for game in games_of(table, row_kind, points_column):
            if len(game.players) < 2:
                continue
            game.sheet, game.table = sheet, number
            game.days = cell_values.in_year(game.days, sheet)
            game.players = [names.get(player, player) for player in game.players]
            scores.games.append(_titled(game, titles))
            if len(scores.games) > MOST_GAMES:
                raise PastError(f"{MOST_GAMES:,} games are the most at once.")
        scores.columns += table.columns_of_points if len(table.columns_of_points) > 1 else []
        scores.twins |= {table.head[column] for column in table.twins}
        scores.doubtful |= {table.head[column] for column in table.doubtful}
        scores.notices += [*_unread_days(table), *_unlike_foot(table, scores.games[before:])]
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
        cells = [row[column] for row in table.rows if not table.is_foot(row)]
        odd = [cell for cell in cells if cell and not cell_values.day_cell(cell)]
        if odd:
            yield (
                f"{_quoted(odd)} in the column {table.head[column]} can't be read as "
                f"{'a day' if len(odd) == 1 else 'days'}."
            )


def _unlike_foot(table: Table, games: Sequence[PastGame]) -> Iterator[str]:
    """Say what the foot of a list of games says otherwise than they add up to."""
    sums: Counter[str] = Counter()
    for game in games if table.sums else ():
        if game.are_totals:
            sums.update(dict(zip(game.players, game.sums, strict=True)))
    for row in table.rows if sums else ():
        for column in table.columns("player") if table.is_total(row) else ():
            name, total = table.head[column], cell_values.number(row[column])
            if total is not None and name in sums and total != sums[name]:
                label = next(filter(None, row), "")[:40]
                made = f"the games add up to {sums[name]}"
                yield f"The row {label} says {total:g} for {name}, {made}."


def _quoted(cells: Sequence[str]) -> str:
    some = ", ".join(f"“{cell[:40]}”" for cell in cells[:3])
    return some if len(cells) <= 3 else f"{some} and {len(cells) - 3} more"


def _reasons(table: Table) -> Iterator[tuple[str, str]]:
    """Say of every cell of a table what it is if no game took it for points."""
    yield from ((title, "titles") for title in table.titles)
    yield from ((heading, "headings") for heading in table.head)
    for row in table.rows:
        if table.is_foot(row):
            name = f"in the row {next(filter(None, row))[:40]}, to compare with"
            if id(row) in table.unnamed:
                name = "in a row of sums, to compare with"
            yield from ((cell, name) for cell in row)
            continue
        for cell, kind, heading in zip(row, table.kinds, table.head, strict=True):
            about = f"in the column {heading[:40]}" if heading else "in a column without a heading"
            yield cell, REASONS.get(kind, f"{about}, which is no player's")


REASONS = {
    "date": "days",
    "deal": "numbers of deals",
    "game": "names of games",
    "contract": "kinds of deals",
    "who": "names of players",
    "winner": "names of winners",
    "name": "names of players",
    "player": "points of only one player, or a second time in one deal",
    "score": "points of only one player, or a second time in one deal",
}
"""What a number is that no game has, by the kind of its column."""


def _titled(game: PastGame, titles: Sequence[tuple[Mapping[Order, date], str]]) -> PastGame:
    """Take day and game from the titles, where the table itself does not say them."""
    for found, rest in titles:
        if found and not game.days:
            game.days = found
        if rest and not game.game and not cell_values.is_number(rest):
            game.game, game.is_titled = rest, True
    return game


class Round(NamedTuple):
    """Points of several players at once: a deal, a game, or the sums at the foot of a sheet.

    `part` counts how often the numbers of the deals began anew.
    """

    day: str
    game: str
    scores: dict[str, str]
    winner: str = ""
    is_total: bool = False
    part: int = 0


def games_of(table: Table, row_kind: str, points_column: str = "") -> Iterator[PastGame]:
    """Read the games of a table: each round is one, or those of a day and name are its deals.

    `row_kind` and `points_column` take the place of the guess, where there is a choice.
    """
    are_numbered = bool(table.columns("deal"))
    is_long = table.is_long
    if is_long and _is_statistic(table):
        return
    if is_long:
        rounds, is_certain = _long_rounds(table, points_column), are_numbered
    elif len(table.columns("player")) > 1:
        rounds, is_certain = list(_row_rounds(table)), False
    else:
        return
    says_game = table.columns("date") or table.columns("game")
    are_games = bool(says_game) and not (are_numbered or _has_numbered_games(table))
    if row_kind in get_args(RowKind) and not is_certain:
        are_games = row_kind.startswith("games")
    if are_games:
        yield from (_of_totals(one) for one in rounds if not one.is_total)
        return
    is_one_game = not (is_long or are_numbered or _has_numbered_games(table))
    named = rounds if is_one_game and says_game else ()
    names = [part for part, _ in groupby((one.day, one.game) for one in named)]
    comes_again = len(set(names)) < len(names)
    games: dict[tuple[str, str, int], list[Round]] = {}
    for one in rounds:
        # Numbers that only count the rows are those of one game's deals, as are names that
        # come again after others.
        are_contracts = is_one_game and (comes_again or cell_values.is_number(one.game))
        name = "" if are_contracts or table.columns("contract") else one.game
        games.setdefault((one.day, name, one.part), []).append(one._replace(game=name))
    for deals in games.values():
        game = _of_deals(table, deals)
        game.is_certain = is_certain
        yield game


def _has_numbered_games(table: Table) -> bool:
    """Return whether several rows below one another have the number of one game, or session."""
    numbers: list[tuple[str, str]] = []
    day = ""
    for row in table.rows:
        day = table.cell(row, "date") or day
        if (number := table.cell(row, "game")) and not table.is_foot(row):
            numbers.append((day, number))
    parts = [part for part, _ in groupby(numbers)]
    are_numbers = all(cell_values.is_number(number) for _, number in parts)
    return are_numbers and len(set(parts)) == len(parts) < len(numbers)


def _is_statistic(table: Table) -> bool:
    """Return whether a table has wins or averages of everybody: no game has."""
    known = {"date", "game", "deal"} & set(table.kinds)
    return not known and any(headings.words_of(one) & headings.STATISTICS for one in table.head)


def _row_rounds(table: Table) -> Iterator[Round]:
    """Read a round of each row; a day may stand for the rows below."""
    day = game = ""
    part = last = 0
    for row in table.rows:
        is_foot = table.is_foot(row)
        if not is_foot:
            day = table.cell(row, "date") or day
            game = table.cell(row, "game") or table.cell(row, "contract")
            number = cell_values.deal_number(table.cell(row, "deal")) or last
            if number == 1 < last:
                part += 1
            last = number
        if not is_foot or table.is_total(row):
            winner = one_line(table.cell(row, "winner"))
            yield Round(day, game, table.scores(row), winner, is_foot, part)


def _long_rounds(table: Table, points_column: str) -> list[Round]:
    """Read the rounds of a table whose rows say who had what, whatever their order.

    Known by the number of their deal, else by how often a name came: who stands there twice on a
    day was there twice.
    """
    columns = table.columns("score") or table.columns("player")
    columns.sort(key=lambda column: table.head[column] == points_column)
    rounds: dict[tuple[str, str, int], Round] = {}
    seen: Counter[tuple[str, str, str]] = Counter()
    day = ""
    for row in table.rows:
        who = one_line(table.cell(row, "who"))
        if not (who and columns) or table.is_foot(row):
            continue
        day, game = table.cell(row, "date") or day, table.cell(row, "game")
        seen[day, game, who] += 1
        number = cell_values.deal_number(table.cell(row, "deal"))
        key = day, game, seen[day, game, who] if number is None else number
        # A second number in one deal is named as left over, never put over the first.
        rounds.setdefault(key, Round(day, game, {})).scores.setdefault(who, row[columns[-1]])
    games = {(day, game): place for place, (day, game, _) in reversed([*enumerate(rounds)])}
    return [rounds[key] for key in sorted(rounds, key=lambda key: (games[key[:2]], key[2]))]


def _of_totals(one: Round) -> PastGame:
    """Make a game of totals; who has no cell was not there."""
    present = {name: c for name, c in one.scores.items() if not cell_values.is_nothing(c)}
    several = [one.winner] if one.winner in present else re.split("[&/,]", one.winner)
    return PastGame(
        list(present),
        [list(present.values())],
        are_totals=True,
        days=cell_values.day_cell(one.day),
        game=_name(one.game),
        winners=tuple(filter(None, map(str.strip, several))),
    )


def _of_deals(table: Table, rounds: Sequence[Round]) -> PastGame:
    """Make a game of deals; who has nothing in any of them was not there."""
    deals = [one.scores for one in rounds if not one.is_total]
    stated = [one.scores for one in rounds if one.is_total]
    players = [
        name
        for name in dict.fromkeys(name for scores in deals for name in scores)
        if not all(cell_values.is_nothing(scores.get(name, "")) for scores in deals)
    ]
    rows = [[scores.get(name, "") for name in players] for scores in deals]
    columns = table.columns("deal")
    heading = headings.word(table.head[columns[0]]) if columns else ""
    return PastGame(
        players,
        [row for row in rows if not all(map(cell_values.is_nothing, row))],
        are_totals=False,
        days=cell_values.day_cell(rounds[0].day),
        game=_name(rounds[0].game),
        stated=[stated[-1].get(name, "") for name in players] if stated else [],
        deal_word=heading if heading in headings.DEALS and heading.isalpha() else "deal",
    )


def _name(game: str) -> str:
    """Return what a game is called; a number only tells it from others."""
    return "" if cell_values.is_number(game) else game
