"""Who is spoken of in a question: names of people say nothing about the rules."""

from __future__ import annotations

import re

from .language import without_accents
from .spelling import Speller

_SPEAKS = "says|said|say|reckons|reckon|swears|thinks|claims|insists|argues|wants|told"
_NAME = re.compile(
    rf"(?P<inside>(?<=[a-z0-9,;:] )[A-Z][a-z]+)|(?P<first>\b[A-Z][a-z]+)|\b\w+(?= (?:{_SPEAKS})\b)"
)


def without_people(typed: str, by: Speller) -> str:
    """Leave out the names of people: words that nobody knows, written large or said to speak.

    The first word of a sentence may be a misspelt one instead, and stays where one is near.
    """
    is_title = typed.istitle()

    def keep(match: re.Match[str]) -> str:
        word = match.group().lower()
        is_misspelt = (is_title or match.group("first")) and by.read(word) != word
        return match.group() if by.knows(word) or is_misspelt else " "

    return _NAME.sub(keep, without_accents(typed))
