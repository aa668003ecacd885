"""Bringing a document into a league as one act: a little of it in each transaction.

What came in is hidden until all of it is there. So nobody waits for more than a few games, and
whatever breaks off is seen nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from secrets import token_urlsafe
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from companion.games.locking import in_league, lock_league
from companion.people import bulk_games, house_rules
from companion.people.bulk_games import BEGUN, SHOWING, Pause, slices
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, Facts, Game, House, LeagueAction, db
from companion.store.names import name_key

from .comparison import ImportPreview, import_preview
from .document import Document
from .document_reader import ExchangeError
from .exporting import Progress, silent
from .import_check import CheckedGame, check_document, checked_games
from .import_rows import (
    Place,
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
"""The most games that one transaction brings in."""
MOST_ROWS = 700
"""Fewer games, where they have more rows than this."""


class ImportResult(Struct, frozen=True):
    """What came of it: the league, the act that can be undone, and what was new."""

    league_id: int
    act_id: int | None
    import_preview: ImportPreview
    repeated: bool = False


def import_document(
    document: Document,
    key: str,
    *,
    author: Author | None = None,
    token: str = "",
    progress: Progress = silent,
    pause: Pause = lambda: None,
) -> ImportResult:
    """Bring a document into the author's league, or into a new one that the token's phone owns.

    Games that are here stay as they are. A key seen before answers as it did then. `pause` is
    called between transactions. Raises `ExchangeError` that names what cannot be; then nothing is
    seen of it anywhere. Where a large file breaks off on its way into a new league, that league
    is the phone's, and empty.
    """
    check_document(document)
    session = db.session()
    session.rollback()
    if known := _known(session, author, token, key):
        return ImportResult(known.league_id, known.id, ImportPreview(""), repeated=True)
    new = import_preview(session, author.league_id if author else None, document)
    session.rollback()
    if author and new.is_nothing:
        return ImportResult(author.league_id, None, new)
    bringing = _Bringing(document, key, author, token, new, progress, pause)
    try:
        place = bringing.at_once() if bringing.is_small else bringing.by_parts()
    except _RepeatedError as same:
        return ImportResult(same.act.league_id, same.act.id, ImportPreview(""), repeated=True)
    except IntegrityError:
        raise ExchangeError(
            "Someone else has imported something since. Check the file again."
        ) from None
    return ImportResult(place.league_id, place.act_id, new)


def is_imported(token: str, key: str) -> bool:
    """Return whether a phone brought something in under this key already."""
    session = db.session()
    session.rollback()
    return _known(session, None, token, key) is not None


def _known(session: Session, author: Author | None, token: str, key: str) -> LeagueAction | None:
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


def _queue(session: Session, token: str) -> None:
    """Let whatever a phone brings into new leagues come one after the other."""
    if session.get_bind().dialect.name == "postgresql":
        number = int(token_hash(token)[:15], 16)
        session.execute(select(func.pg_advisory_xact_lock(number)))


Run = Callable[[Callable[[Session], Answer]], Answer]


class _Bringing(Struct, frozen=True):
    """A document on its way in."""

    document: Document
    key: str
    author: Author | None
    token: str
    new: ImportPreview
    progress: Progress
    pause: Pause

    @property
    def is_small(self) -> bool:
        """Whether others need not wait long if all of it comes in at once."""
        games = self._fresh_games()
        some = [game.rows for game in islice(games, AT_ONCE + 1)]
        people = max(len(self.document.players), len(self.document.devices))
        acts = len(self.document.acts) if self.author is None else 0
        return len(some) <= AT_ONCE and sum(some) + people + acts <= MOST_ROWS

    def at_once(self) -> Place:
        """Do all of it in one transaction."""

        def write(session: Session) -> Place:
            place = self._bring(lambda step: step(session))
            numbers = _numbers_of(session, place)
            bulk_games.show_games(session, place.league_id, numbers, place.act_id)
            bulk_games.note_last_games(session, place.league_id)
            act = session.get_one(LeagueAction, place.act_id)
            bulk_games.close_showing(session, act)
            return place

        back = sorted(self.new.back | self.new.anew)
        return self._write(write, back)

    def by_parts(self) -> Place:
        """Do it step by step, each in a transaction of its own; what is shown goes on by itself."""
        begun: list[Place] = []

        def run(step: Callable[[Session], Answer]) -> Answer:
            answer = self._write(step)
            self.pause()
            return answer

        try:
            place = self._bring(run, begun)
        except ExchangeError:
            for one in begun:
                self._write(partial(_forget_key, act_id=one.act_id))
            raise
        bulk_games.go_on(place.league_id, place.act_id, self.pause)
        return place

    def _write(self, write: Callable[[Session], Answer], uids: Sequence[str] = ()) -> Answer:
        """Run a write; a league that is there is locked before its games, as by every save."""
        if self.author is None:
            with writing() as session:
                return write(session)
        league_id = self.author.league_id

        def hold(session: Session) -> None:
            bulk_games.hold_games(session, _numbers(session, league_id, uids))

        return in_league(self.author, write, hold)

    def _bring(self, run: Run[Any], begun: list[Place] | None = None) -> Place:
        """Do all the steps but the last, which shows what came in."""
        place: Place = run(self._begin)
        if begun is not None:
            begun.append(place)
        self._bring_people(run, place)
        self._bring_games(run, place)
        if self.author is None:
            for acts in slices(self.document.acts):
                run(partial(add_acts, place=place, acts=acts))
        run(partial(self._begin_to_show, place=place))
        return place

    def _bring_people(self, run: Run[Any], place: Place) -> None:
        for people in slices(self.document.players):
            numbers, new = run(partial(add_players, league_id=place.league_id, players=people))
            place.players.update(numbers)
            place.new_players.update(new)
        for phones in slices(self.document.devices):
            made = partial(add_phones, league_id=place.league_id, devices=phones, now=now())
            place.phones.update(run(made))
        for players in slices([one for one in self.document.players if one.merged_into]):
            run(partial(settle_people, place=place, players=players))

    def _bring_games(self, run: Run[Any], place: Place) -> None:
        for uids in slices(sorted(self.new.anew)):
            run(partial(_set_aside, league_id=place.league_id, uids=uids))
        done = 0
        for games in self._pieces():
            done += len(run(partial(store_games, place=place, games=games)))
            self.progress(done, len(self.new.new_games | self.new.anew))
        for uids in slices(sorted(self.new.back)):
            run(partial(_call_back, place=place, uids=uids))

    def _begin(self, session: Session) -> Place:
        """Note the act in the league, or in a new one that the phone owns."""
        if self.author:
            league_id, device = self.author.league_id, self.author.device_id
            back = _numbers(session, league_id, sorted(self.new.back))
            facts: Facts = {"archived": bulk_games.archived_with(session, league_id, back)}
        else:
            _queue(session, self.token)
            if known := _known(session, None, self.token, self.key):
                session.expunge(known)
                raise _RepeatedError(known)
            league_id, facts = new_league(session, self.document, now()), {}
            device = self._own(session, league_id)
        act = LeagueAction(league_id=league_id, key=self.key, device_id=device, at=now())
        act.kind, act.facts = BEGUN, {"league": self.document.league.name, "games": 0} | facts
        session.add(act)
        session.flush()
        return Place(league_id, act.id)

    def _own(self, session: Session, league_id: int) -> int:
        """Make the token's phone the owner of the new league."""
        phone = Device(league_id=league_id, token_hash=token_hash(self.token), role="owner")
        phone.created_at = now()
        session.add(phone)
        session.flush()
        return phone.id

    def _fresh_games(self) -> Iterator[CheckedGame]:
        wanted = self.new.new_games | self.new.anew
        return (game for game in checked_games(self.document) if game.facts.uid in wanted)

    def _pieces(self) -> Iterator[Sequence[CheckedGame]]:
        """Part the games that come in into what is stored at once."""
        piece: list[CheckedGame] = []
        rows = 0
        for game in self._fresh_games():
            if piece and (len(piece) == AT_ONCE or rows + game.rows > MOST_ROWS):
                yield piece
                piece, rows = [], 0
            piece.append(game)
            rows += game.rows
        if piece:
            yield piece

    def _begin_to_show(self, session: Session, place: Place) -> None:
        """Note what the act is about; from now on it goes on to its end, whatever happens."""
        lock_league(session, place.league_id)
        act = session.get_one(LeagueAction, place.act_id)
        seen = [p.number for p in self.document.players if not p.archived]
        numbers = {place.players[number] for number in seen} & place.new_players
        back = act.facts.get("archived")
        act.kind, act.at = SHOWING, now()
        act.facts = {
            "league": self.document.league.name,
            "games": len(self.new.new_games | self.new.anew | self.new.back),
            "players": sorted(place.new_players),
            "houses": self._houses(session, place.league_id),
            "seen": sorted(numbers | set(back if isinstance(back, list) else [])),
        }
        session.flush()

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


