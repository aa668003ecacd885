"""Finding games: by date, player, variant, note and status, a page at a time by its last key.

Games are in the order of their evenings: the key of a game is its date and its number. A page
costs what it shows, however many games there are, because each search follows an index: of games
by date or by variant, of the few with a note or not finished, or of the seats of the person asked
for who played least.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct, field
from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    Select,
    and_,
    bindparam,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from companion.games.reading import of_latest_game
from companion.store.database import Question, ask
from companion.store.dates import DateError, read_day
from companion.store.models import Game, Player, PlayerSum, Seat

from .game_lists import LISTED, ListedGame, as_listed

PAGE = 20
Key = tuple[date, int]
STATUSES = ("finished", "running", "stopped")


class GameQuery(Struct, frozen=True, kw_only=True):
    """What is looked for: all of `people` at the table, every word of `words` in the note."""

    people: tuple[int, ...] = ()
    variant_key: str = ""
    since: date | None = None
    until: date | None = None
    words: tuple[str, ...] = ()
    status: str = ""

    @property
    def is_rare(self) -> bool:
        """Whether few games of a league are like this: those with a note, or not finished."""
        return bool(self.words) or self.status in ("running", "stopped")


class FoundGames(Struct, frozen=True):
    """A page of games, the latest evening first, and the keys from which its neighbours go on."""

    games: list[ListedGame] = field(default_factory=list)
    newer: Key | None = None
    older: Key | None = None


class _Shape(Struct, frozen=True):
    """What decides how a page of games is asked for: such a statement is built once and kept.

    `entries` are those of each person looked for. A page begins with the latest, or goes on from a
    key: `before` it in time or `after` it.
    """

    of_variant: bool
    of_status: bool
    is_rare: bool
    since: bool
    until: bool
    words: tuple[str, ...]
    entries: tuple[tuple[int, ...], ...]
    goes_on: Literal["", "before", "after"]

    def holds(self, day: Any, number: Any) -> list[ColumnElement[bool]]:
        """Say which keys lie on this page or beyond it."""
        key, known = (
            tuple_(day, number),
            tuple_(bindparam("day", type_=Date), bindparam("number", type_=Integer)),
        )
        if self.goes_on == "after":
            return [key > known]
        return [key < known] if self.goes_on == "before" else []

    def order(self, day: Any, number: Any) -> list[ColumnElement[Any]]:
        """Go from the key outwards."""
        if self.goes_on == "after":
            return [day.asc(), number.asc()]
        return [day.desc(), number.desc()]


def find_games(
    session: Session,
    league_id: int,
    wanted: GameQuery,
    *,
    before: Key | None = None,
    after: Key | None = None,
    most: int = PAGE,
) -> FoundGames:
    """Find a page of games in at most four queries: the ones `before` or `after` a key."""
    entries = _entries(session, league_id, wanted.people)
    if len(entries) < len(set(wanted.people)):
        return FoundGames()
    question, values = _asked(league_id, wanted, entries, before, after, most)
    rows = ask(session, question, **values).all()
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


def _entries(session: Session, league_id: int, people: Sequence[int]) -> list[list[int]]:
    """Return the entries of each person looked for, whoever played least first."""
    if not people:
        return []
    total = and_(
        PlayerSum.league_id == Player.league_id,
        PlayerSum.person_id == Player.person_id,
        PlayerSum.season_id == 0,
        PlayerSum.variant_key == "",
        PlayerSum.players == 0,
    )
    games = func.coalesce(PlayerSum.games, 0)
    rows = session.execute(
        select(Player.person_id, Player.id)
        .outerjoin(PlayerSum, total)
        .where(Player.league_id == league_id, Player.person_id.in_(people))
        .order_by(games, Player.person_id, Player.id)
    )
    found: dict[int | None, list[int]] = {}
    for person, entry in rows:
        found.setdefault(person, []).append(entry)
    return list(found.values())


def _asked(
    league_id: int,
    wanted: GameQuery,
    entries: list[list[int]],
    before: Key | None,
    after: Key | None,
    most: int,
) -> tuple[Question, dict[str, Any]]:
    """Return how to ask for a page of games and one more, and what for."""
    shape = _Shape(
        of_variant=bool(wanted.variant_key),
        of_status=bool(wanted.status),
        is_rare=wanted.is_rare,
        since=wanted.since is not None,
        until=wanted.until is not None,
        words=wanted.words,
        entries=tuple(map(tuple, entries)),
        goes_on="after" if after else "before" if before else "",
    )
    day, number = after or before or (None, None)
    return _question(shape), {
        "league_id": league_id,
        "variant_key": wanted.variant_key,
        "status": wanted.status,
        "since": wanted.since,
        "until": wanted.until,
        "day": day,
        "number": number,
        "most": most + 1,
    }


@lru_cache(maxsize=64)
def _question(shape: _Shape) -> Question:
    """Ask for the games of a page and one more, which tells whether there are more."""
    most = bindparam("most", type_=Integer)
    if not shape.entries or shape.is_rare:
        mine = [*_of_games(shape), *_of_dates(shape, Game.played_on)]
        mine += [_sits_too(theirs, Game.id) for theirs in shape.entries]
        mine += shape.holds(Game.played_on, Game.id)
        found: Question = select(*LISTED).where(*mine)
        return found.order_by(*shape.order(Game.played_on, Game.id)).limit(most)
    first, *others = shape.entries
    branches = [_at_seat(shape, entry, others) for entry in first]
    keys = (union_all(*branches) if len(branches) > 1 else branches[0]).subquery()
    found = select(*LISTED).join(keys, keys.c.game_id == Game.id)
    return found.order_by(*shape.order(keys.c.played_on, keys.c.game_id)).limit(most)


def _at_seat(shape: _Shape, entry: int, others: Sequence[tuple[int, ...]]) -> Select[Any]:
    """Ask for the games of one entry, along its own seats."""
    mine = [Seat.player_id == entry, *_of_games(shape)]
    mine += _of_dates(shape, Seat.played_on)
    mine += shape.holds(Seat.played_on, Seat.game_id)
    mine += [_sits_too(theirs, Seat.game_id) for theirs in others]
    along = select(Seat.played_on, Seat.game_id).join(Game, Game.id == Seat.game_id).where(*mine)
    most = bindparam("most", type_=Integer)
    branch = along.order_by(*shape.order(Seat.played_on, Seat.game_id)).limit(most)
    keys = branch.subquery()
    return select(keys.c.played_on, keys.c.game_id)


def _sits_too(entries: Sequence[int], game: Any) -> ColumnElement[bool]:
    other = aliased(Seat)
    return exists().where(other.game_id == game, other.player_id.in_(entries))


def _of_dates(shape: _Shape, day: Any) -> list[ColumnElement[bool]]:
    since = [day >= bindparam("since", type_=Date)] if shape.since else []
    return since + ([day <= bindparam("until", type_=Date)] if shape.until else [])


def _of_games(shape: _Shape) -> list[ColumnElement[bool]]:
    mine = [Game.league_id == bindparam("league_id"), _is_shown(shape)]
    if shape.of_variant:
        mine.append(Game.variant_key == bindparam("variant_key"))
    if shape.of_status:
        mine.append(Game.status == bindparam("status"))
    if shape.words:
        mine.append(Game.note != literal_column("''"))
        mine += [_says(word) for word in shape.words]
    return mine


def _is_shown(shape: _Shape) -> ColumnElement[bool]:
    """Leave out hidden games; where few are looked for, without the index that begins so."""
    hidden = func.coalesce(Game.hidden, False) if shape.is_rare else Game.hidden
    return hidden.is_(False)


def _says(word: str) -> ColumnElement[bool]:
    """Find a word in the note; SQLite itself knows the case of A to Z alone."""
    cases = sorted({word, word.lower(), word.upper(), word.capitalize()})
    return or_(*(Game.note.icontains(case, autoescape=True) for case in cases))


def found_variants(session: Session, league_id: int) -> list[tuple[str, str]]:
    """List key and latest name of every variant in a league's games, stepping along the index."""
    mine = (Game.league_id == league_id, Game.hidden.is_(False))
    steps = select(func.min(Game.variant_key).label("key")).where(*mine).cte(recursive=True)
    following = select(func.min(Game.variant_key)).where(*mine, Game.variant_key > steps.c.key)
    steps = steps.union_all(select(following.scalar_subquery()).where(steps.c.key.is_not(None)))
    name = of_latest_game(Game.variant_name, league_id, steps.c.key)
    rows = session.execute(select(steps.c.key, name).where(steps.c.key.is_not(None)))
    return sorted(((key, called) for key, called in rows), key=lambda row: (row[1], row[0]))
