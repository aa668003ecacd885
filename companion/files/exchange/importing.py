"""Bringing a document into a league as one act, and undoing it as one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from secrets import token_urlsafe
from typing import TypeVar

from sqlalchemy import delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from companion.games import totals
from companion.games.locking import in_league
from companion.people import house_rules
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.models import Device, Facts, Game, House, LeagueAction, Player, Seat, db
from companion.store.names import name_key

from .comparison import ImportPreview, import_preview
from .document import Document
from .document_reader import ExchangeError
from .exporting import BEGUN, ELSEWHERE, IMPORTED, Progress, renumbered, silent
from .import_check import CheckedGame, check_document
from .import_rows import Place, make_place, store_games
from .import_seats import refuse_seated_twice

Answer = TypeVar("Answer")
AT_ONCE = 25
"""So many games are stored in one transaction; of more, each so many have their own."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came of it: the league, the act that can be undone, and what was new."""

    league_id: int
    act_id: int | None
    import_preview: ImportPreview
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """One file that was brought in, and whether that was undone."""

    act_id: int
    at: datetime
    league_name: str
    games: int
    undone_at: datetime | None


def import_document(
    document: Document,
    key: str,
    *,
    author: Author | None = None,
    token: str = "",
    progress: Progress = silent,
) -> ImportResult:
    """Bring a document into the author's league, or into a new one that the token's phone owns.

    Games that are here stay as they are. A key seen before answers as it did then. Raises
    `ExchangeError` that names what cannot be; then nothing is seen of it anywhere. Where a large
    file breaks off on its way into a new league, that league is the phone's, and empty.
    """
    games = check_document(document)
    session = db.session()
    session.rollback()
    if known := _known(session, author, token, key):
        return ImportResult(known.league_id, known.id, ImportPreview(""), repeated=True)
    new = import_preview(session, author.league_id if author else None, document)
    session.rollback()
    if author and new.is_nothing:
        return ImportResult(author.league_id, None, new)
    fresh = [game for game in games if game.facts.uid in new.new_games | new.anew]
    bringing = _Bringing(document, key, author, token, new)
    try:
        return (
            bringing.at_once(fresh) if len(fresh) <= AT_ONCE else bringing.by_parts(fresh, progress)
        )
    except _RepeatedError as same:
        return ImportResult(same.act.league_id, same.act.id, ImportPreview(""), repeated=True)
    except IntegrityError:
        raise ExchangeError("Somebody else brought this in meanwhile: look at it anew.") from None


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


