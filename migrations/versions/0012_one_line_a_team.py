"""A team is known by its people: its key is no name's, and its name is worked out anew."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute(
        "UPDATE player SET name_key = '+  ' || id WHERE id IN (SELECT team_id FROM team_member)"
    )
    op.execute("UPDATE league SET revision = -1 WHERE id IN (SELECT league_id FROM team_member)")


def downgrade() -> None:
    """Versions before find a team by its name, and make one where none has it."""
