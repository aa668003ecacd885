"""Finding games: by date, player, variant, note and status, a page at a time by its last key.

Games are in the order of their evenings: the key of a game is its date and its number. A page
costs what it shows, however many games there are, because each search follows an index: of games
by date or by variant, of the few with a note or not finished, or of the seats of the person asked
for who played least.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import Struct, field
from sqlalchemy import (
    ColumnElement,
    Subquery,
    and_,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from companion.games.entries import lines_of
from companion.games.reading import of_latest_game
from companion.games.totals import sum_of_all
from companion.store.database import Statement
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


class GamePage(Struct, frozen=True):
    """Where a page of games lies: from the latest, or `before` a key in time or `after` it."""

    before: Key | None
    after: Key | None
    most: int

    def holds(self, day: Any, number: Any) -> list[ColumnElement[bool]]:
        """Say which keys lie on this page or beyond it."""
        if self.after:
            return [tuple_(day, number) > self.after]
        return [tuple_(day, number) < self.before] if self.before else []

    def order(self, day: Any, number: Any) -> list[ColumnElement[Any]]:
        """Go from the key outwards."""
        if self.after:
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
    page = GamePage(before, after, most + 1)
    rows = session.execute(_games_of(page, league_id, wanted, entries)).all()
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
    games = func.coalesce(PlayerSum.games, 0)
    lines = lines_of(and_(Player.league_id == league_id, Player.person_id.in_(people))).subquery()
    rows = session.execute(
        select(lines.c.person_id, lines.c.id)
        .join(Player, Player.id == lines.c.person_id)
        .outerjoin(PlayerSum, sum_of_all(Player.id))
        .order_by(games, lines.c.person_id, lines.c.id)
    )
    found: dict[int | None, list[int]] = {}
    for person, entry in rows:
        found.setdefault(person, []).append(entry)
    return list(found.values())


def _games_of(
    page: GamePage, league_id: int, wanted: GameQuery, entries: Sequence[Sequence[int]]
) -> Statement:
    """Ask for the games of a page; `entries` are those of each person looked for."""
    mine = _like(league_id, wanted)
    if not entries or wanted.is_rare:
        mine += [*_of_dates(wanted, Game.played_on), *page.holds(Game.played_on, Game.id)]
        mine += [_sits_too(theirs, Game.id) for theirs in entries]
        found: Statement = (
            select(*LISTED).where(*mine).order_by(*page.order(Game.played_on, Game.id))
        )
        return found.limit(page.most)
    first, *others = entries
    mine += _of_dates(wanted, Seat.played_on)
    mine += [_sits_too(theirs, Seat.game_id) for theirs in others]
    keys = seats_along(first, page, mine)
    found = select(*LISTED).join(keys, keys.c.game_id == Game.id)
    return found.order_by(*page.order(keys.c.played_on, keys.c.game_id)).limit(page.most)


def seats_along(
    entries: Sequence[int], page: GamePage, mine: Sequence[ColumnElement[bool]]
) -> Subquery:
    """Ask for the seats of these entries on a page, in such games: each along its own index."""
    key = (Seat.played_on, Seat.game_id)
    along = select(*key, Seat.number).join(Game, Game.id == Seat.game_id)
    along = along.where(*mine, *page.holds(*key)).order_by(*page.order(*key)).limit(page.most)
    parts = [select(along.where(Seat.player_id == entry).subquery()) for entry in entries]
    return union_all(*parts).subquery()


def _sits_too(entries: Sequence[int], game: Any) -> ColumnElement[bool]:
    other = aliased(Seat)
    return exists().where(other.game_id == game, other.player_id.in_(entries))


def _of_dates(wanted: GameQuery, day: Any) -> list[ColumnElement[bool]]:
    since = [day >= wanted.since] if wanted.since else []
    return since + ([day <= wanted.until] if wanted.until else [])


def _like(league_id: int, wanted: GameQuery) -> list[ColumnElement[bool]]:
    """Say what the games looked for are like, but for dates and people."""
    mine = [Game.league_id == league_id, _is_shown(wanted)]
    if wanted.variant_key:
        mine.append(Game.variant_key == wanted.variant_key)
    if wanted.status:
        mine.append(Game.status == wanted.status)
    if wanted.words:
        mine.append(Game.note != literal_column("''"))
        mine += [_says(word) for word in wanted.words]
    return mine


def _is_shown(wanted: GameQuery) -> ColumnElement[bool]:
    """Leave out hidden games; where few are looked for, without the index that begins so."""
    hidden = func.coalesce(Game.hidden, False) if wanted.is_rare else Game.hidden
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
