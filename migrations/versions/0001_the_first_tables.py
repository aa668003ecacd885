"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

APPEND_ONLY = {
    "sqlite": (
        "CREATE TRIGGER history_no_update BEFORE UPDATE ON history "
        "BEGIN SELECT RAISE(ABORT, 'history is append-only'); END",
        "CREATE TRIGGER history_no_delete BEFORE DELETE ON history "
        "BEGIN SELECT RAISE(ABORT, 'history is append-only'); END",
    ),
    "postgresql": (
        "CREATE OR REPLACE FUNCTION history_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'history is append-only'; END$$",
        "CREATE TRIGGER history_append_only BEFORE UPDATE OR DELETE ON history "
        "FOR EACH ROW EXECUTE FUNCTION history_append_only()",
    ),
}


def upgrade() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=160), nullable=False),
        sa.Column("is_sample", sa.Boolean(), nullable=False),
        sa.Column("judge_during_deal", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
    )
    op.create_table(
        "device",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'viewer')", name=op.f("ck_device_role")
        ),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_device_league_id_league")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device")),
        sa.UniqueConstraint("league_id", "id", name=op.f("uq_device_league_id_id")),
        sa.UniqueConstraint("league_id", "token_hash", name=op.f("uq_device_league_id_token_hash")),
    )
    op.create_index("ix_device_token_hash", "device", ["token_hash"], unique=False)
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=160), nullable=False),
        sa.Column("name_key", sa.String(length=320), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_player_league_id_league")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("league_id", "id", name=op.f("uq_player_league_id_id")),
        sa.UniqueConstraint("league_id", "name_key", name=op.f("uq_player_league_id_name_key")),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_season_league_id_league")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("league_id", "id", name=op.f("uq_season_league_id_id")),
        sa.UniqueConstraint("league_id", "name", name=op.f("uq_season_league_id_name")),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("variant_key", sa.String(length=80), nullable=False),
        sa.Column("variant_name", sa.String(length=80), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "status IN ('running', 'finished', 'stopped')", name=op.f("ck_game_status")
        ),
        sa.CheckConstraint(
            "typeof(revision) = 'integer'", name=op.f("ck_game_revision_whole")
        ).ddl_if(dialect="sqlite"),
        sa.ForeignKeyConstraint(
            ["league_id", "season_id"],
            ["season.league_id", "season.id"],
            name=op.f("fk_game_league_id_season_id_season"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_game_league_id_league")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("league_id", "id", name=op.f("uq_game_league_id_id")),
    )
    op.create_index("ix_game_league_id_status", "game", ["league_id", "status"], unique=False)
    op.create_table(
        "deal",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.Column("after_void", sa.String(length=12), nullable=False),
        sa.CheckConstraint(
            "after_void IN ('again', 'next_dealer', 'skip')", name=op.f("ck_deal_after_void")
        ),
        sa.CheckConstraint("position >= 1", name=op.f("ck_deal_position")),
        sa.ForeignKeyConstraint(
            ["league_id", "game_id"],
            ["game.league_id", "game.id"],
            name=op.f("fk_deal_league_id_game_id_game"),
        ),
        sa.PrimaryKeyConstraint("game_id", "position", name=op.f("pk_deal")),
    )
    op.create_table(
        "history",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("device_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "typeof(revision) = 'integer'", name=op.f("ck_history_revision_whole")
        ).ddl_if(dialect="sqlite"),
        sa.ForeignKeyConstraint(
            ["league_id", "device_id"],
            ["device.league_id", "device.id"],
            name=op.f("fk_history_league_id_device_id_device"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "game_id"],
            ["game.league_id", "game.id"],
            name=op.f("fk_history_league_id_game_id_game"),
        ),
        sa.PrimaryKeyConstraint("game_id", "revision", name=op.f("pk_history")),
        sa.UniqueConstraint("league_id", "key", name=op.f("uq_history_league_id_key")),
    )
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("start_rule", sa.String(length=12), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("placed", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.CheckConstraint("typeof(start) = 'integer'", name=op.f("ck_seat_start_whole")).ddl_if(
            dialect="sqlite"
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "game_id"],
            ["game.league_id", "game.id"],
            name=op.f("fk_seat_league_id_game_id_game"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "player_id"],
            ["player.league_id", "player.id"],
            name=op.f("fk_seat_league_id_player_id_player"),
        ),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "player_id", name=op.f("uq_seat_game_id_player_id")),
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"], unique=False)
    op.create_table(
        "line",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("declared", sa.String(length=12), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "declared IN ('', 'out', 'knock', 'rummy', 'instant_win')",
            name=op.f("ck_line_declared"),
        ),
        sa.CheckConstraint("typeof(points) = 'integer'", name=op.f("ck_line_points_whole")).ddl_if(
            dialect="sqlite"
        ),
        sa.CheckConstraint("points BETWEEN -99999 AND 99999", name=op.f("ck_line_points")),
        sa.ForeignKeyConstraint(
            ["game_id", "position"],
            ["deal.game_id", "deal.position"],
            name=op.f("fk_line_game_id_position_deal"),
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seat.game_id", "seat.number"],
            name=op.f("fk_line_game_id_seat_seat"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "game_id"],
            ["game.league_id", "game.id"],
            name=op.f("fk_line_league_id_game_id_game"),
        ),
        sa.PrimaryKeyConstraint("game_id", "position", "seat", name=op.f("pk_line")),
    )
    op.create_index(
        "uq_line_one_ending",
        "line",
        ["game_id", "position"],
        unique=True,
        sqlite_where=sa.text("declared <> ''"),
        postgresql_where=sa.text("declared <> ''"),
    )
    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)
