"""What a line is drawn with: its path, its band, and a mark of its own at its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .axes import at

_MARKS = (
    "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.4l4.2 7.4h-8.4z",
    "m0-4.8l4.8 4.8l-4.8 4.8l-4.8-4.8z",
    "m0 4.4l4.2-7.4h-8.4z",
    "m-1.3-4.4h2.6v3.1h3.1v2.6h-3.1v3.1h-2.6v-3.1h-3.1v-2.6h3.1z",
)
"""A circle, a square, a triangle, a diamond, a triangle on its point and a cross."""
MARKS = len(_MARKS)
ROOM = 11
"""Marks stand at least so far apart, and further the more lines there are."""


class Dot(NamedTuple):
    """A point of a line where it is drawn, and the ends of its range, the lower one first."""

    point: int
    x: float
    y: float
    ends: tuple[float, float] | None = None


def path(dots: Sequence[Dot]) -> str:
    """Draw a line through dots, broken where points are missing.

    >>> path([Dot(0, 1, 2), Dot(1, 3, 4), Dot(3, 7, 8)])
    'M1 2L3 4 M7 8'
    """
    return " ".join(
        "M" + "L".join(f"{at(dot.x)} {at(dot.y)}" for dot in stretch) for stretch in _whole(dots)
    )


def band(dots: Sequence[Dot]) -> str:
    """Draw the outline of the ranges, above from left to right and back below.

    >>> band([Dot(0, 1, 5, (8, 2)), Dot(1, 3, 5, (9, 4))])
    'M1 2L3 4L3 9L1 8Z'
    """
    outlines = []
    for stretch in _whole([dot for dot in dots if dot.ends]):
        ends = [(dot.x, *dot.ends) for dot in stretch if dot.ends]
        around = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in reversed(ends)]
        outlines.append("M" + "L".join(f"{at(x)} {at(y)}" for x, y in around) + "Z")
    return " ".join(outlines)


def marks(style: int, dots: Sequence[Dot], lines: int = 1) -> str:
    """Draw the marks of a line as far apart as they need, its last one and lone ones always.

    Of several lines each has its marks in places of its own, where there is room for that.
    """
    room = max(ROOM, 3 * lines)
    return " ".join(mark(style, dot.x, dot.y) for dot in _marked(dots, room, room * style / lines))


def _marked(dots: Sequence[Dot], room: float, start: float) -> Iterator[Dot]:
    last = dots[-1]
    lone = {stretch[0].point for stretch in _whole(dots) if len(stretch) == 1}
    is_crowded = any(after.x < dot.x + room for dot, after in pairwise(dots))
    x = dots[0].x - room + start * is_crowded
    for dot in dots:
        has_room = dot.x >= x + room and last.x >= dot.x + room
        if has_room or dot is last or dot.point in lone:
            x = dot.x
            yield dot


def mark(style: int, x: float, y: float) -> str:
    """Draw the mark of a style; after the last kind of mark they begin again, drawn hollow.

    >>> mark(1, 10, 20)
    'M10 20m-3.2-3.2h6.4v6.4h-6.4z'
    """
    return f"M{at(x)} {at(y)}{_MARKS[style % MARKS]}"


def _whole(dots: Sequence[Dot]) -> Iterator[list[Dot]]:
    """Part dots into stretches without a missing point."""
    stretch: list[Dot] = []
    for dot in dots:
        if stretch and dot.point != stretch[-1].point + 1:
            yield stretch
            stretch = []
        stretch.append(dot)
    if stretch:
        yield stretch
