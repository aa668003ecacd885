"""Charts: where lines run, that labels stay apart, and that a page says the same in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from justhtml import JustHTML
from selectolax.lexbor import LexborHTMLParser

from companion.web.charts import (
    Average,
    LineChart,
    Series,
    bar_chart,
    line_chart,
    totals_chart,
)
from companion.web.charts.axes import WIDTH, apart, cut, text_width, ticks
from tests.conftest import fresh_app
from tests.visits.browserless import score, start
from tests.visits.pages import attribute, words
from tests.visits.phones import Phone

ROOT = Path(__file__).parents[2]

NUMBER = re.compile(r"-?\d+(?:\.\d)?")
whole = st.integers(-99_999, 99_999)


def points(path: str) -> list[tuple[float, float]]:
    """Read the places a path of lines goes through."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+?) ([^MLZ ]+)", path)]


# Axes


@given(whole, whole)
def test_ticks_reach_over_the_numbers_evenly(one: int, other: int) -> None:
    low, high = sorted((one, other))
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 6
    assert len({after - before for before, after in pairwise(found)}) == 1


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 145, [0, 50, 100, 150]),
        (-40, 152, [-50, 0, 50, 100, 150, 200]),
        (0, 99_999, [0, 20_000, 40_000, 60_000, 80_000, 100_000]),
        (7, 7, [6, 7, 8]),
        (0, 1, [0, 1]),
    ],
)
def test_ticks_are_round(low: int, high: int, expected: list[int]) -> None:
    assert ticks(low, high) == expected


@given(st.lists(st.floats(12, 200), max_size=12))
def test_labels_stay_apart_and_in_order(wanted: list[float]) -> None:
    found = apart(wanted, 17, 12, 212)
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    heights = [found[n] for n in order]
    assert all(b - a >= 17 - 1e-9 for a, b in pairwise(heights))
    assert all(12 - 1e-9 <= height <= 212 + 1e-9 for height in heights)


def test_labels_that_do_not_touch_stay_where_they_are() -> None:
    assert apart([20, 100, 60], 17, 12, 212) == [20, 100, 60]


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Wolfeschlegelsteinhausenbergerdorff the 3",
        "W" * 40,
        "李" * 40,
        "שלום עולם ארוך מאוד",
    ],
)
def test_a_name_fits_its_room_and_says_when_it_was_cut(name: str) -> None:
    short = cut(name, 74)
    assert text_width(short) <= 74
    assert short == name or (short.endswith("…") and name.startswith(short[:-1]))


def test_a_name_is_not_cut_between_a_letter_and_its_accent() -> None:
    decomposed = "e\u0301" * 20
    assert set(re.findall(r"e\u0301?", cut(decomposed, 60))) == {"e\u0301"}


# Lines


def test_totals_run_from_nothing_to_the_last_deal() -> None:
    """Ann 0, 20, 30 and Bob 0, 0, 40: of 40 points' height Ann ends three quarters up."""
    chart = totals_chart(["Ann", "Bob"], [[0, 0], [20, 0], [30, 40]])
    ann, bob = (points(curve.line) for curve in chart.curves)
    plot = chart.plot
    assert plot
    top, bottom = float(chart.up[-1].at), float(plot.bottom)
    assert [tick.label for tick in chart.up] == ["0", "10", "20", "30", "40"]
    assert [tick.label for tick in chart.across] == ["1", "2"]
    assert ann[0] == bob[0] == (float(plot.left), bottom)
    assert ann[2] == (float(plot.right), bottom - (bottom - top) * 3 / 4)
    assert bob[2] == (float(plot.right), top)
    assert [(row.label, row.cells) for row in chart.rows] == [
        ("", ["0", "0"]),
        ("1", ["20", "0"]),
        ("2", ["30", "40"]),
    ]


def test_who_joins_late_or_leaves_has_a_shorter_line() -> None:
    totals: list[list[int | None]] = [[0, None, 0], [10, None, 5], [15, 15, 9], [15, 20, None]]
    chart = totals_chart(["Ann", "Bob", "Cleo"], totals)
    assert [len(points(curve.line)) for curve in chart.curves] == [4, 2, 3]
    assert [curve.last for curve in chart.curves] == ["15", "20", "9"]
    assert chart.rows[0].cells == ["0", "–", "0"]


