"""Evenings and years: what was played on one date, and what a whole year came to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from msgspec import Struct
from sqlalchemy import ColumnElement, Integer, cast, extract, func, select
from sqlalchemy.orm import Session

from companion.games.counted import sums_by_person
from companion.store.models import WIN, Deal, Game, Player, Seat

from .records import CLOSEST, Evening, RecordEntry, feats, games_by_day, longest_nights

MOST_EQUALS = 20
"""Of more that are equal nobody would read."""


class EveningPart(Struct, frozen=True):
    """One person's part in an evening or a year: games, wins, average place."""

    person_id: int
    name: str
    games: int
    wins: Fraction
    average_place: Fraction


class Year(Struct, frozen=True):
    """A year in review; of each thing worth remembering all that are equal."""

    year: int
    games: int
    evenings: int
    deals: int
    parts: Sequence[EveningPart]
    variants: Sequence[tuple[str, int]]
    longest: Sequence[Evening]
    closest: Sequence[RecordEntry]
    comeback: Sequence[RecordEntry]
    highest_deal: Sequence[RecordEntry]

    @property
    def best(self) -> Sequence[EveningPart]:
        """Who won most: several who won as much, nobody where nobody won."""
        return [part for part in self.parts if part.wins and part.wins == self.parts[0].wins]


def evenings(
    session: Session, league_id: int, *, before: date | None = None, most: int = 20
) -> list[Evening]:
    """List the evenings of a league, the latest first, a page at a time by the last date shown."""
    days = games_by_day(league_id, *([Game.played_on < before] if before else []))
    rows = session.execute(days.order_by(Game.played_on.desc()).limit(most))
    return [Evening(*row) for row in rows]


def years(session: Session, league_id: int) -> list[int]:
    """List the years in which a league finished a game, the latest first."""
    year = cast(extract("year", Game.played_on), Integer)
    rows = select(year).where(Game.league_id == league_id, Game.counted)
    return list(session.execute(rows.distinct().order_by(year.desc())).scalars())


def parts(session: Session, league_id: int, first: date, last: date) -> list[EveningPart]:
    """Return what everybody won between two dates, both included, the most wins first."""
    sums = sums_by_person(league_id, Seat.played_on.between(first, last))
    columns = (Player.id, Player.name, sums.c.games, sums.c.shares, sums.c.places)
    rows = session.execute(select(*columns).join(sums, sums.c.person_id == Player.id))
    evening_parts = [
        EveningPart(person, name, games, Fraction(shares, WIN), Fraction(places, games))
        for person, name, games, shares, places in rows
    ]
    return sorted(evening_parts, key=lambda part: (-part.wins, part.average_place, part.name))


def _counted(league_id: int, first: date, last: date) -> tuple[ColumnElement[bool], ...]:
    return (
        Game.league_id == league_id,
        Game.counted.is_(True),
        Game.played_on.between(first, last),
    )


def year_in_review(session: Session, league_id: int, year: int) -> Year:
    """Look back on a year: who won, what was played, what is worth remembering."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    of_year = _counted(league_id, first, last)
    games, nights = session.execute(
        select(func.count(), func.count(Game.played_on.distinct())).where(*of_year)
    ).one()
    deals = session.execute(
        select(func.count())
        .select_from(Game)
        .join(Deal, Deal.game_id == Game.id)
        .where(*of_year, Deal.void.is_(False))
    ).scalar_one()
    played = (
        select(func.max(Game.variant_name), func.count())
        .where(*of_year)
        .group_by(Game.variant_key)
        .order_by(func.count().desc(), Game.variant_key)
    )
    nights_most = longest_nights(session, league_id, first, last, most=MOST_EQUALS)
    seats = [Player.league_id == league_id, Seat.played_on.between(first, last)]
    best_feats = feats(session, seats, of_year, ("comeback", "highest_deal"), most=MOST_EQUALS)
    moments = {
        # A finish may be level on points; a deal that brought nobody any is none to remember.
        kind: _equals([feat for feat in best if feat.value > 0 or kind == CLOSEST])
        for kind, best in best_feats.items()
    }
    return Year(
        year=year,
        games=games,
        evenings=nights,
        deals=deals,
        parts=parts(session, league_id, first, last),
        variants=[(name, count) for name, count in session.execute(played)],
        longest=[night for night in nights_most if night.games == nights_most[0].games],
        **moments,
    )


def _equals(best: Sequence[RecordEntry]) -> list[RecordEntry]:
    """Keep those that equal the first, the earliest of each name."""
    named: dict[str, RecordEntry] = {}
    for feat in best:
        if feat.value == best[0].value:
            named.setdefault(feat.name, feat)
    return list(named.values())
