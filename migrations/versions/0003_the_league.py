"""Seasons by date, people who can be merged, and what counted games come to.

Everything derived is left empty here: it is worked out anew after any migration.
"""

from datetime import date
from secrets import token_urlsafe

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

NEW_COLUMNS = {
    "league": (
        sa.Column("show_chances", sa.Boolean()),
        sa.Column("revision", sa.Integer()),
        sa.Column("upheaval", sa.Integer()),
        sa.Column("stale_on", sa.Date()),
        sa.Column("stale_game", sa.Integer()),
    ),
    "player": (
        sa.Column("person_id", sa.Integer()),
        sa.Column("archived", sa.Boolean()),
        sa.Column("last_game", sa.Integer()),
    ),
    "season": (
        sa.Column("ends_on", sa.Date()),
        sa.Column("own", sa.Boolean()),
    ),
    "game": (
        sa.Column("uid", sa.String(length=32)),
        sa.Column("played_on", sa.Date()),
        sa.Column("note", sa.String(length=400)),
        sa.Column("hidden", sa.Boolean()),
        sa.Column("counted", sa.Boolean()),
        sa.Column("players", sa.Integer()),
        sa.Column("margin", sa.Integer()),
        sa.Column("touched", sa.Integer()),
        sa.Column("act_id", sa.Integer()),
    ),
    "seat": (
        sa.Column("variant_key", sa.String(length=80)),
        sa.Column("played_on", sa.Date()),
        sa.Column("counted", sa.Boolean()),
        sa.Column("total", sa.Integer()),
        sa.Column("share", sa.Integer()),
        sa.Column("ahead", sa.BigInteger()),
        sa.Column("high", sa.Integer()),
        sa.Column("low", sa.Integer()),
        sa.Column("comeback", sa.Integer()),
    ),
    "deal": (sa.Column("contract", sa.String(length=200)),),
}
MAY_BE_EMPTY = {
    *("stale_on", "stale_game", "person_id", "last_game", "ends_on", "margin", "act_id"),
    *("total", "share", "ahead", "high", "low", "comeback"),
}
FILLED = (
    "UPDATE league SET show_chances = true, revision = -1, upheaval = 0",
    "UPDATE player SET person_id = id, archived = false, last_game = "
    "(SELECT max(game_id) FROM seat WHERE seat.player_id = player.id)",
    "UPDATE season SET own = false",
    "UPDATE game SET note = '', hidden = false, counted = false, players = 0, touched = 0",
    "UPDATE seat SET counted = false, place = NULL, "
    "variant_key = (SELECT variant_key FROM game WHERE game.id = seat.game_id), "
    "played_on = (SELECT played_on FROM game WHERE game.id = seat.game_id)",
    "UPDATE deal SET contract = ''",
)
SEAT_RECORDS = {
    "best": ["player_id", "variant_key", "total"],
    "worst_deal": ["player_id", "variant_key", "high"],
    "lowest": ["league_id", "variant_key", "total", "game_id"],
    "highest": ["league_id", "variant_key", "total DESC", "game_id"],
    "high": ["league_id", "variant_key", "high DESC", "game_id"],
    "low": ["league_id", "variant_key", "low", "game_id"],
    "comeback": ["league_id", "variant_key", "comeback DESC", "game_id"],
}


def upgrade() -> None:
    _make_act()
    _make_sums()
    _make_forms()
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(column)
    _date_the_games()
    for statement in FILLED:
        op.execute(statement)
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                if column.name not in MAY_BE_EMPTY:
                    batch.alter_column(column.name, existing_type=column.type, nullable=False)
            _tie(table, batch)
    _make_indexes()


