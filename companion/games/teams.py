"""Teams: entries that several people share, one for each pair, known and called by its members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from companion.store.aliases import shared_alias
from companion.store.models import Player, TeamMember
from companion.store.names import MOST_STORED, TEAM_KEY, name_key

Members = Mapping[int, str]
"""The persons of a team, and what each of them is called."""
_Person = shared_alias(Player)


def find_or_add_team(session: Session, league_id: int, people: Sequence[int]) -> int:
    """Return the entry of these persons' team, which joins the league if new.

    A new one is called by them in this order. The league must be held.
    """
    team_id = team_lines(session, league_id).get(frozenset(people))
    if team_id:
        return team_id
    names = dict(session.execute(select(Player.id, Player.name).where(Player.id.in_(people))).all())
    called, key = team_name([names[person] for person in people]), team_key(people)
    team = Player(league_id=league_id, name=called, name_key=key, archived=False)
    session.add(team)
    session.flush()
    team.person_id = team.id
    members = ({"team_id": team.id, "member_id": person} for person in people)
    session.add_all(TeamMember(league_id=league_id, **member) for member in members)
    session.flush()
    return team.id


def team_lines(session: Session, league_id: int) -> dict[frozenset[int], int]:
    """Return the entry of each team of a league by its persons; of several the oldest."""
    lines: dict[frozenset[int], int] = {}
    for entry, members in team_members(session, league_id).items():
        lines.setdefault(frozenset(members), entry)
    return lines


def team_key(people: Sequence[int]) -> str:
    """Return the key under which a team of these persons is stored, instead of a name's."""
    return f"{TEAM_KEY}{'+'.join(map(str, people))}"


def team_name(members: Sequence[str], former: str = "") -> str:
    """Call a team by its members, in the order of its `former` name, new names for old ones.

    >>> team_name(["Ann", "Bob"]), team_name(["Anke", "Bob"], "Bob + Ann")
    ('Ann + Bob', 'Bob + Anke')
    """
    called = {name_key(member): member for member in members}
    places = [name_key(part) for part in former.split("+")]
    new = iter([member for key, member in called.items() if key not in places])
    ordered = [called.get(place) or next(new, "") for place in places]
    name = " + ".join([*filter(None, ordered), *new])
    return name if len(name) <= MOST_STORED else f"{name[: MOST_STORED - 1]}…"


def team_members(session: Session, league_id: int) -> dict[int, Members]:
    """Return who is in each team of a league, the oldest first, as they are called now."""
    member = aliased(Player)
    rows = session.execute(
        select(TeamMember.team_id, _Person.id, _Person.name)
        .join(member, member.id == TeamMember.member_id)
        .join(_Person, _Person.id == member.person_id)
        .where(TeamMember.league_id == league_id)
        .order_by(TeamMember.team_id, _Person.id)
    )
    teams: dict[int, dict[int, str]] = {}
    for team, person, name in rows:
        teams.setdefault(team, {})[person] = name
    return dict(teams)


def settle_teams(session: Session, league_id: int) -> None:
    """Let every team be called by its members as they are called now, each pair on one line.

    Of several entries with the same people the first is the line, and the others are names of it.
    The league must be held.
    """
    session.flush()
    teams = team_members(session, league_id)
    entries = select(Player).join(TeamMember, TeamMember.team_id == Player.id)
    of_league = entries.where(TeamMember.league_id == league_id).order_by(Player.id)
    lines: dict[frozenset[int], int] = {}
    for entry in session.execute(of_league).scalars().unique():
        members = teams[entry.id]
        entry.person_id = lines.setdefault(frozenset(members), entry.id)
        entry.name = team_name([*members.values()], entry.name)
    session.flush()
