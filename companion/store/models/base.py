"""What every table shares.

Every row belongs to one league (`I16`): a game's rows name it too, and composite foreign keys
keep a row of one league from pointing into another. Times are labels in UTC; order is by number.
"""

from __future__ import annotations

from typing import Annotated

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import JSON, CheckConstraint, ForeignKey, ForeignKeyConstraint, MetaData
from sqlalchemy.orm import DeclarativeBase, mapped_column

Key = Annotated[int, mapped_column(primary_key=True, autoincrement=False)]
OfLeague = Annotated[int, mapped_column(ForeignKey("league.id"))]
Facts = Annotated[dict[str, object], mapped_column(JSON)]
ROLES = "role IN ('owner', 'scorekeeper', 'player', 'viewer')"
WIN = 720720  # the win of a game in parts, so that a share is whole for up to sixteen winners

NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """What every table shares: names for all constraints."""

    metadata = MetaData(naming_convention=NAMES)


db = SQLAlchemy(model_class=Base)


def of_league(column: str, table: str) -> ForeignKeyConstraint:
    """Let a column point at a row of the same league only (`I16`)."""
    return ForeignKeyConstraint(["league_id", column], [f"{table}.league_id", f"{table}.id"])


def whole(column: str) -> CheckConstraint:
    """Refuse 12.5 where SQLite would take it (`I9`)."""
    return CheckConstraint(f"typeof({column}) = 'integer'", name=f"{column}_whole").ddl_if(
        dialect="sqlite"
    )
