"""Bringing a document into a league as one act: stored hidden, and shown at once at the end.

What is stored before is of no act and seen nowhere; where it breaks off, the same file finds it
again. A few games at a time, for SQLite has one writer: nobody's save waits for long.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from secrets import token_urlsafe
from typing import TypeVar

from msgspec import Struct
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from companion.games.locking import in_league
from companion.games.opening import hold_phone
from companion.people import bulk_games, house_rules
from companion.people.bulk_games import IMPORT_KINDS, IMPORTED, slices
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, Game, House, LeagueAction, db
from companion.store.names import name_key
from companion.store.progress import Progress, silent

from .comparison import ImportPreview, import_preview
from .document import Document
from .document_reader import ExchangeError
from .import_check import check_document, checked_games
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
AT_ONCE = 50
"""The games that one transaction stores."""


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
    cannot be; then nothing is seen of it anywhere.
    """
    if not checked:
        check_document(document)
    session = db.session()
    # What this session has read before must not hide what others have saved since.
    session.rollback()
    if result := _find_act(session, author, token, key):
        return result
    new = import_preview(session, author.league_id if author else None, document)
    session.rollback()
    if author and new.is_nothing:
        return ImportResult(author.league_id, None)
    try:
        return _ImportRun(document, key, author, token, new).run(progress)
    except IntegrityError:
        session.rollback()
        if result := _find_act(session, author, token, key):
            return result
        raise ExchangeError(
            "Someone else has imported something since. Check the file again."
        ) from None


def is_imported(token: str, key: str) -> bool:
    """Return whether a phone brought something in under this key already."""
    session = db.session()
    session.rollback()
    return _find_act(session, None, token, key) is not None


def _find_act(session: Session, author: Author | None, token: str, key: str) -> ImportResult | None:
    of_phone = select(Device.league_id).where(Device.token_hash == token_hash(token))
    in_leagues = LeagueAction.league_id.in_([author.league_id] if author else of_phone)
    acts = select(LeagueAction.league_id, LeagueAction.id).where(
        in_leagues, LeagueAction.key == key, LeagueAction.kind.in_(IMPORT_KINDS)
    )
    act = session.execute(acts).first()
    return ImportResult(act.league_id, act.id, repeated=True) if act else None


class _ImportRun(Struct, frozen=True):
    """A document on its way in."""

    document: Document
    key: str
    author: Author | None
    token: str
    new: ImportPreview

    def run(self, progress: Progress) -> ImportResult:
        """Store all of it, and show it."""
        target = self._write(self._begin)
        uids = self.new.uids("new", "anew")
        fresh = (game for game in checked_games(self.document) if game.facts.uid in uids)
        numbers: list[int] = []
        while games := list(islice(fresh, AT_ONCE)):
            numbers += self._write(lambda session: store_games(session, target, games))
            progress(len(numbers), len(uids))
        return self._write(lambda session: self._show(session, target, numbers))

    def _write(self, write: Callable[[Session], Answer]) -> Answer:
        """Run a write; a league that is there is locked before its games, as by every save."""
        if self.author is None:
            with writing() as session:
                return write(session)
        return in_league(self.author, write)

    def _begin(self, session: Session) -> Target:
        """Note who plays in the league, or in a new one that is still nobody's."""
        league_id = self.author.league_id if self.author else 0
        target = Target(league_id or new_league(session, self.document, now()))
        add_players(session, target, self.document.players)
        add_phones(session, target, self.document.devices, now())
        settle_people(session, target, self.document.players)
        _set_aside(session, target.league_id, self.new.uids("anew"))
        return target

    def _show(self, session: Session, target: Target, numbers: Sequence[int]) -> ImportResult:
        """Let all of it be seen, as one act that can be undone."""
        league_id = target.league_id
        if self.author is None:
            # Of a file that is sent twice at once the second waits here, and finds the first.
            hold_phone(session, self.token)
            if result := _find_act(session, None, self.token, self.key):
                return result
        act_id = self._note_act(session, target)
        back = self._coming_back(session, league_id)
        offered = {
            target.players[player.number] for player in self.document.players if not player.archived
        }
        there_again = bulk_games.archived_with(session, league_id, back)
        shown = sorted([*numbers, *back])
        # Once more: two names can have become one person while the games came in.
        refuse_seated_twice(session, league_id, shown)
        bulk_games.show_games(session, league_id, shown, act_id)
        bulk_games.note_last_games(session, league_id)
        bulk_games.unarchive(session, sorted(offered & target.new_players | set(there_again)))
        return ImportResult(league_id, act_id)

    def _note_act(self, session: Session, target: Target) -> int:
        """Note the act in the league; a new one is the token's phone's from now on."""
        league_id, device_id = target.league_id, 0
        if self.author:
            device_id = self.author.device_id
        else:
            add_acts(session, target, self.document.acts)
            hashed = token_hash(self.token)
            owner = Device(league_id=league_id, token_hash=hashed, role="owner", created_at=now())
            session.add(owner)
            session.flush()
            device_id = owner.id
        act = LeagueAction(league_id=league_id, key=self.key, device_id=device_id, at=now())
        act.kind = IMPORTED
        act.facts = {
            "league": self.document.league.name,
            "games": len(self.new.uids("new", "anew", "back")),
            "players": sorted(target.new_players),
            "houses": self._houses(session, league_id),
        }
        session.add(act)
        session.flush()
        return act.id

    def _coming_back(self, session: Session, league_id: int) -> list[int]:
        """Find the games that were taken out before and come back."""
        numbers: list[int] = []
        for part in slices(sorted(self.new.uids("back"))):
            of_league = select(Game.id).where(Game.league_id == league_id, Game.uid.in_(part))
            numbers += session.execute(of_league).scalars()
        return numbers

    def _houses(self, session: Session, league_id: int) -> dict[str, int]:
        """Add the house rules that are new, as long as there is room and no name stands twice."""
        ours = house_rules.list_houses(session, league_id)
        keys = set(session.execute(select(House.key).where(House.league_id == league_id)).scalars())
        names = {name_key(house.variant.name) for house in ours if house.is_own}
        added: dict[str, int] = {}
        for house in self.document.houses:
            name = name_key(str((house.rules or {}).get("name", "")))
            full = len(keys) + len(added) >= house_rules.MOST_HOUSES
            if house.key not in keys and not full and name not in names:
                rules = "" if house.rules is None else _dumped(house.rules)
                row = {"rules": rules, "chosen": house.chosen, "revision": house.revision}
                session.execute(insert(House).values(league_id=league_id, key=house.key, **row))
                added[house.key] = house.revision
        return added


def _set_aside(session: Session, league_id: int, uids: Iterable[str]) -> None:
    """Let games that were taken out be known by other names: theirs come in anew."""
    for uid in uids:
        hidden_game = (Game.league_id == league_id, Game.uid == uid, Game.hidden)
        session.execute(update(Game).where(*hidden_game).values(uid=token_urlsafe(16)))


def _dumped(rules: object) -> str:
    return json.dumps(rules, ensure_ascii=False, sort_keys=True)
