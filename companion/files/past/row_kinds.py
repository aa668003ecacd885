"""Whether rows are points or totals so far, and the points that such totals were made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from . import cell_values
from .past_game import PastGame, RowKind
from .questions import Answer, Question, Questionnaire

FEWEST = 3
"""Rows may be totals so far where there are at least so many."""
MOSTLY = 0.8
"""The share of its rows in which a player has a number."""
LESS_BETWEEN, SMALL_STEPS, GROWTH = 0.8, 0.5, 1.5
"""Totals differ less from the row above than from 0, and those below are larger.

The first is for points that come to 0 together, which may grow little.
"""
AS_READ = "as read"
"""The answer that leaves each table its own guess; any other is for all of them."""
Rows = Sequence[Sequence[int | None]]


def tables_so_far(
    games: Sequence[PastGame], form: Questionnaire
) -> Iterator[tuple[list[PastGame], bool]]:
    """Part games into what is one table, each with whether its rows are totals so far.

    Asks what a row is, with the totals that each answer comes to.
    """
    guesses = [(table, *_likely_kind(table)) for table in _tables(games)]
    several = [
        (table, guess, is_asked)
        for table, guess, is_asked in guesses
        if sum(len(game.rows) for game in table) > 1
        and not (table[0].is_certain and table[0].are_totals)
    ]
    chosen = AS_READ
    if several:
        asked = next((one for one in several if one[2]), several[0])
        chosen = form.ask(_question(*asked, form.answers.get("row", "")))
    for table, guess, _ in guesses:
        yield table, (guess if chosen == AS_READ else chosen).endswith("so far")


def _tables(games: Sequence[PastGame]) -> Iterator[list[PastGame]]:
    """Gather lists of games; a sheet of deals stands for itself."""
    for _, group in groupby(games, lambda game: game.table):
        table = list(group)
        if table[0].are_totals and not table[0].is_certain:
            yield table
        else:
            yield from ([game] for game in table)


def by_name(table: Sequence[PastGame]) -> tuple[list[str], list[list[int | None]]]:
    """Return the rows of some games under the same names; None for who was not there."""
    names = list(dict.fromkeys(name for game in table for name in game.players))
    rows = []
    for game in table:
        for row in game.points:
            points = dict(zip(game.players, row, strict=True))
            rows.append([points.get(name) for name in names])
    return names, rows


def _likely_kind(table: Sequence[PastGame]) -> tuple[RowKind, bool]:
    """Guess what a row of one table is, and return whether that must be asked."""
    game, (_, rows) = table[0], by_name(table)
    if game.are_totals:
        is_so_far = not game.is_certain and counts_wins(rows)
        return ("games so far" if is_so_far else "games"), is_so_far
    stated = [cell_values.number(cell) for cell in game.stated]
    if len(rows) < 2 or stated == game.sums:
        return "deals", False
    if stated == rows[-1]:
        return "deals so far", False
    maybe = _may_be_so_far(rows)
    return ("deals so far" if maybe else "deals"), maybe


def _may_be_so_far(rows: Rows) -> bool:
    """Guess from how the numbers of each player follow one another, whatever cells are empty."""
    columns = [[p for p in column if p is not None] for column in zip(*rows, strict=True)]
    if any(len(column) < max(FEWEST, MOSTLY * len(rows)) for column in columns):
        return False
    pairs = [pair for column in columns for pair in pairwise(column)]
    if all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs):
        return True
    steps: int = sum(abs(b - a) for a, b in pairs)
    size: int = sum(abs(b) for _, b in pairs)
    if not any(sum(points or 0 for points in row) for row in rows):
        first: int = sum(abs(column[0]) for column in columns)
        return first + steps <= LESS_BETWEEN * (first + size)
    half = len(rows) // 2
    early = sum(abs(points or 0) for row in rows[:half] for points in row)
    late = sum(abs(points or 0) for row in rows[-half:] for points in row)
    return len(rows) > FEWEST and late >= GROWTH * early and steps <= SMALL_STEPS * size


def counts_wins(rows: Rows) -> bool:
    """Return whether each row has just one win more than that above it."""
    return len(rows) >= FEWEST and all(
        sorted(points or 0 for points in row) == [0] * (len(row) - 1) + [1]
        for row in between_rows(rows)
    )


def between_rows(rows: Rows) -> list[list[int | None]]:
    """Turn totals so far into the points of each row; who has no total scored nothing yet."""
    last = [0] * len(rows[0]) if rows else []
    changes: list[list[int | None]] = []
    for row in rows:
        changes.append([None if p is None else p - was for p, was in zip(row, last, strict=True)])
        last = [was if p is None else p for p, was in zip(row, last, strict=True)]
    return changes


def _question(table: Sequence[PastGame], guess: RowKind, is_asked: bool, chosen: str) -> Question:
    """Ask what each row is; the guess is that of each table until something else is chosen."""
    game = table[0]
    kinds: dict[RowKind, str] = {}
    if game.are_totals:
        kinds["deals"] = "Points of a deal of one game"
        kinds["games"] = "A game"
        kinds["games so far"] = "A game, with totals so far"
    else:
        columns = zip(*between_rows(game.points), strict=True)
        last = [sum(points or 0 for points in column) for column in columns]
        kinds["deals"] = f"Points of a {game.deal_word}: {_totals(game.players, game.sums)}"
        kinds["deals so far"] = f"Totals so far: {_totals(game.players, last)}"
        if not game.is_certain:
            kinds["games"] = "A game"
    guess_value = guess if chosen in kinds else AS_READ
    options = [
        Answer(guess_value if kind == guess else kind, words) for kind, words in kinds.items()
    ]
    words = "points or running totals"
    return Question("row", words, options, guess_value, is_asked, label="Each row is")


def _totals(names: Sequence[str], totals: Sequence[int]) -> str:
    some = ", ".join(f"{name} {total}" for name, total in list(zip(names, totals, strict=True))[:4])
    return f"{some} …" if len(names) > 4 else some
