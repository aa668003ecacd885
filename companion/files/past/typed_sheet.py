"""A score sheet that was typed in a grid: one certain game, its own sums against its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import msgspec
from msgspec import Struct

from companion.cards import Refusal
from companion.games.from_paper import write_down
from companion.games.record import Record, SeatRecord
from companion.rules import Variant
from companion.scoring import TallyError
from companion.scoring.deal import bounded

from . import cell_values
from .cell_values import PastError
from .cells import Cell
from .past_game import PastGame, PastScores

BEGINS = b'{"typed":'


class _Typed(Struct):
    typed: PastGame


class Conflict(Struct, frozen=True):
    """A sum on the paper that its cells do not make, or the cell that explains two of them.

    `deal`, from 0, and `seat` say where to look; a whole row or column has only one of them, and
    the whole sheet neither.
    """

    words: str
    deal: int | None = None
    seat: int | None = None


def write_typed(game: PastGame) -> bytes:
    """Write a typed sheet as a file that `read_typed` reads."""
    return msgspec.json.encode(_Typed(game))


def read_typed(data: bytes) -> PastScores:
    """Read a typed sheet; a deal is its row, and the first player's column B."""
    try:
        game = msgspec.json.decode(data, type=_Typed).typed
    except msgspec.MsgspecError:
        raise PastError("This typed sheet is damaged. Type it in again.") from None
    width = len(game.players)
    if width < 2 or any(len(row) != width for row in (*game.rows, game.stated or game.players)):
        raise PastError("This typed sheet is damaged. Type it in again.")
    game.rows = [
        [Cell(text, deal, column) for column, text in enumerate(row, start=2)]
        for deal, row in enumerate(game.rows, start=1)
    ]
    # The grid has compared the totals on the paper; these say that its rows are points.
    game.stated, game.is_certain = list(map(str, game.sums)), True
    cells = [cell for row in game.rows for cell in row if isinstance(cell, Cell)]
    numbers = [(cell, "") for cell in cells if cell_values.holds_number(cell)]
    return PastScores([game], numbers, [])


def against_rules(variant: Variant, game: PastGame) -> list[Conflict]:
    """Return where a sheet does not go by the rules: points after the end, or for who was out.

    One that ends before the rules end it is noted as stopped.
    """
    seats = tuple(SeatRecord(player_id=seat) for seat in range(1, len(game.players) + 1))
    record = Record(variant=variant, **vars(variant.pack(len(seats))), first_dealer=0, seats=seats)
    # An empty cell is not yet filled in, and a dash is nothing.
    rows = [
        {seat: points for seat, (text, points) in enumerate(zip(*row, strict=True)) if text}
        for row in zip(game.rows, game.points, strict=True)
    ]
    try:
        game.is_stopped = write_down(record, rows).record.stopped
    except TallyError as fault:
        return [Conflict(finding.in_words(game.players)) for finding in fault.findings]
    except Refusal as fault:
        return [Conflict(str(fault))]
    return []


def cross_check(variant: Variant, game: PastGame, sums: Sequence[str]) -> list[Conflict]:
    """Compare the sums on the paper with its cells, wrong cells first where they can be told.

    A cell is named where its row and its column are off by the same amount and no other row or
    column is off by that. Three wrong cells or more can hide behind one; two cannot.
    """
    columns = zip(*game.points, strict=True)
    totals = [
        reduce(lambda sofar, won: bounded(variant, sofar + (won or 0)), column, 0)
        for column in columns
    ]
    made = [sum(points or 0 for points in row) for row in game.points]
    rows_off = _off(sums, made)
    columns_off = _off(game.stated, totals)
    if variant.ending.floor is None and (cells := _cells(game, rows_off, columns_off)):
        return [_wrong_cell(variant, game, deal, seat, rows_off[deal]) for deal, seat in cells]
    word = variant.deal_word.capitalize()
    return [
        *(
            Conflict(_words(f"{game.players[seat]}'s column", totals[seat], off), seat=seat)
            for seat, off in columns_off.items()
        ),
        *(
            Conflict(_words(f"{word} {deal + 1}", made[deal], off), deal=deal)
            for deal, off in rows_off.items()
        ),
    ]


def _off(written: Sequence[str], sums: Sequence[int]) -> dict[int, int]:
    """Return by how much each sum on the paper exceeds its cells."""
    return {
        place: int(number) - total
        for place, (text, total) in enumerate(zip(written, sums, strict=False))
        if (number := cell_values.number(text)) is not None and number != total
    }


def _cells(
    game: PastGame, rows: Mapping[int, int], columns: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Find the cells that explain every sum that is off, if they are certain."""
    amounts = sorted(rows.values())
    if amounts != sorted(columns.values()) or len(set(amounts)) != len(amounts):
        return []
    seat_of = {off: seat for seat, off in columns.items()}
    cells = [(deal, seat_of[off]) for deal, off in rows.items()]
    return cells if all(game.rows[deal][seat] for deal, seat in cells) else []


def _wrong_cell(variant: Variant, game: PastGame, deal: int, seat: int, off: int) -> Conflict:
    right = (game.points[deal][seat] or 0) + off
    where = f"{game.players[seat]}'s {variant.deal_word} {deal + 1}"
    return Conflict(f"{where}: {_figure(right)} would make both sums right.", deal, seat)


def _words(what: str, made: int, off: int) -> str:
    paper = f"{what} adds up to {_figure(made)}, the paper says {_figure(made + off)}"
    return f"{paper}: {abs(off)} {'less' if off > 0 else 'more'} than on the paper."


def _figure(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)
