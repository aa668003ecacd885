"""The only reader of totals: who leads the league."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from .models import Game, Player, Seat


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's finished games: `wins` counts a win shared by two as half for each."""

    name: str
    games: int
    wins: Fraction
    average_place: Fraction

    @property
    def share(self) -> int:
        """The share of games won, in whole percent."""
        return round(100 * self.wins / self.games)


def standings(session: Session, league_id: int, season_id: int | None = None) -> list[StandingsRow]:
    """Rank the players of a league by wins, then by average place, in one query.

    Only finished games count, and in them only players who are in the order of places.
    """
    finished = [Game.league_id == league_id, Game.status == "finished"]
    if season_id is not None:
        finished.append(Game.season_id == season_id)
    firsts = (
        select(Seat.game_id, func.count().label("winners"))
        .where(Seat.league_id == league_id, Seat.place == 1)
        .group_by(Seat.game_id)
        .subquery()
    )
    won = case((Seat.place == 1, firsts.c.winners), else_=0)
    rows = session.execute(
        select(Player.id, Player.name, won, func.count(), func.sum(Seat.place))
        .join(Seat, Seat.player_id == Player.id)
        .join(Game, Game.id == Seat.game_id)
        .join(firsts, firsts.c.game_id == Game.id)
        .where(*finished, Seat.place.is_not(None))
        .group_by(Player.id, Player.name, won)
    )
    return _ranked(rows.all())


def _ranked(rows: object) -> list[StandingsRow]:
    games: dict[int, int] = {}
    wins: dict[int, Fraction] = {}
    places: dict[int, int] = {}
    names: dict[int, str] = {}
    for player, name, winners, count, place_sum in rows:  # type: ignore[attr-defined]
        names[player] = name
        games[player] = games.get(player, 0) + count
        places[player] = places.get(player, 0) + int(place_sum)
        wins[player] = wins.get(player, Fraction(0)) + (Fraction(count, winners) if winners else 0)
    table = [
        StandingsRow(names[p], games[p], wins[p], Fraction(places[p], games[p])) for p in names
    ]
    return sorted(table, key=lambda row: (-row.wins, row.average_place, row.name))
