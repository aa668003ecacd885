"""What a league has already: its games, its people, and what it stored of old scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from companion.people.roster import LEFT_BEHIND
from companion.rules import Variant
from companion.store.models import Game, Player, Seat, TeamMember
from companion.store.names import name_key

MOST_OFFERED = 4_000
"""Answers that all lists of names, or of games, may have: the page would be megabytes else."""
Fingerprint = tuple[str, frozenset[tuple[str, int]]]
"""What tells a game from others: its day, and who had how many points."""


class LeagueSoFar(Struct, frozen=True):
    """What the league has: its games by key, its people, how many it stored by fingerprint.

    `teams` are the names of teams by the keys of their members' names.
    """

    games: Mapping[str, Variant]
    find_game: Callable[[str], Variant | None]
    people: Sequence[str] = ()
    teams: Mapping[frozenset[str], str] = {}
    stored: Mapping[Fingerprint, int] = {}
    today: date = date.max


def stored_games(
    session: Session, league_id: int, first: date, last: date
) -> Mapping[Fingerprint, int]:
    """Count the games of a league between two days by their fingerprints."""
    rows = session.execute(
        select(Game.id, Game.played_on, Player.name, Seat.total)
        .join(Seat, Seat.game_id == Game.id)
        .join(Player, Player.id == Seat.player_id)
        .where(Game.league_id == league_id, Game.hidden.is_(False))
        .where(Game.played_on.between(first, last))
    )
    return Counter(_fingerprints(rows))


def years_of(session: Session, act_id: int) -> str:
    """Return over which years the games go that an act brought in: `2004–2023`, or one."""
    days = select(func.min(Game.played_on), func.max(Game.played_on)).where(Game.act_id == act_id)
    years = [str(day.year) for day in session.execute(days).one() if day]
    return "–".join(dict.fromkeys(years))


def stored_people(session: Session, league_id: int) -> Sequence[str]:
    """Return every name of a league, but those whom only an undone import brought."""
    of_league = select(Player.name).where(Player.league_id == league_id, ~LEFT_BEHIND)
    return session.execute(of_league.order_by(Player.name_key)).scalars().all()


def stored_teams(session: Session, league_id: int) -> dict[frozenset[str], str]:
    """Return the names of a league's teams by the keys of their members' names."""
    team, member = aliased(Player), aliased(Player)
    rows = session.execute(
        select(team.name, member.name)
        .join(TeamMember, TeamMember.team_id == team.id)
        .join(member, member.id == TeamMember.member_id)
        .where(team.league_id == league_id)
    )
    members: dict[str, set[str]] = {}
    for name, other in rows:
        members.setdefault(name, set()).add(name_key(other))
    return {frozenset(keys): name for name, keys in members.items()}


def _fingerprints(rows: Iterable[tuple[int, date, str, int | None]]) -> Iterable[Fingerprint]:
    games: dict[int, tuple[str, set[tuple[str, int]]]] = {}
    for number, day, name, total in rows:
        games.setdefault(number, (str(day), set()))[1].add((name_key(name), total or 0))
    return ((day, frozenset(scores)) for day, scores in games.values())
