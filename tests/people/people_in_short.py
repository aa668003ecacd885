"""The people of a league in few words."""

from datetime import date
from fractions import Fraction

from companion.people import merging
from companion.people.actions import league_actions
from companion.people.roster import RosterRow, people
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table
from tests.support.reports import ZIONCHECK


def played(author: Author, *names: str, on: date, winner: int = 0) -> Table:
    """A finished game in which everybody else has 5 points a deal."""
    table = Table.start(author, *names, variant=ZIONCHECK, on=on)
    for _ in ZIONCHECK.deals:
        table.score(*(0 if seat == winner else 5 for seat in range(len(names))))
    return table


def who(author: Author, name: str) -> RosterRow:
    db.session.rollback()
    return next(row for row in people(db.session(), author.league_id) if row.name == name)


def number(author: Author, name: str) -> int:
    return who(author, name).person_id


def last_act(author: Author) -> int:
    db.session.rollback()
    return league_actions(db.session(), author.league_id, merging.UNDOING)[0].act_id


def undo(author: Author) -> None:
    merging.undo(author, last_act(author))


def table_of_wins(author: Author) -> dict[str, tuple[int, Fraction]]:
    db.session.rollback()
    return {r.name: (r.games, r.wins) for r in standings(db.session(), author.league_id)}


MARCH, APRIL, MAY = date(2026, 3, 3), date(2026, 4, 4), date(2026, 5, 5)
