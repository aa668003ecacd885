"""What is kept only for speed, and can be derived anew: sums, ratings, checkpoints."""

from __future__ import annotations

from datetime import date

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Facts, Key, of_league


class PlayerSum(Base):
    """What a person's counted games come to; a season of 0, no variant or 0 players mean all."""

    __tablename__ = "player_sum"
    __table_args__ = (
        of_league("person_id", "player"),
        Index("ix_player_sum_person_id", "person_id", "season_id"),
    )

    league_id: Mapped[Key]
    season_id: Mapped[Key]
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    players: Mapped[Key]
    person_id: Mapped[Key]
    games: Mapped[int]
    shares: Mapped[int] = mapped_column(BigInteger)
    places: Mapped[int] = mapped_column(BigInteger)
    whole_games: Mapped[int]
    ahead: Mapped[int] = mapped_column(BigInteger)
    revision: Mapped[int]


class RivalSum(Base):
    """How often one person finished above, level with or below another; no variant means all."""

    __tablename__ = "rival_sum"
    __table_args__ = (
        of_league("person_id", "player"),
        of_league("other_id", "player"),
        Index("ix_rival_sum_person_id", "person_id", "variant_key"),
    )

    league_id: Mapped[Key]
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    person_id: Mapped[Key]
    other_id: Mapped[Key]
    games: Mapped[int]
    above: Mapped[int]
    level: Mapped[int]
    revision: Mapped[int]


class ContractSum(Base):
    """What a person's deals under one contract come to, in counted games."""

    __tablename__ = "contract_sum"
    __table_args__ = (
        of_league("person_id", "player"),
        Index("ix_contract_sum_person_id", "person_id"),
    )

    league_id: Mapped[Key]
    variant_key: Mapped[str] = mapped_column(String(80), primary_key=True)
    contract: Mapped[str] = mapped_column(String(200), primary_key=True)
    person_id: Mapped[Key]
    deals: Mapped[int]
    points: Mapped[int] = mapped_column(BigInteger)
    ended: Mapped[int]
    revision: Mapped[int]


class EveningSum(Base):
    """How many counted games a league played on one date."""

    __tablename__ = "evening_sum"
    __table_args__ = (Index("ix_evening_sum_games", "league_id", "games", "played_on"),)

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    played_on: Mapped[date] = mapped_column(primary_key=True)
    games: Mapped[int]
    revision: Mapped[int]


class RatingRow(Base):
    """A person's rating and runs of wins after the replay; a season of 0 means all time."""

    __tablename__ = "form"
    __table_args__ = (of_league("person_id", "player"),)

    league_id: Mapped[Key]
    season_id: Mapped[Key]
    person_id: Mapped[Key]
    facts: Mapped[Facts]


class Checkpoint(Base):
    """Everybody's form after a game, from which a replay can go on."""

    __tablename__ = "checkpoint"

    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), primary_key=True)
    played_on: Mapped[date] = mapped_column(primary_key=True)
    game_id: Mapped[Key]
    facts: Mapped[Facts]
