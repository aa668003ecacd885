"""What phones send before it is saved, the links that let them in, and guesses counted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Index,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Key, OfLeague, of_league, whole


class Link(Base):
    """An address that lets a phone into a league, as a code to scan.

    Its token is made from `nonce` with the server's own key, so that the code can be shown again
    and a copy of the database opens no door; only its hash is looked up.
    """

    __tablename__ = "link"
    __table_args__ = (
        UniqueConstraint("token_hash"),
        of_league("device_id", "device"),
        of_league("game_id", "game"),
        CheckConstraint("role IN ('scorekeeper', 'player', 'viewer')", name="role"),
        CheckConstraint("uses_left >= 0", name="uses_left"),
        Index("ix_link_league_id_game_id", "league_id", "game_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    game_id: Mapped[int | None]
    device_id: Mapped[int]
    role: Mapped[str] = mapped_column(String(12))
    nonce: Mapped[str] = mapped_column(String(32))
    token_hash: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    uses_left: Mapped[int | None]
    revoked_at: Mapped[datetime | None]


class FailedAttempts(Base):
    """How often something secret was told wrongly, so that guessing gets slow on every process."""

    __tablename__ = "failure"

    about: Mapped[str] = mapped_column(String(64), primary_key=True)
    times: Mapped[int]
    since: Mapped[datetime]


class RightEvent(Base):
    """Something that happened to rights: done by one phone (`device_id`), `about_id` another."""

    __tablename__ = "right_event"
    __table_args__ = (
        of_league("device_id", "device"),
        of_league("about_id", "device"),
        Index("ix_right_event_league_id", "league_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    device_id: Mapped[int | None]
    about_id: Mapped[int | None]
    role: Mapped[str] = mapped_column(String(12))


class PendingEnding(Base):
    """How the deal on the table ended, as told before it is saved: the phones open their pads."""

    __tablename__ = "ending"
    __table_args__ = (
        of_league("game_id", "game"),
        of_league("device_id", "device"),
    )

    game_id: Mapped[Key]
    position: Mapped[Key]
    league_id: Mapped[int]
    how: Mapped[str] = mapped_column(String(12))
    by: Mapped[int | None]
    device_id: Mapped[int]
    at: Mapped[datetime]


class HandReport(Base):
    """One hand as one phone reported it: two that differ are two rows, until somebody chooses.

    `reported` has its `tally`, and under `typed` what that cannot say as it was typed. `revision`
    counts how often that phone reported it; `confirmed_by` is the phone of a neighbour.
    """

    __tablename__ = "report"
    __table_args__ = (
        of_league("game_id", "game"),
        of_league("device_id", "device"),
        of_league("confirmed_by", "device"),
        UniqueConstraint("league_id", "key"),
        whole("revision"),
    )

    game_id: Mapped[Key]
    position: Mapped[Key]
    seat: Mapped[Key]
    device_id: Mapped[Key]
    league_id: Mapped[int]
    revision: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    reported: Mapped[dict[str, Any]] = mapped_column("told", JSON)
    at: Mapped[datetime]
    confirmed_by: Mapped[int | None]
    chosen: Mapped[bool]
