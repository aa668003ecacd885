"""The law: every number of a table is part of a score, or named with its place; nothing vanishes.

Numbers are found here by a pattern of this file's own, and places are counted from the table as it
was written: nothing is asked of the reader but its plan.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.files.past import PastError, PastPlan
from tests.files.past import test_samples
from tests.support.doses import doses

HAS_DIGIT = re.compile(r"[0-9]")
PEOPLE = ("Ann", "Bob", "Cléo", "Dev", "Zoë May", "Ann", "bob")
WHOLE = st.integers(-60, 400).map(str)
ODD = st.sampled_from(
    ("", "", "-", "out", "?", "absent", "4.5", "12,5", "70-12-9", "13+18-4", "0 (won)", "35*", "x7")
)
CELLS = st.one_of(WHOLE, WHOLE, WHOLE, ODD)
DAYS = st.sampled_from(("2024-01-05", "5.1.2024", "1/13/2024, 8:15 PM", "45296", "5-Jan", "soon"))
EXTRA = st.sampled_from(("Average", "Rank", "Notes", "Place", "Value", ""))
FOOT = st.sampled_from(("Total", "Average", "Rank", ""))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman")


@st.composite
def tables(draw: Any) -> list[list[str]]:
    """Draw a table as people keep them: holes, words, notes, a sum at its foot, a head again."""
    people = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=5))
    kind = draw(st.sampled_from(("Date", "Round", "Player", "")))
    extra = draw(EXTRA)
    head = [kind, *people, *([extra] if extra else [])]
    rows = [head]
    for number in range(1, draw(st.integers(2, 8))):
        first = draw(DAYS) if kind == "Date" else str(number) if kind != "Player" else f"P{number}"
        note = [draw(st.sampled_from(("", "3.25", "late", "2 left early")))] if extra else []
        rows.append([first, *(draw(CELLS) for _ in people), *note])
    if draw(st.booleans()):
        rows.insert(draw(st.integers(2, len(rows))), head)
    if foot := draw(FOOT):
        rows.append([foot, *(draw(WHOLE) for _ in people)])
    if draw(st.booleans()):
        rows.insert(0, [draw(st.sampled_from(("Carioca 2023", "Our 3 evenings", "Hearts")))])
    if draw(st.booleans()):
        rows.append([draw(st.sampled_from(("12 cards each", "see page 3")))])
    return rows


def place(row: int, column: int) -> str:
    return f"{'ABCDEFGHIJ'[column]}{row + 1}"


def numbers_of(rows: list[list[str]]) -> set[str]:
    return {
        place(row, column)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if HAS_DIGIT.search(cell)
    }


def text_of(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def plan_of(data: bytes, answers: dict[str, str]) -> PastPlan | None:
    try:
        return test_samples.plan_of(data, answers)
    except PastError:
        return None


@doses("examples", 150, 2_000)
def test_every_number_is_a_score_or_named(examples: int) -> None:
    @settings(max_examples=examples, deadline=None, database=None, derandomize=True)
    @given(tables(), st.sampled_from(ENCODINGS))
    def every_number_is_accounted_for(rows: list[list[str]], encoding: str) -> None:
        data = text_of(rows).encode(encoding)
        plan = plan_of(data, {"game-0": "hearts"})
        if plan is None:
            return
        named = [cell.place for one in plan.unscored for cell in one.cells]
        assert len(named) == len(set(named)), "a number is named twice"
        assert all(one.reason for one in plan.unscored)
        whole = numbers_of(rows)
        assert set(named) <= whole
        assert plan.scored == len(whole) - len(named)

    every_number_is_accounted_for()


@doses("examples", 100, 1_000)
def test_what_a_preview_shows_adds_up_to_what_the_file_has(examples: int) -> None:
    """In a clean sheet with one odd cell nobody vanishes and no other number changes."""

    @settings(max_examples=examples, deadline=None, database=None, derandomize=True)
    @given(st.data())
    def nobody_vanishes(data: st.DataObject) -> None:
        people = ["Ann", "Bob", "Cleo"]
        points = data.draw(
            st.lists(st.lists(st.integers(0, 90), min_size=3, max_size=3), min_size=3, max_size=9)
        )
        odd = data.draw(st.sampled_from(("?", "absent", "57.5", "n/a", "lost")))
        row, seat = data.draw(st.integers(0, len(points) - 1)), data.draw(st.integers(0, 2))
        rows = [["Round", *people]]
        rows += [[str(n), *map(str, deal)] for n, deal in enumerate(points, start=1)]
        rows[row + 1][seat + 1] = odd
        answers = {"game-0": "hearts", "row": "deals", "cell-0": "-", "halves": "leave"}
        plan = plan_of(text_of(rows).encode(), answers)
        assert plan
        (game,) = plan.games
        assert list(game.players) == people
        points[row][seat] = 0
        assert list(game.totals) == [sum(column) for column in zip(*points, strict=True)]

    nobody_vanishes()
