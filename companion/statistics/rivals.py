"""Head to head: how often each finished above, level with or below each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Select, and_, case, func, select
from sqlalchemy.orm import Session

from companion.games.counted import COUNTED, Days, lines_counted_for, on_days
from companion.games.entries import Person, lines_of, with_people
from companion.store.aliases import shared_alias
from companion.store.models import Player, Seat

from .ratings import can_tell_apart
from .standings import StandingsRow

ENOUGH = 5  # games against each other before somebody is called a nemesis
MOST_IN_GRID = 60  # it grows by the square of people
MOST_COMPARED = 100_000
"""Of more seats than these a grid shows one season."""
HALF = Fraction(1, 2)
OTHER = shared_alias(Seat)
ABOVE, LEVEL = Seat.place < OTHER.place, Seat.place == OTHER.place


class Rival(Struct, frozen=True):
    """One other person: games together, and in how many one finished above or level."""

    person_id: int
    name: str
    games: int
    above: int
    level: int

    @property
    def below(self) -> int:
        """In how many games one finished below the other."""
        return self.games - self.above - self.level

    @property
    def share(self) -> Fraction:
        """The share of games above the other, a shared place as half of one."""
        return Fraction(2 * self.above + self.level, 2 * self.games)

    @property
    def is_few(self) -> bool:
        """Whether there are too few games to say anything."""
        return self.games < ENOUGH

    def is_proved(self, people: int) -> bool:
        """Return whether chance alone is no likely reason, among so many people of the league."""
        return can_tell_apart(self.above, self.below, people)

    @property
    def is_ahead(self) -> bool:
        """Whether one finished above the other more often than below."""
        return 2 * self.above + self.level > self.games


def rivals(session: Session, person_id: int) -> list[Rival]:
    """List everybody a person has played against, the most games first."""
    theirs = lines_counted_for(person_id).subquery()
    met = _meetings(OTHER.player_id).join(theirs, theirs.c.id == Seat.player_id)
    pairs = met.where(OTHER.number != Seat.number).group_by(OTHER.player_id).subquery()
    sums = (func.sum(pairs.c[name]) for name in ("games", "above", "level"))
    rows = session.execute(
        with_people(select(Person.id, Person.name, *sums), pairs.c.player_id)
        .join(Person, Person.id == Player.person_id)
        .group_by(Person.id, Person.name)
    )
    met_people = [Rival(person, name, *map(int, counts)) for person, name, *counts in rows]
    return sorted(met_people, key=lambda rival: (-rival.games, rival.name, rival.person_id))


def _meetings(*by: Any) -> Select[Any]:
    """Ask for two seats of one counted game: how often, the first above the second, and level."""
    above, level = (func.sum(case((which, 1), else_=0)) for which in (ABOVE, LEVEL))
    pairs = select(*by, func.count().label("games"), above.label("above"), level.label("level"))
    met = pairs.select_from(Seat).join(OTHER, OTHER.game_id == Seat.game_id)
    return met.where(COUNTED, OTHER.place.is_not(None))


def in_grid(rows: Sequence[StandingsRow]) -> list[StandingsRow]:
    """Choose whom a grid shows, in their order: where there are many, those with the most games."""
    often = sorted(rows, key=lambda row: -row.games)[:MOST_IN_GRID]
    chosen = {row.person_id for row in often}
    return [row for row in rows if row.person_id in chosen]


def rivalries(
    session: Session,
    league_id: int,
    people: Sequence[StandingsRow],
    variant_key: str = "",
    days: Days = (),
) -> dict[int, dict[int, Rival]]:
    """Return for each of these people the others whom they have played against, by number."""
    names = {row.person_id: row.name for row in people}
    entries: dict[int, list[int]] = {}
    of_league = and_(Player.league_id == league_id, Player.person_id.in_(names))
    for person, entry in session.execute(lines_of(of_league)):
        entries.setdefault(entry, []).append(person or 0)
    met = _meetings(Seat.player_id, OTHER.player_id.label("other_id"))
    met = met.join(Player, Player.id == Seat.player_id).where(Player.league_id == league_id)
    met = met.where(*([Seat.variant_key == variant_key] if variant_key else []))
    met = met.where(*([on_days(Seat.played_on, days)] if days else []))
    # Each two chairs are met once, and mirrored below: half the rows.
    pairs = met.where(OTHER.number > Seat.number).group_by(Seat.player_id, OTHER.player_id)
    grid: dict[int, dict[int, Rival]] = {person: {} for person in names}
    for entry, other_entry, games, above, level in session.execute(pairs):
        for person, other in product(entries.get(entry, ()), entries.get(other_entry, ())):
            _add(grid[person], Rival(other, names[other], games, above, level))
            _add(grid[other], Rival(person, names[person], games, games - above - level, level))
    return grid


def _add(row: dict[int, Rival], met: Rival) -> None:
    """Add meetings of two people to those under their other names or in other chairs."""
    if before := row.get(met.person_id):
        games, above, level = (
            getattr(before, name) + getattr(met, name) for name in ("games", "above", "level")
        )
        met = replace(met, games=games, above=above, level=level)
    row[met.person_id] = met


def nemeses(of_person: list[Rival]) -> list[Rival]:
    """Find who most often finish above one over enough games: several where they do equally."""
    worst = min((rival.share for rival in of_person if not rival.is_few), default=HALF)
    return _with_share(of_person, worst) if worst < HALF else []


def favourites(of_person: list[Rival]) -> list[Rival]:
    """Find whom one most often finishes above over enough games: several if equally often."""
    best = max((rival.share for rival in of_person if not rival.is_few), default=HALF)
    return _with_share(of_person, best) if best > HALF else []


def _with_share(of_person: list[Rival], share: Fraction) -> list[Rival]:
    equals = [rival for rival in of_person if not rival.is_few and rival.share == share]
    return sorted(equals, key=lambda rival: (rival.name, rival.person_id))
