"""The tables, without arithmetic: leagues, devices, players, seasons, games and their record.

Every row belongs to one league (`I16`): a game's rows name it too, and composite foreign keys
keep a row of one league from pointing into another. Times are labels in UTC; order is by number.
"""

from __future__ import annotations

from datetime import date, datetime

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    DDL,
    JSON,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

Facts = dict[str, object]

NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """What every table shares: names for all constraints."""

    metadata = MetaData(naming_convention=NAMES)


db = SQLAlchemy(model_class=Base)


def _whole(column: str) -> CheckConstraint:
    """Refuse 12.5 where SQLite would take it (`I9`)."""
    return CheckConstraint(f"typeof({column}) = 'integer'", name=f"{column}_whole").ddl_if(
        dialect="sqlite"
    )


class League(Base):
    """A family or club; a sample is one made up to look round in."""

    __tablename__ = "league"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(160))
    is_sample: Mapped[bool]
    judge_during_deal: Mapped[bool]
    created_at: Mapped[datetime]


class Device(Base):
    """A phone or laptop in a league; its cookie's token is stored only as a hash."""

    __tablename__ = "device"
    __table_args__ = (
        UniqueConstraint("league_id", "token_hash"),
        UniqueConstraint("league_id", "id"),
        Index("ix_device_token_hash", "token_hash"),
        CheckConstraint("role IN ('owner', 'scorekeeper', 'player', 'viewer')", name="role"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    token_hash: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(12))
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class Player(Base):
    """A person of a league; `name_key` is the name without case and accents."""

    __tablename__ = "player"
    __table_args__ = (
        UniqueConstraint("league_id", "name_key"),
        UniqueConstraint("league_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    name: Mapped[str] = mapped_column(String(160))
    name_key: Mapped[str] = mapped_column(String(320))


class Season(Base):
    """A stretch of a league's games, open until the next begins."""

    __tablename__ = "season"
    __table_args__ = (
        UniqueConstraint("league_id", "name"),
        UniqueConstraint("league_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    name: Mapped[str] = mapped_column(String(80))
    starts_on: Mapped[date]


class House(Base):
    """The rules a league made its own: choices in a game of the shelf, or whole rules (`rules`)."""

    __tablename__ = "house"
    __table_args__ = (_whole("revision"),)

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    rules: Mapped[str] = mapped_column(Text)
    chosen: Mapped[dict[str, str | int | bool]] = mapped_column(JSON)
    revision: Mapped[int]


class Game(Base):
    """One playing of a variant, with the complete rules it is played under."""

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("league_id", "id"),
        ForeignKeyConstraint(["league_id", "season_id"], ["season.league_id", "season.id"]),
        CheckConstraint("status IN ('running', 'finished', 'stopped')", name="status"),
        _whole("revision"),
        Index("ix_game_league_id_status", "league_id", "status"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    season_id: Mapped[int]
    variant_key: Mapped[str] = mapped_column(String(80))
    variant_name: Mapped[str] = mapped_column(String(80))
    rules: Mapped[str] = mapped_column(Text)
    facts: Mapped[Facts] = mapped_column(JSON)
    status: Mapped[str] = mapped_column(String(12))
    revision: Mapped[int]
    started_at: Mapped[datetime]


class Seat(Base):
    """A person's place in one game's deal order; `place` is set when the game ends."""

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["league_id", "player_id"], ["player.league_id", "player.id"]),
        UniqueConstraint("game_id", "player_id"),
        Index("ix_seat_player_id", "player_id"),
        _whole("start"),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    player_id: Mapped[int]
    start: Mapped[int]
    start_rule: Mapped[str] = mapped_column(String(12))
    joined: Mapped[int]
    left: Mapped[int | None]
    placed: Mapped[bool]
    place: Mapped[int | None]


class Deal(Base):
    """One dealing of the cards; `step` is the contract it stood for, as the table played it."""

    __tablename__ = "deal"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        CheckConstraint("position >= 1", name="position"),
        CheckConstraint("after_void IN ('again', 'next_dealer', 'skip')", name="after_void"),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    step: Mapped[int]
    dealer: Mapped[int]
    void: Mapped[bool]
    after_void: Mapped[str] = mapped_column(String(12))


class Line(Base):
    """One seat's row on the score pad for one deal: the report, the points and their reasons."""

    __tablename__ = "line"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["game_id", "position"], ["deal.game_id", "deal.position"]),
        ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.number"]),
        CheckConstraint("points BETWEEN -99999 AND 99999", name="points"),
        CheckConstraint(
            "declared IN ('', 'out', 'knock', 'rummy', 'instant_win')", name="declared"
        ),
        _whole("points"),
        Index(
            "uq_line_one_ending",
            "game_id",
            "position",
            unique=True,
            sqlite_where=text("declared <> ''"),
            postgresql_where=text("declared <> ''"),
        ),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    declared: Mapped[str] = mapped_column(String(12))
    points: Mapped[int]
    tally: Mapped[Facts] = mapped_column(JSON)
    reasons: Mapped[list[Facts]] = mapped_column(JSON)


class History(Base):
    """One change of a game, never altered: what it was before and after, by unit of the record."""

    __tablename__ = "history"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["league_id", "device_id"], ["device.league_id", "device.id"]),
        UniqueConstraint("league_id", "key"),
        _whole("revision"),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    device_id: Mapped[int]
    at: Mapped[datetime]
    action: Mapped[str] = mapped_column(String(20))
    notes: Mapped[list[Facts]] = mapped_column(JSON)
    before: Mapped[Facts] = mapped_column(JSON)
    after: Mapped[Facts] = mapped_column(JSON)


def _append_only(dialect: str, *statements: str) -> None:
    """Let the database itself refuse to change or delete history (`I10`)."""
    for statement in statements:
        ddl = DDL(statement)  # type: ignore[no-untyped-call]
        event.listen(History.__table__, "after_create", ddl.execute_if(dialect=dialect))


_append_only(
    "sqlite",
    "CREATE TRIGGER history_no_update BEFORE UPDATE ON history "
    "BEGIN SELECT RAISE(ABORT, 'history is append-only'); END",
    "CREATE TRIGGER history_no_delete BEFORE DELETE ON history "
    "BEGIN SELECT RAISE(ABORT, 'history is append-only'); END",
)
_append_only(
    "postgresql",
    "CREATE OR REPLACE FUNCTION history_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$BEGIN RAISE EXCEPTION 'history is append-only'; END$$",
    "CREATE TRIGGER history_append_only BEFORE UPDATE OR DELETE ON history "
    "FOR EACH ROW EXECUTE FUNCTION history_append_only()",
)
