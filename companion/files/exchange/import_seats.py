"""Who a document's players are in a league: nobody sits at one table twice, by two names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.entries import seated_twice
from companion.store.dates import say_day
from companion.store.models import Game, Player
from companion.store.names import name_key

from .document import Document, PlayerData
from .document_reader import ExchangeError

AT_ONCE = 500
Person = tuple[str, int]


def refuse_seated_twice(session: Session, league_id: int, numbers: Sequence[int]) -> None:
    """Raise `ExchangeError` where one person sits twice in one of these stored games."""
    for start in range(0, len(numbers), AT_ONCE):
        part = numbers[start : start + AT_ONCE]
        of_league = (Game.league_id == league_id, Game.id.in_(part))
        twice = session.execute(seated_twice(*of_league)).first()
        if twice:
            _refuse(
                session.get_one(Player, twice.person_id).name, twice.variant_name, twice.played_on
            )


def refuse_seating_twice(
    session: Session, league_id: int, document: Document, uids: Collection[str]
) -> None:
    """Raise `ExchangeError` where two people of a game still to come are one person here."""
    person_of = _persons(session, league_id, document)
    seated = [_people_of(document, player) for player in document.players]
    for game in document.games:
        people = {person for seat in game.seats for person in seated[seat.player_id - 1]}
        met = Counter(person_of[person] for person in people)
        if game.uid in uids and len(met) < len(people):
            twice = next(person for person in sorted(people) if met[person_of[person]] > 1)
            name = document.players[twice - 1].name
            _refuse(name, str(document.rules[game.rules - 1]["name"]), game.played_on)


def _people_of(document: Document, player: PlayerData) -> Sequence[int]:
    """Return whom a player of the document counts for: the people of a team, or one person."""
    numbers = player.members or (player.number,)
    return [document.players[number - 1].merged_into or number for number in numbers]


def _persons(session: Session, league_id: int, document: Document) -> dict[int, Person]:
    """Return who each player of the document is: a person here, or one that is new."""
    rows = select(Player.name_key, Player.person_id).where(Player.league_id == league_id)
    by_name: Mapping[str, int | None] = dict(session.execute(rows).all())
    persons: dict[int, Person] = {}
    for player in document.players:
        own_id = by_name.get(name_key(player.name))
        into = document.players[(player.merged_into or player.number) - 1]
        main_id = by_name.get(name_key(into.name))
        person_id = own_id or main_id
        persons[player.number] = ("here", person_id) if person_id else ("new", into.number)
    return persons


def _refuse(name: str, variant: str, day: date) -> None:
    raise ExchangeError(
        f"{name} would sit twice at one table in {variant} on {say_day(day)}: "
        "two of its names are one person here. Make them two people again first."
    )