@dataclass(frozen=True, slots=True)
class _Bringing:
    """A document on its way in."""

    document: Document
    key: str
    author: Author | None
    token: str
    new: ImportPreview

    def at_once(self, games: Sequence[CheckedGame]) -> ImportResult:
        """Do all of it in one transaction."""

        def write(session: Session) -> ImportResult:
            place = self._place(session)
            return self._show(session, place, store_games(session, place, games))

        return self._write(write)

    def by_parts(self, games: Sequence[CheckedGame], progress: Progress) -> ImportResult:
        """Store hidden games part by part, and show them all in a last transaction."""
        place = self._write(self._place)
        numbers: list[int] = []
        for start in range(0, len(games), AT_ONCE):
            part = games[start : start + AT_ONCE]
            numbers += self._write(partial(store_games, place=place, games=part))
            progress(len(numbers), len(games))
        return self._write(partial(self._show, place=place, numbers=numbers), numbers)

    def _write(self, write: Callable[[Session], Answer], stored: Sequence[int] = ()) -> Answer:
        """Run a write; a league that is there is locked before its games, as by every save."""
        if self.author is None:
            with writing() as session:
                return write(session)
        league_id, back = self.author.league_id, sorted(self.new.back | self.new.anew)

        def hold(session: Session) -> None:
            _hold_games(session, sorted([*stored, *_numbers(session, league_id, back)]))

        return in_league(self.author, write, hold)

    def _place(self, session: Session) -> Place:
        if self.author is None:
            return self._new_place(session)
        place = make_place(session, self.document, self.author.league_id, _now())
        _set_aside(session, place.league_id, sorted(self.new.anew))
        return place

    def _new_place(self, session: Session) -> Place:
        """Make a new league that the phone owns, and note under which key."""
        _queue(session, self.token)
        if known := _known(session, None, self.token, self.key):
            session.expunge(known)
            raise _RepeatedError(known)
        place = make_place(session, self.document, None, _now())
        device = self._own(session, place.league_id)
        self._note_act(session, place.league_id, device, BEGUN, {})
        return place

    def _note_act(
        self, session: Session, league_id: int, device: int, kind: str, facts: Facts
    ) -> int:
        act = LeagueAction(league_id=league_id, key=self.key, device_id=device, at=_now())
        act.kind, act.facts = kind, facts
        session.add(act)
        session.flush()
        return act.id

    def _show(self, session: Session, place: Place, numbers: Sequence[int]) -> ImportResult:
        """Show the stored games and those that come back, and add up everything anew."""
        league_id = place.league_id
        revision = totals.next_revision(session, league_id)
        back = _numbers(session, league_id, sorted(self.new.back))
        self._settle_people(session, place)
        refuse_seated_twice(session, league_id, [*numbers, *back])
        _take_back_archiving(session, league_id, back)
        facts: Facts = {
            "league": self.document.league.name,
            "games": len(numbers) + len(back),
            "players": sorted(place.new_players),
            "houses": self._houses(session, league_id),
        }
        if self.author:
            device = self.author.device_id
            act_id = self._note_act(session, league_id, device, IMPORTED, facts)
        else:
            act_id = self._finish_act(session, league_id, facts)
            self._acts(session, place)
        shown = [*numbers, *back]
        _show_games(session, league_id, shown, act_id)
        _add_up(session, league_id, shown, revision)
        return ImportResult(league_id, act_id, self.new)

    def _settle_people(self, session: Session, place: Place) -> None:
        """Make new players what the document says: whose other names they are, who is archived."""
        mine = select(Player.id, Player.person_id).where(Player.league_id == place.league_id)
        persons: dict[int, int | None] = dict(session.execute(mine).all())
        for player in self.document.players:
            number = place.players[player.number]
            if number in place.new_players:
                into = place.players.get(player.merged_into or 0, number)
                person = {"archived": player.archived, "person_id": persons[into]}
                session.execute(update(Player).where(Player.id == number).values(person))

    def _finish_act(self, session: Session, league_id: int, facts: Facts) -> int:
        begun = (
            LeagueAction.league_id == league_id,
            LeagueAction.key == self.key,
            LeagueAction.kind == BEGUN,
        )
        act = session.execute(select(LeagueAction).where(*begun)).scalar_one()
        act.kind, act.at, act.facts = IMPORTED, _now(), facts
        session.flush()
        return act.id

    def _own(self, session: Session, league_id: int) -> int:
        """Make its owner's phone the owner of the new league."""
        device = Device(
            league_id=league_id,
            token_hash=token_hash(self.token),
            role="owner",
            created_at=_now(),
        )
        session.add(device)
        session.flush()
        return device.id

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

    def _acts(self, session: Session, place: Place) -> None:
        """Keep what was done elsewhere for the record: a file cannot say what is undone here."""
        for act in self.document.acts:
            session.add(
                LeagueAction(
                    league_id=place.league_id,
                    key=act.key,
                    device_id=place.phones[act.device],
                    at=act.at,
                    kind=ELSEWHERE,
                    facts={"kind": act.kind, "facts": renumbered(act.facts, place.players)},
                    undone_at=act.undone_at,
                )
            )
        session.flush()


def undo_import(author: Author, act_id: int) -> None:
    """Take everything out again that one file brought in; the history of its games stays.

    Raises `ExchangeError` where there is no such import, or it was undone before.
    """

    def write(session: Session) -> None:
        act = _import(session, author.league_id, act_id)
        if act is None or act.undone_at is not None:
            raise ExchangeError("This was undone already.")
        revision = totals.next_revision(session, author.league_id)
        _hide_games(session, author.league_id, _games_of(session, author, act_id), revision)
        archived = _archive_idle(session, act.facts.get("players"))
        _drop_houses(session, author.league_id, act.facts.get("houses"))
        act.facts = {**act.facts, "archived": archived}
        act.undone_at = _now()

    in_league(
        author, write, lambda session: _hold_games(session, _games_of(session, author, act_id))
    )


def _games_of(session: Session, author: Author, act_id: int) -> list[int]:
    mine = (Game.league_id == author.league_id, Game.act_id == act_id)
    return list(session.execute(select(Game.id).where(*mine).order_by(Game.id)).scalars())


def _hold_games(session: Session, numbers: Sequence[int]) -> None:
    """Lock games after their league, in their order."""
    for some in _parts(numbers):
        theirs = select(Game.id).where(Game.id.in_(some)).order_by(Game.id)
        session.execute(theirs.with_for_update()).all()


def imports(session: Session, league_id: int) -> list[Import]:
    """List what was brought into a league, the latest first."""
    mine = select(LeagueAction).where(
        LeagueAction.league_id == league_id, LeagueAction.kind == IMPORTED
    )
    return [
        Import(
            act.id,
            act.at,
            str(act.facts.get("league", "")),
            int(str(act.facts.get("games", 0))),
            act.undone_at,
        )
        for act in session.execute(mine.order_by(LeagueAction.id.desc())).scalars()
    ]


def _import(session: Session, league_id: int, act_id: int) -> LeagueAction | None:
    mine = (
        LeagueAction.league_id == league_id,
        LeagueAction.id == act_id,
        LeagueAction.kind == IMPORTED,
    )
    return session.execute(select(LeagueAction).where(*mine).with_for_update()).scalar_one_or_none()


def _numbers(session: Session, league_id: int, uids: Sequence[str]) -> list[int]:
    found: list[int] = []
    for some in _parts(uids):
        mine = select(Game.id).where(Game.league_id == league_id, Game.uid.in_(some))
        found += session.execute(mine).scalars()
    return sorted(found)


