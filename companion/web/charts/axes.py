"""What every chart measures with: ticks at round numbers, room for names, labels kept apart.

Coordinates are in the units of a drawing `WIDTH` wide, about a phone's pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from unicodedata import category, east_asian_width

WIDTH = 340
FONT = 13
"""The size of a chart's letters, in its own units."""


def ticks(low: float, high: float, most: int = 6) -> list[int]:
    """Choose whole round numbers from at most `low` to at least `high`, evenly apart.

    >>> ticks(0, 145), ticks(-38, 152), ticks(0, 0), ticks(7, 9)
    ([0, 50, 100, 150], [-50, 0, 50, 100, 150, 200], [-1, 0, 1], [7, 8, 9])
    """
    if low == high:
        low, high = low - 1, high + 1
    steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in steps if _count(low, high, step) <= most)
    first = int(low // step)
    return [step * (first + n) for n in range(_count(low, high, step))]


def _count(low: float, high: float, step: int) -> int:
    return int(-(-high // step) - low // step) + 1


def tick_places(labels: Sequence[str], spacing: float) -> list[int]:
    """Choose the points that bear their label, so that no two touch; numbers at round numbers.

    >>> tick_places([str(n) for n in range(1, 13)], 9)
    [4, 9]
    """
    widest = max((text_width(label) for label in labels), default=0) + 8
    every = next((k for k in (1, 2, 5, 10, 20, 50) if k * spacing >= widest), len(labels) or 1)
    numbered = all(label.isdecimal() for label in labels if label)
    return [
        place
        for place, label in enumerate(labels)
        if label and (int(label) if numbered else place) % every == 0
    ]


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move labels as little as possible so that each two are a gap apart, between low and high.

    >>> apart([50, 10, 52], 16, 0, 100)
    [43.0, 10.0, 59.0]
    """
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    groups: list[list[float]] = []
    for rank, n in enumerate(order):
        groups.append([wanted[n] - rank * gap])
        while len(groups) > 1 and _mean(groups[-2]) >= _mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    flat = [_mean(group) for group in groups for _ in group]
    top = high - gap * (len(wanted) - 1)
    found = [0.0] * len(wanted)
    for rank, n in enumerate(order):
        found[n] = max(low, min(top, flat[rank])) + rank * gap
    return found


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


_JOINER = "\u200d"


def text_width(text: str) -> float:
    """Estimate how wide a text is drawn, rather too wide than too narrow."""
    drawn = (letter for before, letter in pairwise(["", *text]) if before != _JOINER)
    return FONT * sum(map(_letter_width, drawn))


def _letter_width(letter: str) -> float:
    if _joins(letter):
        return 0
    if east_asian_width(letter) in "WF":
        return 1.3
    if letter in "iIjlt.,:;'|! ":
        return 0.36
    if letter in "mwMW@%…−":
        return 1.0
    return 0.72 if letter.isupper() else 0.65


def cut(name: str, room: float) -> str:
    """Cut a name that is too wide for its room, never between a letter and its accents.

    >>> cut("Ann", 60), cut("Wolfeschlegelsteinhausen", 60)
    ('Ann', 'Wolfe…')
    """
    if text_width(name) <= room:
        return name
    room -= text_width("…")
    end = next(n for n in range(len(name), -1, -1) if text_width(name[:n]) <= room)
    while end and (_joins(name[end]) or _joins(name[end - 1], accents=False)):
        end -= 1
    return name[:end].rstrip() + "…"


def _joins(letter: str, *, accents: bool = True) -> bool:
    """Return what is drawn with its neighbour: accents, joiners, skin tones, signs for emoji."""
    is_tone = "\U0001f3fb" <= letter <= "\U0001f3ff"
    return letter == _JOINER or (accents and (is_tone or category(letter) in ("Mn", "Me", "Cf")))


def at(place: float) -> str:
    """Write a coordinate.

    >>> at(12.0), at(3.14), at(-0.04)
    ('12', '3.1', '0')
    """
    return f"{round(place, 1) + 0:.1f}".removesuffix(".0")


def figure(number: float) -> str:
    """Write a number as charts print it, with one decimal where it has any.

    >>> figure(-38), figure(41.25), figure(12.0), figure(-0.04)
    ('−38', '41.2', '12', '0')
    """
    return at(number).replace("-", "−")
