"""What people write freely beside a game or over a season: one line of plain words."""

from __future__ import annotations

from companion.cards import Refusal

from .names import LONGEST_TYPED, length, one_line

MOST_SEEN, MOST_STORED = 200, 400


class NoteError(Refusal):
    """Words that are too long to keep, in a sentence."""


def clean_note(text: str, seen: int = MOST_SEEN, stored: int = MOST_STORED) -> str:
    r"""Normalise a note as names are: one line, nothing invisible; it may be empty.

    >>> clean_note("  Grandma  won\nagain ")
    'Grandma won again'

    Raises `NoteError` where there are more characters to `seen` or `stored` than these.
    """
    if len(text) > LONGEST_TYPED:
        raise NoteError(f"This is much too long. Keep it to {seen} letters.")
    line = one_line(text)
    if length(line) > seen:
        raise NoteError(f"These are {length(line)} characters. Keep it to {seen}.")
    if len(line) > stored:
        raise NoteError("There are too many marks on these letters: please shorten it.")
    return line
