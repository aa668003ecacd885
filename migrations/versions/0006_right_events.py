"""What happened to rights, for the owners of a league: it begins with this version."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "right_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("device_id", sa.Integer(), nullable=True),
        sa.Column("about_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id", "device_id"],
            ["device.league_id", "device.id"],
            name=op.f("fk_right_event_league_id_device_id_device"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "about_id"],
            ["device.league_id", "device.id"],
            name=op.f("fk_right_event_league_id_about_id_device"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_right_event_league_id_league")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_right_event")),
    )
    op.create_index("ix_right_event_league_id", "right_event", ["league_id", "id"])


def downgrade() -> None:
    op.drop_table("right_event")
