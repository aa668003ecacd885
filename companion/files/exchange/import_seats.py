"""Who a document's players are in a league: nobody sits at one table twice, by two names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.entries import seated_twice
from companion.store.dates import say_day
from companion.store.models import Game, Player
from companion.store.names import name_key

from .document import Document
from .document_reader import ExchangeError

AT_ONCE = 500
Person = tuple[str, int]


def refuse_seated_twice(session: Session, league_id: int, numbers: Sequence[int]) -> None:
    """Raise `ExchangeError` where one person sits twice in one of these stored games."""
    for start in range(0, len(numbers), AT_ONCE):
        some = numbers[start : start + AT_ONCE]
        mine = (Game.league_id == league_id, Game.id.in_(some))
        twice = session.execute(seated_twice(*mine)).first()
        if twice:
            _refuse(
                session.get_one(Player, twice.person_id).name, twice.variant_name, twice.played_on
            )


def refuse_seating_twice(
    session: Session, league_id: int, document: Document, uids: Collection[str]
) -> None:
    """Raise `ExchangeError` where one person would sit twice in a game still to come."""
    persons = dict(_persons(session, league_id, document))
    for game in document.games:
        seated = [persons[seat.player_id] for seat in game.seats]
        if game.uid in uids and len(set(seated)) < len(seated):
            twice = next(seat for seat in game.seats if seated.count(persons[seat.player_id]) > 1)
            name = document.players[twice.player_id - 1].name
            _refuse(name, str(document.rules[game.rules - 1]["name"]), game.played_on)


def _persons(session: Session, league_id: int, document: Document) -> Iterator[tuple[int, Person]]:
    """Return who each player of the document is: a person here, or one that is new."""
    rows = select(Player.name_key, Player.person_id).where(Player.league_id == league_id)
    known: Mapping[str, int | None] = dict(session.execute(rows).all())
    for player in document.players:
        here = known.get(name_key(player.name))
        into = document.players[(player.merged_into or player.number) - 1]
        there = known.get(name_key(into.name))
        found = here or there
        yield player.number, ("here", found) if found else ("new", into.number)


def _refuse(name: str, variant: str, day: date) -> None:
    raise ExchangeError(
        f"{name} would sit twice at one table in {variant} on {say_day(day)}: "
        "two of its names are one person here. Make them two people again first."
    )
