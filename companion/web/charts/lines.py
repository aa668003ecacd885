"""Charts of lines: totals deal by deal, places over a season, ratings over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from .axes import FONT, WIDTH, apart, at, cut, figure, text_width, tick_places, ticks
from .strokes import Dot, band, mark, marks, path

LATEST = 60
"""Of a longer series so many points are drawn, the latest."""


class Series(Struct, frozen=True):
    """One player's numbers, None where there is none, each with its range where it has one."""

    name: str
    values: Sequence[float | None]
    ranges: Sequence[tuple[float, float] | None] = ()


class Tick(Struct, frozen=True):
    """A number on an axis."""

    at: str
    label: str


class Curve(Struct, frozen=True):
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
    label_y: str


class Row(Struct, frozen=True):
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
    width: int = WIDTH
    height: str = "0"
    left: str = "0"
    right: str = "0"
    bottom: str = "0"
    zero: str = ""
    value_x: str = "0"
    name_x: str = "0"


def totals_chart(names: Sequence[str], totals: Sequence[Sequence[int | None]]) -> LineChart:
    """Draw everybody's total before the first deal and after each; None for who was not there.

    >>> chart = totals_chart(["Ann", "Bob"], [[0, 0], [5, 20], [15, 20]])
    >>> [(curve.name, curve.last) for curve in chart.curves], [tick.label for tick in chart.up]
    ([('Ann', '15'), ('Bob', '20')], ['0', '5', '10', '15', '20'])
    """
    series = [Series(name, [row[n] for row in totals]) for n, name in enumerate(names)]
    return line_chart(series, ["", *(str(n) for n in range(1, len(totals)))])


def places_chart(series: Sequence[Series], labels: Sequence[str] | None = None) -> LineChart:
    """Draw the places of players over games in their order, the first place on top."""
    lowest = max((int(value) for one in series for value in one.values if value), default=1)
    marks = [n for n in ticks(1, max(2, lowest), most=9) if n > 1]
    return line_chart(series, labels, ends=(1, max(2, lowest)), marks=[1, *marks], downward=True)


def line_chart(
    series: Sequence[Series],
    labels: Sequence[str] | None = None,
    *,
    ends: tuple[float, float] | None = None,
    marks: Sequence[int] = (),
    downward: bool = False,
) -> LineChart:
    """Draw a line for each series over the same points, and a band where it has ranges.

    `labels` name the points, which are otherwise numbered from 1. `ends` and `marks` are the
    lowest and highest number and the ticks, which otherwise follow from the numbers.
    """
    points = max((len(one.values) for one in series), default=0)
    named = list(labels) if labels is not None else [str(n) for n in range(1, points + 1)]
    start = max(0, points - LATEST)
    drawn = [Series(s.name, s.values[start:], s.ranges[start:]) for s in series]
    numbers = list(_numbers(drawn))
    if not numbers:
        return LineChart()
    round_numbers = list(marks) or ticks(min(numbers), max(numbers))
    low, high = ends or (round_numbers[0], round_numbers[-1])
    field = _Field.around(drawn, round_numbers, (high, low) if downward else (low, high))
    return field.chart(drawn, named[start:], round_numbers, start)


def _numbers(series: Sequence[Series]) -> Iterator[float]:
    for one in series:
        yield from (value for value in one.values if value is not None)
        yield from (end for ends in one.ranges if ends for end in ends)


NAME_ROOM = 74
"""How wide a name may be beside its line."""
LINE_GAP = 17
TOP = 12
BELOW = 24
"""Where the labels of the points stand."""


