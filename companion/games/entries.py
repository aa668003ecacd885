"""Entries at a table: the names under which people sit down, of which one may have several.

The league must be held by whoever writes here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from companion.store.models import Game, Player, Seat
from companion.store.names import clean_name, name_key

from .changes import ChangeError
from .record import Record


def person_called(session: Session, league_id: int, name: str) -> int:
    """Return the person of this name, who joins the league if new; the league must be held."""
    clean = clean_name(name)
    known = session.execute(
        select(Player.person_id).where(
            Player.league_id == league_id, Player.name_key == name_key(clean)
        )
    ).scalar_one_or_none()
    if known is not None:
        return known
    player = Player(league_id=league_id, name=clean, name_key=name_key(clean), archived=False)
    session.add(player)
    session.flush()
    player.person_id = player.id
    return player.id


def entry_at_table(session: Session, record: Record, person: int) -> int:
    """Return the entry under which a person sits at this table already, or the person's own."""
    seated = [seat.player_id for seat in record.seats]
    entries = select(Player.id).where(Player.person_id == person, Player.id.in_(seated))
    return session.execute(entries).scalars().first() or person


def refuse_twice(session: Session, entries: Sequence[int]) -> None:
    """Raise `ChangeError` where one person would sit at one table twice, by two of their names."""
    known = select(Player.id, Player.person_id).where(Player.id.in_(entries))
    person_of: dict[int, int | None] = dict(session.execute(known).all())
    seated = [person_of[entry] for entry in entries]
    twice = next((person for person in seated if seated.count(person) > 1), None)
    if twice is not None:
        name = session.execute(select(Player.name).where(Player.id == twice)).scalar_one()
        raise ChangeError(f"{name} would sit here twice: two of these names are one person.")


def seated_twice(*which: ColumnElement[bool]) -> Select[int, date, str, int | None]:
    """Ask in which of these games one person has two seats, and for each who it is."""
    told = (Game.id, Game.played_on, Game.variant_name, Player.person_id)
    seats = select(*told).join(Seat, Seat.game_id == Game.id)
    seats = seats.join(Player, Player.id == Seat.player_id).where(*which)
    return seats.group_by(*told).having(func.count() > 1).order_by(Game.id)


def note_seated(session: Session, game: Game, people: Collection[int]) -> None:
    """Remember who sat down last; whoever plays again is among the regulars again."""
    theirs = update(Player).where(Player.id.in_(people))
    session.execute(theirs.values(last_game=game.id, archived=False))
