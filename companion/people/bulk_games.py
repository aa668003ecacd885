"""Many games of a league shown, or taken out of it, as one action: a few in each transaction.

A save at another table waits for a few games and never for all of them. The action says in its
kind what is due, so that whoever comes next, a server that starts for instance, goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from companion.games import totals
from companion.games.locking import lock_league
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Deal, Game, House, LeagueAction, Player, Seat, db

IMPORTED, BEGUN = "imported", "being imported"
SHOWING, TAKING = "being shown", "being taken out"
REMOVED = "game removed"
OWN_KINDS = (IMPORTED, BEGUN, SHOWING, TAKING, REMOVED)
"""What came in or went out here is no business of a copy."""
AT_ONCE = 25
MOST_DEALS = 150
"""So many games are shown or taken out in one transaction, and so many deals of them."""
SLICE = 500
Item = TypeVar("Item")
Pause = Callable[[], None]


def slices(items: Sequence[Item], size: int = SLICE) -> Iterator[Sequence[Item]]:
    """Part a list into pieces of one transaction or one statement."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def go_on(league_id: int, act_id: int, pause: Pause) -> None:
    """Show or take out the games of an action until none is left, however often it was begun.

    `pause` is called between two transactions, so that others get their turn.
    """
    while _one_piece(league_id, act_id):
        pause()
    _note_last_games_of_all(league_id, pause)
    with writing() as session:
        lock_league(session, league_id)
        act = _hold(session, league_id, act_id)
        if act.kind == SHOWING:
            close_showing(session, act)
        elif act.kind == TAKING:
            close_undoing(session, act)
            act.kind = IMPORTED


def go_on_with_all(pause: Pause = lambda: None) -> None:
    """Go on with whatever was begun when a server stopped."""
    begun = select(LeagueAction.league_id, LeagueAction.id).where(
        LeagueAction.kind.in_((SHOWING, TAKING))
    )
    with Session(db.engine) as session:
        waiting = session.execute(begun.order_by(LeagueAction.id)).all()
    for league_id, act_id in waiting:
        go_on(league_id, act_id, pause)


def close_showing(session: Session, act: LeagueAction) -> None:
    """Let those be seen again who came in; from now on the action can be undone."""
    unarchive(session, act.facts.get("seen"))
    act.facts = {name: told for name, told in act.facts.items() if name != "seen"}
    act.kind = IMPORTED


def _one_piece(league_id: int, act_id: int) -> bool:
    """Do the next few games of an action; return whether there were any."""
    with writing() as session:
        lock_league(session, league_id)
        act = _hold(session, league_id, act_id)
        if act.kind not in (SHOWING, TAKING):
            return False
        numbers = _next_games(session, act)
        hold_games(session, numbers)
        if numbers and act.kind == SHOWING:
            show_games(session, league_id, numbers, act_id)
        elif numbers:
            hide_games(session, league_id, numbers)
        return bool(numbers)


def _hold(session: Session, league_id: int, act_id: int) -> LeagueAction:
    mine = (LeagueAction.league_id == league_id, LeagueAction.id == act_id)
    return session.execute(select(LeagueAction).where(*mine).with_for_update()).scalar_one()


def _next_games(session: Session, act: LeagueAction) -> list[int]:
    """Find a few games of an action that are not yet as they shall be, few deals in all."""
    deals = select(func.count()).where(Deal.game_id == Game.id).scalar_subquery()
    mine = (Game.league_id == act.league_id, Game.act_id == act.id)
    due = select(Game.id, deals).where(*mine, Game.hidden.is_(act.kind == SHOWING))
    found: list[int] = []
    room = MOST_DEALS
    for number, many in session.execute(due.order_by(Game.id).limit(AT_ONCE)):
        room -= many
        if found and room < 0:
            break
        found.append(number)
    return found


def hold_games(session: Session, numbers: Sequence[int]) -> None:
    """Lock games after their league, in their order."""
    for some in slices(sorted(numbers)):
        theirs = select(Game.id).where(Game.id.in_(some)).order_by(Game.id)
        session.execute(theirs.with_for_update()).all()


