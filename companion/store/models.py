"""The tables, without arithmetic: leagues, devices, players, seasons, games and their record.

Every row belongs to one league (`I16`): a game's rows name it too, and composite foreign keys
keep a row of one league from pointing into another. Times are labels in UTC; order is by number.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    DDL,
    JSON,
    BigInteger,
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
ROLES = "role IN ('owner', 'scorekeeper', 'player', 'viewer')"
WIN = 720720  # the win of a game in parts, so that a share is whole for up to sixteen winners

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
    """A family or club; a sample is one made up to look round in.

    `revision` counts what changed the sums, `upheaval` what changed the order of games or people.
    Ratings are to be worked out again from the game at `stale_on`, `stale_game` onward.
    """

    __tablename__ = "league"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(160))
    is_sample: Mapped[bool]
    judge_during_deal: Mapped[bool]
    show_chances: Mapped[bool]
    created_at: Mapped[datetime]
    revision: Mapped[int]
    upheaval: Mapped[int]
    stale_on: Mapped[date | None]
    stale_game: Mapped[int | None]
    confirm_hands: Mapped[bool] = mapped_column(default=False)
    passphrase: Mapped[str | None] = mapped_column(String(200))


class Device(Base):
    """A phone or laptop in a league; its cookie's token is stored only as a hash.

    `player_id` is the entry of the person whose phone it is, `asks_id` the one it would like to
    be: somebody else's phone or the scorekeeper has to say yes.
    """

    __tablename__ = "device"
    __table_args__ = (
        UniqueConstraint("league_id", "token_hash"),
        UniqueConstraint("league_id", "id"),
        ForeignKeyConstraint(["league_id", "player_id"], ["player.league_id", "player.id"]),
        ForeignKeyConstraint(["league_id", "asks_id"], ["player.league_id", "player.id"]),
        Index("ix_device_token_hash", "token_hash"),
        CheckConstraint(ROLES, name="role"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    token_hash: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(12))
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    name: Mapped[str] = mapped_column(String(160), default="")
    player_id: Mapped[int | None]
    asks_id: Mapped[int | None]


class Link(Base):
    """An address that lets a phone into a league, as a code to scan.

    Its token is made from `nonce` with the server's own key, so that the code can be shown again
    and a copy of the database opens no door; only its hash is looked up.
    """

    __tablename__ = "link"
    __table_args__ = (
        UniqueConstraint("token_hash"),
        ForeignKeyConstraint(["league_id", "device_id"], ["device.league_id", "device.id"]),
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        CheckConstraint("role IN ('scorekeeper', 'player', 'viewer')", name="role"),
        CheckConstraint("uses_left >= 0", name="uses_left"),
        Index("ix_link_league_id_game_id", "league_id", "game_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
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


class Player(Base):
    """An entry in a league's list of people; `name_key` is the name without case and accents.

    `person_id` is the entry itself, or the one it was merged into; it is empty only until the
    entry has a number. `last_game` is the latest game in which the person sat down.
    """

    __tablename__ = "player"
    __table_args__ = (
        UniqueConstraint("league_id", "name_key"),
        UniqueConstraint("league_id", "id"),
        ForeignKeyConstraint(["league_id", "person_id"], ["player.league_id", "player.id"]),
        Index("ix_player_person_id", "person_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    name: Mapped[str] = mapped_column(String(160))
    name_key: Mapped[str] = mapped_column(String(320))
    person_id: Mapped[int | None]
    archived: Mapped[bool]
    last_game: Mapped[int | None]


class Season(Base):
    """A stretch of dates: a year by itself, or the league's own, which comes before the year."""

    __tablename__ = "season"
    __table_args__ = (
        UniqueConstraint("league_id", "name"),
        UniqueConstraint("league_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    name: Mapped[str] = mapped_column(String(80))
    starts_on: Mapped[date]
    ends_on: Mapped[date | None]
    own: Mapped[bool]


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
    """One playing of a variant, with the complete rules it is played under.

    `uid` is its name in every copy of the league. A game that ended has its number of players
    with a place and the points between first and second (`margin`); it is `counted` in the sums
    unless the league says otherwise. `touched` is the league's revision when its result changed.
    `pulse` counts what phones told of the deal on the table before it is saved.
    """

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("league_id", "id"),
        ForeignKeyConstraint(["league_id", "season_id"], ["season.league_id", "season.id"]),
        CheckConstraint("status IN ('running', 'finished', 'stopped')", name="status"),
        ForeignKeyConstraint(["league_id", "act_id"], ["act.league_id", "act.id"]),
        UniqueConstraint("league_id", "uid"),
        _whole("revision"),
        Index("ix_game_league_id_status", "league_id", "status"),
        Index("ix_game_by_date", "league_id", "hidden", "played_on", "id"),
        Index("ix_game_by_variant", "league_id", "hidden", "variant_key", "played_on", "id"),
        Index("ix_game_counted", "league_id", "counted", "played_on", "id"),
        Index("ix_game_touched", "league_id", "touched"),
        Index(
            "ix_game_margin",
            "league_id",
            "variant_key",
            "margin",
            "id",
            sqlite_where=text("counted = 1"),
            postgresql_where=text("counted"),
        ),
        Index(
            "ix_game_note",
            "league_id",
            "played_on",
            "id",
            sqlite_where=text("note <> ''"),
            postgresql_where=text("note <> ''"),
        ),
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
    uid: Mapped[str] = mapped_column(String(32))
    played_on: Mapped[date]
    note: Mapped[str] = mapped_column(String(400))
    hidden: Mapped[bool]
    counted: Mapped[bool]
    players: Mapped[int]
    margin: Mapped[int | None]
    touched: Mapped[int]
    act_id: Mapped[int | None]
    pulse: Mapped[int] = mapped_column(default=0)


def _seat_record(name: str, *columns: str) -> Index:
    """Index counted seats, so that a record is found without looking at every game."""
    return Index(
        f"ix_seat_{name}",
        *map(text, columns),
        sqlite_where=text("counted = 1"),  # as SQLAlchemy writes it: SQLite compares the words
        postgresql_where=text("counted"),
    )


class Seat(Base):
    """A person's place in one game's deal order, and what the game came to when it ended.

    `share` is the player's share of the win in parts of `WIN`, `ahead` how many hundredths of a
    point better than the table's average (None for who joined late or left), `high` and `low`
    the most and the fewest points in one deal, `comeback` how far behind a winner once was.
    """

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["league_id", "player_id"], ["player.league_id", "player.id"]),
        UniqueConstraint("game_id", "player_id"),
        Index("ix_seat_player_id", "player_id", "played_on", "game_id"),
        _seat_record("best", "player_id", "variant_key", "total"),
        _seat_record("worst_deal", "player_id", "variant_key", "high"),
        _seat_record("lowest", "league_id", "variant_key", "total", "game_id"),
        _seat_record("highest", "league_id", "variant_key", "total DESC", "game_id"),
        _seat_record("high", "league_id", "variant_key", "high DESC", "game_id"),
        _seat_record("low", "league_id", "variant_key", "low", "game_id"),
        _seat_record("comeback", "league_id", "variant_key", "comeback DESC", "game_id"),
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
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        CheckConstraint("position >= 1", name="position"),
        CheckConstraint("after_void IN ('again', 'next_dealer', 'skip')", name="after_void"),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
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


class Seal(Base):
    """One link of the chain over a league's whole history, keyed from outside the database."""

    __tablename__ = "seal"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "revision"], ["history.game_id", "history.revision"]),
        UniqueConstraint("game_id", "revision"),
        _whole("number"),
    )

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game_id: Mapped[int]
    revision: Mapped[int]
    seal: Mapped[str] = mapped_column(String(64))