def test_totals_below_zero_have_a_line_for_nothing() -> None:
    chart = totals_chart(["Ann", "Bob"], [[0, 0], [38, -25]])
    assert chart.curves[1].last == "−25"
    assert chart.plot
    assert chart.plot.zero == next(tick.at for tick in chart.up if tick.label == "0")


def test_the_first_place_is_on_top() -> None:
    chart = line_chart([Series("Ann", [1, 3, None, 2])], list("1234"), downward=True)
    heights = [y for _, y in points(chart.curves[0].line)]
    assert heights[0] < heights[2] < heights[1]
    assert [tick.label for tick in chart.up] == ["1", "2", "3"]
    assert chart.curves[0].line.count("M") == 2, "the game that Ann missed parts her line"


def test_of_a_long_season_the_latest_sixty_games_are_drawn() -> None:
    games = range(1, 81)
    series = [Series("Ann", [1 + n % 3 for n in games])]
    chart = line_chart(series, list(map(str, games)), downward=True)
    assert chart.left_out == 20
    assert len(points(chart.curves[0].line)) == 60
    assert [chart.rows[0].label, chart.rows[-1].label] == ["21", "80"]
    assert {int(tick.label) % 5 for tick in chart.across} == {0}


def test_a_rating_is_drawn_within_its_range() -> None:
    chart = line_chart([Series("Ann", [1000, 1020], [(900, 1100), (950, 1090)])], ["1", "2"])
    (curve,) = chart.curves
    above, below = points(curve.band)[:2], points(curve.band)[:1:-1]
    for (x, y), (x_high, high), (x_low, low) in zip(points(curve.line), above, below, strict=True):
        assert x == x_high == x_low
        assert high < y < low
    assert chart.rows[1].cells == ["1020 (950 to 1090)"]


tables = st.integers(1, 12).flatmap(
    lambda players: st.lists(
        st.lists(st.none() | whole, min_size=players, max_size=players), max_size=41
    )
)


@settings(max_examples=30)
@given(tables)
def test_every_chart_stays_in_its_frame(totals: list[list[int | None]]) -> None:
    names = [f"{number} {'W' * 40}" for number in range(len(totals[0]) if totals else 0)]
    chart = totals_chart(names, totals)
    present = [n for n in range(len(names)) if any(row[n] is not None for row in totals)]
    assert [curve.style for curve in chart.curves] == present
    height = float(chart.plot.height) if chart.plot else 0
    for x, y in _drawn(chart):
        assert 0 <= x <= WIDTH
        assert 0 <= y <= height
    heights = sorted(float(curve.label_y) for curve in chart.curves)
    assert all(b - a >= 16.8 for a, b in pairwise(heights))


def _drawn(chart: LineChart) -> Iterator[tuple[float, float]]:
    for curve in chart.curves:
        yield from points(curve.line)
        yield from points(curve.leader)


