"""The only reader of the league's sums: who leads, in a season, a game, a number of players."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from companion.games.reading import of_latest_game
from companion.store.models import WIN, Game, League, Player, PlayerSum, RatingRow

from .ratings import RatingState, read_form

FEW = 5  # with fewer games than this an average says little
# A rating stands only beside the sums of just those games that it rests on.
RATED_GAMES = (
    (RatingRow.league_id == PlayerSum.league_id)
    & (RatingRow.season_id == PlayerSum.season_id)
    & (RatingRow.person_id == PlayerSum.person_id)
    & (
        PlayerSum.variant_key
        == select(League.standings_variant)
        .where(League.id == PlayerSum.league_id)
        .correlate(PlayerSum)
        .scalar_subquery()
    )
    & (PlayerSum.players == 0)
)


class StandingsRow(Struct, frozen=True):
    """One person's counted games: `wins` counts a win shared by two as half for each.

    `rank` is shared by equals. `ahead` is how many points a game the person is better than the
    table's average, over games played from first to last; None without any, or over all games.
    `form` goes by every game of the season and is None for a choice of them.
    """

    person_id: int
    name: str
    games: int
    wins: Fraction
    average_place: Fraction
    ahead: Fraction | None = None
    form: RatingState | None = None
    rank: int = 0

    @property
    def share(self) -> int:
        """The share of games won, in whole percent; a half counts up."""
        return int(100 * self.wins / self.games + Fraction(1, 2))

    @property
    def is_few(self) -> bool:
        """Whether there are too few games to say anything."""
        return self.games < FEW

    @property
    def merit(self) -> tuple[Fraction, Fraction]:
        """What the order goes by: wins, then average place."""
        return -self.wins, self.average_place


def standings(
    session: Session,
    league_id: int,
    season_id: int = 0,
    variant_key: str = "",
    players: int = 0,
) -> list[StandingsRow]:
    """Rank the people of a league by wins, then by average place, in one query.

    A season of 0, no variant and 0 players mean all of them. Only counted games: finished ones
    that the league did not leave out, and in them only players with a place.
    """
    of_table = (PlayerSum.season_id == season_id, PlayerSum.variant_key == variant_key)
    tables = _tables(session, league_id, PlayerSum.season_id, *of_table, players=players)
    return tables.get(season_id, [])


ROW = (
    PlayerSum.variant_key,
    PlayerSum.person_id,
    PlayerSum.games,
    PlayerSum.shares,
    PlayerSum.places,
    PlayerSum.ahead,
    PlayerSum.whole_games,
    Player.name,
    RatingRow.facts,
)
"""What a row of the standings is made from."""


def season_standings(session: Session, league_id: int) -> dict[int, list[StandingsRow]]:
    """Rank the people of every season of a league over all games, in one query; 0 is all time."""
    return _tables(session, league_id, PlayerSum.season_id, PlayerSum.variant_key == "")


def variant_standings(session: Session, league_id: int) -> dict[str, list[StandingsRow]]:
    """Rank the people of every variant of a league over all time, in one query."""
    of_variants = (PlayerSum.variant_key != "") & (PlayerSum.season_id == 0)
    return _tables(session, league_id, PlayerSum.variant_key, of_variants)


def _tables(
    session: Session, league_id: int, by: Any, *which: ColumnElement[bool], players: int = 0
) -> dict[Any, list[StandingsRow]]:
    rows = session.execute(
        select(by, *ROW)
        .join(Player, Player.id == PlayerSum.person_id)
        .outerjoin(RatingRow, RATED_GAMES)
        .where(
            PlayerSum.league_id == league_id,
            PlayerSum.players == players,
            PlayerSum.games > 0,
            *which,
        )
    )
    found: dict[Any, list[StandingsRow]] = {}
    for key, *row in rows:
        found.setdefault(key, []).append(_row(*row))
    return {key: _ranked(table) for key, table in found.items()}


def _row(
    variant_key: str,
    person_id: int,
    games: int,
    shares: int,
    places: int,
    ahead: int,
    whole_games: int,
    name: str,
    facts: dict[str, object] | None,
) -> StandingsRow:
    comparable = variant_key and whole_games
    return StandingsRow(
        person_id=person_id,
        name=name,
        games=games,
        wins=Fraction(shares, WIN),
        average_place=Fraction(places, games),
        # The sum is stored in hundredths of a point.
        ahead=Fraction(ahead, 100 * whole_games) if comparable else None,
        form=read_form(facts) if facts else None,
    )


def _ranked(table: list[StandingsRow]) -> list[StandingsRow]:
    """Put the rows in order; those of equal merit share their rank."""
    ordered = sorted(table, key=lambda row: (row.merit, row.name, row.person_id))
    merits = [row.merit for row in ordered]
    return [replace(row, rank=merits.index(row.merit) + 1) for row in ordered]


class PlayedVariant(Struct, frozen=True):
    """A variant that a league has counted games of, and with how many players each."""

    variant_key: str
    name: str
    sizes: tuple[int, ...]


def played_variants(session: Session, league_id: int) -> list[PlayedVariant]:
    """List the variants of a league's counted games by name, as their latest game calls them."""
    name = of_latest_game(Game.variant_name, PlayerSum.league_id, PlayerSum.variant_key)
    rows = session.execute(
        select(PlayerSum.variant_key, PlayerSum.players, name)
        .where(
            PlayerSum.league_id == league_id,
            PlayerSum.season_id == 0,
            PlayerSum.variant_key != "",
            PlayerSum.players > 0,
            PlayerSum.games > 0,
        )
        .group_by(PlayerSum.league_id, PlayerSum.variant_key, PlayerSum.players)
    )
    found: dict[str, tuple[str, list[int]]] = {}
    for key, players, called in rows:
        found.setdefault(key, (called or key, []))[1].append(players)
    listed = [
        PlayedVariant(key, called, tuple(sorted(sizes))) for key, (called, sizes) in found.items()
    ]
    return sorted(listed, key=lambda played: (played.name, played.variant_key))
