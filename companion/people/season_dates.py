"""The seasons a league's owner makes: stretches of dates that come before the year.

Games follow their date: whatever is done to a season, nothing of a game changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import msgspec
from msgspec import Struct
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.game_season import SeasonRow, begin_year_of, seasons
from companion.games.reading import is_number
from companion.games.writer import StaleError
from companion.store.authors import Author
from companion.store.dates import say_day
from companion.store.models import Game, Season
from companion.store.names import length, name_key
from companion.store.notes import clean_note

from .actions import Facts, Undo, do_once, undo_once

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


def season_dates_of(season: SeasonRow) -> SeasonDates:
    """Return a season's name and dates."""
    return SeasonDates(season.name, season.starts_on, season.ends_on)


def make_season(author: Author, key: str, wanted: SeasonDates) -> None:
    """Make a season of the league's own; the games in its dates are its games from now on.

    Raises `SeasonError` for one without a name, with a name that is taken, that ends before it
    begins, or that holds dates of another.
    """
    _put(author, key, None, _clean(wanted))


def change_season(
    author: Author, key: str, season_id: int, seen: SeasonDates, wanted: SeasonDates
) -> None:
    """Change the name or the dates of a season of the league's own.

    Raises `LookupError` where it has none with this number, `StaleError` where it is not as it
    was `seen`, and as `make_season` does.
    """
    _put(author, key, seen, _clean(wanted), season_id)


def drop_season(author: Author, key: str, season_id: int, seen: SeasonDates) -> None:
    """Take a season of the league's own away; its games go back to their years.

    Raises `LookupError` and `StaleError` as `change_season` does.
    """
    _put(author, key, seen, None, season_id)


def undo(author: Author, act_id: int) -> None:
    """Make the seasons what they were before something was done to one of them.

    Raises `SeasonError` where something later stands in the way, `LookupError` for no such act.
    """
    undo_once(author, act_id, UNDOING)


def _put(
    author: Author,
    key: str,
    before: SeasonDates | None,
    after: SeasonDates | None,
    season_id: int = 0,
) -> None:
    """Put a season in the place of another, which has this number; either may be none."""
    kind = MADE if before is None else DROPPED if after is None else CHANGED
    facts: Facts = msgspec.to_builtins({"before": before, "after": after})

    def write(session: Session) -> Facts:
        old = _still(session, author.league_id, season_id, before) if before else None
        _replace(session, author.league_id, old, after)
        return facts

    do_once(author, key, kind, write)


def _read(facts: Facts, when: str) -> SeasonDates | None:
    return msgspec.convert(facts[when], SeasonDates | None)


def _back(session: Session, league_id: int, facts: Facts) -> None:
    after = _read(facts, "after")
    own_seasons = [season for season in seasons(session, league_id) if season.own]
    now = next((season for season in own_seasons if season_dates_of(season) == after), None)
    if after and not now:
        raise SeasonError(f"{after.name} was changed since: undo that first.")
    _replace(session, league_id, now, _read(facts, "before"))


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
    own_seasons = {season.season_id: season for season in seasons(session, league_id) if season.own}
    if not is_number(season_id) or season_id not in own_seasons:
        raise LookupError(season_id)
    if season_dates_of(own_seasons[season_id]) != seen:
        raise StaleError("Someone else has changed this season. This is how it is now.")
    return own_seasons[season_id]


def _replace(
    session: Session, league_id: int, old: SeasonRow | None, new: SeasonDates | None
) -> None:
    """Put one season in the place of another, or of none."""
    if new:
        _check(new, [row for row in seasons(session, league_id) if row != old])
        _write(session, league_id, old, new)
    elif old:
        of_league = (Season.league_id == league_id, Season.id == old.season_id)
        session.execute(delete(Season).where(*of_league))
    # A year whose games all lay in seasons of the league's own never began.
    if old:
        days = select(Game.played_on).where(
            Game.league_id == league_id, Game.played_on.between(old.starts_on, old.last)
        )
        begin_year_of(session, league_id, session.execute(days.distinct()).scalars().all())


def _check(new: SeasonDates, others: list[SeasonRow]) -> None:
    if any(name_key(other.name) == name_key(new.name) for other in others):
        raise SeasonError(f"There is a season called {new.name} already: choose another name.")
    own_seasons = [other for other in others if other.own]
    if len(own_seasons) >= MOST_SEASONS:
        raise SeasonError(f"A league can have at most {MOST_SEASONS} seasons of its own.")
    # An evening belongs to exactly one season.
    for other in own_seasons:
        if new.starts_on <= season_dates_of(other).last and other.starts_on <= new.last:
            held = f"everything from {say_day(other.starts_on)} on"
            if other.ends_on:
                held = f"{say_day(other.starts_on)} to {say_day(other.ends_on)}"
            raise SeasonError(f"{other.name} holds {held} already: seasons do not overlap.")


def _write(session: Session, league_id: int, old: SeasonRow | None, new: SeasonDates) -> None:
    season = session.get_one(Season, old.season_id) if old else Season(league_id=league_id)
    season.name, season.own = new.name, True
    season.starts_on, season.ends_on = new.starts_on, new.ends_on
    session.add(season)
    session.flush()
