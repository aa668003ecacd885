"""Old scores as people keep them: tables of any shape, read, looked at, and made into games."""

from __future__ import annotations

from .as_document import write_plan
from .choices import Choices, PlanAnswer, PlanQuestion
from .meaning import PastError
from .odd_cells import odd_texts
from .past_game import PastGame, PastScores, RowKind
from .plan import PastPlan, PlannedGame
from .plan_questions import LeagueSoFar, names_of, people_of
from .planning import make_plan
from .play_logs import is_log, read_plays
from .score_shapes import read_sheets
from .tables import read_file

__all__ = [
    "Choices",
    "LeagueSoFar",
    "PastError",
    "PastGame",
    "PastPlan",
    "PastScores",
    "PlanAnswer",
    "PlanQuestion",
    "PlannedGame",
    "RowKind",
    "make_plan",
    "names_of",
    "odd_texts",
    "people_of",
    "read_games",
    "write_plan",
]


def read_games(data: bytes, row_kind: RowKind = "", encoding: str = "") -> PastScores:
    """Read every game of a file or of pasted text, whatever it is.

    `row_kind` and `encoding` take the place of the guesses what a row is and how letters are
    written. Raises `PastError` in a sentence where it cannot be read.
    """
    if is_log(data):
        return read_plays(data)
    sheets, writings = read_file(data, encoding)
    scores = read_sheets(sheets, row_kind)
    scores.writings = writings
    return scores
