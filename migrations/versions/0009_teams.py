"""Teams: an entry that shares one line of a game among several people."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "team_member",
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["league_id", "member_id"], ["player.league_id", "player.id"]),
        sa.ForeignKeyConstraint(["league_id", "team_id"], ["player.league_id", "player.id"]),
        sa.PrimaryKeyConstraint("team_id", "member_id"),
    )
    op.create_index("ix_team_member_league_id", "team_member", ["league_id"])
    op.create_index("ix_team_member_member_id", "team_member", ["member_id"])


def downgrade() -> None:
    op.drop_index("ix_team_member_member_id", "team_member")
    op.drop_index("ix_team_member_league_id", "team_member")
    op.drop_table("team_member")
