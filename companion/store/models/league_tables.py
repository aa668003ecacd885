"""Leagues and who is in them: phones, people, seasons, house rules, what was done to a league."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from .base import ROLES, Base, Facts, OfLeague, of_league, whole


class League(Base):
    """A family or club; a sample is one made up to look round in.

    `standings_variant` is the one game that standings and ratings count, empty for all.
    """

    __tablename__ = "league"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(160))
    is_sample: Mapped[bool]
    judge_during_deal: Mapped[bool]
    show_chances: Mapped[bool]
    created_at: Mapped[datetime]
    confirm_hands: Mapped[bool] = mapped_column(default=False)
    standings_variant: Mapped[str] = mapped_column(String(80), default="", server_default="")
    passphrase: Mapped[str | None] = mapped_column(String(200))


class Device(Base):
    """A phone or laptop in a league; its cookie's token is stored only as a hash.

    `player_id` is the entry of the person whose phone it is, `asks_id` the one it would like to
    be: somebody else's phone or the scorekeeper has to say yes. `link_id` is the one link by which
    it came in, empty where there were several or it isn't known, `NO_LINK` for a program: an owner
    let it in.
    """

    NO_LINK: ClassVar = 0

    __tablename__ = "device"
    __table_args__ = (
        UniqueConstraint("league_id", "token_hash"),
        UniqueConstraint("league_id", "id"),
        of_league("player_id", "player"),
        of_league("asks_id", "player"),
        Index("ix_device_token_hash", "token_hash"),
        CheckConstraint(ROLES, name="role"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    token_hash: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(12))
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    name: Mapped[str] = mapped_column(String(160), default="")
    player_id: Mapped[int | None]
    asks_id: Mapped[int | None]
    link_id: Mapped[int | None]


class Player(Base):
    """An entry in a league's list of people; `name_key` is the name without case and accents.

    `person_id` is the entry itself, or the one it was merged into; it is empty only until the
    entry has a number. `last_game` is the latest game in which the person sat down.
    """

    __tablename__ = "player"
    __table_args__ = (
        UniqueConstraint("league_id", "name_key"),
        UniqueConstraint("league_id", "id"),
        of_league("person_id", "player"),
        Index("ix_player_person_id", "person_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    name: Mapped[str] = mapped_column(String(160))
    name_key: Mapped[str] = mapped_column(String(320))
    person_id: Mapped[int | None]
    archived: Mapped[bool]
    last_game: Mapped[int | None]


class TeamMember(Base):
    """Somebody in a team: `team_id` is the entry that has the line, `member_id` that of a person.

    What a team's line brings counts for each of its people and not for the entry itself.
    """

    __tablename__ = "team_member"
    __table_args__ = (
        of_league("team_id", "player"),
        of_league("member_id", "player"),
        Index("ix_team_member_league_id", "league_id"),
        Index("ix_team_member_member_id", "member_id"),
    )

    league_id: Mapped[int]
    team_id: Mapped[int] = mapped_column(primary_key=True)
    member_id: Mapped[int] = mapped_column(primary_key=True)


class Season(Base):
    """A stretch of dates: a year by itself, or the league's own, which comes before the year."""

    __tablename__ = "season"
    __table_args__ = (
        UniqueConstraint("league_id", "name"),
        UniqueConstraint("league_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    name: Mapped[str] = mapped_column(String(80))
    starts_on: Mapped[date]
    ends_on: Mapped[date | None]
    own: Mapped[bool]


class House(Base):
    """The rules a league made its own: choices in one we ship, or whole rules (`rules`)."""

    __tablename__ = "house"
    __table_args__ = (whole("revision"),)

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    rules: Mapped[str] = mapped_column(Text)
    chosen: Mapped[dict[str, str | int | bool]] = mapped_column(JSON)
    revision: Mapped[int]


class LeagueAction(Base):
    """Something done to the league itself: people merged, games brought in, seasons made."""

    __tablename__ = "act"
    __table_args__ = (
        of_league("device_id", "device"),
        UniqueConstraint("league_id", "id"),
        UniqueConstraint("league_id", "key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    key: Mapped[str] = mapped_column(String(64))
    device_id: Mapped[int]
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    facts: Mapped[Facts]
    undone_at: Mapped[datetime | None]
