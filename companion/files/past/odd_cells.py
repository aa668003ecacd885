"""Cells in which no whole number stands: what is asked about them, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from . import meaning
from .choices import LEFT_OUT, Choices, PlanAnswer, PlanQuestion
from .past_game import PastGame
from .places import place_of

MOST_ODD, MOST_PLACES = 40, 6
REST = "the others"


class OddCell(Struct, frozen=True):
    """A cell that must be asked about, and whose points stand in it."""

    text: str
    player: str
    place: str


def _cells(games: Sequence[PastGame]) -> Iterator[tuple[str, str]]:
    for game in games:
        for row in game.rows:
            yield from zip(game.players, row, strict=True)


def _is_fraction(cell: str) -> bool:
    return isinstance(meaning.points(cell), float)


def _is_odd(cell: str) -> bool:
    return meaning.points(cell) is None and not meaning.is_nothing(cell)


def odd_texts(games: Sequence[PastGame]) -> dict[str, list[OddCell]]:
    """List what stands where points should and cannot be read, with its places."""
    found: dict[str, list[OddCell]] = {}
    for player, cell in _cells(games):
        if _is_odd(cell):
            text = cell if len(found) < MOST_ODD or cell in found else REST
            found.setdefault(str(text), []).append(OddCell(cell, player, place_of(cell)))
    return found


def odd_cells_asked(
    every: Sequence[PastGame], taken: Sequence[PastGame], choices: Choices
) -> Iterator[PlanQuestion]:
    """Ask what each text of the games that are taken stands for that is no number, and of halves.

    Numbered by every game, so that a choice stays that of its text whatever is left out.
    """
    asked = _without_left_out(taken, choices)
    texts = odd_texts(asked)
    for number, (text, cells) in enumerate(odd_texts(every).items()):
        if text not in texts:
            continue
        inner = dict.fromkeys(("0", *re.findall(r"[-+]?\d{1,5}", text)[:3]))
        options = [
            PlanAnswer(LEFT_OUT, "No points: wasn't there"),
            *(PlanAnswer(points, points) for points in inner),
        ]
        where = " and ".join(list(dict.fromkeys(cell.player for cell in cells))[:3])
        words = f"what “{text[:40]}” of {where} is ({_places([cell.place for cell in cells])})"
        chosen = choices.cells.get(text, "")
        yield PlanQuestion(f"cell-{number}", words, options, chosen, takes_number=True)
    halves = [cell for _, cell in _cells(asked) if _is_fraction(cell)]
    if halves:
        options = [
            PlanAnswer("round", "Round them: 4.5 is 5"),
            PlanAnswer("double", "Double all points of these games: 4.5 is 9"),
            PlanAnswer("leave", "Leave these numbers out"),
        ]
        some = ", ".join(dict.fromkeys(halves[:3]))
        words = f"points are whole here: {some} ({_places(list(map(place_of, halves)))})"
        yield PlanQuestion("halves", words, options, choices.halves)


def _without_left_out(games: Sequence[PastGame], choices: Choices) -> list[PastGame]:
    """Return games as they are once whole games and columns are left out."""
    if LEFT_OUT not in (*choices.games.values(), *choices.people.values()):
        return list(games)
    kept = []
    for game in games:
        if choices.games.get(game.game) == LEFT_OUT:
            continue
        seats = [n for n, name in enumerate(game.players) if choices.people.get(name) != LEFT_OUT]
        rows = [[row[seat] for seat in seats] for row in game.rows]
        kept.append(replace(game, players=[game.players[seat] for seat in seats], rows=rows))
    return kept


def _places(places: Sequence[str]) -> str:
    more = len(places) - MOST_PLACES
    return ", ".join(filter(None, places[:MOST_PLACES])) + (f" and {more} more" if more > 0 else "")


def reader(games: Sequence[PastGame], choices: Choices) -> Callable[[str, str], int | None]:
    """Return what reads a cell of a game by the choices: its points, None for nothing."""
    doubled = {
        game.game
        for game in games
        if choices.halves == "double" and any(_is_fraction(c) for row in game.rows for c in row)
    }
    texts = odd_texts(games)

    def read(name: str, cell: str) -> int | None:
        points = meaning.points(cell)
        if points is None:
            answer = choices.cells.get(cell if cell in texts else REST, "")
            points = None if meaning.is_nothing(cell) else meaning.number(answer)
        elif isinstance(points, float) and choices.halves == "leave":
            points = None
        if points is None:
            return None
        return floor(points * (2 if name in doubled else 1) + 0.5)

    return read
