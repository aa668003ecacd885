"""Many games of a league shown, or taken out of it, in one transaction: 4,000 take a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from companion.games.game_season import begin_year_of, end_empty_years
from companion.games.rating_replay import rate_from
from companion.store.dates import now
from companion.store.models import Game, House, LeagueAction, Player, Seat, TeamMember

IMPORTED = "imported"
IMPORT_KINDS = (IMPORTED, "being shown", "being taken out")
"""What can be undone; versions before called it so where it had stopped half-way."""
REMOVED = "game removed"
OWN_KINDS = (*IMPORT_KINDS, "being imported", REMOVED)
"""What came in or went out here is no business of a copy; versions before noted what began."""
SLICE = 500
Item = TypeVar("Item")


def slices(items: Sequence[Item], size: int = SLICE) -> Iterator[Sequence[Item]]:
    """Part a list into pieces of one transaction or one statement."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def games_of(session: Session, league_id: int, act_id: int) -> list[int]:
    """List the games that an action brought in, in their order."""
    of_act = (Game.league_id == league_id, Game.act_id == act_id)
    return list(session.execute(select(Game.id).where(*of_act).order_by(Game.id)).scalars())


def _lock_games(session: Session, numbers: Sequence[int]) -> None:
    """Lock games after their league, in their order."""
    # A save that has its game already would else add it to the sums after it was taken out.
    for part in slices(sorted(numbers)):
        theirs = select(Game.id).where(Game.id.in_(part)).order_by(Game.id)
        session.execute(theirs.with_for_update()).all()


def show_games(
    session: Session, league_id: int, numbers: Sequence[int], act_id: int | None
) -> None:
    """Show hidden games, as brought in by an action if any did, and count those that ended."""
    _lock_games(session, numbers)
    columns = (Game.id, Game.status, Game.players, Game.facts, Game.played_on)
    for part in slices(numbers):
        games = session.execute(select(*columns).where(Game.id.in_(part))).all()
        begin_year_of(session, league_id, {game.played_on for game in games})
        counted = [
            game.id
            for game in games
            if game.status == "finished" and game.players > 1 and game.facts.get("counts", True)
        ]
        shown = update(Game).where(Game.id.in_(part))
        session.execute(shown.values(hidden=False, act_id=act_id))
        session.execute(update(Game).where(Game.id.in_(counted)).values(counted=True))
        session.execute(update(Seat).where(Seat.game_id.in_(counted)).values(counted=True))
    _rate(session, league_id, numbers)


def hide_games(session: Session, league_id: int, numbers: Sequence[int]) -> None:
    """Take games out of every list and sum, with years of which none is left; history stays."""
    _lock_games(session, numbers)
    for part in slices(numbers):
        hidden = {"hidden": True, "counted": False}
        session.execute(update(Game).where(Game.id.in_(part)).values(hidden))
        session.execute(update(Seat).where(Seat.game_id.in_(part)).values(counted=False))
    end_empty_years(session, league_id)
    _rate(session, league_id, numbers)


def _rate(session: Session, league_id: int, numbers: Sequence[int]) -> None:
    """Rate a league again from the first of these games on."""
    first = (
        select(Game.played_on, Game.id)
        .where(Game.id.in_(part))
        .order_by(Game.played_on, Game.id)
        .limit(1)
        for part in slices(numbers)
    )
    keys = [(row.played_on, row.id) for statement in first for row in session.execute(statement)]
    if keys:
        rate_from(session, league_id, min(keys))


def close_undoing(session: Session, act: LeagueAction) -> None:
    """Put away who came with the games that were taken out, and the house rules that did."""
    archived = _archive_idle(session, act.facts.get("players"))
    _drop_houses(session, act.league_id, act.facts.get("houses"))
    act.facts = {**act.facts, "archived": archived}
    act.kind, act.undone_at = IMPORTED, now()


def note_last_games(session: Session, league_id: int) -> None:
    """Note the latest game that the league can see people in, by any of their names.

    A name that was made part of a person keeps its own, for when the two are parted again.
    """
    entry = aliased(Player)
    latest = (
        select(func.max(Seat.game_id))
        .join(Game, Game.id == Seat.game_id)
        .join(entry, entry.id == Seat.player_id)
        .where(Game.hidden.is_(False), or_(entry.id == Player.id, entry.person_id == Player.id))
        .correlate(Player)
        .scalar_subquery()
    )
    noted = update(Player).where(Player.league_id == league_id).values(last_game=latest)
    session.execute(noted, execution_options={"synchronize_session": False})
    team, member = aliased(Player), aliased(Player)
    with_team = (
        select(func.max(team.last_game))
        .join(TeamMember, TeamMember.team_id == team.id)
        .join(member, member.id == TeamMember.member_id)
        .where(member.person_id == Player.id)
        .correlate(Player)
        .scalar_subquery()
    )
    later = update(Player).where(
        Player.league_id == league_id, with_team > func.coalesce(Player.last_game, 0)
    )
    session.execute(
        later.values(last_game=with_team), execution_options={"synchronize_session": False}
    )


def unarchive(session: Session, people: object) -> None:
    """Let these people be seen again."""
    for part in slices(_numbers(people)):
        session.execute(update(Player).where(Player.id.in_(part)).values(archived=False))


def archived_with(session: Session, league_id: int, games: Iterable[int]) -> list[int]:
    """Find whom the undoing of these games had archived: they come back with them."""
    people: list[int] = []
    for part in slices(sorted(games)):
        theirs = (Game.league_id == league_id, Game.id.in_(part))
        acts = select(Game.act_id).where(*theirs).distinct()
        facts_of = select(LeagueAction.facts).where(LeagueAction.id.in_(acts))
        for facts in session.execute(facts_of).scalars():
            people += _numbers(facts.get("archived"))
    return sorted(set(people))


def _archive_idle(session: Session, players: object) -> list[int]:
    """Archive those of these players who are seen in no game, by any of their names."""
    shown = (Seat.game_id == Game.id, Game.hidden.is_(False))
    entry = aliased(Player)
    by_name = (entry.person_id == Player.id, Seat.player_id == entry.id)
    in_team = (TeamMember.member_id == Player.id, Seat.player_id == TeamMember.team_id)
    sits = exists().where(Seat.player_id == Player.id, *shown) | exists().where(*in_team, *shown)
    is_seen = sits | exists().where(*by_name, *shown)
    archived: list[int] = []
    for part in slices(_numbers(players)):
        idle = select(Player.id).where(Player.id.in_(part), Player.archived.is_(False), ~is_seen)
        numbers = list(session.execute(idle).scalars())
        session.execute(update(Player).where(Player.id.in_(numbers)).values(archived=True))
        archived += numbers
    return archived


def _drop_houses(session: Session, league_id: int, added: object) -> None:
    """Take away the house rules that came with the file, unless they were changed since."""
    for key, revision in (added if isinstance(added, dict) else {}).items():
        house = (House.league_id == league_id, House.key == key, House.revision == revision)
        session.execute(delete(House).where(*house))


def _numbers(stored: Any) -> list[int]:
    return stored if isinstance(stored, list) else []