class PendingEnding(Base):
    """How the deal on the table ended, as told before it is saved: the phones open their pads."""

    __tablename__ = "ending"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["league_id", "device_id"], ["device.league_id", "device.id"]),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    how: Mapped[str] = mapped_column(String(12))
    by: Mapped[int | None]
    device_id: Mapped[int]
    at: Mapped[datetime]


class HandReport(Base):
    """One hand as one phone told it: two phones that differ are two rows, until somebody chooses.

    `revision` counts how often that phone told it; `confirmed_by` is the phone of a neighbour.
    """

    __tablename__ = "report"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "game_id"], ["game.league_id", "game.id"]),
        ForeignKeyConstraint(["league_id", "device_id"], ["device.league_id", "device.id"]),
        ForeignKeyConstraint(["league_id", "confirmed_by"], ["device.league_id", "device.id"]),
        UniqueConstraint("league_id", "key"),
        _whole("revision"),
    )

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    device_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    league_id: Mapped[int]
    revision: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    told: Mapped[Facts] = mapped_column(JSON)
    at: Mapped[datetime]
    confirmed_by: Mapped[int | None]
    chosen: Mapped[bool]


class LeagueAction(Base):
    """Something done to the league itself: people merged, games brought in, seasons made."""

    __tablename__ = "act"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "device_id"], ["device.league_id", "device.id"]),
        UniqueConstraint("league_id", "id"),
        UniqueConstraint("league_id", "key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    key: Mapped[str] = mapped_column(String(64))
    device_id: Mapped[int]
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    facts: Mapped[Facts] = mapped_column(JSON)
    undone_at: Mapped[datetime | None]


class PlayerSum(Base):
    """What a person's counted games come to; a season of 0, no variant or 0 players mean all."""

    __tablename__ = "player_sum"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "person_id"], ["player.league_id", "player.id"]),
        Index("ix_player_sum_person_id", "person_id", "season_id"),
    )

    league_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    season_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    players: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    games: Mapped[int]
    shares: Mapped[int] = mapped_column(BigInteger)
    places: Mapped[int] = mapped_column(BigInteger)
    whole_games: Mapped[int]
    ahead: Mapped[int] = mapped_column(BigInteger)
    revision: Mapped[int]


