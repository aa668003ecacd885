"""Which game a league's standings and ratings count: empty for all of them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    column = sa.Column("standings_variant", sa.String(80), nullable=False, server_default="")
    op.add_column("league", column)


def downgrade() -> None:
    op.drop_column("league", "standings_variant")
