"""Entries at a table: the names under which people sit down, of which one may have several.

The league must be held by whoever writes here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session, aliased

from companion.store.aliases import shared_alias
from companion.store.database import Statement
from companion.store.models import Game, Player, Seat, TeamMember
from companion.store.names import clean_name, name_key, team_of

from .changes import ChangeError
from .record import Record

Person = shared_alias(Player)


def person_called(session: Session, league_id: int, name: str) -> int:
    """Return the person of this name, who joins the league if new; the league must be held."""
    person, _ = _called(session, league_id, name)
    return person


def _called(session: Session, league_id: int, name: str) -> tuple[int, bool]:
    """Find the person of a name, or let them join; tell whether they are new."""
    clean = clean_name(name)
    known = session.execute(
        select(Player.person_id).where(
            Player.league_id == league_id, Player.name_key == name_key(clean)
        )
    ).scalar_one_or_none()
    if known is not None:
        return known, False
    player = Player(league_id=league_id, name=clean, name_key=name_key(clean), archived=False)
    session.add(player)
    session.flush()
    player.person_id = player.id
    return player.id, True


def line_called(session: Session, league_id: int, name: str) -> int:
    """Return the entry of a line: a team where the name says so, else the person of this name.

    A name that the league has already stays what it is. Raises `PlayerNameError` for a member's.
    """
    # Somebody may be called Ann & Bob; only a name nobody has yet is taken apart.
    entry, is_new = _called(session, league_id, name)
    for member in team_of(name) if is_new else ():
        person = person_called(session, league_id, member)
        session.add(TeamMember(league_id=league_id, team_id=entry, member_id=person))
    session.flush()
    return entry


def lines_of(people: ColumnElement[bool]) -> Select[int | None, int]:
    """Ask under which entries people sit down, a person and an entry a row: theirs and their teams.

    `people` says of which persons, as a condition on `Player`.
    """
    theirs = select(Player.person_id, Player.id).where(people)
    teams = (
        select(Player.person_id, TeamMember.team_id)
        .join(TeamMember, TeamMember.member_id == Player.id)
        .where(people)
    )
    both = theirs.union(teams).subquery()
    return select(both.c.person_id, both.c.id)


def with_people(lines: Statement, entry: Any = Seat.player_id, player: Any = Player) -> Statement:
    """Join to lines those whom their entries count for, a row each: every member of a team."""
    member = aliased(TeamMember)
    teams = lines.outerjoin(member, member.team_id == entry)
    return teams.join(player, player.id == func.coalesce(member.member_id, entry))


def with_names(lines: Statement, entry: Any = Seat.player_id, *, outer: bool = False) -> Statement:
    """Join to lines the `Person` of each entry, whose name is said; `outer` keeps lines without."""
    entries = lines.join(Player, Player.id == entry, isouter=outer)
    return entries.join(Person, Person.id == Player.person_id, isouter=outer)


def entry_at_table(session: Session, record: Record, person: int) -> int:
    """Return the entry under which a person sits at this table already, or the person's own."""
    seated = [seat.player_id for seat in record.seats]
    entries = select(Player.id).where(Player.person_id == person, Player.id.in_(seated))
    return session.execute(entries).scalars().first() or person


def refuse_twice(session: Session, entries: Sequence[int]) -> None:
    """Raise `ChangeError` where one person would sit at one table twice, by two of their names."""
    line = aliased(Player)
    known = with_people(select(line.id, Player.person_id).select_from(line), line.id)
    known = known.where(line.id.in_(entries))
    people: dict[int, list[int | None]] = {}
    for entry, person in session.execute(known):
        people.setdefault(entry, []).append(person)
    seated = [person for entry in entries for person in people[entry]]
    twice = next((person for person in seated if seated.count(person) > 1), None)
    if twice is not None:
        name = session.execute(select(Player.name).where(Player.id == twice)).scalar_one()
        raise ChangeError(f"{name} would sit here twice: two of these names are one person.")


def seated_twice(*which: ColumnElement[bool]) -> Select[int, date, str, int | None]:
    """Ask in which of these games one person has two seats, and for each who it is."""
    columns = (Game.id, Game.played_on, Game.variant_name, Player.person_id)
    seats = select(*columns).select_from(Game).join(Seat, Seat.game_id == Game.id)
    seats = with_people(seats).where(*which)
    return seats.group_by(*columns).having(func.count() > 1).order_by(Game.id)


def note_seated(session: Session, game: Game, people: Collection[int]) -> None:
    """Remember who sat down last; whoever plays again is among the regulars again."""
    theirs = update(Player).where(Player.id.in_(people))
    session.execute(theirs.values(last_game=game.id, archived=False))
