"""The rules a league made its own."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    whole = []
    if op.get_bind().dialect.name == "sqlite":
        whole.append(
            sa.CheckConstraint("typeof(revision) = 'integer'", name=op.f("ck_house_revision_whole"))
        )
    op.create_table(
        "house",
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("chosen", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_house_league_id_league")
        ),
        sa.PrimaryKeyConstraint("league_id", "key", name=op.f("pk_house")),
        *whole,
    )


def downgrade() -> None:
    op.drop_table("house")
