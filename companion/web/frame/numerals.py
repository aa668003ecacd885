"""Numbers as pages write them: one minus sign, a comma from a thousand, a sign before points."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

from markupsafe import Markup

from companion.store.dates import here, say_day


def figure(number: int) -> str:
    """Write a whole number.

    >>> figure(62), figure(-120), figure(1205)
    ('62', '−120', '1,205')
    """
    return f"{number:,}".replace("-", "−")


def signed(points: int) -> str:
    """Write points with their sign, as they are added to a total.

    >>> signed(7), signed(0), signed(-5), signed(1205)
    ('+7', '0', '−5', '+1,205')
    """
    return f"+{figure(points)}" if points > 0 else figure(points)


def clock(moment: datetime) -> Markup:
    """Write the time of day at the table; a script writes it where one reads."""
    return TIME.format(at=_label(moment), day="", words=f"{here(moment):%H:%M}")


def day(when: date) -> str:
    """Write a day as people do; that of a moment is, by a script, the day where one reads."""
    if not isinstance(when, datetime):
        return say_day(when)
    return TIME.format(at=_label(when), day=Markup(" data-day"), words=say_day(here(when)))


TIME = Markup('<time datetime="{at}"{day}>{words}</time>')


def _label(moment: datetime) -> str:
    return f"{moment.isoformat(timespec='seconds')}Z"


def percent(part: float) -> int:
    """Say a part of one as a whole number of hundredths.

    >>> percent(0.295), percent(0.004)
    (30, 0)
    """
    return round(100 * part)


def share(wins: Fraction) -> str:
    """Write wins, of which a part may be shared.

    >>> share(Fraction(7, 2)), share(Fraction(3)), share(Fraction(4, 3))
    ('3.5', '3', '1.33')
    """
    hundredths = round(100 * wins)
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")
