"""Numbers as pages write them: one minus sign, a comma from a thousand, a sign before points."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction


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


def clock(moment: datetime) -> str:
    """Write the time of day where the server stands, of a label in UTC."""
    return f"{moment.replace(tzinfo=UTC).astimezone():%H:%M}"


def share(wins: Fraction) -> str:
    """Write wins, of which a part may be shared.

    >>> share(Fraction(7, 2)), share(Fraction(3)), share(Fraction(4, 3))
    ('3.5', '3', '1.33')
    """
    hundredths = round(100 * wins)
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")