def test_twelve_lines_differ_without_their_colours() -> None:
    chart = totals_chart([f"P{n}" for n in range(12)], [[0] * 12, list(range(12))])
    shapes = {(re.sub(r"^M\S+ -?[\d.]+?(?=m)", "", c.key), c.style // 6) for c in chart.curves}
    assert len(shapes) == 12


# Bars


def test_bars_are_as_long_as_their_averages() -> None:
    chart = bar_chart([Average("Two sets", 10, 30), Average("Two runs", 40, 4)])
    first, second = chart.bars
    assert float(second.width) == 4 * float(first.width) == WIDTH - 4
    assert [first.is_few, second.is_few] == [False, True]


def test_bars_below_nothing_hang_to_the_left() -> None:
    chart = bar_chart([Average("Ann", -20, 9), Average("Bob", 60, 9)])
    left, right = chart.bars
    assert float(left.x) + float(left.width) == float(right.x) == float(chart.zero)


# On pages


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return fresh_app(tmp_path_factory.mktemp("charts"))


def drawn(app: Flask, call: str, **values: object) -> LexborHTMLParser:
    """Draw a figure as a page would."""
    page = "{% import 'parts/chart.html' as charts %}{{ " + call + " }}"
    with app.test_request_context("/"):
        figure = app.jinja_env.from_string(page).render(**values)
    assert not JustHTML(figure, fragment=True, sanitize=False, collect_errors=True).errors
    return LexborHTMLParser(figure)


def said(document: LexborHTMLParser, selector: str) -> list[str]:
    return [words(node) for node in document.css(selector)]


def test_a_figure_says_in_a_table_what_it_draws(app: Flask) -> None:
    series = [Series("Ann", [1, 2]), Series("B<b> & C", [2, None])]
    figure = drawn(
        app,
        "charts.lines(chart, 'Places', 'Ann was second in game 2', 'Game')",
        chart=line_chart(series, ["1", "2"], downward=True),
    )
    (image,) = figure.css("svg")
    assert attribute(image, "role") == "img"
    assert attribute(image, "aria-label") == "Ann was second in game 2"
    assert said(figure, "figcaption") == ["Places"]
    assert said(figure, "thead th") == ["Game", "Ann", "B<b> & C"]
    assert said(figure, "tbody tr") == ["1 12", "2 2–"]
    assert said(figure, "svg .name") == ["Ann", "B<b> & C"]


def test_a_figure_of_nothing_says_so(app: Flask) -> None:
    for call in ("charts.lines(chart, 'Places', '')", "charts.bars(bars, 'Contracts', '', 'x')"):
        figure = drawn(app, call, chart=line_chart([], [], downward=True), bars=bar_chart([]))
        assert said(figure, "figure p") == ["Nothing to draw yet."]
        assert not figure.css("svg")


def test_small_numbers_are_hollow_and_said(app: Flask) -> None:
    bars = bar_chart([Average("Two sets", 10.25, 30), Average("Three runs", 41, 1)])
    figure = drawn(
        app, "charts.bars(bars, 'Points', 'Three runs cost most', 'Contract')", bars=bars
    )
    marked = [attribute(bar, "class") for bar in figure.css("rect")]
    assert marked == ["average", "average hollow"]
    assert said(figure, "svg text") == ["Two sets", "10.2 · 30 deals", "Three runs", "41 · 1 deal"]
    assert said(figure, "tbody td")[-1] == "1 too few to say"
    assert "Hollow: too few to say." in said(figure, "figcaption")[0]


def test_a_game_is_drawn_when_it_has_ended_on_its_sheet_and_as_a_picture(lone: Phone) -> None:
    table = start(lone, "zip-zilch-zero")
    zipped = {0: "38", 1: "0", 2: "20"}
    for number in range(3):
        table = score(lone, table, "out", 0, {1: "K", 2: "25"}, zipped)
        sheet = lone.show("/games/1/sheet")
        assert [len(page.all(".chart")) for page in (table, sheet)] == [0, number > 0]
    label = attribute(sheet.one(".chart svg"), "aria-label")
    assert label == "Ann leads with 114. After hand 3: Ann 114, Cleo −15, Bob −39"
    table = score(lone, table, "out", 0, {1: "K", 2: "25"}, zipped)
    label = attribute(table.one(".chart svg"), "aria-label")
    assert label == "Ann wins with 152. After hand 4: Ann 152, Cleo −20, Bob −52"
    drawing = ElementTree.fromstring(lone.raw("/games/1/picture/drawing.svg").text)
    lines = [one for one in drawing.iter() if one.get("stroke-linejoin")]
    texts = ["".join(one.itertext()).strip() for one in drawing.iter() if one.tag.endswith("text")]
    assert {"Ann wins", "152", "−20", "−52"} <= {*texts}, texts
    assert len(lines) == 3


def test_a_line_in_each_players_colour_is_read_on_paper() -> None:
    """WCAG 1.4.3: 4.5 to 1 for the names beside the lines, by day and by night."""
    pairs = {
        name: colours
        for name, *colours in re.findall(
            r"--(paper|p\d): var\(--day, #(\w{6})\) var\(--night, #(\w{6})\)",
            (ROOT / "static" / "styles" / "shared.css").read_text(encoding="utf-8"),
        )
    }
    papers = pairs.pop("paper")
    assert len(pairs) == 8
    for name, colours in pairs.items():
        for colour, paper in zip(colours, papers, strict=True):
            dark, light = sorted((luminance(colour), luminance(paper)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, name


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
