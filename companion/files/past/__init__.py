"""Old scores as people keep them: tables of any shape, read, looked at, and made into games."""

from __future__ import annotations

from collections.abc import Mapping

from .as_document import write_plan
from .cell_values import PastError
from .league_so_far import LeagueSoFar
from .past_game import PastGame, PastScores
from .plan import PastPlan, PlannedGame
from .planning import make_plan
from .play_logs import is_log, read_plays
from .questions import Answer, Question
from .score_shapes import read_sheets
from .tables import read_file
from .typed_sheet import BEGINS, Conflict, against_rules, cross_check, read_typed, write_typed

__all__ = [
    "Answer",
    "Conflict",
    "LeagueSoFar",
    "PastError",
    "PastGame",
    "PastPlan",
    "PastScores",
    "PlannedGame",
    "Question",
    "against_rules",
    "cross_check",
    "make_plan",
    "read_games",
    "write_plan",
    "write_typed",
]


def read_games(data: bytes, answers: Mapping[str, str]) -> PastScores:
    """Read every game of a file or of pasted text, whatever it is.

    `answers` may say how its letters are written, what a row is and which column has the points.
    Raises `PastError` in a sentence where it cannot be read.
    """
    if data.startswith(BEGINS):
        return read_typed(data)
    if is_log(data):
        return read_plays(data)
    sheets, encodings = read_file(data, answers.get("encoding", ""))
    scores = read_sheets(sheets, answers.get("row", ""), answers.get("column", ""))
    scores.encodings = encodings
    return scores
