"""What is kept only for speed, and can be derived anew: ratings."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Double, Index
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Key, of_league


class Rating(Base):
    """A person's rating after one of their games, their `games`-th, and their runs of wins then."""

    __tablename__ = "rating"
    __table_args__ = (
        of_league("person_id", "player"),
        of_league("game_id", "game"),
        Index("ix_rating_by_date", "league_id", "played_on", "game_id"),
    )

    person_id: Mapped[Key]
    games: Mapped[Key]
    league_id: Mapped[int]
    played_on: Mapped[date]
    game_id: Mapped[int]
    mu: Mapped[float] = mapped_column(Double)
    sigma: Mapped[float] = mapped_column(Double)
    streak: Mapped[int]
    longest: Mapped[int]
