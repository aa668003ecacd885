"""Where a late joiner sits: on the left of which seat, for those who don't sit after the last."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("seat", sa.Column("sits_after", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("seat", "sits_after")
