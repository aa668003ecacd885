"""Seasons: every year is one by itself; a league's own stretches of dates come before the year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from .models import Season


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season as a page lists it; an own one without an end goes on."""

    season_id: int
    name: str
    starts_on: date
    ends_on: date | None
    own: bool

    def holds(self, day: date) -> bool:
        """Tell whether a day lies within its dates."""
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)


def seasons(session: Session, league_id: int) -> list[SeasonRow]:
    """List the seasons of a league, the latest first."""
    rows = select(Season.id, Season.name, Season.starts_on, Season.ends_on, Season.own)
    mine = rows.where(Season.league_id == league_id)
    return [
        SeasonRow(*row)
        for row in session.execute(mine.order_by(Season.starts_on.desc(), Season.id.desc()))
    ]


def season_at(known: list[SeasonRow], day: date) -> SeasonRow | None:
    """Find the season of a day: the league's own if one holds it, else its year."""
    holding = [season for season in known if season.holds(day)]
    return max(holding, key=lambda season: season.own, default=None)


def season_for(session: Session, league_id: int, day: date) -> int:
    """Give the number of the season of a day; a new year begins its own."""
    known = season_at(seasons(session, league_id), day)
    return known.season_id if known else _begin_year(session, league_id, day.year)


def _begin_year(session: Session, league_id: int, year: int) -> int:
    season = Season(
        league_id=league_id,
        name=_free_name(session, league_id, str(year)),
        starts_on=date(year, 1, 1),
        ends_on=date(year, 12, 31),
        own=False,
    )
    session.add(season)
    session.flush()
    return season.id


def _free_name(session: Session, league_id: int, name: str) -> str:
    """Find a name that no season has yet, should somebody have called theirs by the year."""
    taken = set(session.execute(select(Season.name).where(Season.league_id == league_id)).scalars())
    while name in taken:
        name = f"Year {name}"
    return name