def _forget_key(session: Session, act_id: int) -> None:
    """Let whoever sends a file again that was refused on its way begin anew."""
    mine = update(LeagueAction).where(LeagueAction.id == act_id, LeagueAction.kind == BEGUN)
    session.execute(mine.values(key=token_urlsafe(16)))


def _call_back(session: Session, place: Place, uids: Sequence[str]) -> None:
    """Make games that were taken out before part of this act."""
    numbers = _numbers(session, place.league_id, uids)
    bulk_games.hold_games(session, numbers)
    refuse_seated_twice(session, place.league_id, numbers)
    mine = update(Game).where(Game.id.in_(numbers), Game.hidden)
    session.execute(mine.values(act_id=place.act_id))


def _numbers_of(session: Session, place: Place) -> list[int]:
    mine = (Game.league_id == place.league_id, Game.act_id == place.act_id)
    return list(session.execute(select(Game.id).where(*mine).order_by(Game.id)).scalars())


def _numbers(session: Session, league_id: int, uids: Sequence[str]) -> list[int]:
    found: list[int] = []
    for some in slices(uids):
        mine = select(Game.id).where(Game.league_id == league_id, Game.uid.in_(some))
        found += session.execute(mine).scalars()
    return sorted(found)


def _set_aside(session: Session, league_id: int, uids: Sequence[str]) -> None:
    """Let games that were taken out be known by other names: theirs come in anew."""
    for uid in uids:
        mine = (Game.league_id == league_id, Game.uid == uid, Game.hidden)
        session.execute(update(Game).where(*mine).values(uid=token_urlsafe(16)))


def _dumped(rules: object) -> str:
    return json.dumps(rules, ensure_ascii=False, sort_keys=True)
