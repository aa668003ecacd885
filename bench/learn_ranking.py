"""Fit what counts in the order of rules: `python -m bench.learn_ranking [parts]`, half an hour.

The questions that examiners asked are cut into parts, each mostly of examiners of its own. The
search learns from all but one part and is asked that one, so each question is ranked by a search
that never met it. A rule's score is a sum: what a constant of `search.py` adds to it is told by
making that constant greater by one. The constants by which a right rule is most likely chosen
(conditional logit) are printed beside those that stand there.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from bench.learn_search import learned, open_files
from bench.ways import OPEN
from companion.rules import card_games, load, search
from companion.rules.asking import subjects

EXAMINED = OPEN.index("examined_questions")
PARTS = 4
ALL = 1_000
"""More rules than any book has."""
PULL = 10.0
"""How strongly constants that say little are drawn to nothing."""

CONSTANTS = (
    *("RIGHT", "SAID", "ANSWERED", "BRIEF", "OWN"),
    *("THE_DEAL", "ANOTHER_DEAL", "NO_DEAL"),
)
NAMES = (*CONSTANTS, *search.SECTIONS)

Numbers = np.ndarray[Any, np.dtype[np.float64]]


class Choice(NamedTuple):
    """The rules of the book that a question is about.

    `terms` has a row for each: the logarithm of how likely its subject is, then what it has of each
    constant. `right` says which rules answer the question.
    """

    terms: Numbers
    right: Numbers


def main() -> None:
    """Print the constants as they are and as fitted, and how often each puts a right rule first."""
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else PARTS
    with get_context("spawn").Pool(1, maxtasksperchild=1) as fresh:
        found = fresh.starmap(choices_of, [(part, parts) for part in range(parts)], chunksize=1)
    choices = [choice for part in found for choice in part]
    now = np.array([1.0, *constants().values()])
    fit = fitted(choices)
    print(f"{len(choices)} questions; first {first(choices, now):.3f}, {first(choices, fit):.3f}")
    for name, old, new in zip(NAMES, now[1:], fit[1:], strict=True):
        print(f"{name:<14}{old:>6.2f}{new:>8.2f}")


def constants() -> dict[str, float]:
    """Return what stands in `search.py`."""
    return {name: getattr(search, name) for name in CONSTANTS} | search.SECTIONS


def choices_of(part: int, parts: int) -> list[Choice]:
    """Learn from all but one part of the examined questions, and rank the rules for that one."""
    files = open_files()
    examined = files[EXAMINED]["questions"]
    held = [one for at, one in enumerate(examined) if at * parts // len(examined) == part]
    files[EXAMINED] = {"questions": [one for one in examined if one not in held]}
    with tempfile.TemporaryDirectory() as folder:
        subjects.WEIGHTS = Path(folder, "weights.json")
        subjects.WEIGHTS.write_text(learned(files), encoding="utf-8")
        shelf = card_games()
        asked = (_choice(one, shelf) for one in held if one["kind"] != "nothing")
        return [choice for choice in asked if choice is not None]


def _choice(question: dict[str, Any], shelf: Sequence[search.Variant]) -> Choice | None:
    """Rank the rules for a question; None where it is asked of another game, or none is right."""
    reply = search.ask(load(question["game"]), question["ask"], shelf, ALL)
    if reply.variant.key != question.get("about", question["game"]):
        return None
    scores = {answer.entry.id: answer.score for answer in reply.answers}
    columns = []
    for name in NAMES:
        with _greater(name):
            more = search.ask(load(question["game"]), question["ask"], shelf, ALL)
        later = {answer.entry.id: answer.score for answer in more.answers}
        if later.keys() != scores.keys():
            return None
        columns.append([later[rule] - score for rule, score in scores.items()])
    added = np.array(columns).T
    likely = np.array([*scores.values()]) - added @ np.array([*constants().values()])
    right = np.array([float(rule in question["answers"]) for rule in scores])
    return Choice(np.column_stack([likely, added]), right) if right.any() else None


@contextmanager
def _greater(name: str) -> Iterator[None]:
    """Make one constant greater by one."""
    holder = search.SECTIONS if name in search.SECTIONS else vars(search)
    before = holder[name]
    holder[name] = before + 1
    try:
        yield
    finally:
        holder[name] = before


def fitted(choices: Sequence[Choice]) -> Numbers:
    """Return the constants by which a right rule is most likely chosen; the first is 1."""
    size = np.concatenate([choice.terms for choice in choices]).std(0) + 1e-9
    scaled = [Choice(choice.terms / size, choice.right) for choice in choices]

    def unlikely(weights: Numbers) -> tuple[float, Numbers]:
        value, slope = PULL * weights @ weights / 2, PULL * weights
        for terms, right in scaled:
            chances = np.exp(terms @ weights - (terms @ weights).max())
            chances /= chances.sum()
            is_right = chances * right
            value -= np.log(is_right.sum())
            slope = slope - (is_right / is_right.sum() - chances) @ terms
        return value, slope

    best = minimize(unlikely, np.zeros(len(size)), jac=True, method="L-BFGS-B").x / size
    return best / best[0]


def first(choices: Sequence[Choice], weights: Numbers) -> float:
    """Return how often a right rule comes first."""
    return float(np.mean([right[(terms @ weights).argmax()] for terms, right in choices]))


if __name__ == "__main__":
    main()