class RivalSum(Base):
    """How often one person finished above, level with or below another; no variant means all."""

    __tablename__ = "rival_sum"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "person_id"], ["player.league_id", "player.id"]),
        ForeignKeyConstraint(["league_id", "other_id"], ["player.league_id", "player.id"]),
        Index("ix_rival_sum_person_id", "person_id", "variant_key"),
    )

    league_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    person_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    other_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    games: Mapped[int]
    above: Mapped[int]
    level: Mapped[int]
    revision: Mapped[int]


class ContractSum(Base):
    """What a person's deals under one contract come to, in counted games."""

    __tablename__ = "contract_sum"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "person_id"], ["player.league_id", "player.id"]),
        Index("ix_contract_sum_person_id", "person_id"),
    )

    league_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    contract: Mapped[str] = mapped_column(String(200), primary_key=True)
    person_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    deals: Mapped[int]
    points: Mapped[int] = mapped_column(BigInteger)
    ended: Mapped[int]
    revision: Mapped[int]


class EveningSum(Base):
    """How many counted games a league played on one date."""

    __tablename__ = "evening_sum"
    __table_args__ = (Index("ix_evening_sum_games", "league_id", "games", "played_on"),)

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    played_on: Mapped[date] = mapped_column(primary_key=True)
    games: Mapped[int]
    revision: Mapped[int]


class RatingRow(Base):
    """A person's rating and runs of wins after the replay; a season of 0 means all time."""

    __tablename__ = "form"
    __table_args__ = (
        ForeignKeyConstraint(["league_id", "person_id"], ["player.league_id", "player.id"]),
    )

    league_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    season_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    facts: Mapped[Facts] = mapped_column(JSON)


class Checkpoint(Base):
    """Everybody's form after a game, from which a replay can go on."""

    __tablename__ = "checkpoint"

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    played_on: Mapped[date] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    facts: Mapped[Facts] = mapped_column(JSON)


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


APPEND_ONLY = (History.__tablename__, Seal.__tablename__)
for _table in APPEND_ONLY:
    _append_only(Base.metadata.tables[_table])
