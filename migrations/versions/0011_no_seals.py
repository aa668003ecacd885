"""No chain of seals: the history alone says what was played, and its triggers keep it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.drop_table("seal")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION seal_append_only()")


def downgrade() -> None:
    """Make the table again, empty: no seal can be made anew."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    whole = sa.CheckConstraint("typeof(number) = 'integer'", name=op.f("ck_seal_number_whole"))
    op.create_table(
        "seal",
        sa.Column("league_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
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
        *([whole] if on_sqlite else ()),
    )
    if on_sqlite:
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
