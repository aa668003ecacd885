"""What counted games come to, asked of the seats: by person, for as many games as is wanted.

A person's games are those of all their entries and of the teams that they are a member of.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Subquery,
    and_,
    cast,
    false,
    func,
    or_,
    select,
)

from companion.store.models import Game, Player, Seat, TeamMember

from .entries import lines_of, with_people

Days = Sequence[tuple[date, date]]
"""Stretches of days, both ends included."""
COUNTED = and_(Seat.counted, Seat.place.is_not(None))
TABLE = (
    func.count().label("games"),
    func.sum(Seat.share).label("shares"),
    func.sum(Seat.place).label("places"),
    func.count(Seat.ahead).label("whole_games"),
    func.coalesce(func.sum(Seat.ahead), 0).label("ahead"),
)


def sums_by_person(league_id: int, *which: ColumnElement[bool], by: Sequence[Any] = ()) -> Subquery:
    """Ask for games, shares of wins, places and points ahead of everybody who has any.

    `which` says which seats are counted, and `by` what else parts them.
    """
    # By entry first, which goes along the index, and then those of one person together.
    entries = (
        select(Seat.player_id, *by, *TABLE)
        .join(Player, Player.id == Seat.player_id)
        .where(Player.league_id == league_id, COUNTED, *which)
        .group_by(Seat.player_id, *by)
        .subquery()
    )
    keys = [entries.c[column.key] for column in by]
    sums = (
        cast(func.sum(entries.c[column.name]), BigInteger).label(column.name) for column in TABLE
    )
    people = with_people(select(Player.person_id, *keys, *sums), entries.c.player_id)
    return people.group_by(Player.person_id, *keys).subquery()


def lines_counted_for(person_id: int) -> Select[int | None, int]:
    """Ask under which entries a person's games are; a team's are its members' and not its own."""
    is_none = Player.id.not_in(select(TeamMember.team_id))
    return lines_of(and_(Player.person_id == person_id, is_none))


def at_table_of(players: int) -> ColumnElement[bool]:
    """Choose seats of games in which so many players have a place."""
    return (
        select(Game.players).where(Game.id == Seat.game_id).correlate(Seat).scalar_subquery()
        == players
    )


def on_days(column: Any, days: Days) -> ColumnElement[bool]:
    """Choose what is of these days."""
    return or_(false(), *(column.between(first, last) for first, last in days))
