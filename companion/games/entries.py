"""Entries at a table: the names under which people sit down, of which one may have several.

The league must be held by whoever writes here.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from companion.rules import Variant
from companion.store.aliases import shared_alias
from companion.store.database import Statement
from companion.store.models import Game, Player, Seat, TeamMember
from companion.store.names import PlayerNameError, clean_line, clean_name, name_key, team_of

from .changes import ChangeError
from .record import Record
from .teams import find_or_add_team

Person = shared_alias(Player)


def person_called(session: Session, league_id: int, name: str) -> int:
    """Return the person of this name, who joins the league if new; the league must be held."""
    clean = clean_name(name)
    of_name = (Player.league_id == league_id, Player.name_key == name_key(clean))
    person_id = session.execute(select(Player.person_id).where(*of_name)).scalar_one_or_none()
    if person_id is not None:
        return person_id
    player = Player(league_id=league_id, name=clean, name_key=name_key(clean), archived=False)
    session.add(player)
    session.flush()
    player.person_id = player.id
    return player.id


def line_called(session: Session, league_id: int, name: str, variant: Variant) -> int:
    """Return the entry of a line of a game: where deals are points, a plus makes it a team's.

    In a game of cards each hand is one person's. The league must be held. Raises
    `PlayerNameError` for a name that cannot be used, or a team in which one person is twice.
    """
    members = [] if variant.has_cards else team_of(name)
    if not members:
        return person_called(session, league_id, name)
    people = [person_called(session, league_id, member) for member in members]
    if len({*people}) < len(people):
        raise PlayerNameError(f"In {clean_line(name)} two names are one person.")
    return find_or_add_team(session, league_id, people)


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
    entries = theirs.union(teams).subquery()
    return select(entries.c.person_id, entries.c.id)


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


def sits_there(session: Session, record: Record, person: int) -> bool:
    """Return whether a person sits at this table, by any name or in a team."""
    line = aliased(Player)
    seated = with_people(select(Player.id).select_from(line), line.id)
    in_a_seat = line.id.in_([seat.player_id for seat in record.seats])
    return session.execute(seated.where(in_a_seat, Player.person_id == person)).first() is not None


def refuse_twice(session: Session, entries: Collection[int], before: Collection[int] = ()) -> None:
    """Raise `ChangeError` where one person would sit twice at a table of these entries.

    Whoever does so already among those of `before` stays, as versions before let happen.
    """
    lines = _lines_by_person(session, entries)
    lines_before = _lines_by_person(session, before) if before else {}
    for name, called in lines.items():
        if len(called) > max(1, len(lines_before.get(name, ()))):
            raise ChangeError(f"{name} would sit here twice: as {' and as '.join(called)}.")


def _lines_by_person(session: Session, entries: Collection[int]) -> dict[str, list[str]]:
    """Return by what names each person sits among entries, by what the person is called."""
    line = aliased(Player)
    theirs = with_people(select(line.id, line.name, Person.name).select_from(line), line.id)
    theirs = theirs.join(Person, Person.id == Player.person_id).where(line.id.in_(entries))
    people: dict[int, list[tuple[str, str]]] = {}
    for entry, called, person in session.execute(theirs):
        people.setdefault(entry, []).append((person, called))
    lines: dict[str, list[str]] = {}
    # By entries, not by rows: two names that were typed may be one entry.
    for person, called in (
        person_and_line for entry in entries for person_and_line in people[entry]
    ):
        lines.setdefault(person, []).append(called)
    return lines


def seated_twice(*which: ColumnElement[bool]) -> Select[int, date, str, int | None]:
    """Ask in which of these games one person has two seats by two names, and for each who it is.

    Whoever sat down beside a team of their own, which versions before let happen, is none.
    """
    columns = (Game.id, Game.played_on, Game.variant_name, Player.person_id)
    seats = select(*columns).select_from(Game).join(Seat, Seat.game_id == Game.id)
    seats = with_people(seats).where(*which)
    twice = func.count(func.distinct(Player.id)) > 1
    return seats.group_by(*columns).having(twice).order_by(Game.id)


def note_seated(session: Session, game: Game, entries: Collection[int]) -> None:
    """Remember who sat down last, of a team each; who plays again is among the regulars again."""
    members = select(TeamMember.member_id).where(TeamMember.team_id.in_(entries))
    people = select(Player.person_id).where(or_(Player.id.in_(entries), Player.id.in_(members)))
    theirs = update(Player).where(Player.id.in_(people.scalar_subquery()))
    noted = theirs.values(last_game=game.id, archived=False)
    session.execute(noted, execution_options={"synchronize_session": False})
