"""Finding games: by date, player, variant, note and status, a page at a time by its last key.

Games are in the order of their evenings: the key of a game is its date and its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec import Struct, field
from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_
from sqlalchemy.orm import Session

from companion.games.entries import lines_of
from companion.games.reading import of_latest_game
from companion.store.dates import DateError, read_day
from companion.store.models import Game, Player, Seat

from .game_lists import LISTED, ListedGame, as_listed

PAGE = 20
Key = tuple[date, int]
STATUSES = ("finished", "running", "stopped")


class GameQuery(Struct, frozen=True, kw_only=True):
    """What is looked for: all of `people` at the table, every word of `words` in the note.

    `act_id` is that of the import which brought the games.
    """

    people: tuple[int, ...] = ()
    variant_key: str = ""
    since: date | None = None
    until: date | None = None
    words: tuple[str, ...] = ()
    status: str = ""
    act_id: int | None = None


class FoundGames(Struct, frozen=True):
    """A page of games, the latest evening first, and the keys from which its neighbours go on."""

    games: list[ListedGame] = field(default_factory=list)
    newer: Key | None = None
    older: Key | None = None


def find_games(
    session: Session,
    league_id: int,
    query: GameQuery,
    *,
    before: Key | None = None,
    after: Key | None = None,
    most: int = PAGE,
) -> FoundGames:
    """Find a page of games: the ones `before` or `after` a key."""
    which = _like(session, league_id, query)
    key = tuple_(Game.played_on, Game.id)
    listed = select(*LISTED).order_by(Game.played_on.desc(), Game.id.desc())
    if after is not None:
        which.append(key > after)
        listed = select(*LISTED).order_by(Game.played_on, Game.id)
    elif before is not None:
        which.append(key < before)
    rows = session.execute(listed.where(*which).limit(most + 1)).all()
    shown = rows[:most]
    if after is not None:
        shown = shown[::-1]
    games = as_listed(session, shown)
    more = len(rows) > most
    newer = more if after is not None else before is not None
    older = more if after is None else True
    return FoundGames(
        games,
        _key(games[0]) if games and newer else None,
        _key(games[-1]) if games and older else None,
    )


def write_key(key: Key | None) -> str:
    """Write the key of a game as an address carries it; nothing for none."""
    return f"{key[0].isoformat()}.{key[1]}" if key else ""


def read_key(text: str) -> Key | None:
    """Read a key; None for what cannot be one.

    >>> read_key("2026-11-22.7"), read_key("2026-11-22.x")
    ((datetime.date(2026, 11, 22), 7), None)
    """
    day, _, number = text.partition(".")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    try:
        return read_day(day), int(number)
    except DateError:
        return None


def _key(game: ListedGame) -> Key:
    return game.played_on, game.game_id


def _like(session: Session, league_id: int, query: GameQuery) -> list[ColumnElement[bool]]:
    """Say what the games looked for are like."""
    which = [Game.league_id == league_id, Game.hidden.is_(False)]
    if query.variant_key:
        which.append(Game.variant_key == query.variant_key)
    if query.status:
        which.append(Game.status == query.status)
    if query.act_id:
        which.append(Game.act_id == query.act_id)
    if query.since:
        which.append(Game.played_on >= query.since)
    if query.until:
        which.append(Game.played_on <= query.until)
    which += [_says(word) for word in query.words]
    of_people = and_(Player.league_id == league_id, Player.person_id.in_(query.people))
    entries: dict[int | None, list[int]] = {person: [] for person in query.people}
    for person, entry in session.execute(lines_of(of_people)) if query.people else ():
        entries[person].append(entry)
    return which + [_sits(theirs) for theirs in entries.values()]


def _sits(entries: Sequence[int]) -> ColumnElement[bool]:
    return exists().where(Seat.game_id == Game.id, Seat.player_id.in_(entries))


def _says(word: str) -> ColumnElement[bool]:
    """Find a word in the note; SQLite itself knows the case of A to Z alone."""
    cases = sorted({word, word.lower(), word.upper(), word.capitalize()})
    return or_(*(Game.note.icontains(case, autoescape=True) for case in cases))


def found_variants(session: Session, league_id: int) -> list[tuple[str, str]]:
    """List key and latest name of every variant in a league's games."""
    shown = (Game.league_id == league_id, Game.hidden.is_(False))
    keys = select(Game.variant_key).where(*shown).distinct().subquery()
    name = of_latest_game(Game.variant_name, league_id, keys.c.variant_key)
    rows = session.execute(select(keys.c.variant_key, name))
    return sorted(((key, called) for key, called in rows), key=lambda row: (row[1], row[0]))
