"""By which link a phone came in, so that it ends where the phone is put out.

Empty for a phone that came by several, by none, or before this was kept. Links are never deleted,
and name the phone that made them, so this one points back without a rule of its own.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("device", recreate="always" if on_sqlite else "never") as batch:
        batch.add_column(sa.Column("link_id", sa.Integer()))


def downgrade() -> None:
    with op.batch_alter_table("device") as batch:
        batch.drop_column("link_id")
