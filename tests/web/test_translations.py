"""The sentences of a page are looked up anew for each request, in the language it asks for."""

from __future__ import annotations

from gettext import NullTranslations

from flask import request_started

from companion.web.frame.translations import speak
from tests.visits.phones import Phone


class Shouted(NullTranslations):
    """English, loud: a language without a catalogue to keep."""

    def gettext(self, message: str) -> str:
        """Say a sentence loudly; what it names keeps its name."""
        return message.upper() if "%" not in message else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Choose as English does."""
        return msgid1 if n == 1 else msgid2


def test_one_page_under_two_catalogues(phone: Phone) -> None:
    """One app and one compiled template: the request says in which language it answers."""
    english = phone.show("/games/new/zioncheck").text
    with request_started.connected_to(lambda _: speak(Shouted()), phone.site.app):
        shouted = phone.show("/games/new/zioncheck").text
    assert "Players in seating order" in english
    assert "PLAYERS IN SEATING ORDER" in shouted
    assert phone.show("/games/new/zioncheck").text == english
