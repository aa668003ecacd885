"""Dates as people write and say them, alike in every zone and language of a server."""

from __future__ import annotations

import re
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta, timezone

from companion.cards import Refusal

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NIGHT = timedelta(hours=5)
FIRST_YEAR, LAST_YEAR = 1900, 2100
EARLIEST = datetime(2020, 1, 1)  # noqa: DTZ001 (a label, as `now` gives them)
_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


_OFFSET = re.compile("-?[0-9]{1,3}", re.ASCII)
FARTHEST = 14 * 60
zone: ContextVar[timezone | None] = ContextVar("zone", default=None)
"""The zone of the phone that asks, for the request that it makes."""


class DateError(Refusal):
    """A text that is no date, in a sentence."""


def say_day(day: date) -> str:
    """Write a day as people do.

    >>> say_day(date(2026, 11, 20))
    '20 November 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def say_briefly(day: date) -> str:
    """Write a day for a narrow column.

    >>> say_briefly(date(2026, 11, 20))
    '20 Nov 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def say_weekday(day: date, now: date) -> str:
    """Write a day beside a name: its weekday while that is plain, else the day itself.

    >>> say_weekday(date(2026, 11, 20), date(2026, 11, 22))
    'Friday'
    >>> say_weekday(date(2026, 11, 20), date(2026, 11, 27))
    '20 Nov 2026'
    """
    return WEEKDAYS[day.weekday()] if 0 <= (now - day).days < len(WEEKDAYS) else say_briefly(day)


def read_day(text: str) -> date:
    """Read a date as browsers send it, year first.

    >>> read_day("2026-11-20")
    datetime.date(2026, 11, 20)

    Raises `DateError` for a day that no calendar has, or one before 1900 or after 2100.
    """
    written = text.strip()
    try:
        day = date.fromisoformat(written) if _WRITTEN.fullmatch(written) else None
    except ValueError:
        day = None
    if not written:
        raise DateError("Write a date like 2026-11-20.")
    if day is None:
        raise DateError(f"{written[:20]} is no date: write it like 2026-11-20.")
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise DateError(f"The year {day.year} cannot be: {FIRST_YEAR} to {LAST_YEAR}.")
    return day


def now() -> datetime:
    """Return the time as a label, in UTC without a zone so that every engine stores it alike."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


def clock_fault(latest: datetime | None = None) -> str:
    """Say that the server's clock cannot be right: before 2020, or before its `latest` label.

    Returns "" for one that can be.
    """
    moment = now()
    if moment >= EARLIEST and (latest is None or moment > latest - timedelta(days=1)):
        return ""
    return (
        f"The server's clock says {say_day(moment.date())}, which can't be: set it. "
        "Until then evenings are dated wrongly."
    )


def here(moment: datetime) -> datetime:
    """Return a label as the clock at the table shows it: that of `zone`, else of the server."""
    return moment.replace(tzinfo=UTC).astimezone(zone.get())


def today() -> date:
    """Return the date of this evening at the table: in its `zone`, else where the server stands."""
    return evening_of(datetime.now(UTC).astimezone(zone.get()))


def read_zone(text: str) -> timezone | None:
    """Read how many minutes a phone is ahead of UTC; None for what no clock on earth shows.

    >>> read_zone("-480"), read_zone("99999")
    (datetime.timezone(datetime.timedelta(days=-1, seconds=57600)), None)
    """
    minutes = int(text) if _OFFSET.fullmatch(text) else FARTHEST + 1
    return timezone(timedelta(minutes=minutes)) if abs(minutes) <= FARTHEST else None


def evening_of(moment: datetime) -> date:
    """Return the date of the evening to which a moment belongs: a night lasts until five.

    >>> evening_of(datetime(2026, 11, 21, 4, 59, tzinfo=UTC))
    datetime.date(2026, 11, 20)
    >>> evening_of(datetime(2026, 11, 21, 5, 0, tzinfo=UTC))
    datetime.date(2026, 11, 21)
    """
    return (moment - NIGHT).date()
