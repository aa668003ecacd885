"""What a single cell says: points, the number of a deal, or a day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from companion.cards import Refusal
from companion.scoring.tally import MOST_POINTS
from companion.store.names import normalised

from .headings import word, word_set

Order = Literal["dmy", "mdy"]
DASHES = frozenset("-–—−./_")
OUT = frozenset({"out", "aus", "fertig", "went out", "zu", "ok", "✓", "✔"})
"""Marks of who went out, and so has no points."""


MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "jan ene gen sty янв",
            "feb fév fev lut фев",
            "mar mär mae mrz mrt мар",
            "apr abr avr kwi апр",
            "may mai mayo mag maj mei мая май",
            "jun juin giu cze июн",
            "jul juil lug lip июл",
            "aug ago aoû aou sie авг",
            "sep set wrz сен",
            "oct okt ott out paź окт",
            "nov lis ноя",
            "dec dez dic déc gru дек",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = word_set(
    "mon tue wed thu fri sat sun mo di mi do fr sa so die mit don fre sam son lun mar mié mie jue "
    "vie sáb sab dom mer jeu ven dim"
)
"""How the names of weekdays begin."""
_LABEL = re.compile(r"(?:[^\W\d]{1,10}\.?\s*#?\s*)?(\d{1,3})\.?")
_GROUPED = re.compile(r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+")
_DECIMAL = re.compile(r"\d*[.,]\d+(?:e\+?\d\d?)?|\de\+?\d\d?", re.IGNORECASE)
LONGEST_DECIMAL, LONGEST_WHOLE = 12, 6
_TWO = re.compile(r"([-+]?\d{1,6})\s*\(\s*([-+]?\d{1,6})\s*\)")
_SUM = re.compile(r"[+-]?\d+(?: ?[+-] ?\d+)+ ?\+?")
_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|(\d\d)(\d\d))")
_SHORT = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.")
_DAY_MONTH = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th)?[-. ]+([^\W\d]{3,12})(?:[-., ]*'?(\d{4}|\d{2}))?\.?"
)
_MONTH_DAY = re.compile(r"([^\W\d]{3,12})[-. ]+(\d{1,2})(?:st|nd|rd|th)?(?:,? +(\d{4}))?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DIGIT = re.compile(r"\d")
_TIME = re.compile(r",?[T ]\s*\d{1,2}:\d\d.*$")
_SMALL_WORDS = re.compile(r"\b(?:de|del|of|the|le|den|der|di|do|da) ")
NO_YEAR = 4
"""The year of a day that is written without one: a leap year, in which nobody kept scores."""
EXCEL_BEGAN = date(1899, 12, 30)


class PastError(Refusal):
    """Old scores that cannot be read, in a sentence with a cure."""


@lru_cache(4096)
def number(text: str) -> int | float | None:
    """Read points as people write them, a sum worked out; None where there is no number.

    >>> [number(text) for text in ("45*", "−10", "(10)", "1 005", "1.005", "70-12-9", "12,0", "x7")]
    [45, -10, -10, 1005, 1005, 49, 12, None]
    >>> number("4½"), number("-12,5"), number("12.3450"), number("86+84+"), number("1.4E+02")
    (4.5, -12.5, 12.345, 170, 140)
    """
    if text.isascii() and text.isdecimal() and len(text) <= LONGEST_WHOLE:
        return _bounded(int(text))
    plain = normalised("NFKC", text.replace("½", ".5")).replace("−", "-").replace("–", "-")
    plain = plain.strip(" *†‡!")
    sign = 1
    if plain.startswith("(") and plain.endswith(")"):
        plain, sign = plain[1:-1], -1
    if _SUM.fullmatch(plain):
        return _bounded(sign * sum(map(int, re.findall(r"[+-]?\d+", plain.replace(" ", "")))))
    if plain[:1] in "+-" and plain[:1]:
        plain, sign = plain[1:].strip(), -sign if plain[0] == "-" else sign
    value: float
    if _GROUPED.fullmatch(plain):
        value = int(re.sub(r"\D", "", plain)[:9])
    elif _DECIMAL.fullmatch(plain) and len(plain) <= LONGEST_DECIMAL:
        value = float(plain.replace(",", "."))
    elif plain.isascii() and plain.isdecimal() and len(plain) <= LONGEST_WHOLE:
        value = int(plain)
    else:
        return None
    return _bounded(sign * (int(value) if value == int(value) else value))


def _bounded(value: float) -> int | float | None:
    return value if abs(value) <= MOST_POINTS else None


def holds_number(text: str) -> bool:
    """Return whether a cell holds a number at all, as points or otherwise."""
    return _DIGIT.search(text) is not None


def is_number(text: str) -> bool:
    """Return whether a cell has a number, whole or not."""
    return number(text) is not None


@lru_cache(4096)
def is_nothing(text: str) -> bool:
    """Return whether a cell is empty, or has a dash that stands for nothing."""
    return not text or (len(text) < 3 and set(text) <= DASHES)


@lru_cache(4096)
def is_points(text: str) -> bool:
    """Return whether a cell may stand in a column of points."""
    is_number_of_points = number(text) is not None or two_numbers(text) is not None
    return is_number_of_points or is_nothing(text) or word(text) in OUT or word(text) == "x"


def two_numbers(text: str) -> tuple[int, int] | None:
    """Read points beside the total so far, or the other way round.

    >>> two_numbers("20 (35)"), two_numbers("20")
    ((20, 35), None)
    """
    both = _TWO.fullmatch(text)
    return (int(both[1]), int(both[2])) if both else None


@lru_cache(4096)
def points(text: str) -> int | float | None:
    """Read points: 0 for who went out, None for a cell that says nothing or cannot be read."""
    value = number(text)
    return 0 if value is None and word(text) in OUT else value


def deal_number(text: str) -> int | None:
    """Read the number of a deal: `3`, `Round 3`, `R3`.

    >>> [deal_number(text) for text in ("3", "Round 3", "R3", "Total", "Ann")]
    [3, 3, 3, None, None]
    """
    label = _LABEL.fullmatch(text.strip())
    return int(label[1]) if label else None


@lru_cache(4096)
def days(text: str) -> Mapping[Order, date]:
    """Read a day in every order that its writing allows: day first, or month first.

    >>> days("1/2/2023") == {"dmy": date(2023, 2, 1), "mdy": date(2023, 1, 2)}
    True
    >>> days("Fr. 03.04.2024") == dict.fromkeys(("dmy", "mdy"), date(2024, 4, 3))
    True
    >>> days("Sat 14 January 2023")["dmy"], days("14/1/2023, 8:15 PM").keys()
    (datetime.date(2023, 1, 14), dict_keys(['dmy']))
    >>> days("5 de enero de 2024")["dmy"], days("5-Jan")["mdy"].year == NO_YEAR
    (datetime.date(2024, 1, 5), True)
    """
    if len(text) > 80 or not holds_number(text):
        return {}
    plain = _TIME.sub("", text.strip()).casefold()
    first, _, rest = plain.partition(" ")
    # Mar is March here, though Tuesday begins so in French and Spanish.
    if first.strip(",.")[:3] in WEEKDAYS and not first.startswith("mar"):
        plain = rest.strip()
    if found := _ISO.fullmatch(plain):
        return _both(_day(int(found[1]), int(found[2] or found[4]), int(found[3] or found[5])))
    if found := _SHORT.fullmatch(plain):
        one, other, year = int(found[1]), int(found[3]), _year(found[4])
        if found[2] == ".":  # dots are written where the day comes first
            return _both(_day(year, other, one))
        return _possible({"dmy": _day(year, other, one), "mdy": _day(year, one, other)})
    if found := _DOTTED.fullmatch(plain):
        return _both(_day(NO_YEAR, int(found[2]), int(found[1])))
    words = _SMALL_WORDS.sub("", plain)
    if found := _DAY_MONTH.fullmatch(words):
        return _both(_day(_year(found[3]), _month(found[2]), int(found[1])))
    if found := _MONTH_DAY.fullmatch(words):
        return _both(_day(_year(found[3]), _month(found[1]), int(found[2])))
    return {}


def day_cell(text: str) -> Mapping[Order, date]:
    """Read a cell of a column of days, in which Excel may have left its own number of a day.

    >>> day_cell("45296")["dmy"]
    datetime.date(2024, 1, 5)
    """
    found = days(text)
    if not found and text.isascii() and text.isdecimal() and len(text) == 5:
        return _both(EXCEL_BEGAN + timedelta(days=int(text)))
    return found


def in_year(found: Mapping[Order, date], title: str) -> Mapping[Order, date]:
    """Give days without a year that which stands in a title.

    >>> in_year(days("14.01."), "Evenings 2022")["dmy"]
    datetime.date(2022, 1, 14)
    """
    year = _YEAR.search(title)
    return {
        order: (year and day.year == NO_YEAR and _day(int(year[0]), day.month, day.day)) or day
        for order, day in found.items()
    }


def day_within(text: str) -> tuple[Mapping[Order, date], str]:
    """Find a day in a title, and the title without it."""
    words = text.split()[:20]
    for length in (4, 3, 2, 1):
        for start in range(len(words) - length + 1):
            found = days(" ".join(words[start : start + length]).strip("(),"))
            if found and NO_YEAR not in {day.year for day in found.values()}:
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
    return found if 1900 <= year <= 2200 or year == NO_YEAR else None


def _year(text: str | None) -> int:
    if text is None:
        return NO_YEAR
    year = int(text)
    return year if len(text) == 4 else year + (2000 if year < 70 else 1900)


def _month(name: str) -> int:
    return next((MONTHS[name[:length]] for length in (4, 3) if name[:length] in MONTHS), 0)
