"""Ratings by game; sums, checkpoints and the season of a game are asked and kept no more.

The ratings are worked out when the tables are in place, in the same transaction.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0013"
down_revision = "0012"

SUMS = ("player_sum", "rival_sum", "contract_sum", "evening_sum", "form", "checkpoint")
GAME_INDEXES = ("ix_game_counted", "ix_game_touched", "ix_game_margin", "ix_game_note")
RECORDS = ("best", "worst_deal", "lowest", "highest", "high", "low", "comeback")
COUNTED = ("league_id", "counted", "played_on", "id", "variant_key", "players", "margin")
PLAYED = (
    *("player_id", "played_on", "game_id", "counted", "variant_key", "place", "share"),
    *("ahead", "total", "high", "low", "comeback", "number"),
)
OF_LEAGUE = {
    "revision": sa.Integer,
    "upheaval": sa.Integer,
    "stale_on": sa.Date,
    "stale_game": sa.Integer,
}
SEASON_OF_GAME = (
    "UPDATE game SET touched = 0, season_id = (SELECT season.id FROM season "
    "WHERE season.league_id = game.league_id AND season.starts_on <= game.played_on "
    "AND (season.ends_on IS NULL OR season.ends_on >= game.played_on) "
    "ORDER BY season.own DESC, season.id LIMIT 1)"
)


def upgrade() -> None:
    _make_rating()
    for table in SUMS:
        op.drop_table(table)
    for name in GAME_INDEXES:
        op.drop_index(name, "game")
    with op.batch_alter_table("game") as batch:
        batch.drop_constraint(op.f("fk_game_league_id_season_id_season"), type_="foreignkey")
        batch.drop_column("season_id")
        batch.drop_column("touched")
    op.create_index("ix_game_counted", "game", list(COUNTED))
    for name in ("ix_seat_player_id", *(f"ix_seat_{name}" for name in RECORDS)):
        op.drop_index(name, "seat")
    op.create_index("ix_seat_played", "seat", list(PLAYED))
    for name in OF_LEAGUE:
        op.drop_column("league", name)


def downgrade() -> None:
    """Make the tables again, empty: that version fills them at its start."""
    then = context.script.get_revision("0003").module
    for name, kind in OF_LEAGUE.items():
        op.add_column("league", sa.Column(name, kind()))
    op.execute("UPDATE league SET revision = -1, upheaval = 0")
    with op.batch_alter_table("league") as batch:
        for name in ("revision", "upheaval"):
            batch.alter_column(name, existing_type=sa.Integer(), nullable=False)
    op.drop_index("ix_seat_played", "seat")
    op.create_index("ix_seat_player_id", "seat", ["player_id", "played_on", "game_id"])
    for name, columns in then.SEAT_RECORDS.items():
        then._partial(f"ix_seat_{name}", "seat", [sa.text(one) for one in columns], "counted")
    op.drop_index("ix_game_counted", "game")
    for name in ("season_id", "touched"):
        op.add_column("game", sa.Column(name, sa.Integer()))
    op.execute(SEASON_OF_GAME)
    with op.batch_alter_table("game") as batch:
        for name in ("season_id", "touched"):
            batch.alter_column(name, existing_type=sa.Integer(), nullable=False)
        batch.create_foreign_key(
            op.f("fk_game_league_id_season_id_season"),
            "season",
            ["league_id", "season_id"],
            ["league_id", "id"],
        )
    by_day = ["played_on", "id"]
    op.create_index("ix_game_counted", "game", ["league_id", "counted", *by_day])
    op.create_index("ix_game_touched", "game", ["league_id", "touched"])
    of_variant = ["league_id", "variant_key", "margin", "id"]
    then._partial("ix_game_margin", "game", of_variant, "counted")
    then._partial("ix_game_note", "game", ["league_id", *by_day], "note <> ''")
    op.drop_table("rating")
    then._make_sums()
    then._make_forms()


def _make_rating() -> None:
    op.create_table(
        "rating",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("played_on", sa.Date(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id", "game_id"],
            ["game.league_id", "game.id"],
            name=op.f("fk_rating_league_id_game_id_game"),
        ),
        sa.ForeignKeyConstraint(
            ["league_id", "person_id"],
            ["player.league_id", "player.id"],
            name=op.f("fk_rating_league_id_person_id_player"),
        ),
        sa.PrimaryKeyConstraint("person_id", "games", name=op.f("pk_rating")),
    )
    op.create_index("ix_rating_by_date", "rating", ["league_id", "played_on", "game_id"])