def _date_the_games() -> None:
    """Give every game its day and its name, and every year its season."""
    connection = op.get_bind()
    season = sa.table(
        "season",
        sa.column("id", sa.Integer),
        sa.column("league_id", sa.Integer),
        sa.column("name", sa.String),
        sa.column("starts_on", sa.Date),
        sa.column("ends_on", sa.Date),
    )
    game = sa.table(
        "game",
        sa.column("id", sa.Integer),
        sa.column("league_id", sa.Integer),
        sa.column("season_id", sa.Integer),
        sa.column("started_at", sa.DateTime),
        sa.column("played_on", sa.Date),
        sa.column("uid", sa.String),
    )
    years: dict[tuple[int, int], int] = {}
    for row in connection.execute(sa.select(season)).all():
        year = int(row.name)
        years[row.league_id, year] = row.id
        dates = {"starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31)}
        connection.execute(sa.update(season).where(season.c.id == row.id).values(dates))
    for row in connection.execute(sa.select(game)).all():
        day = row.started_at.date()
        if (row.league_id, day.year) not in years:
            facts = {
                "league_id": row.league_id,
                "name": str(day.year),
                "starts_on": date(day.year, 1, 1),
                "ends_on": date(day.year, 12, 31),
            }
            made = connection.execute(sa.insert(season).values(facts).returning(season.c.id))
            years[row.league_id, day.year] = made.scalar_one()
        facts = {
            "played_on": day,
            "season_id": years[row.league_id, day.year],
            "uid": token_urlsafe(16),
        }
        connection.execute(sa.update(game).where(game.c.id == row.id).values(facts))


def _tie(table: str, batch) -> None:
    if table == "player":
        batch.create_foreign_key(
            op.f("fk_player_league_id_person_id_player"),
            "player",
            ["league_id", "person_id"],
            ["league_id", "id"],
        )
    if table == "game":
        batch.create_unique_constraint(op.f("uq_game_league_id_uid"), ["league_id", "uid"])
        batch.create_foreign_key(
            op.f("fk_game_league_id_act_id_act"),
            "act",
            ["league_id", "act_id"],
            ["league_id", "id"],
        )


def _make_indexes() -> None:
    op.create_index("ix_player_person_id", "player", ["person_id"])
    by_day = ["played_on", "id"]
    op.create_index("ix_game_by_date", "game", ["league_id", "hidden", *by_day])
    op.create_index("ix_game_by_variant", "game", ["league_id", "hidden", "variant_key", *by_day])
    op.create_index("ix_game_counted", "game", ["league_id", "counted", *by_day])
    op.create_index("ix_game_touched", "game", ["league_id", "touched"])
    _partial("ix_game_margin", "game", ["league_id", "variant_key", "margin", "id"], "counted")
    _partial("ix_game_note", "game", ["league_id", *by_day], "note <> ''")
    op.drop_index("ix_seat_player_id", "seat")
    op.create_index("ix_seat_player_id", "seat", ["player_id", "played_on", "game_id"])
    for name, columns in SEAT_RECORDS.items():
        _partial(f"ix_seat_{name}", "seat", [sa.text(column) for column in columns], "counted")


def _partial(name: str, table: str, columns: list[str | sa.TextClause], where: str) -> None:
    """Index some rows; SQLite takes such an index only for a question in the same words."""
    asked = sa.text("counted = 1" if where == "counted" else where)
    op.create_index(name, table, columns, sqlite_where=asked, postgresql_where=sa.text(where))


def _make_act() -> None:
    op.create_table(
        "act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("device_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("undone_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["league_id", "device_id"],
            ["device.league_id", "device.id"],
            name=op.f("fk_act_league_id_device_id_device"),
        ),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_act_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act")),
        sa.UniqueConstraint("league_id", "id", name=op.f("uq_act_league_id_id")),
        sa.UniqueConstraint("league_id", "key", name=op.f("uq_act_league_id_key")),
    )


def _key(name: str, type_: sa.types.TypeEngine) -> sa.Column:
    if isinstance(type_, sa.Integer):
        return sa.Column(name, type_, autoincrement=False, nullable=False)
    return sa.Column(name, type_, nullable=False)


def _whole(*names: str) -> list[sa.Column]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in names]


def _long(name: str) -> sa.Column:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _person(table: str, column: str = "person_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["league_id", column],
        ["player.league_id", "player.id"],
        name=op.f(f"fk_{table}_league_id_{column}_player"),
    )


def _make_sums() -> None:
    whole, name = sa.Integer(), sa.String(length=80)
    signs = sa.String(length=200)
    op.create_table(
        "player_sum",
        _key("league_id", whole),
        _key("season_id", whole),
        _key("variant_key", name),
        _key("players", whole),
        _key("person_id", whole),
        *_whole("games"),
        _long("shares"),
        _long("places"),
        *_whole("whole_games"),
        _long("ahead"),
        *_whole("revision"),
        _person("player_sum"),
        sa.PrimaryKeyConstraint(
            "league_id",
            "season_id",
            "variant_key",
            "players",
            "person_id",
            name=op.f("pk_player_sum"),
        ),
    )
    op.create_index("ix_player_sum_person_id", "player_sum", ["person_id", "season_id"])
    op.create_table(
        "rival_sum",
        _key("league_id", whole),
        _key("variant_key", name),
        _key("person_id", whole),
        _key("other_id", whole),
        *_whole("games", "above", "level", "revision"),
        _person("rival_sum"),
        _person("rival_sum", "other_id"),
        sa.PrimaryKeyConstraint(
            "league_id", "variant_key", "person_id", "other_id", name=op.f("pk_rival_sum")
        ),
    )
    op.create_index("ix_rival_sum_person_id", "rival_sum", ["person_id", "variant_key"])
    op.create_table(
        "contract_sum",
        _key("league_id", whole),
        _key("variant_key", name),
        _key("contract", signs),
        _key("person_id", whole),
        *_whole("deals"),
        _long("points"),
        *_whole("ended", "revision"),
        _person("contract_sum"),
        sa.PrimaryKeyConstraint(
            "league_id", "variant_key", "contract", "person_id", name=op.f("pk_contract_sum")
        ),
    )
    op.create_index("ix_contract_sum_person_id", "contract_sum", ["person_id"])
    op.create_table(
        "evening_sum",
        _key("league_id", whole),
        _key("played_on", sa.Date()),
        *_whole("games", "revision"),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_evening_sum_league_id_league")
        ),
        sa.PrimaryKeyConstraint("league_id", "played_on", name=op.f("pk_evening_sum")),
    )
    op.create_index("ix_evening_sum_games", "evening_sum", ["league_id", "games", "played_on"])


def _make_forms() -> None:
    whole = sa.Integer()
    op.create_table(
        "form",
        _key("league_id", whole),
        _key("season_id", whole),
        _key("person_id", whole),
        sa.Column("facts", sa.JSON(), nullable=False),
        _person("form"),
        sa.PrimaryKeyConstraint("league_id", "season_id", "person_id", name=op.f("pk_form")),
    )
    op.create_table(
        "checkpoint",
        _key("league_id", whole),
        _key("played_on", sa.Date()),
        _key("game_id", whole),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_checkpoint_league_id_league")
        ),
        sa.PrimaryKeyConstraint("league_id", "played_on", "game_id", name=op.f("pk_checkpoint")),
    )
