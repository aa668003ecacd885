"""The people of a league: who there is, what they are called, who still plays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.counted import sums_by_person
from companion.games.locking import in_league
from companion.games.reading import is_number
from companion.games.teams import settle_teams
from companion.games.writer import StaleError
from companion.store.authors import Author
from companion.store.models import WIN, Game, Player, Seat, TeamMember
from companion.store.names import clean_person, name_key

from .actions import Facts, do_once

RENAMED = "renamed"
MOST_OFFERED = 300
LEFT_BEHIND = and_(Player.archived, Player.person_id == Player.id, Player.last_game.is_(None))
"""Whom only games brought that were taken out again: nobody, until they sit down once more."""
BY_NAME = (Player.archived, Player.name_key, Player.id)


class PeopleError(Refusal):
    """Something that cannot be done to people; `other` is the person who has the name already."""

    def __init__(self, words: str, other: int | None = None) -> None:
        self.other = other
        super().__init__(words)


class RosterRow(Struct, frozen=True, kw_only=True):
    """A person as a list shows it: `games` and `wins` of counted games, `others` merged in.

    A team's are those of its line.
    """

    person_id: int
    name: str
    archived: bool
    games: int
    wins: Fraction
    last_played: date | None
    others: tuple[str, ...] = ()
    is_team: bool = False


def people(session: Session, league_id: int) -> list[RosterRow]:
    """List the people of a league by name, those who do not play any more last, in one query."""
    return _listed(session, league_id, ~LEFT_BEHIND)


def part_of_people(session: Session, league_id: int, first: int, most: int) -> list[RosterRow]:
    """List the people of one page: at most `most`, from number `first` of `people` on."""
    part = _persons(league_id).order_by(*BY_NAME).offset(first).limit(most)
    return _listed(session, league_id, Player.person_id.in_(part.scalar_subquery()))


def count_people(session: Session, league_id: int) -> int:
    """Return how many people a league has."""
    every = _persons(league_id).subquery()
    return session.execute(select(func.count()).select_from(every)).scalar_one()


def people_offered(session: Session, league_id: int, *also: int) -> list[RosterRow]:
    """List whom a form offers, by name: of very many those who played last; `also` these."""
    latest = _persons(league_id).order_by(Player.last_game.desc().nulls_last(), *BY_NAME)
    offered = Player.person_id.in_(latest.limit(MOST_OFFERED).scalar_subquery())
    return _listed(session, league_id, offered | _among(also))


def find_people(session: Session, league_id: int, *numbers: int) -> list[RosterRow]:
    """Find people in the order of these numbers; raises `LookupError` where one is nobody's."""
    listed = _listed(session, league_id, _among(numbers))
    return [find_in_roster(listed, number) for number in numbers]


def _among(numbers: Sequence[int]) -> ColumnElement[bool]:
    return Player.person_id.in_([number for number in numbers if is_number(number)])


def _persons(league_id: int) -> Select[int]:
    persons = select(Player.id).where(Player.league_id == league_id, ~LEFT_BEHIND)
    return persons.where(Player.person_id == Player.id)


