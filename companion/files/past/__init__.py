"""Old scores as people keep them: tables of any shape, read, looked at, and made into games."""

from __future__ import annotations

from .as_document import write_plan
from .bg_stats import read_plays
from .meaning import PastError
from .plan import PastPlan, PlannedGame, make_plan
from .plan_questions import Choices, LeagueSoFar, PlanAnswer, PlanQuestion, names_of, people_of
from .score_shapes import PastGame, RowKind, read_sheet
from .tables import read_file

__all__ = [
    "Choices",
    "LeagueSoFar",
    "PastError",
    "PastGame",
    "PastPlan",
    "PlanAnswer",
    "PlanQuestion",
    "PlannedGame",
    "RowKind",
    "make_plan",
    "names_of",
    "people_of",
    "read_games",
    "write_plan",
]


def read_games(data: bytes, row_kind: RowKind = "") -> list[PastGame]:
    """Read every game of a file or of pasted text, whatever it is.

    `row_kind` takes the place of the guess whether a row is a game or a deal. Raises `PastError`
    in a sentence where it cannot be read.
    """
    if data[:100].lstrip()[:1] == b"{":
        return read_plays(data)
    return [game for sheet in read_file(data) for game in read_sheet(sheet, row_kind)]
