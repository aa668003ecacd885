"""Charts of lines: totals deal by deal, places over a season, ratings over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from .axes import FONT, WIDTH, apart, cut, figure, text_width, ticks

LATEST = 60
"""Of a longer series so many points are drawn, the latest."""
NAME_ROOM = 74
"""How wide a name may be beside its line."""
LINE_GAP = 17
MARK_GAP = 11
TOP = 12
BELOW = 24
"""Room under the lines, for the labels of the points."""
MARKS = (
    "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.4l4.2 7.4h-8.4z",
    "m0-4.8l4.8 4.8l-4.8 4.8l-4.8-4.8z",
    "m0 4.4l4.2-7.4h-8.4z",
    "m-1.3-4.4h2.6v3.1h3.1v2.6h-3.1v3.1h-2.6v-3.1h-3.1v-2.6h3.1z",
)
"""A circle, a square, a triangle, a diamond, a triangle on its point and a cross."""


class Series(Struct, frozen=True):
    """One player's numbers, None where there is none, each with its range where it has one."""

    name: str
    values: Sequence[float | None]
    ranges: Sequence[tuple[float, float] | None] = ()


class Tick(NamedTuple):
    """A number on an axis."""

    at: float
    label: str


class Curve(Struct, frozen=True, kw_only=True):
    """One player's line: paths, and the label at its end. `style` tells it apart from others."""

    name: str
    short: str
    last: str
    style: int
    line: str
    band: str
    marks: str
    key: str
    leader: str
    label_y: float


class Row(NamedTuple):
    """One point of a chart in its table: its label, and the number of each curve."""

    label: str
    cells: Sequence[str]


class LineChart(Struct, frozen=True, kw_only=True):
    """Lines over an axis of deals, games or days; no curves where there is nothing to draw.

    `left_out` counts the earlier points that are not drawn.
    """

    curves: Sequence[Curve] = ()
    rows: Sequence[Row] = ()
    up: Sequence[Tick] = ()
    across: Sequence[Tick] = ()
    left_out: int = 0
    plot: Plot | None = None


def totals_chart(names: Sequence[str], totals: Sequence[Sequence[int | None]]) -> LineChart:
    """Draw everybody's total before the first deal and after each; None for who was not there.

    >>> chart = totals_chart(["Ann", "Bob"], [[0, 0], [5, 20], [15, 20]])
    >>> [(curve.name, curve.last) for curve in chart.curves], [tick.label for tick in chart.up]
    ([('Ann', '15'), ('Bob', '20')], ['0', '5', '10', '15', '20'])
    """
    series = [Series(name, [row[n] for row in totals]) for n, name in enumerate(names)]
    return line_chart(series, ["", *map(str, range(1, len(totals)))])


def line_chart(
    series: Sequence[Series], labels: Sequence[str], *, downward: bool = False
) -> LineChart:
    """Draw a line for each series over the points that `labels` name, and a band for its ranges.

    `downward` has 1 on top.
    """
    start = max(0, len(labels) - LATEST)
    labels = labels[start:]
    drawn = [Series(s.name, s.values[start:], s.ranges[start:]) for s in series]
    numbers = [number for one in drawn for number in _numbers(one)]
    if not numbers:
        return LineChart()
    if downward:
        lowest = max(2, int(max(numbers)))
        up = [1, *(n for n in ticks(1, lowest, most=9) if 1 < n <= lowest)]
        plot = _plot(drawn, up, len(labels), (lowest, 1))
    else:
        up = ticks(min(numbers), max(numbers))
        plot = _plot(drawn, up, len(labels), (up[0], up[-1]))
    return LineChart(
        curves=list(plot.curves(drawn)),
        rows=[Row(label, _cells(drawn, n)) for n, label in enumerate(labels)],
        up=[Tick(plot.y(mark), figure(mark)) for mark in up],
        across=[Tick(plot.x(n), labels[n]) for n in _labelled(labels, plot.spacing)],
        left_out=start,
        plot=plot,
    )


def _numbers(one: Series) -> Iterator[float]:
    yield from (value for value in one.values if value is not None)
    yield from (end for ends in one.ranges if ends for end in ends)


def _cells(series: Sequence[Series], point: int) -> list[str]:
    """Write the numbers at one point, of all who have any."""
    return [_cell(one, point) for one in series if _points(one)]


def _cell(one: Series, point: int) -> str:
    value = one.values[point]
    if value is None:
        return "–"
    ends = _ends(one, point)
    return figure(value) + (f" ({figure(ends[0])} to {figure(ends[1])})" if ends else "")


def _labelled(labels: Sequence[str], spacing: float) -> list[int]:
    """Choose the points that bear their label so that no two touch; numbers at round numbers."""
    widest = max(map(text_width, labels)) + 8
    every = next((k for k in (1, 2, 5, 10, 20, 50) if k * spacing >= widest), len(labels))
    return [
        n
        for n, label in enumerate(labels)
        if label and (int(label) if label.isdecimal() else n) % every == 0
    ]


class _Dot(NamedTuple):
    """A point of a line where it is drawn, and the ends of its range, the lower one first."""

    point: int
    x: float
    y: float
    ends: tuple[float, float] | None


