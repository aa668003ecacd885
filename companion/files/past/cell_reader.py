"""Cells in which no whole number stands: what is asked about them, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import floor
from typing import NamedTuple

from . import cell_values
from .cells import Cell
from .past_game import PastGame
from .questions import LEFT_OUT, Answer, Question, Questionnaire

MOST_ODD, MOST_PLACES = 40, 6
REST = "the others"
AS_CHOSEN, UNDECIDED = "left out, as chosen", "to be decided"


class Reading(NamedTuple):
    """What a cell comes to: its points, None for nothing, and why its number is no score."""

    points: int | None
    reason: str = ""


class CellReader:
    """Reads cells by the answers, once it has asked about those that hold no whole number."""

    def __init__(
        self, every: Sequence[PastGame], games: Sequence[PastGame], form: Questionnaire
    ) -> None:
        """Ask about the cells of `games`.

        Numbered by those of `every` game, so that an answer stays that of its text whatever is
        left out.
        """
        texts = dict.fromkeys(str(cell) for _, cell in _odd_cells(every))
        self.keys = {text: number for number, text in enumerate([*list(texts)[:MOST_ODD], REST])}
        asked: dict[str, list[tuple[str, str]]] = {}
        for player, cell in _odd_cells(games):
            asked.setdefault(self._key(cell), []).append((player, cell))
        self.answers = {
            text: form.ask(_question(self.keys[text], text, cells)) for text, cells in asked.items()
        }
        fractions = [cell for _, cell in _cells(games) if _is_fraction(cell)]
        self.halves = form.ask(_fractions_asked(fractions)) if fractions else ""
        self.doubled = {
            game.game
            for game in games
            if self.halves == "double" and any(_is_fraction(c) for row in game.rows for c in row)
        }

    def _key(self, cell: str) -> str:
        return str(cell) if cell in self.keys else REST

    def read(self, game: str, cell: str) -> Reading:
        """Read a cell of a game by its name."""
        points = cell_values.points(cell)
        if points is None and not cell_values.is_nothing(cell):
            answer = self.answers.get(self._key(cell), "")
            points = cell_values.number(answer)
            if points is None:
                return Reading(None, AS_CHOSEN if answer else UNDECIDED)
        elif isinstance(points, float) and self.halves == "leave":
            return Reading(None, AS_CHOSEN)
        if points is None:
            return Reading(None)
        return Reading(floor(points * (2 if game in self.doubled else 1) + 0.5))


def _cells(games: Sequence[PastGame]) -> Iterator[tuple[str, str]]:
    for game in games:
        for row in game.rows:
            yield from zip(game.players, row, strict=True)


def _is_fraction(cell: str) -> bool:
    return isinstance(cell_values.points(cell), float)


def _odd_cells(games: Sequence[PastGame]) -> Iterator[tuple[str, str]]:
    """List the cells that should be points and cannot be read, each after its player."""
    for player, cell in _cells(games):
        if cell_values.points(cell) is None and not cell_values.is_nothing(cell):
            yield player, cell


def _question(number: int, text: str, cells: Sequence[tuple[str, str]]) -> Question:
    inner = dict.fromkeys(("0", *re.findall(r"[-+]?\d{1,5}", text)[:3]))
    options = [
        Answer(LEFT_OUT, "No points: wasn't there"),
        *(Answer(points, points) for points in inner),
    ]
    players = " and ".join(list(dict.fromkeys(player for player, _ in cells))[:3])
    words = f"what “{text[:40]}” of {players} is ({_places([cell for _, cell in cells])})"
    return Question(f"cell-{number}", words, options, typed="number")


def _fractions_asked(cells: Sequence[str]) -> Question:
    options = [
        Answer("round", "Round them: 4.5 is 5"),
        Answer("double", "Double all points of these games: 4.5 is 9"),
        Answer("leave", "Leave these numbers out"),
    ]
    words = f"points are whole here: {', '.join(dict.fromkeys(cells[:3]))} ({_places(cells)})"
    return Question("halves", words, options)


def _places(cells: Sequence[str]) -> str:
    more = len(cells) - MOST_PLACES
    places = [cell.place for cell in cells[:MOST_PLACES] if isinstance(cell, Cell)]
    return ", ".join(places) + (f" and {more} more" if more > 0 else "")
