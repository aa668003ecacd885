"""Seasons: every year is one by itself; a league's own stretches of dates come before the year."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from functools import cache

from msgspec import Struct
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from companion.store.database import Statement, execute
from companion.store.models import Season


class SeasonRow(Struct, frozen=True):
    """A season as a page lists it; an own one without an end goes on."""

    season_id: int
    name: str
    starts_on: date
    ends_on: date | None
    own: bool

    def holds(self, day: date) -> bool:
        """Return whether a day lies within its dates."""
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)


def seasons(session: Session, league_id: int) -> list[SeasonRow]:
    """List the seasons of a league, the latest first."""
    return [SeasonRow(*row) for row in execute(session, _seasons(), league_id=league_id)]


@cache
def _seasons() -> Statement:
    rows = select(Season.id, Season.name, Season.starts_on, Season.ends_on, Season.own)
    mine = rows.where(Season.league_id == bindparam("league_id"))
    return mine.order_by(Season.starts_on.desc(), Season.id.desc())


def season_at(known: list[SeasonRow], day: date) -> SeasonRow | None:
    """Find the season of a day: the league's own if one holds it, else its year."""
    holding = [season for season in known if season.holds(day)]
    return max(holding, key=lambda season: season.own, default=None)


def season_for(session: Session, league_id: int, day: date) -> int:
    """Return the number of the season of a day; a new year begins its own."""
    known = season_at(seasons(session, league_id), day)
    return known.season_id if known else begin_years(session, league_id, [day.year])[0]


def begin_years(session: Session, league_id: int, years: Sequence[int]) -> list[int]:
    """Begin the seasons of these years; a season of the league's own may have taken the name."""
    mine = select(Season.name).where(Season.league_id == league_id)
    taken = set(session.execute(mine).scalars())
    begun = [_year(league_id, year, taken) for year in years]
    session.add_all(begun)
    session.flush()
    return [season.id for season in begun]


def _year(league_id: int, year: int, taken: Collection[str]) -> Season:
    name = str(year)
    while name in taken:
        name = f"Year {name}"
    first, last = date(year, 1, 1), date(year, 12, 31)
    return Season(league_id=league_id, name=name, starts_on=first, ends_on=last, own=False)
