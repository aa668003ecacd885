"""How often something secret was told wrongly: guessing gets slow, on every process alike.

Times are labels of a clock that may be set wrong: what lies further ahead than the wait counts as
over, so nobody is refused for ever.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import Insert, delete, or_, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session

from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import FailedAttempts

MOST = 5
"""How many attempts at something may fail within the wait before all are refused."""
WAIT = timedelta(minutes=15)
# An address is kept no longer than that, even as a hash.
KEPT = timedelta(days=1)


class TooManyError(PermissionError):
    """Something secret was guessed wrongly too often; `seconds` is how long to wait."""

    def __init__(self, left: timedelta) -> None:
        self.seconds = max(1, ceil(left.total_seconds()))
        minutes = ceil(self.seconds / 60)
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        super().__init__(f"Too many tries. Wait {wait}, then try again.")


def subject_key(what: str, whose: str) -> str:
    """Name what is guessed at, or who guesses, so that the table tells neither.

    >>> subject_key("league", "the harpers") == subject_key("address", "the harpers")
    False
    """
    # No name holds a NUL, so that two pairs never make one text.
    return hashlib.sha256(f"{what}\0{whose}".encode()).hexdigest()


def failures(session: Session, subject_key: str) -> int:
    """Return how often something failed within the wait."""
    lately = FailedAttempts.since > now() - WAIT
    row = select(FailedAttempts.times).where(FailedAttempts.about == subject_key, lately)
    return session.execute(row).scalar_one_or_none() or 0


def attempt(subject_key: str, most: int = MOST) -> None:
    """Count an attempt as failed before anybody looks whether it is right.

    So many at once are no more than one after the other; `forget` and `take_back` are for one
    that was right. Raises `TooManyError`, and then counts nothing.
    """
    moment = now()
    with writing() as session:
        over = or_(FailedAttempts.since < moment - KEPT, FailedAttempts.since > moment + KEPT)
        session.execute(delete(FailedAttempts).where(over))
        session.execute(_insert(session, subject_key, moment))
        of_subject = select(FailedAttempts).where(FailedAttempts.about == subject_key)
        row = session.execute(of_subject.with_for_update()).scalar_one()
        passed = moment - row.since
        if abs(passed) >= WAIT:
            row.times, row.since = 0, moment
        elif row.times >= most:
            # With a clock set back `passed` is below nothing, and the wait would grow (I17).
            raise TooManyError(min(WAIT, WAIT - passed))
        row.times += 1
        if row.times == most:
            row.since = moment


def forget(subject_key: str) -> None:
    """Forget what failed, now that it was told rightly."""
    with writing() as session:
        session.execute(delete(FailedAttempts).where(FailedAttempts.about == subject_key))


def take_back(subject_key: str) -> None:
    """Take back one attempt that was right after all; those before it stay."""
    with writing() as session:
        counted = (FailedAttempts.about == subject_key, FailedAttempts.times > 0)
        session.execute(
            update(FailedAttempts).where(*counted).values(times=FailedAttempts.times - 1)
        )


def _insert(session: Session, subject_key: str, moment: datetime) -> Insert:
    """Write the row of what never failed, unless it is there."""
    row = {"about": subject_key, "times": 0, "since": moment}
    if session.get_bind().dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # two megabytes that SQLite does without

        return postgresql.insert(FailedAttempts).values(row).on_conflict_do_nothing()
    # Of several first tries at once each finds no row: the first makes it, the others lock it.
    return sqlite.insert(FailedAttempts).values(row).on_conflict_do_nothing()
