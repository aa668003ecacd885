"""One game: its seats, deals, lines, and the history that nobody alters.

Partial indexes name their condition for SQLite only. PostgreSQL has it from the migrations; a
`postgresql_where` here would import that dialect at each start.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    DDL,
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    String,
    Text,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Facts, Key, OfLeague, of_league, whole


class Game(Base):
    """One playing of a variant, with the complete rules it is played under.

    `uid` is its name in every copy of the league. A game that ended has its number of players
    with a place and the points between first and second (`margin`); it is `counted` in the sums
    unless the league says otherwise.
    `report_revision` counts what phones told of the deal on the table before it is saved.
    """

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("league_id", "id"),
        CheckConstraint("status IN ('running', 'finished', 'stopped')", name="status"),
        of_league("act_id", "act"),
        UniqueConstraint("league_id", "uid"),
        whole("revision"),
        Index("ix_game_league_id_status", "league_id", "status"),
        Index("ix_game_by_date", "league_id", "hidden", "played_on", "id"),
        Index("ix_game_by_variant", "league_id", "hidden", "variant_key", "played_on", "id"),
        Index(
            "ix_game_counted",
            *("league_id", "counted", "played_on", "id", "variant_key", "players", "margin"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[OfLeague]
    variant_key: Mapped[str] = mapped_column(String(80))
    variant_name: Mapped[str] = mapped_column(String(80))
    rules: Mapped[str] = mapped_column(Text)
    facts: Mapped[Facts]
    status: Mapped[str] = mapped_column(String(12))
    revision: Mapped[int]
    started_at: Mapped[datetime]
    uid: Mapped[str] = mapped_column(String(32))
    played_on: Mapped[date]
    note: Mapped[str] = mapped_column(String(400))
    hidden: Mapped[bool]
    counted: Mapped[bool]
    players: Mapped[int]
    margin: Mapped[int | None]
    act_id: Mapped[int | None]
    report_revision: Mapped[int] = mapped_column("pulse", default=0)


class Seat(Base):
    """A person's place in one game's deal order, and what the game came to when it ended.

    `share` is the player's share of the win in parts of `WIN`, `ahead` how many hundredths of a
    point better than the table's average (None for who joined late or left), `high` and `low`
    the most and the fewest points in one deal, `comeback` how far behind a winner once was.
    """

    __tablename__ = "seat"
    __table_args__ = (
        of_league("game_id", "game"),
        of_league("player_id", "player"),
        UniqueConstraint("game_id", "player_id"),
        # All that looking back asks of a seat: it is answered from the index alone.
        Index(
            "ix_seat_played",
            *("player_id", "played_on", "game_id", "counted", "variant_key", "place", "share"),
            *("ahead", "total", "high", "low", "comeback", "number"),
        ),
        whole("start"),
    )

    game_id: Mapped[Key]
    number: Mapped[Key]
    league_id: Mapped[int]
    player_id: Mapped[int]
    start: Mapped[int]
    start_rule: Mapped[str] = mapped_column(String(12))
    joined: Mapped[int]
    left: Mapped[int | None]
    placed: Mapped[bool]
    sits_after: Mapped[int | None]
    variant_key: Mapped[str] = mapped_column(String(80))
    played_on: Mapped[date]
    counted: Mapped[bool]
    place: Mapped[int | None]
    total: Mapped[int | None]
    share: Mapped[int | None]
    ahead: Mapped[int | None] = mapped_column(BigInteger)
    high: Mapped[int | None]
    low: Mapped[int | None]
    comeback: Mapped[int | None]


class Deal(Base):
    """One dealing of the cards; `step` is the contract it stood for, as the table played it.

    `contract` names that contract in signs, empty where there is none.
    """

    __tablename__ = "deal"
    __table_args__ = (
        of_league("game_id", "game"),
        CheckConstraint("position >= 1", name="position"),
        CheckConstraint("after_void IN ('again', 'next_dealer', 'skip')", name="after_void"),
    )

    game_id: Mapped[Key]
    position: Mapped[Key]
    league_id: Mapped[int]
    step: Mapped[int]
    contract: Mapped[str] = mapped_column(String(200))
    dealer: Mapped[int]
    void: Mapped[bool]
    after_void: Mapped[str] = mapped_column(String(12))


class Line(Base):
    """One seat's row on the score pad for one deal: the report, the points and their reasons."""

    __tablename__ = "line"
    __table_args__ = (
        of_league("game_id", "game"),
        ForeignKeyConstraint(["game_id", "position"], ["deal.game_id", "deal.position"]),
        ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.number"]),
        CheckConstraint("points BETWEEN -99999 AND 99999", name="points"),
        CheckConstraint(
            "declared IN ('', 'out', 'knock', 'rummy', 'instant_win')", name="declared"
        ),
        whole("points"),
        Index(
            "uq_line_one_ending",
            "game_id",
            "position",
            unique=True,
            sqlite_where=text("declared <> ''"),
        ),
    )

    game_id: Mapped[Key]
    position: Mapped[Key]
    seat: Mapped[Key]
    league_id: Mapped[int]
    declared: Mapped[str] = mapped_column(String(12))
    points: Mapped[int]
    tally: Mapped[Facts]
    reasons: Mapped[list[Facts]] = mapped_column(JSON)


class History(Base):
    """One change of a game, never altered: what it was before and after, by unit of the record."""

    __tablename__ = "history"
    __table_args__ = (
        of_league("game_id", "game"),
        of_league("device_id", "device"),
        UniqueConstraint("league_id", "key"),
        whole("revision"),
    )

    game_id: Mapped[Key]
    revision: Mapped[Key]
    league_id: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    device_id: Mapped[int]
    at: Mapped[datetime]
    action: Mapped[str] = mapped_column(String(20))
    notes: Mapped[list[Facts]] = mapped_column(JSON)
    before: Mapped[Facts]
    after: Mapped[Facts]


def _append_only(table: Any) -> None:
    """Let the database itself refuse to change or delete rows (`I10`)."""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    function = f"{table}_append_only"
    statements = (
        ("sqlite", f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}"),
        ("sqlite", f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}"),
        (
            "postgresql",
            (
                f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$BEGIN RAISE EXCEPTION '{table} is append-only'; END$$"
            ),
        ),
        (
            "postgresql",
            (
                f"CREATE TRIGGER {function} BEFORE UPDATE OR DELETE ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION {function}()"
            ),
        ),
    )
    for dialect, statement in statements:
        ddl = DDL(statement)  # type: ignore[no-untyped-call]
        event.listen(table, "after_create", ddl.execute_if(dialect=dialect))


APPEND_ONLY = (History.__tablename__,)
_append_only(Base.metadata.tables[History.__tablename__])
