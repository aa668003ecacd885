"""An owner who comes back with a name and its words."""

from __future__ import annotations

from tests.visits.pages import Page
from tests.visits.phones import Phone

WORDS = "four horses eat jam"


def back(phone: Phone, name: str, words: str, status: int = 303) -> Page:
    form = phone.show("/return").form().fill("league-name", name).fill("pass-phrase", words)
    return phone.press(form, status=status)
