"""Who leads: in a season, a game, a number of players, asked of the counted seats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Row, Select, Subquery, select
from sqlalchemy.orm import Session

from companion.games.counted import Days, at_table_of, on_days, sums_by_person
from companion.games.game_season import days_of, seasons
from companion.games.rating_model import Forms, RatingState
from companion.games.rating_replay import current_forms, forms_of
from companion.games.reading import of_latest_game
from companion.store.models import WIN, Game, League, Player, Seat

FEW = 5  # with fewer games than this an average says little


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
    """Rank the people of a league by wins, then by average place.

    A season of 0, no variant and 0 players mean all of them. Only counted games: finished ones
    that the league did not leave out, and in them only players with a place. Ratings stand where
    the games are those that the league rates.
    """
    days = _days(session, league_id, season_id)
    which = [on_days(Seat.played_on, days)] if season_id else []
    which += [Seat.variant_key == variant_key] if variant_key else []
    which += [at_table_of(players)] if players else []
    forms: Forms = {}
    rated = select(League.standings_variant).where(League.id == league_id)
    if not players and session.execute(rated).scalar_one() == variant_key:
        if season_id:
            forms = forms_of(session, league_id, on_days(Game.played_on, days))
        else:
            forms = current_forms(session, league_id)
    rows = session.execute(_named(sums_by_person(league_id, *which)))
    return _ranked([_row(row, forms, compared=bool(variant_key)) for row in rows])


def _days(session: Session, league_id: int, season_id: int) -> Days:
    """Return the days of a season; none of one that the league does not have."""
    all_seasons = seasons(session, league_id) if season_id else []
    return [
        days
        for row in all_seasons
        if row.season_id == season_id
        for days in days_of(row, all_seasons)
    ]


def season_standings(session: Session, league_id: int) -> dict[int, list[StandingsRow]]:
    """Rank the people of every season of a league over all games; 0 is all time."""
    every = [0, *(season.season_id for season in seasons(session, league_id))]
    return {season: standings(session, league_id, season) for season in every}


def variant_standings(session: Session, league_id: int) -> dict[str, list[StandingsRow]]:
    """Rank the people of every variant of a league over all time, in one query."""
    sums = sums_by_person(league_id, by=[Seat.variant_key])
    by_variant: dict[str, list[StandingsRow]] = {}
    for row in session.execute(_named(sums, sums.c.variant_key)):
        by_variant.setdefault(row.variant_key, []).append(_row(row, {}, compared=True))
    return {key: _ranked(table) for key, table in by_variant.items()}


def _named(sums: Subquery, *also: Any) -> Select[Any]:
    """Ask for sums with the names of those whose they are."""
    columns = (sums.c.games, sums.c.shares, sums.c.places, sums.c.ahead, sums.c.whole_games)
    named = select(Player.id, Player.name, *columns, *also)
    return named.join(sums, sums.c.person_id == Player.id)


def _row(sums: Row[Any], forms: Forms, *, compared: bool) -> StandingsRow:
    comparable = compared and sums.whole_games
    return StandingsRow(
        person_id=sums.id,
        name=sums.name,
        games=sums.games,
        wins=Fraction(sums.shares, WIN),
        average_place=Fraction(sums.places, sums.games),
        # The sum is in hundredths of a point.
        ahead=Fraction(sums.ahead, 100 * sums.whole_games) if comparable else None,
        form=forms.get(sums.id),
    )


def _ranked(table: list[StandingsRow]) -> list[StandingsRow]:
    """Put the rows in order; those of equal merit share their rank."""
    ordered = sorted(table, key=lambda row: (row.merit, row.name, row.person_id))
    # Backwards, so that the first of equals names their rank; a search for each grew by the square.
    ranks = {row.merit: rank for rank, row in reversed([*enumerate(ordered, 1)])}
    return [replace(row, rank=ranks[row.merit]) for row in ordered]


class PlayedVariant(Struct, frozen=True):
    """A variant that a league has counted games of, and with how many players each."""

    variant_key: str
    name: str
    sizes: tuple[int, ...]


def played_variants(session: Session, league_id: int) -> list[PlayedVariant]:
    """List the variants of a league's counted games by name, as their latest game calls them."""
    tables = (
        select(Game.variant_key, Game.players)
        .where(Game.league_id == league_id, Game.counted)
        .distinct()
        .subquery()
    )
    name = of_latest_game(Game.variant_name, league_id, tables.c.variant_key)
    rows = session.execute(select(tables.c.variant_key, tables.c.players, name))
    by_variant: dict[str, tuple[str, list[int]]] = {}
    for key, players, called in rows:
        by_variant.setdefault(key, (called or key, []))[1].append(players)
    listed = [
        PlayedVariant(key, called, tuple(sorted(sizes)))
        for key, (called, sizes) in by_variant.items()
    ]
    return sorted(listed, key=lambda played: (played.name, played.variant_key))
