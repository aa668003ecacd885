"""The seasons a league's owner makes: stretches of dates that come before the year.

Games follow their date: whatever is done to a season, every game in its dates is put where it
belongs, out of the sums of one season and into those of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from sqlalchemy import delete, extract, func, select, update
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games import totals
from companion.games.game_season import SeasonRow, begin_years, seasons
from companion.games.reading import is_number
from companion.games.writer import StaleError
from companion.store.authors import Author
from companion.store.dates import say_day
from companion.store.models import Game, PlayerSum, RatingRow, Season
from companion.store.names import length, name_key
from companion.store.notes import clean_note

from .actions import Facts, Undo, do_once, facts_of, undo_once

MADE, CHANGED, DROPPED = "season made", "season changed", "season dropped"
LONGEST_NAME, MOST_SEASONS = 80, 200


class SeasonError(Refusal):
    """A season that cannot be, in a sentence."""


class SeasonDates(Struct, frozen=True):
    """A season as its owner says it: a name and dates; one without an end goes on."""

    name: str
    starts_on: date
    ends_on: date | None = None

    @property
    def last(self) -> date:
        """The last day it can hold."""
        return self.ends_on or date.max

    def to_data(self) -> dict[str, Any]:
        """Write it as plain data."""
        ends = self.ends_on and self.ends_on.isoformat()
        return {"name": self.name, "starts_on": self.starts_on.isoformat(), "ends_on": ends}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> SeasonDates:
        """Read it as `to_data` wrote it."""
        ends = data["ends_on"]
        starts_on, ends_on = (
            date.fromisoformat(data["starts_on"]),
            ends and date.fromisoformat(ends),
        )
        return SeasonDates(data["name"], starts_on, ends_on)


def season_dates_of(season: SeasonRow) -> SeasonDates:
    """Return a season's name and dates."""
    return SeasonDates(season.name, season.starts_on, season.ends_on)


def make_season(author: Author, key: str, wanted: SeasonDates) -> None:
    """Make a season of the league's own; the games in its dates are its games from now on.

    Raises `SeasonError` for one without a name, with a name that is taken, that ends before it
    begins, or that holds dates of another.
    """
    new = _clean(wanted)

    def make(session: Session) -> Facts:
        _replace(session, author.league_id, None, new)
        return {"before": None, "after": new.to_data()}

    do_once(author, key, MADE, make, _holding(author, new))


def change_season(
    author: Author, key: str, season_id: int, seen: SeasonDates, wanted: SeasonDates
) -> None:
    """Change the name or the dates of a season of the league's own.

    Raises `LookupError` where it has none with this number, `StaleError` where it is not as it
    was `seen`, and as `make_season` does.
    """
    new = _clean(wanted)

    def change(session: Session) -> Facts:
        old = _still(session, author.league_id, season_id, seen)
        _replace(session, author.league_id, old, new)
        return {"before": seen.to_data(), "after": new.to_data()}

    do_once(author, key, CHANGED, change, _holding(author, seen, new))


def drop_season(author: Author, key: str, season_id: int, seen: SeasonDates) -> None:
    """Take a season of the league's own away; its games go back to their years.

    Raises `LookupError` and `StaleError` as `change_season` does.
    """

    def drop(session: Session) -> Facts:
        old = _still(session, author.league_id, season_id, seen)
        _replace(session, author.league_id, old, None)
        return {"before": seen.to_data(), "after": None}

    do_once(author, key, DROPPED, drop, _holding(author, seen))


def undo(author: Author, act_id: int) -> None:
    """Make the seasons what they were before something was done to one of them.

    Raises `SeasonError` where something later stands in the way, `LookupError` for no such act.
    """

    def hold(session: Session) -> None:
        if facts := facts_of(session, author.league_id, act_id, UNDOING):
            _hold_games(session, author.league_id, [one for one in _told(facts) if one])

    undo_once(author, act_id, UNDOING, hold)


def _told(facts: Facts) -> tuple[SeasonDates | None, SeasonDates | None]:
    """Read what an act says of a season: as it was before, and after."""
    before, after = facts["before"], facts["after"]
    return before and SeasonDates.from_data(before), after and SeasonDates.from_data(after)


def _holding(author: Author, *days: SeasonDates) -> Callable[[Session], None]:
    return lambda session: _hold_games(session, author.league_id, days)


def _hold_games(session: Session, league_id: int, days: Sequence[SeasonDates]) -> None:
    """Lock the games that may change their season."""
    first, last = _bounds(days)
    mine = (Game.league_id == league_id, Game.played_on.between(first, last))
    held = select(Game.id).where(*mine).order_by(Game.id).with_for_update().subquery()
    session.execute(select(func.count()).select_from(held)).one()


def _bounds(days: Sequence[SeasonDates]) -> tuple[date, date]:
    return min(one.starts_on for one in days), max(one.last for one in days)


def _back(session: Session, league_id: int, facts: Facts) -> None:
    before, after = _told(facts)
    own = [season for season in seasons(session, league_id) if season.own]
    now = next((season for season in own if season_dates_of(season) == after), None)
    if after and not now:
        raise SeasonError(f"{after.name} was changed since: undo that first.")
    _replace(session, league_id, now, before)