def show_games(
    session: Session, league_id: int, numbers: Sequence[int], act_id: int | None
) -> None:
    """Show hidden games, as brought in by an action if any did, and count those that ended."""
    revision = totals.next_revision(session, league_id)
    for some in slices(numbers):
        mine = select(Game.id, Game.status, Game.players, Game.facts).where(Game.id.in_(some))
        counted = [
            game.id
            for game in session.execute(mine)
            if game.status == "finished" and game.players > 1 and game.facts.get("counts", True)
        ]
        shown = update(Game).where(Game.id.in_(some))
        session.execute(shown.values(hidden=False, act_id=act_id))
        session.execute(update(Game).where(Game.id.in_(counted)).values(counted=True))
        session.execute(update(Seat).where(Seat.game_id.in_(counted)).values(counted=True))
        totals.change_many(session, counted, 1, revision)
    totals.mark_all_stale(session, league_id)


def hide_games(session: Session, league_id: int, numbers: Sequence[int]) -> None:
    """Take games out of every list and sum; their history stays."""
    revision = totals.next_revision(session, league_id)
    for some in slices(numbers):
        counted = select(Game.id).where(Game.id.in_(some), Game.counted)
        totals.change_many(session, list(session.execute(counted).scalars()), -1, revision)
        hidden = {"hidden": True, "counted": False}
        session.execute(update(Game).where(Game.id.in_(some)).values(hidden))
        session.execute(update(Seat).where(Seat.game_id.in_(some)).values(counted=False))
    totals.mark_all_stale(session, league_id)


def close_undoing(session: Session, act: LeagueAction) -> None:
    """Put away who came with the games that were taken out, and the house rules that did."""
    archived = _archive_idle(session, act.facts.get("players"))
    _drop_houses(session, act.league_id, act.facts.get("houses"))
    act.facts = {**act.facts, "archived": archived}
    act.undone_at = now()


def _note_last_games_of_all(league_id: int, pause: Pause) -> None:
    with Session(db.engine) as session:
        everybody = select(Player.id).where(Player.league_id == league_id).order_by(Player.id)
        numbers = session.execute(everybody).scalars().all()
    for some in slices(numbers):
        with writing() as session:
            lock_league(session, league_id)
            note_last_games(session, league_id, some)
        pause()


def note_last_games(session: Session, league_id: int, people: Sequence[int] | None = None) -> None:
    """Note the latest game that the league can see people in, by any of their names.

    A name that was made part of a person keeps its own, for when the two are parted again.
    """
    entry = aliased(Player)
    last = (
        select(func.max(Seat.game_id))
        .join(Game, Game.id == Seat.game_id)
        .join(entry, entry.id == Seat.player_id)
        .where(or_(entry.id == Player.id, entry.person_id == Player.id))
        .where(Game.league_id == league_id, Game.hidden.is_(False))
        .correlate(Player)
        .scalar_subquery()
    )
    mine = update(Player).where(Player.league_id == league_id)
    mine = mine if people is None else mine.where(Player.id.in_(people))
    session.execute(mine.values(last_game=last), execution_options={"synchronize_session": False})


def unarchive(session: Session, people: object) -> None:
    """Let these people be seen again."""
    for some in slices(_numbers(people)):
        session.execute(update(Player).where(Player.id.in_(some)).values(archived=False))


def archived_with(session: Session, league_id: int, games: Iterable[int]) -> list[int]:
    """Find whom the undoing of these games had archived: they come back with them."""
    found: list[int] = []
    for some in slices(sorted(games)):
        theirs = (Game.league_id == league_id, Game.id.in_(some))
        acts = select(Game.act_id).where(*theirs).distinct()
        told = select(LeagueAction.facts).where(LeagueAction.id.in_(acts))
        for facts in session.execute(told).scalars():
            found += _numbers(facts.get("archived"))
    return sorted(set(found))


def _archive_idle(session: Session, players: object) -> list[int]:
    """Archive those of these players who are seen in no game."""
    seen = exists().where(
        Seat.player_id == Player.id, Seat.game_id == Game.id, Game.hidden.is_(False)
    )
    found: list[int] = []
    for some in slices(_numbers(players)):
        idle = select(Player.id).where(Player.id.in_(some), Player.archived.is_(False), ~seen)
        numbers = list(session.execute(idle).scalars())
        session.execute(update(Player).where(Player.id.in_(numbers)).values(archived=True))
        found += numbers
    return found


def _drop_houses(session: Session, league_id: int, added: object) -> None:
    """Take away the house rules that came with the file, unless they were changed since."""
    for key, revision in (added if isinstance(added, dict) else {}).items():
        mine = (House.league_id == league_id, House.key == key, House.revision == revision)
        session.execute(delete(House).where(*mine))


def _numbers(told: Any) -> list[int]:
    return told if isinstance(told, list) else []
