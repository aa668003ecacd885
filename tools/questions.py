"""The questions from which the search learns, all in one packed file of lines.

A line is a subject and how somebody may put a question about it, or a question that somebody asked
of the rules: its kind, the game of the page (`>` the game that it is about), the ids of the rules
that answer it, and its words. Lines beginning with `nothing` are about something else, and no rule
answers those with `silent`. To look or to add: `bzcat tools/questions.tsv.bz2`, and pack it again.
"""

from __future__ import annotations

import bz2
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from companion.rules.search.text import FILE as LANGUAGE

FILE = Path(__file__).parent / "questions.tsv.bz2"


class Written(NamedTuple):
    """How people may ask about a subject."""

    subject: str
    text: str


class Asked(NamedTuple):
    """A question asked on the page of a game: the `rules` of the game `about` answer it."""

    kind: str
    game: str
    about: str
    rules: frozenset[str]
    text: str


def read_questions() -> tuple[list[Written], list[Asked]]:
    """Read the file: those written for a subject, and those asked, in the order of their askers."""
    lines = [line.split("\t") for line in bz2.decompress(FILE.read_bytes()).decode().splitlines()]
    written = [Written(*line) for line in lines if len(line) == 2]
    return written, [_asked(*line) for line in lines if len(line) == 4]


def _asked(kind: str, games: str, rules: str, text: str) -> Asked:
    game, _, about = games.partition(">")
    return Asked(kind, game, about or game, frozenset(rules.split()), text)


def digest() -> str:
    """Return the digest of what is learned from: the questions and the language."""
    return sha256(FILE.read_bytes() + LANGUAGE.read_bytes()).hexdigest()[:16]