UNDOING: Mapping[str, Undo] = dict.fromkeys((MADE, CHANGED, DROPPED), _back)
"""What is done to seasons, and how it is undone."""


def _clean(wanted: SeasonDates) -> SeasonDates:
    name = clean_note(wanted.name, LONGEST_NAME, LONGEST_NAME)
    if not length(name):
        raise SeasonError("A season needs a name.")
    if wanted.last < wanted.starts_on:
        raise SeasonError("This season would end before it begins.")
    return SeasonDates(name, wanted.starts_on, wanted.ends_on)


def _still(session: Session, league_id: int, season_id: int, seen: SeasonDates) -> SeasonRow:
    known = {season.season_id: season for season in seasons(session, league_id) if season.own}
    if not is_number(season_id) or season_id not in known:
        raise LookupError(season_id)
    if season_dates_of(known[season_id]) != seen:
        raise StaleError("Someone else has changed this season. This is how it is now.")
    return known[season_id]


def _replace(
    session: Session, league_id: int, old: SeasonRow | None, new: SeasonDates | None
) -> None:
    """Put one season in the place of another, or of none; and every game where it belongs."""
    if new:
        _check(new, [row for row in seasons(session, league_id) if row != old])
    first, last = _bounds([one for one in (old and season_dates_of(old), new) if one])
    gone = old.season_id if old and not new else 0
    revision = totals.next_revision(session, league_id)
    totals.add_days(session, league_id, first, last, -1, revision)
    _write(session, league_id, old, new)
    _begin_missing_years(session, league_id, gone, first, last)
    moved = _settle_games(session, league_id, gone, first, last)
    totals.add_days(session, league_id, first, last, 1, revision)
    if gone:
        _delete(session, league_id, gone)
    if moved:
        totals.mark_all_stale(session, league_id)


def _check(new: SeasonDates, others: list[SeasonRow]) -> None:
    if any(name_key(other.name) == name_key(new.name) for other in others):
        raise SeasonError(f"There is a season called {new.name} already: choose another name.")
    own = [other for other in others if other.own]
    if len(own) >= MOST_SEASONS:
        raise SeasonError(f"A league can have at most {MOST_SEASONS} seasons of its own.")
    for other in own:
        if new.starts_on <= season_dates_of(other).last and other.starts_on <= new.last:
            raise SeasonError(
                f"{other.name} holds {say_season_dates(other.starts_on, other.ends_on)} already: "
                "seasons do not overlap."
            )


def say_season_dates(starts_on: date, ends_on: date | None) -> str:
    """Say the dates of a season."""
    if ends_on is None:
        return f"everything from {say_day(starts_on)} on"
    return f"{say_day(starts_on)} to {say_day(ends_on)}"


def _write(
    session: Session, league_id: int, old: SeasonRow | None, new: SeasonDates | None
) -> None:
    if old and new:
        mine = update(Season).where(Season.league_id == league_id, Season.id == old.season_id)
        session.execute(mine.values(name=new.name, starts_on=new.starts_on, ends_on=new.ends_on))
    elif new:
        season = Season(league_id=league_id, name=new.name, own=True)
        season.starts_on, season.ends_on = new.starts_on, new.ends_on
        session.add(season)
        session.flush()


def _begin_missing_years(
    session: Session, league_id: int, gone: int, first: date, last: date
) -> None:
    """Begin the years of games that no other season holds."""
    held = [row for row in seasons(session, league_id) if row.season_id != gone]
    year = extract("year", Game.played_on)
    mine = (Game.league_id == league_id, Game.played_on.between(first, last))
    years = {
        int(found) for found in session.execute(select(year).where(*mine).distinct()).scalars()
    }
    begun = {row.starts_on.year for row in held if not row.own}
    if missing := sorted(years - begun):
        begin_years(session, league_id, missing)


def _settle_games(session: Session, league_id: int, gone: int, first: date, last: date) -> int:
    """Move every game of these dates to the season that holds its date; return how many moved."""
    holding = (
        select(Season.id)
        .where(
            Season.league_id == league_id,
            Season.id != gone,
            Season.starts_on <= Game.played_on,
            Season.ends_on.is_(None) | (Season.ends_on >= Game.played_on),
        )
        .order_by(Season.own.desc(), Season.id)
        .limit(1)
        .scalar_subquery()
    )
    mine = (Game.league_id == league_id, Game.played_on.between(first, last))
    moved = update(Game).where(*mine, Game.season_id != holding).values(season_id=holding)
    done: Any = session.execute(moved, execution_options={"synchronize_session": False})
    return int(done.rowcount)


def _delete(session: Session, league_id: int, season_id: int) -> None:
    """Take a season away, with its sums and ratings; no game is in it any more."""
    for kept in (PlayerSum, RatingRow):
        mine = delete(kept).where(kept.league_id == league_id, kept.season_id == season_id)
        session.execute(mine)
    session.execute(delete(Season).where(Season.league_id == league_id, Season.id == season_id))