def _set_aside(session: Session, league_id: int, uids: Sequence[str]) -> None:
    """Let games that were taken out be known by other names: theirs come in anew."""
    for uid in uids:
        mine = (Game.league_id == league_id, Game.uid == uid, Game.hidden)
        session.execute(update(Game).where(*mine).values(uid=token_urlsafe(16)))


def _parts(items: Sequence[str] | Sequence[int]) -> Iterator[Sequence[str] | Sequence[int]]:
    for start in range(0, len(items), 500):
        yield items[start : start + 500]


def _show_games(session: Session, league_id: int, numbers: Sequence[int], act_id: int) -> None:
    """Show games, count those that ended, and note who sat down in them last."""
    for some in _parts(numbers):
        mine = select(Game.id, Game.status, Game.players, Game.facts).where(Game.id.in_(some))
        counted = [
            game.id
            for game in session.execute(mine)
            if game.status == "finished" and game.players > 1 and game.facts.get("counts", True)
        ]
        shown = update(Game).where(Game.id.in_(some))
        session.execute(shown.values(hidden=False, act_id=act_id))
        session.execute(update(Game).where(Game.id.in_(counted)).values(counted=True))
        session.execute(update(Seat).where(Seat.game_id.in_(counted)).values(counted=True))
    _note_last_games(session, league_id)


def _hide_games(session: Session, league_id: int, numbers: Sequence[int], revision: int) -> None:
    _take_from_sums(session, numbers, revision)
    for some in _parts(numbers):
        hidden = {"hidden": True, "counted": False}
        session.execute(update(Game).where(Game.id.in_(some)).values(hidden))
        session.execute(update(Seat).where(Seat.game_id.in_(some)).values(counted=False))
    _note_last_games(session, league_id)
    if len(numbers) > AT_ONCE:
        totals.rebuild(session, league_id)
    totals.mark_all_stale(session, league_id)


def _add_up(session: Session, league_id: int, numbers: Sequence[int], revision: int) -> None:
    if len(numbers) > AT_ONCE:
        totals.rebuild(session, league_id)
    else:
        mine = select(Game).where(Game.id.in_(numbers), Game.counted)
        for game in session.execute(mine.order_by(Game.id)).scalars():
            totals.add(session, game, revision)
    totals.mark_all_stale(session, league_id)


def _take_from_sums(session: Session, numbers: Sequence[int], revision: int) -> None:
    if len(numbers) <= AT_ONCE:
        mine = select(Game).where(Game.id.in_(numbers), Game.counted)
        for game in session.execute(mine.order_by(Game.id)).scalars():
            totals.subtract(session, game, revision)


def _note_last_games(session: Session, league_id: int) -> None:
    """Note for everybody the latest game that the league can see them in, by any of their names.

    A name that was made part of a person keeps its own, for when the two are parted again.
    """
    entry = aliased(Player)
    last = (
        select(func.max(Seat.game_id))
        .join(Game, Game.id == Seat.game_id)
        .join(entry, entry.id == Seat.player_id)
        .where(or_(entry.id == Player.id, entry.person_id == Player.id))
        .where(Game.league_id == league_id, Game.hidden.is_(False))
        .correlate(Player)
        .scalar_subquery()
    )
    everybody = update(Player).where(Player.league_id == league_id)
    session.execute(
        everybody.values(last_game=last), execution_options={"synchronize_session": False}
    )


def _archive_idle(session: Session, players: object) -> list[int]:
    """Archive those of these players who are seen in no game."""
    mine = players if isinstance(players, list) else []
    seen = exists().where(
        Seat.player_id == Player.id, Seat.game_id == Game.id, Game.hidden.is_(False)
    )
    idle = select(Player.id).where(Player.id.in_(mine), Player.archived.is_(False), ~seen)
    numbers = list(session.execute(idle).scalars())
    session.execute(update(Player).where(Player.id.in_(numbers)).values(archived=True))
    return numbers


def _take_back_archiving(session: Session, league_id: int, back: Sequence[int]) -> None:
    """Let those be seen again whom the undoing of the same games had archived."""
    acts = select(Game.act_id).where(Game.league_id == league_id, Game.id.in_(back)).distinct()
    for facts in session.execute(
        select(LeagueAction.facts).where(LeagueAction.id.in_(acts))
    ).scalars():
        archived = facts.get("archived")
        if isinstance(archived, list):
            session.execute(update(Player).where(Player.id.in_(archived)).values(archived=False))


def _drop_houses(session: Session, league_id: int, added: object) -> None:
    """Take away the house rules that came with the file, unless they were changed since."""
    for key, revision in (added if isinstance(added, dict) else {}).items():
        mine = (House.league_id == league_id, House.key == key, House.revision == revision)
        session.execute(delete(House).where(*mine))


def _dumped(rules: object) -> str:
    return json.dumps(rules, ensure_ascii=False, sort_keys=True)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
