"""Two entries that are one person: what making them one comes to, doing it, and undoing it.

Seats keep the entry that was tapped; `person_id` says whose it is. That is why a merge can be
undone to the last row, and why it is refused where both sat at one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.orm import Session, aliased

from companion.games.entries import with_people
from companion.games.rating_replay import rate_from
from companion.games.teams import settle_teams
from companion.store.authors import Author
from companion.store.dates import say_day
from companion.store.models import Game, Player, Seat

from .actions import Facts, Undo, do_once, undo_once
from .roster import (
    RENAMED,
    PeopleError,
    RosterRow,
    find_people,
    load_person,
    name_back,
    refuse_team,
)

MERGED = "merged"
MOST_NAMED = 3


class Meeting(Struct, frozen=True):
    """A game in which two entries sat at one table; a hidden one may come back."""

    game_id: int
    variant_name: str
    played_on: date
    status: str
    hidden: bool = False

    def __str__(self) -> str:
        """Say which game it was."""
        sentence = f"{self.variant_name} on {say_day(self.played_on)}"
        return f"{sentence}, which was taken out" if self.hidden else sentence


class Merge(Struct, frozen=True):
    """What making two people one would come to; `objection` says why it cannot be."""

    kept: RosterRow
    gone: RosterRow
    meetings: tuple[Meeting, ...] = ()

    @property
    def games(self) -> int:
        """The counted games of both."""
        return self.kept.games + self.gone.games

    @property
    def wins(self) -> Fraction:
        """The wins of both."""
        return self.kept.wins + self.gone.wins

    @property
    def objection(self) -> str:
        """Say in which games they met, if they did."""
        if not self.meetings:
            return ""
        named = [str(meeting) for meeting in self.meetings[:MOST_NAMED]]
        more = " and more games" if len(self.meetings) > MOST_NAMED else ""
        sit = "sit" if any(met.status == "running" for met in self.meetings) else "sat"
        return (
            f"{self.kept.name} and {self.gone.name} {sit} at one table in "
            f"{', '.join(named)}{more}: they are two people."
        )


def look_at_merge(session: Session, league_id: int, kept: RosterRow, gone: RosterRow) -> Merge:
    """Return what making two people one would come to, and whether they ever met."""
    return Merge(kept, gone, _meetings(session, league_id, kept.person_id, gone.person_id))


def _meetings(session: Session, league_id: int, kept: int, gone: int) -> tuple[Meeting, ...]:
    """Find the latest games in which two people sat at one table, those taken out the last.

    A game that was taken out counts as well: it may come back.
    """
    other_seat, other = aliased(Seat), aliased(Player)
    seats = (
        select(Game.id, Game.variant_name, Game.played_on, Game.status, Game.hidden)
        .select_from(Game)
        .join(Seat, Seat.game_id == Game.id)
        .join(other_seat, other_seat.game_id == Game.id)
    )
    rows = session.execute(
        with_people(with_people(seats), other_seat.player_id, other)
        .where(
            Game.league_id == league_id,
            Player.person_id == gone,
            other.person_id == kept,
        )
        .order_by(Game.hidden, Game.played_on.desc(), Game.id.desc())
        .limit(MOST_NAMED + 1)
    )
    return tuple(Meeting(*row) for row in rows)


def merge(author: Author, key: str, kept_id: int, gone_id: int) -> None:
    """Make two people one, who keeps the first one's name; every game of both is theirs.

    Raises `PeopleError` where they met at a table, `StaleError` where one of them was made one
    with somebody meanwhile, `LookupError` for nobody.
    """

    def unite(session: Session) -> Facts:
        kept = load_person(session, author.league_id, kept_id)
        gone = load_person(session, author.league_id, gone_id)
        if kept is gone:
            raise PeopleError("These are the same person already.")
        refuse_team(session, kept)
        refuse_team(session, gone)
        _refuse_meeting(session, kept, gone)
        return _unite(session, kept, gone)

    do_once(author, key, MERGED, unite)


def _refuse_meeting(session: Session, kept: Player, gone: Player) -> None:
    pair = find_people(session, kept.league_id, kept.id, gone.id)
    looked_at = look_at_merge(session, kept.league_id, *pair)
    if looked_at.objection:
        raise PeopleError(looked_at.objection)


def _unite(session: Session, kept: Player, gone: Player) -> Facts:
    theirs = (Player.league_id == kept.league_id, Player.person_id == gone.id)
    entries = sorted(session.execute(select(Player.id).where(*theirs)).scalars())
    before = _marks(kept)
    kept.last_game = max(filter(None, (kept.last_game, gone.last_game)), default=None)
    # Who still plays under either name goes on being offered.
    kept.archived = kept.archived and gone.archived
    session.flush()
    _move(session, kept.league_id, entries, kept.id)
    return {
        "kept": kept.id,
        "gone": gone.id,
        "kept_name": kept.name,
        "gone_name": gone.name,
        "entries": entries,
        "before": before,
        "after": _marks(kept),
    }


def _marks(person: Player) -> dict[str, Any]:
    return {"last_game": person.last_game, "archived": person.archived}


def _move(session: Session, league_id: int, entries: Sequence[int], person_id: int) -> None:
    """Assign entries to a person, and rate every game again."""
    moved = update(Player).where(Player.league_id == league_id, Player.id.in_(entries))
    session.execute(moved.values(person_id=person_id))
    settle_teams(session, league_id)
    rate_from(session, league_id)


def undo(author: Author, act_id: int) -> None:
    """Undo a renaming or a merge; games played since stay with the name they were played under.

    Raises `PeopleError` where something later stands in the way, `LookupError` for no such act.
    """
    undo_once(author, act_id, UNDOING)


def _part(session: Session, league_id: int, facts: Facts) -> None:
    """Make two people again of one, each with the entries they had."""
    entries: list[int] = facts["entries"]
    kept = session.get_one(Player, facts["kept"])
    owners = select(Player.person_id).where(Player.league_id == league_id, Player.id.in_(entries))
    if set(session.execute(owners).scalars()) != {kept.id}:
        owner = session.get_one(Player, kept.person_id)
        raise PeopleError(f"{kept.name} was merged with {owner.name} since. Undo that first.")
    for mark, now in _marks(kept).items():
        # What changed since the merge, by a game played since, stays as it is.
        if now == facts["after"][mark]:
            setattr(kept, mark, facts["before"][mark])
    session.flush()
    _move(session, league_id, entries, facts["gone"])


UNDOING: Mapping[str, Undo] = {RENAMED: name_back, MERGED: _part}
"""What is done to people, and how it is undone."""
