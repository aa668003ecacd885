"""Bringing a document into a league as one act: its games hidden, then all shown at once.

They are stored a few at a time, so that nobody's save waits for long: SQLite has one writer, and
4,000 games take twenty seconds. What breaks off is seen nowhere; showing all of them is one
transaction of a second.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import TypeVar

from msgspec import Struct
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.games.opening import hold_phone
from companion.people import bulk_games, house_rules
from companion.people.bulk_games import BEGUN, IMPORTED, slices
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, Game, House, LeagueAction, db
from companion.store.names import name_key
from companion.store.progress import Progress, silent

from .comparison import ImportPreview, import_preview
from .document import Document
from .document_reader import ExchangeError
from .import_check import CheckedGame, check_document, checked_games
from .import_rows import (
    Target,
    add_acts,
    add_phones,
    add_players,
    new_league,
    settle_people,
    store_games,
)
from .import_seats import refuse_seated_twice

Answer = TypeVar("Answer")
AT_ONCE = 25
"""The most games that one transaction stores."""
BROKEN_OFF = timedelta(seconds=15)
"""An act on its way that stored nothing for so long has no process that goes on with it."""
MOST_ROWS = 700
"""Fewer games, where they have more rows than this."""


class ImportResult(Struct, frozen=True):
    """What came of it: the league, and the act that can be undone if anything was new."""

    league_id: int
    act_id: int | None
    repeated: bool = False


def import_document(
    document: Document,
    key: str,
    *,
    author: Author | None = None,
    token: str = "",
    progress: Progress = silent,
    checked: bool = False,
) -> ImportResult:
    """Bring a document into the author's league, or into a new one that the token's phone owns.

    Games that are here stay as they are. A key seen before answers as it did then. `checked`:
    where a preview looked the same document over before. Raises `ExchangeError` that names what
    cannot be; then nothing is seen of it anywhere. Where a file breaks off on its way into a new
    league, that league is the phone's, and empty.
    """
    if not checked:
        check_document(document)
    session = db.session()
    # What this session has read before must not hide what others have saved since.
    session.rollback()
    if known := _settled_act(author, token, key):
        return ImportResult(known.league_id, known.id, repeated=True)
    new = import_preview(session, author.league_id if author else None, document)
    session.rollback()
    if author and new.is_nothing:
        return ImportResult(author.league_id, None)
    try:
        target = _ImportRun(document, key, author, token, new, progress).run()
    except _RepeatedError as same:
        return ImportResult(same.act.league_id, same.act.id, repeated=True)
    except IntegrityError:
        if known := _settled_act(author, token, key):
            return ImportResult(known.league_id, known.id, repeated=True)
        raise ExchangeError(
            "Someone else has imported something since. Check the file again."
        ) from None
    return ImportResult(target.league_id, target.act_id)


def is_imported(token: str, key: str) -> bool:
    """Return whether a phone brought something in under this key already."""
    session = db.session()
    session.rollback()
    act = _find_act(session, None, token, key)
    return act is not None and act.kind != BEGUN


def _settled_act(author: Author | None, token: str, key: str) -> LeagueAction | None:
    """Find the act of a key: one on its way is waited for, one that broke off is begun anew."""
    session = db.session()
    session.rollback()
    while (act := _find_act(session, author, token, key)) and act.kind == BEGUN:
        if act.at < now() - BROKEN_OFF:
            number = act.id
            session.rollback()
            with writing() as writer:
                _forget_key(writer, number)
        else:
            time.sleep(0.2)
        session.rollback()
    return act


def _find_act(session: Session, author: Author | None, token: str, key: str) -> LeagueAction | None:
    if author:
        mine = LeagueAction.league_id == author.league_id
    else:
        own = select(Device.league_id).where(Device.token_hash == token_hash(token))
        mine = LeagueAction.league_id.in_(own)
    return (
        session.execute(select(LeagueAction).where(mine, LeagueAction.key == key)).scalars().first()
    )


class _RepeatedError(Exception):
    """Somebody else brought the same in under the same key, a moment before."""

    def __init__(self, act: LeagueAction) -> None:
        self.act = act
        super().__init__()


class _ImportRun(Struct, frozen=True):
    """A document on its way in."""

    document: Document
    key: str
    author: Author | None
    token: str
    new: ImportPreview
    progress: Progress

    def run(self) -> Target:
        """Store all of it step by step, and show it."""
        target = self._write(self._begin)
        done, fresh = 0, len(self.new.uids("new", "anew"))
        try:
            for games in self._batches():
                self._write(partial(_store_games, target=target, games=games))
                done += len(games)
                self.progress(done, fresh)
            self._write(partial(self._show, target=target))
        except ExchangeError:
            with writing() as session:
                _forget_key(session, target.act_id)
            raise
        return target

    def _write(self, write: Callable[[Session], Answer]) -> Answer:
        """Run a write; a league that is there is locked before its games, as by every save."""
        if self.author is None:
            with writing() as session:
                return write(session)
        return in_league(self.author, write)

    def _coming_back(self, session: Session, league_id: int) -> list[int]:
        """Find the games that were taken out before and come back."""
        found: list[int] = []
        for some in slices(sorted(self.new.uids("back"))):
            mine = select(Game.id).where(Game.league_id == league_id, Game.uid.in_(some))
            found += session.execute(mine).scalars()
        return sorted(found)

    def _begin(self, session: Session) -> Target:
        """Note the act in the league, or in a new one that the phone owns, and who plays there."""
        if self.author:
            league_id, device = self.author.league_id, self.author.device_id
        else:
            # Of a file that is sent twice at once the second waits here, and finds the league made.
            hold_phone(session, self.token)
            if known := _find_act(session, None, self.token, self.key):
                # The exception rolls the session back, which would take the act's columns with it.
                session.expunge(known)
                raise _RepeatedError(known)
            league_id = new_league(session, self.document, now())
            device = self._add_owner(session, league_id)
        act = LeagueAction(league_id=league_id, key=self.key, device_id=device, at=now())
        act.kind, act.facts = BEGUN, {"league": self.document.league.name, "games": 0}
        session.add(act)
        session.flush()
        target = Target(league_id, act.id)
        self._add_people(session, target)
        _set_aside(session, league_id, self.new.uids("anew"))
        return target

    def _add_people(self, session: Session, target: Target) -> None:
        for people in slices(self.document.players):
            add_players(session, target, people)
        for phones in slices(self.document.devices):
            add_phones(session, target, phones, now())
        settle_people(session, target, self.document.players)

    def _add_owner(self, session: Session, league_id: int) -> int:
        """Make the token's phone the owner of the new league."""
        phone = Device(league_id=league_id, token_hash=token_hash(self.token), role="owner")
        phone.created_at = now()
        session.add(phone)
        session.flush()
        return phone.id

    def _fresh_games(self) -> Iterator[CheckedGame]:
        wanted = self.new.uids("new", "anew")
        return (game for game in checked_games(self.document) if game.facts.uid in wanted)

    def _batches(self) -> Iterator[Sequence[CheckedGame]]:
        """Part the games that come in into what is stored at once."""
        batch: list[CheckedGame] = []
        rows = 0
        for game in self._fresh_games():
            if batch and (len(batch) == AT_ONCE or rows + game.rows > MOST_ROWS):
                yield batch
                batch, rows = [], 0
            batch.append(game)
            rows += game.rows
        if batch:
            yield batch

    def _show(self, session: Session, target: Target) -> None:
        """Let all of it be seen, as one act that can be undone."""
        league_id, back = target.league_id, self._coming_back(session, target.league_id)
        seen = {target.players[one.number] for one in self.document.players if not one.archived}
        there_again = bulk_games.archived_with(session, league_id, back)
        for some in slices(back):
            mine = update(Game).where(Game.id.in_(some), Game.hidden)
            session.execute(mine.values(act_id=target.act_id))
        numbers = bulk_games.games_of(session, league_id, target.act_id)
        # Once more: two names can have become one person while the games came in.
        refuse_seated_twice(session, league_id, numbers)
        if self.author is None:
            add_acts(session, target, self.document.acts)
        bulk_games.show_games(session, league_id, numbers, target.act_id)
        bulk_games.note_last_games(session, league_id)
        bulk_games.unarchive(session, sorted(seen & target.new_players | set(there_again)))
        act = session.get_one(LeagueAction, target.act_id)
        act.kind, act.at = IMPORTED, now()
        act.facts = {
            "league": self.document.league.name,
            "games": len(self.new.uids("new", "anew", "back")),
            "players": sorted(target.new_players),
            "houses": self._houses(session, league_id),
        }

    def _houses(self, session: Session, league_id: int) -> dict[str, int]:
        """Add the house rules that are new, as long as there is room and no name stands twice."""
        ours = house_rules.list_houses(session, league_id)
        there = set(
            session.execute(select(House.key).where(House.league_id == league_id)).scalars()
        )
        names = {name_key(house.variant.name) for house in ours if house.is_own}
        added: dict[str, int] = {}
        for house in self.document.houses:
            name = name_key(str((house.rules or {}).get("name", "")))
            full = len(there) + len(added) >= house_rules.MOST_HOUSES
            if house.key not in there and not full and name not in names:
                rules = "" if house.rules is None else _dumped(house.rules)
                row = {"rules": rules, "chosen": house.chosen, "revision": house.revision}
                session.execute(insert(House).values(league_id=league_id, key=house.key, **row))
                added[house.key] = house.revision
        return added


def _store_games(session: Session, target: Target, games: Sequence[CheckedGame]) -> None:
    store_games(session, target, games)
    # A sign of life: whoever sends the same again waits for an act that has one.
    act = update(LeagueAction).where(LeagueAction.id == target.act_id)
    session.execute(act.values(at=now()))


def _forget_key(session: Session, act_id: int) -> None:
    """Let whoever sends a file again that was refused on its way begin anew."""
    mine = update(LeagueAction).where(LeagueAction.id == act_id, LeagueAction.kind == BEGUN)
    session.execute(mine.values(key=token_urlsafe(16)))


def _set_aside(session: Session, league_id: int, uids: Iterable[str]) -> None:
    """Let games that were taken out be known by other names: theirs come in anew."""
    for uid in uids:
        mine = (Game.league_id == league_id, Game.uid == uid, Game.hidden)
        session.execute(update(Game).where(*mine).values(uid=token_urlsafe(16)))


def _dumped(rules: object) -> str:
    return json.dumps(rules, ensure_ascii=False, sort_keys=True)