class Plot(Struct, frozen=True, kw_only=True):
    """The area where lines are drawn: its edges, and the numbers at its bottom and top.

    `value_x` is where the last number of a line ends.
    """

    left: float
    right: float
    bottom: float
    low: float
    high: float
    points: int
    value_x: float
    width: int = WIDTH

    @property
    def name_x(self) -> float:
        """Where the name of a line begins."""
        return self.value_x + 5

    @property
    def height(self) -> float:
        """How high the drawing is, with the labels below."""
        return self.bottom + BELOW

    @property
    def zero(self) -> float | None:
        """Where nothing is, if there are numbers on both of its sides."""
        return self.y(0) if self.low < 0 < self.high else None

    @property
    def spacing(self) -> float:
        """How far apart two points are."""
        return (self.right - self.left) / max(1, self.points - 1)

    def x(self, point: int) -> float:
        """Return where a point is."""
        alone = self.points == 1
        return round((self.left + self.right) / 2 if alone else self.left + self.spacing * point, 1)

    def y(self, number: float) -> float:
        """Return how far down a number is."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.bottom - (self.bottom - TOP) * share, 1)

    def curves(self, series: Sequence[Series]) -> Iterator[Curve]:
        """Draw the lines of all who have any numbers, their labels apart."""
        dots = {n: self.dots(one) for n, one in enumerate(series) if _points(one)}
        heights = apart([line[-1].y for line in dots.values()], LINE_GAP, TOP, self.bottom)
        for (style, line), height in zip(dots.items(), heights, strict=True):
            one, last, key_x = series[style], line[-1], self.right + 14
            yield Curve(
                name=one.name,
                short=cut(one.name, NAME_ROOM),
                last=_last(one),
                style=style,
                line=" ".join(f"M{_through(stretch)}" for stretch in _stretches(line)),
                band=_band(line),
                marks=self.marks(style, line),
                key=_mark(style, key_x, height),
                leader=f"M{last.x} {last.y}L{key_x:.1f} {height:.1f}",
                label_y=round(height + FONT / 3, 1),
            )

    def dots(self, one: Series) -> list[_Dot]:
        """Put the numbers of a series in their places."""
        found = []
        for point, value in _points(one):
            ends = _ends(one, point)
            heights = (self.y(ends[0]), self.y(ends[1])) if ends else None
            found.append(_Dot(point, self.x(point), self.y(value), heights))
        return found

    def marks(self, style: int, line: Sequence[_Dot]) -> str:
        """Draw the marks of a line as far apart as they need, its last one and lone ones always."""
        every = max(1, round(MARK_GAP / self.spacing))
        lone = {stretch[0] for stretch in _stretches(line) if len(stretch) == 1}
        marked = (d for d in line if d.point % every == 0 or d in lone or d is line[-1])
        return " ".join(_mark(style, dot.x, dot.y) for dot in marked)


def _plot(
    series: Sequence[Series], up: Sequence[int], points: int, ends: tuple[float, float]
) -> Plot:
    """Leave room for the ticks on the left, for values and names on the right."""
    value_x = WIDTH - max(text_width(cut(one.name, NAME_ROOM)) for one in series) - 6
    return Plot(
        left=round(14 + max(text_width(figure(mark)) for mark in up), 1),
        right=round(value_x - max(text_width(_last(one)) for one in series) - 26, 1),
        bottom=TOP + max(150, LINE_GAP * len(series)),
        low=ends[0],
        high=ends[1],
        points=points,
        value_x=round(value_x, 1),
    )


def _points(one: Series) -> list[tuple[int, float]]:
    return [(n, value) for n, value in enumerate(one.values) if value is not None]


def _last(one: Series) -> str:
    points = _points(one)
    return figure(points[-1][1]) if points else ""


def _ends(one: Series, point: int) -> tuple[float, float] | None:
    return one.ranges[point] if point < len(one.ranges) else None


def _stretches(line: Sequence[_Dot]) -> list[list[_Dot]]:
    """Split a line where points are missing."""
    found: list[list[_Dot]] = []
    for dot in line:
        if not found or dot.point != found[-1][-1].point + 1:
            found.append([])
        found[-1].append(dot)
    return found


def _through(dots: Sequence[_Dot]) -> str:
    return "L".join(f"{dot.x} {dot.y}" for dot in dots)


def _band(line: Sequence[_Dot]) -> str:
    """Draw the outline of the ranges, above from left to right and back below."""
    outlines = []
    for stretch in _stretches([dot for dot in line if dot.ends]):
        above = [f"{dot.x} {dot.ends[1]}" for dot in stretch if dot.ends]
        below = [f"{dot.x} {dot.ends[0]}" for dot in reversed(stretch) if dot.ends]
        outlines.append(f"M{'L'.join([*above, *below])}Z")
    return " ".join(outlines)


def _mark(style: int, x: float, y: float) -> str:
    """Draw the mark of a style; after the last kind of mark they begin again, drawn hollow."""
    return f"M{x:.1f} {y:.1f}{MARKS[style % len(MARKS)]}"
