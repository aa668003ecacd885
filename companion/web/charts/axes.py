"""What every chart measures with: ticks at round numbers, room for names, labels kept apart.

Coordinates are in the units of a drawing `WIDTH` wide, about a phone's pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from unicodedata import combining, east_asian_width

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
    for step in (factor * 10**power for power in count() for factor in (1, 2, 5)):
        found = range(int(low // step) * step, int(-(-high // step)) * step + 1, step)
        if len(found) <= most:
            return list(found)
    raise AssertionError


def apart(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move labels down, and then up from the lower edge, until each two are a gap apart.

    >>> apart([50, 10, 52], 16, 0, 60)
    [44, 10, 60]
    """
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = list(heights)
    edge = low
    for n in order:
        found[n] = max(found[n], edge)
        edge = found[n] + gap
    edge = high
    for n in reversed(order):
        found[n] = min(found[n], edge)
        edge = found[n] - gap
    return found


def text_width(text: str) -> float:
    """Estimate how wide a text is drawn, rather too wide than too narrow."""
    return FONT * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF":
        return 1.3
    return 1.0 if letter in "mwMW@%…−" else 0.7


def cut(name: str, room: float) -> str:
    """Cut a name that is too wide for its room, never between a letter and its accents.

    >>> cut("Ann", 60), cut("Wolfeschlegelsteinhausen", 60)
    ('Ann', 'Wolf…')
    """
    if text_width(name) <= room:
        return name
    end = len(name) - 1
    while text_width(f"{name[:end]}…") > room or combining(name[end]):
        end -= 1
    return f"{name[:end].rstrip()}…"


def figure(number: float) -> str:
    """Write a number as charts print it, with one decimal where it has any.

    >>> figure(-38), figure(41.25), figure(12.0), figure(-0.04)
    ('−38', '41.2', '12', '0')
    """
    # Adding 0 makes 0 of -0.0, which would be drawn as −0.
    return f"{round(number, 1) + 0:.1f}".removesuffix(".0").replace("-", "−")
