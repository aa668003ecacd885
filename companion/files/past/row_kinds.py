"""Whether rows are points or totals so far, and the points that such totals were made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, get_args

from . import cell_values
from .past_game import PastGame, RowKind
from .questions import Answer, Question, Questionnaire

FEWEST = 3
"""Rows may be totals so far where there are at least so many."""
MOSTLY = 0.8
"""The share of its rows in which a player has a number."""
FAR_STEPS, SMALL_STEPS, GROWTH = (0.75, 1.1), (0.5, 0.6), (1.5, 1.25)
"""Totals differ less from the row above than from 0, and those below are larger.

Each up to where that is likely, and up to where it is possible; the first is for points that come
to 0 together, which may grow little.
"""
MANY_A_DAY = 4
"""The fewest rows of one day that may be deals of one game."""
AS_READ = "as read"
"""The answer that leaves each table its own guess, where these differ."""
Rows = Sequence[Sequence[int | None]]


class Guess(NamedTuple):
    """What a row of one table is likely to be; `is_clear` where nothing needs to be decided."""

    table: list[PastGame]
    kind: RowKind
    is_asked: bool = False
    is_clear: bool = True


def tables_so_far(
    games: Sequence[PastGame], form: Questionnaire
) -> Iterator[tuple[list[PastGame], bool]]:
    """Part games into what is one table, each with whether its rows are totals so far.

    Asks what a row is, with the totals that each answer comes to.
    """
    guesses = _agreed([_likely_kind(table) for table in _tables(games)])
    several = [
        guess
        for guess in guesses
        if sum(len(game.rows) for game in guess.table) > 1
        and not (guess.table[0].is_certain and guess.table[0].are_totals)
    ]
    chosen = form.ask(_question(several)) if several else AS_READ
    for guess in guesses:
        kind = chosen if chosen in get_args(RowKind) else guess.kind
        yield guess.table, kind.endswith("so far")


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


def _agreed(guesses: Sequence[Guess]) -> list[Guess]:
    """Take all games of one table for what most of those look like that are long enough."""
    agreed: list[Guess] = []
    for _, group in groupby(guesses, lambda guess: guess.table[0].table):
        same = list(group)
        long = [guess for guess in same if len(guess.table[0].rows) >= FEWEST]
        if long:
            ((looks, _),) = Counter(guess[1:] for guess in long).most_common(1)
            same = [Guess(guess.table, *looks) for guess in same]
        agreed += same
    return agreed


def _likely_kind(table: list[PastGame]) -> Guess:
    game, (_, rows) = table[0], by_name(table)
    if game.are_totals:
        is_so_far = not game.is_certain and counts_wins(rows)
        are_deals = not (game.is_certain or is_so_far) and _may_be_deals(table, rows)
        kind: RowKind = "games so far" if is_so_far else "games"
        return Guess(table, kind, is_so_far or are_deals, not are_deals)
    stated = [cell_values.number(cell) for cell in game.stated]
    if len(rows) < 2 or stated == game.sums:
        return Guess(table, "deals")
    if stated == rows[-1]:
        return Guess(table, "deals so far")
    likely, possible = _may_be_so_far(rows)
    return Guess(table, "deals so far" if likely else "deals", possible, likely or not possible)


def _may_be_deals(table: Sequence[PastGame], rows: Rows) -> bool:
    """Return whether games of one row may be deals: many of one day and name, or totals so far.

    Names that come again after others may be kinds of deals.
    """
    are_wins = {points for row in rows for points in row} <= {None, 0, 1}
    names = [(*game.days.values(), game.game) for game in table if game.days]
    evenings = set(names)
    if len(evenings) < len(list(groupby(names))):
        evenings = {name[:1] for name in names}
    are_many = bool(evenings) and len(table) >= MANY_A_DAY * len(evenings)
    return not are_wins and (are_many or (len(rows) > MANY_A_DAY and _may_be_so_far(rows)[0]))


def _may_be_so_far(rows: Rows) -> tuple[bool, bool]:
    """Guess from how the numbers of each player follow one another, whatever cells are empty.

    Returns whether rows are likely, and possibly, totals so far.
    """
    columns = [[p for p in column if p is not None] for column in zip(*rows, strict=True)]
    if any(len(column) < max(FEWEST, MOSTLY * len(rows)) for column in columns):
        return False, False
    pairs = [pair for column in columns for pair in pairwise(column)]
    if all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs):
        return True, True
    steps: int = sum(abs(b - a) for a, b in pairs)
    size: int = sum(abs(b) for _, b in pairs)
    if cell_values.share(not sum(points or 0 for points in row) for row in rows) >= MOSTLY:
        first: int = sum(abs(column[0]) for column in columns)
        likely, possible = (first + steps <= far * (first + size) for far in FAR_STEPS)
        return likely, possible
    half = len(rows) // 2
    early = sum(abs(points or 0) for row in rows[:half] for points in row)
    late = sum(abs(points or 0) for row in rows[-half:] for points in row)
    few, many = sorted((early, late))
    likely, possible = (
        len(rows) > FEWEST and many >= growth * few and steps <= small * size
        for growth, small in zip(GROWTH, SMALL_STEPS, strict=True)
    )
    return likely, possible


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


def _question(guesses: Sequence[Guess]) -> Question:
    """Ask what each row is; tables of two kinds may each be what they look like."""
    asked = next((one for one in guesses if one.is_asked), guesses[0])
    game = asked.table[0]
    kinds: dict[str, str] = {}
    so_far = sum(one.kind.endswith("so far") for one in guesses)
    if 0 < so_far < len(guesses):
        points = len(guesses) - so_far
        kinds[AS_READ] = f"As each table looks: {points} as points, {so_far} as totals so far"
    if game.are_totals:
        kinds["deals"] = "Points of a deal of one game"
        kinds["deals so far"] = "Totals so far of one game"
        kinds["games"] = "A game"
        kinds["games so far"] = "A game, with totals so far"
    else:
        columns = zip(*between_rows(game.points), strict=True)
        last = [sum(points or 0 for points in column) for column in columns]
        kinds["deals"] = f"Points of a {game.deal_word}: {_totals(game.players, game.sums)}"
        kinds["deals so far"] = f"Totals so far: {_totals(game.players, last)}"
        if not game.is_certain:
            kinds["games"] = "A game"
    options = [Answer(kind, words) for kind, words in kinds.items()]
    guess = AS_READ if AS_READ in kinds else asked.kind
    chosen = guess if all(one.is_clear for one in guesses) else ""
    words = "points or running totals"
    return Question("row", words, options, chosen, asked.is_asked, label="Each row is")


def _totals(names: Sequence[str], totals: Sequence[int]) -> str:
    some = ", ".join(f"{name} {total}" for name, total in list(zip(names, totals, strict=True))[:4])
    return f"{some} …" if len(names) > 4 else some