class _Field(Struct, frozen=True, kw_only=True):
    """The place where lines are drawn: its edges, and the numbers at its bottom and top."""

    left: float
    right: float
    bottom: float
    first: float
    last: float
    points: int
    value_x: float

    @classmethod
    def around(
        cls, series: Sequence[Series], marks: Sequence[int], ends: tuple[float, float]
    ) -> _Field:
        """Leave room for the ticks on the left and the names on the right."""
        names = max(text_width(cut(one.name, NAME_ROOM)) for one in series)
        values = max(text_width(_last(one)) for one in series)
        value_x = WIDTH - names - 6
        return cls(
            left=14 + max(text_width(figure(mark)) for mark in marks),
            right=value_x - values - 26,
            bottom=TOP + max(150, LINE_GAP * len(series)),
            first=ends[0],
            last=ends[1],
            points=max(len(one.values) for one in series),
            value_x=value_x,
        )

    def x(self, point: int) -> float:
        if self.points == 1:
            return (self.left + self.right) / 2
        return self.left + (self.right - self.left) * point / (self.points - 1)

    def y(self, number: float) -> float:
        return self.bottom - (self.bottom - TOP) * (number - self.first) / (self.last - self.first)

    def chart(
        self, series: Sequence[Series], labels: Sequence[str], marks: Sequence[int], start: int
    ) -> LineChart:
        """Put everything in its place."""
        spacing = (self.right - self.left) / max(1, self.points - 1)
        named = tick_places(labels, spacing)
        low, high = sorted((self.first, self.last))
        return LineChart(
            curves=self.curves(series),
            rows=[
                Row(label, [_cell(one, n) for one in series if _points(one)])
                for n, label in enumerate(labels)
            ],
            up=[Tick(at(self.y(mark)), figure(mark)) for mark in marks if low <= mark <= high],
            across=[Tick(at(self.x(place)), labels[place]) for place in named],
            left_out=start,
            height=at(self.bottom + BELOW),
            left=at(self.left),
            right=at(self.right),
            bottom=at(self.bottom),
            zero=at(self.y(0)) if low < 0 < high else "",
            value_x=at(self.value_x),
            name_x=at(self.value_x + 5),
        )

    def curves(self, series: Sequence[Series]) -> list[Curve]:
        """Draw the lines of all who have any numbers, their labels apart."""
        present = [(n, one) for n, one in enumerate(series) if _points(one)]
        ends = [_points(one)[-1] for _, one in present]
        heights = apart([self.y(value) for _, value in ends], LINE_GAP, TOP, self.bottom)
        return [
            self.curve(style, one, height, len(present))
            for (style, one), height in zip(present, heights, strict=True)
        ]

    def curve(self, style: int, one: Series, height: float, lines: int) -> Curve:
        """Draw one line with its marks, and lead from its end to its label."""
        dots = [self.dot(one, point, value) for point, value in _points(one)]
        key_x = self.right + 14
        return Curve(
            name=one.name,
            short=cut(one.name, NAME_ROOM),
            last=_last(one),
            style=style,
            line=path(dots),
            band=band(dots),
            marks=marks(style, dots, lines),
            key=mark(style, key_x, height),
            leader=f"M{at(dots[-1].x)} {at(dots[-1].y)}L{at(key_x)} {at(height)}",
            label_y=at(height + FONT / 3),
        )

    def dot(self, one: Series, point: int, value: float) -> Dot:
        """Put one number in its place, with its range."""
        ends = _ends(one, point)
        heights = (self.y(ends[0]), self.y(ends[1])) if ends else None
        return Dot(point, self.x(point), self.y(value), heights)


def _points(one: Series) -> list[tuple[int, float]]:
    return [(n, value) for n, value in enumerate(one.values) if value is not None]


def _last(one: Series) -> str:
    points = _points(one)
    return figure(points[-1][1]) if points else ""


def _ends(one: Series, point: int) -> tuple[float, float] | None:
    return one.ranges[point] if point < len(one.ranges) else None


def _cell(one: Series, point: int) -> str:
    value = one.values[point] if point < len(one.values) else None
    if value is None:
        return "–"
    ends = _ends(one, point)
    return figure(value) + (f" ({figure(ends[0])} to {figure(ends[1])})" if ends else "")