def _listed(session: Session, league_id: int, *which: ColumnElement[bool]) -> list[RosterRow]:
    latest = (
        select(Seat.played_on)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.player_id == Player.id, Game.hidden.is_(False))
        .order_by(Seat.played_on.desc(), Seat.game_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    with_team = (
        select(func.max(Seat.played_on))
        .join(TeamMember, TeamMember.team_id == Seat.player_id)
        .join(Game, Game.id == Seat.game_id)
        .where(TeamMember.member_id == Player.id, Game.hidden.is_(False))
        .scalar_subquery()
    )
    sums = sums_by_person(league_id)
    rows = session.execute(
        select(
            Player.id,
            Player.person_id,
            Player.name,
            Player.archived,
            sums.c.games,
            sums.c.shares,
            latest.label("latest"),
            with_team.label("with_team"),
            Player.id.in_(select(TeamMember.team_id)).label("is_team"),
        )
        .outerjoin(sums, sums.c.person_id == Player.id)
        .where(Player.league_id == league_id, *which)
        .order_by(Player.name_key, Player.id)
    ).all()
    entries: dict[int, list[Any]] = {}
    for row in rows:
        entries.setdefault(row.person_id, []).append(row)
    persons = [row for row in rows if row.person_id == row.id]
    won = _won_by_teams(session, [row.id for row in persons if row.is_team])
    listed = [_person(row, entries[row.id], won.get(row.id)) for row in persons]
    return sorted(listed, key=lambda row: (row.archived, name_key(row.name)))


def _won_by_teams(session: Session, teams: Sequence[int]) -> dict[int | None, tuple[int, int]]:
    """Return how many counted games teams have had, and the parts of wins in them."""
    if not teams:
        return {}
    placed = (Player.person_id.in_(teams), Seat.counted, Seat.place.is_not(None))
    lines = select(Player.person_id, func.count(), func.sum(Seat.share)).where(*placed)
    rows = session.execute(lines.join(Seat, Seat.player_id == Player.id).group_by(Player.person_id))
    return {team: (games, shares or 0) for team, games, shares in rows}


def _person(row: Any, entries: Sequence[Any], won: tuple[int, int] | None) -> RosterRow:
    played = [day for entry in entries for day in (entry.latest, entry.with_team) if day]
    games, shares = won or (row.games, row.shares)
    return RosterRow(
        person_id=row.id,
        name=row.name,
        archived=row.archived,
        games=games or 0,
        wins=Fraction(shares or 0, WIN),
        last_played=max(played, default=None),
        # The other entries of a team are called as it is.
        others=tuple(entry.name for entry in entries if entry.name != row.name),
        is_team=row.is_team,
    )


def find_in_roster(listed: Sequence[RosterRow], person_id: int) -> RosterRow:
    """Find a person in a list; raises `LookupError` where nobody has this number."""
    person = next((row for row in listed if row.person_id == person_id), None)
    if person is None:
        raise LookupError(person_id)
    return person


def rename(author: Author, key: str, person_id: int, seen: str, name: str) -> None:
    """Call a person by another name, in every game played.

    Raises `PlayerNameError` for a name that cannot be used, `PeopleError` for one that is taken,
    `StaleError` where somebody changed the name since it was `seen` or merged the person with
    another, `LookupError` for nobody.
    """
    clean = clean_person(name)

    def call(session: Session) -> Facts:
        person = load_person(session, author.league_id, person_id)
        if person.name != seen:
            raise StaleError(f"Someone else has changed this name: it is {person.name} now.")
        before = person.name
        _give_name(session, person, clean)
        return {"person": person_id, "before": before, "after": clean}

    do_once(author, key, RENAMED, call)


def load_person(session: Session, league_id: int, person_id: int) -> Player:
    """Load a person.

    Raises `LookupError` for nobody, `StaleError` for an entry that is part of another by now.
    """
    of_league = (Player.league_id == league_id, Player.id == person_id)
    person = is_number(person_id) and session.execute(select(Player).where(*of_league)).scalar()
    if not person:
        raise LookupError(person_id)
    if person.person_id != person.id:
        owner = session.get_one(Player, person.person_id)
        raise StaleError(f"{person.name} and {owner.name} have been merged already.")
    return person


def refuse_team(session: Session, person: Player) -> None:
    """Raise `PeopleError` for a team, which is whoever its people are."""
    if session.execute(select(TeamMember).where(TeamMember.team_id == person.id)).first():
        raise PeopleError(f"{person.name} is a team: rename or merge its people.")


def _give_name(session: Session, person: Player, name: str) -> None:
    refuse_team(session, person)
    of_name = (Player.league_id == person.league_id, Player.name_key == name_key(name))
    holder = session.execute(select(Player).where(*of_name)).scalar_one_or_none()
    # Where only accents or capitals change, it is their own entry that has this key.
    if holder is not None and holder.id != person.id:
        raise _name_taken(session, person, holder)
    person.name, person.name_key = name, name_key(name)
    settle_teams(session, person.league_id)


def _name_taken(session: Session, person: Player, holder: Player) -> PeopleError:
    if holder.person_id == person.id:
        return PeopleError(
            f"{holder.name} was merged with {person.name}. "
            f"Undo that, then merge them again and keep {holder.name}."
        )
    if holder.person_id == holder.id:
        words = f"There is a player called {holder.name} already: merge the two instead?"
        return PeopleError(words, holder.id)
    owner = session.get_one(Player, holder.person_id)
    words = f"{holder.name} is a name of {owner.name} already: merge the two instead?"
    return PeopleError(words, owner.id)


def archive(author: Author, person_id: int, *, archived: bool) -> None:
    """Offer a person no more when a game begins, or again; what was played stays.

    Raises `LookupError` for nobody, `StaleError` for who was merged with another.
    """

    def put(session: Session) -> None:
        load_person(session, author.league_id, person_id).archived = archived

    in_league(author, put)


def name_back(session: Session, league_id: int, facts: Facts) -> None:
    """Undo a renaming; raises `PeopleError` where there is another name by now."""
    person = session.get_one(Player, facts["person"])
    if person.name != facts["after"]:
        raise PeopleError(f"{facts['after']} is called {person.name} by now.")
    _give_name(session, person, facts["before"])
