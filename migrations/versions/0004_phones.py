"""Phones that join by a link, hands told before a deal is saved, and the seal over the history.

The chain is begun here empty; the start of the server seals what was there before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

NEW_COLUMNS = {
    "league": (sa.Column("confirm_hands", sa.Boolean()), sa.Column("passphrase", sa.String(200))),
    "device": (
        sa.Column("name", sa.String(160)),
        sa.Column("player_id", sa.Integer()),
        sa.Column("asks_id", sa.Integer()),
    ),
    "game": (sa.Column("pulse", sa.Integer()),),
}
FILLED = (
    "UPDATE league SET confirm_hands = false",
    "UPDATE device SET name = ''",
    "UPDATE game SET pulse = 0",
)
MAY_BE_EMPTY = {"passphrase", "player_id", "asks_id"}


def upgrade() -> None:
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(column)
    for statement in FILLED:
        op.execute(statement)
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                if column.name not in MAY_BE_EMPTY:
                    batch.alter_column(column.name, existing_type=column.type, nullable=False)
            if table == "device":
                for name in ("player_id", "asks_id"):
                    batch.create_foreign_key(
                        op.f(f"fk_device_league_id_{name}_player"),
                        "player",
                        ["league_id", name],
                        ["league_id", "id"],
                    )
    _make_link()
    _make_failure()
    _make_seal()
    _make_ending()
    _make_report()


def downgrade() -> None:
    for table in ("report", "ending", "seal", "failure", "link"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION seal_append_only()")
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            if table == "device":
                for name in ("player_id", "asks_id"):
                    batch.drop_constraint(op.f(f"fk_device_league_id_{name}_player"))
            for column in columns:
                batch.drop_column(column.name)


def _whole(table: str, column: str) -> list[sa.CheckConstraint]:
    if op.get_bind().dialect.name != "sqlite":
        return []
    name = op.f(f"ck_{table}_{column}_whole")
    return [sa.CheckConstraint(f"typeof({column}) = 'integer'", name=name)]


def _of(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["league_id", column],
        [f"{other}.league_id", f"{other}.id"],
        name=op.f(f"fk_{table}_league_id_{column}_{other}"),
    )


def _column(name: str, type_: sa.types.TypeEngine, *, empty: bool = False) -> sa.Column:
    return sa.Column(name, type_, nullable=empty)


def _key(name: str) -> sa.Column:
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=False)


def _make_link() -> None:
    op.create_table(
        "link",
        _column("id", sa.Integer()),
        _column("league_id", sa.Integer()),
        _column("game_id", sa.Integer(), empty=True),
        _column("device_id", sa.Integer()),
        _column("role", sa.String(12)),
        _column("nonce", sa.String(32)),
        _column("token_hash", sa.String(64)),
        _column("created_at", sa.DateTime()),
        _column("ends_at", sa.DateTime(), empty=True),
        _column("uses_left", sa.Integer(), empty=True),
        _column("revoked_at", sa.DateTime(), empty=True),
        sa.CheckConstraint(
            "role IN ('scorekeeper', 'player', 'viewer')", name=op.f("ck_link_role")
        ),
        sa.CheckConstraint("uses_left >= 0", name=op.f("ck_link_uses_left")),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_link_league_id_league")
        ),
        _of("link", "device_id", "device"),
        _of("link", "game_id", "game"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_link_token_hash")),
    )
    op.create_index("ix_link_league_id_game_id", "link", ["league_id", "game_id"])


def _make_failure() -> None:
    op.create_table(
        "failure",
        _column("about", sa.String(64)),
        _column("times", sa.Integer()),
        _column("since", sa.DateTime()),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_failure")),
    )


def _make_seal() -> None:
    op.create_table(
        "seal",
        _key("league_id"),
        _key("number"),
        _column("game_id", sa.Integer()),
        _column("revision", sa.Integer()),
        _column("seal", sa.String(64)),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_seal_league_id_league")
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "revision"],
            ["history.game_id", "history.revision"],
            name=op.f("fk_seal_game_id_revision_history"),
        ),
        sa.PrimaryKeyConstraint("league_id", "number", name=op.f("pk_seal")),
        sa.UniqueConstraint("game_id", "revision", name=op.f("uq_seal_game_id_revision")),
        *_whole("seal", "number"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER seal_no_{change} BEFORE {change.upper()} ON seal "
                "BEGIN SELECT RAISE(ABORT, 'seal is append-only'); END"
            )
        return
    op.execute(
        "CREATE OR REPLACE FUNCTION seal_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'seal is append-only'; END$$"
    )
    op.execute(
        "CREATE TRIGGER seal_append_only BEFORE UPDATE OR DELETE ON seal "
        "FOR EACH ROW EXECUTE FUNCTION seal_append_only()"
    )


def _make_ending() -> None:
    op.create_table(
        "ending",
        _key("game_id"),
        _key("position"),
        _column("league_id", sa.Integer()),
        _column("how", sa.String(12)),
        _column("by", sa.Integer(), empty=True),
        _column("device_id", sa.Integer()),
        _column("at", sa.DateTime()),
        _of("ending", "game_id", "game"),
        _of("ending", "device_id", "device"),
        sa.PrimaryKeyConstraint("game_id", "position", name=op.f("pk_ending")),
    )


def _make_report() -> None:
    op.create_table(
        "report",
        _key("game_id"),
        _key("position"),
        _key("seat"),
        _key("device_id"),
        _column("league_id", sa.Integer()),
        _column("revision", sa.Integer()),
        _column("key", sa.String(64)),
        _column("told", sa.JSON()),
        _column("at", sa.DateTime()),
        _column("confirmed_by", sa.Integer(), empty=True),
        _column("chosen", sa.Boolean()),
        _of("report", "game_id", "game"),
        _of("report", "device_id", "device"),
        _of("report", "confirmed_by", "device"),
        sa.PrimaryKeyConstraint("game_id", "position", "seat", "device_id", name=op.f("pk_report")),
        sa.UniqueConstraint("league_id", "key", name=op.f("uq_report_league_id_key")),
        *_whole("report", "revision"),
    )
