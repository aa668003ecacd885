"""What a single cell says: a number, a day, the name of a column or of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal

from companion.cards import Refusal
from companion.games.record import MOST_POINTS
from companion.store.names import normalised

Order = Literal["dmy", "mdy"]
DASHES = frozenset("-–—−./")
OUT = frozenset({"out", "x", "aus", "fertig", "went out", "zu", "ok", "✓", "✔"})
"""Marks of who went out, and so has no points."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DATES = _words("date day datum tag fecha dia data jour evening played when night abend on session")
GAMES = _words("game spiel juego jeu gioco boardgame variant")
DEALS = _words("deal deals hand hands round rounds rd runde mano ronda main manche nr no number #")
PLAYERS = _words("player name spieler spielerin jugador joueur giocatore who person")
SCORES = _words("score points punkte puntos total result pts value gesamt ergebnis")
WINNERS = _words("winner winners won sieger gewinner ganador gagnant")
TOTALS = _words("total totals sum summe gesamt final result suma totaal totale ergebnis end")
OTHERS = _words(
    "average avg mean schnitt durchschnitt media moyenne best worst wins rank place notes note "
    "comment comments remarks bemerkung location ort where host duration time dealer lowest "
    "highest median count games played id uuid"
)
FEET = TOTALS | OTHERS | {"max", "min"}
"""What a row at the foot is called; *Max* above a column is a player."""
MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "jan ene",
            "feb fév fev",
            "mar mär mae mrz",
            "apr abr avr",
            "may mai mayo",
            "jun juin",
            "jul juil",
            "aug ago aoû aou",
            "sep set",
            "oct okt",
            "nov",
            "dec dez dic déc",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = _words(
    "mon tue wed thu fri sat sun mo di mi do fr sa so die mit don fre sam son lun mar mié mie jue "
    "vie sáb sab dom mer jeu ven dim"
)
"""How the names of weekdays begin."""
_LABEL = re.compile(r"(?:[^\W\d]{1,10}\.?\s*#?\s*)?(\d{1,3})\.?")
_GROUPED = re.compile(r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+")
_WHOLE = re.compile(r"(\d+)[.,]0+")
_SUM = re.compile(r"\d+(?:\+\d+)+")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_SHORT = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[-. ]+([^\W\d]{3,10})[-.,]?\s*'?(\d{4}|\d{2})")
_MONTH_DAY = re.compile(r"([^\W\d]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


class PastError(Refusal):
    """Old scores that cannot be read, in a sentence with a cure."""


def word(text: str) -> str:
    """Return a heading without case, marks and what stands around it."""
    return text.casefold().strip(" :.*()")


def heading_words(heading: str) -> set[str]:
    """Return what a heading may be known by: the whole of it, its last or its first word.

    >>> sorted(heading_words("game date")), heading_words("ann")
    (['date', 'game date'], {'ann'})
    """
    words = heading.replace("_", " ").split()
    known = DATES | GAMES | DEALS | PLAYERS | SCORES | WINNERS | TOTALS | OTHERS
    parts = [word for word in (*words[-1:], *words[:1]) if word in known]
    return {heading, *parts[:1]}


def number(text: str) -> int | None:
    """Read points as people write them; None where there is no whole number.

    >>> [number(text) for text in ("45*", "−10", "(10)", "1 005", "1.005", "12+11", "12,0", "x7")]
    [45, -10, -10, 1005, 1005, 23, 12, None]
    """
    plain = normalised("NFKC", text).replace("−", "-").replace("–", "-").strip(" *†‡!")
    sign = 1
    if plain.startswith("(") and plain.endswith(")"):
        plain, sign = plain[1:-1], -1
    if plain[:1] in "+-" and plain[:1]:
        plain, sign = plain[1:].strip(), -sign if plain[0] == "-" else sign
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"\D", "", plain)
    elif whole := _WHOLE.fullmatch(plain):
        plain = whole[1]
    elif _SUM.fullmatch(plain):
        plain = str(sum(map(int, plain.split("+")[:50])))
    if not (plain.isascii() and plain.isdecimal()) or len(plain) > 6:
        return None
    value = sign * int(plain)
    return value if abs(value) <= MOST_POINTS else None


def is_number(text: str) -> bool:
    """Return whether a cell has a whole number."""
    return number(text) is not None


def is_nothing(text: str) -> bool:
    """Return whether a cell is empty, or has a dash that stands for nothing."""
    return not text or (len(text) < 3 and set(text) <= DASHES)


def is_points(text: str) -> bool:
    """Return whether a cell may stand in a column of points."""
    return is_nothing(text) or word(text) in OUT or number(text) is not None


def points(text: str) -> int | None:
    """Read points: 0 for who went out, None for a cell that says nothing."""
    return 0 if word(text) in OUT else number(text)


def deal_number(text: str) -> int | None:
    """Read the number of a deal: `3`, `Round 3`, `R3`.

    >>> [deal_number(text) for text in ("3", "Round 3", "R3", "Total", "Ann")]
    [3, 3, 3, None, None]
    """
    label = _LABEL.fullmatch(text.strip())
    return int(label[1]) if label else None


def days(text: str) -> dict[Order, date]:
    """Read a day in every order that its writing allows: day first, or month first.

    >>> days("1/2/2023") == {"dmy": date(2023, 2, 1), "mdy": date(2023, 1, 2)}
    True
    >>> days("03.04.2024") == dict.fromkeys(("dmy", "mdy"), date(2024, 4, 3))
    True
    >>> days("Sat 14 January 2023")["dmy"], days("14/1/2023").keys()
    (datetime.date(2023, 1, 14), dict_keys(['dmy']))
    """
    plain = re.sub(r"[T ]\d{1,2}:\d\d.*$", "", text.strip())
    if found := _ISO.fullmatch(plain):
        return _both(_day(int(found[1]), int(found[2]), int(found[3])))
    if found := _SHORT.fullmatch(plain):
        one, other, year = int(found[1]), int(found[3]), _year(found[4])
        if found[2] == ".":  # dots are written where the day comes first
            return _both(_day(year, other, one))
        return _possible({"dmy": _day(year, other, one), "mdy": _day(year, one, other)})
    first, _, rest = plain.casefold().partition(" ")
    # Mar is March here, though Tuesday begins so in French and Spanish.
    is_weekday = first.strip(",.")[:3] in WEEKDAYS and not first.startswith("mar")
    words = rest.strip() if is_weekday else f"{first} {rest}".strip()
    if found := _DAY_MONTH.fullmatch(words):
        return _both(_day(_year(found[3]), _month(found[2]), int(found[1])))
    if found := _MONTH_DAY.fullmatch(words):
        return _both(_day(_year(found[3]), _month(found[1]), int(found[2])))
    return {}


def day_within(text: str) -> tuple[dict[Order, date], str]:
    """Find a day in a title, and the title without it."""
    words = text.split()[:20]
    for length in (4, 3, 2, 1):
        for start in range(len(words) - length + 1):
            if found := days(" ".join(words[start : start + length]).strip("(),")):
                rest = " ".join([*words[:start], *words[start + length :]])
                return found, rest.strip(" ,-–:()")
    return {}, text


def share(cells: Iterable[bool]) -> float:
    """Return how many of all hold, from 0 to 1; 0 of none."""
    held = list(cells)
    return sum(held) / len(held) if held else 0.0


def _both(day: date | None) -> dict[Order, date]:
    return {} if day is None else {"dmy": day, "mdy": day}


def _possible(found: dict[Order, date | None]) -> dict[Order, date]:
    return {order: day for order, day in found.items() if day is not None}


def _day(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if 1900 <= year <= 2200 else None


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) == 4 else year + (2000 if year < 70 else 1900)


def _month(name: str) -> int:
    return next((MONTHS[name[:length]] for length in (4, 3) if name[:length] in MONTHS), 0)
