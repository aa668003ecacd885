"""Seasons: every year is one by itself; a league's own stretches of dates come before the year."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta
from functools import cache

from msgspec import Struct
from sqlalchemy import bindparam, delete, exists, select
from sqlalchemy.orm import Session

from companion.store.database import Statement, execute
from companion.store.models import Game, Season

DAY = timedelta(days=1)


class SeasonRow(Struct, frozen=True):
    """A season as a page lists it; an own one without an end goes on."""

    season_id: int
    name: str
    starts_on: date
    ends_on: date | None
    own: bool

    @property
    def last(self) -> date:
        """The last day it can hold."""
        return self.ends_on or date.max

    def holds(self, day: date) -> bool:
        """Return whether a day lies within its dates."""
        return self.starts_on <= day <= self.last


def seasons(session: Session, league_id: int) -> list[SeasonRow]:
    """List the seasons of a league, the latest first."""
    return [SeasonRow(*row) for row in execute(session, _seasons(), league_id=league_id)]


@cache
def _seasons() -> Statement:
    rows = select(Season.id, Season.name, Season.starts_on, Season.ends_on, Season.own)
    of_league = rows.where(Season.league_id == bindparam("league_id"))
    return of_league.order_by(Season.starts_on.desc(), Season.id.desc())


def season_at(all_seasons: Iterable[SeasonRow], day: date) -> SeasonRow | None:
    """Find the season of a day: the league's own if one holds it, else its year."""
    holding = [season for season in all_seasons if season.holds(day)]
    return max(holding, key=lambda season: season.own, default=None)


def days_of(season: SeasonRow, all_seasons: Iterable[SeasonRow]) -> list[tuple[date, date]]:
    """Return the stretches of days that are a season's: of a year what the league's own leave.

    >>> year = SeasonRow(1, "2026", date(2026, 1, 1), date(2026, 12, 31), own=False)
    >>> summer = SeasonRow(2, "Summer", date(2026, 6, 1), date(2026, 8, 31), own=True)
    >>> [f"{first:%d.%m.} to {last:%d.%m.}" for first, last in days_of(year, [summer, year])]
    ['01.01. to 31.05.', '01.09. to 31.12.']
    """
    left, first = [], season.starts_on
    for other in sorted(all_seasons, key=lambda other: other.starts_on):
        if not season.own and other.own and first <= other.last and other.starts_on <= season.last:
            left.append((first, other.starts_on - DAY))
            first = other.last + DAY if other.last < season.last else date.max
    left.append((first, season.last))
    return [(start, end) for start, end in left if start <= end]


def begin_year_of(session: Session, league_id: int, days: Iterable[date]) -> None:
    """Begin the years of those of these days that are in no season yet."""
    all_seasons = seasons(session, league_id)
    years = {day.year for day in days if season_at(all_seasons, day) is None}
    begin_years(session, league_id, sorted(years))


def begin_years(session: Session, league_id: int, years: Sequence[int]) -> None:
    """Begin the seasons of these years; a season of the league's own may have taken the name."""
    of_league = select(Season.name).where(Season.league_id == league_id)
    names = set(session.execute(of_league).scalars()) if years else set()
    session.add_all(_year(league_id, year, names) for year in years)
    session.flush()


def end_empty_years(session: Session, league_id: int) -> None:
    """Take away the years in which no game is left to be seen."""
    of_day = Game.played_on.between(Season.starts_on, Season.ends_on)
    seen = exists().where(Game.league_id == league_id, Game.hidden.is_(False), of_day)
    empty = delete(Season).where(Season.league_id == league_id, Season.own.is_(False), ~seen)
    session.execute(empty, execution_options={"synchronize_session": False})


def _year(league_id: int, year: int, names: Collection[str]) -> Season:
    name = str(year)
    while name in names:
        name = f"Year {name}"
    first, last = date(year, 1, 1), date(year, 12, 31)
    return Season(league_id=league_id, name=name, starts_on=first, ends_on=last, own=False)
