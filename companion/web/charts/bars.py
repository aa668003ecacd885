"""A chart of bars: an average for each of a few things, and how many numbers it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .axes import FONT, WIDTH, cut, figure, text_width

FEW = 5
"""An average of fewer is drawn hollow: it is too small a number to say much."""
ROW = 42
BAR = 14
COUNT_ROOM = 100
"""How wide an average with its count may be, at the end of the line above its bar."""


class Average(Struct, frozen=True):
    """What the bars show of one thing: its name, the average, and of how many."""

    name: str
    average: float
    count: int


class Bar(Struct, frozen=True):
    """One bar with its label above it."""

    name: str
    short: str
    average: str
    count: int
    is_few: bool
    text_y: int
    x: float
    y: int
    width: float


class BarChart(Struct, frozen=True, kw_only=True):
    """Bars under each other from the line of zero; none where there is nothing to draw."""

    bars: Sequence[Bar] = ()
    width: int = WIDTH
    height: int = 0
    thick: int = BAR
    zero: float = 0

    @property
    def has_few(self) -> bool:
        """Whether any bar is hollow."""
        return any(bar.is_few for bar in self.bars)


def bar_chart(averages: Sequence[Average]) -> BarChart:
    """Draw averages as bars in the order given.

    >>> chart = bar_chart([Average("Two sets", -8.5, 12), Average("Two runs", 34, 3)])
    >>> [(bar.average, bar.x, bar.width, bar.is_few) for bar in chart.bars], chart.zero
    ([('−8.5', 2.0, 67.2, False), ('34', 69.2, 268.8, True)], 69.2)
    """
    if not averages:
        return BarChart()
    low = min(0.0, *(one.average for one in averages))
    high = max(0.0, *(one.average for one in averages))
    scale = (WIDTH - 4) / ((high - low) or 1)
    zero = 2 - low * scale
    bars = [_bar(one, row, scale, zero) for row, one in enumerate(averages)]
    return BarChart(bars=bars, height=ROW * len(bars), zero=round(zero, 1))


def _bar(one: Average, row: int, scale: float, zero: float) -> Bar:
    return Bar(
        name=one.name,
        short=cut(one.name, WIDTH - COUNT_ROOM - text_width(figure(one.average))),
        average=figure(one.average),
        count=one.count,
        is_few=one.count < FEW,
        text_y=ROW * row + FONT + 1,
        x=round(min(zero, zero + one.average * scale), 1),
        y=ROW * row + FONT + 7,
        width=round(abs(one.average) * scale, 1),
    )
