"""The only writer: every change is one transaction that locks, checks and adds to the history.

A write locks the game, looks for its key, compares the revision, asks the change, writes the
units that differ with one history row, and moves the revision on by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from companion.cards import Pack, RuleError
from companion.rules import Variant
from companion.scoring import Finding

from .archive import history_units, is_number, load_game
from .changes import Change, ChangeError, join
from .models import Deal, Device, Game, History, League, Line, Player, Season, Seat
from .names import all_different, clean_name, name_key
from .record import DealRecord, Record, SeatRecord, StartRule, Units, changed_units, write_rules
from .store import writing

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something: a device of a league."""

    league_id: int
    device_id: int


@dataclass(frozen=True, slots=True)
class Saved:
    """What a write led to: `repeated` if stored before, `changed` if anything differs."""

    game_id: int
    revision: int
    repeated: bool = False
    changed: bool = True


class StaleError(RuleError):
    """The game was changed by someone else since this page was opened."""


class NoSuchGameError(LookupError):
    """No game of this league has this number."""


class DoubtError(RuleError):
    """A change that is odd but possible and was not confirmed yet."""

    def __init__(self, change: Change) -> None:
        self.change = change
        super().__init__("Please look at this once more before it is saved.")


def token_hash(token: str) -> str:
    """Hash a device's token: only this is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def open_league(name: str, token: str, *, is_sample: bool = False) -> Author:
    """Open a league owned by the device with this token, with its first season running."""
    with writing() as session:
        now = _now()
        league = League(
            name=clean_name(name), is_sample=is_sample, judge_during_deal=True, created_at=now
        )
        session.add(league)
        session.flush()
        session.add(Season(league_id=league.id, name=str(now.year), starts_on=now.date()))
        device = Device(
            league_id=league.id, token_hash=token_hash(token), role="owner", created_at=now
        )
        session.add(device)
        session.flush()
        return Author(league.id, device.id)


def leave_league(author: Author) -> None:
    """Take a device out of its league; the row stays, revoked."""
    with writing() as session:
        mine = (Device.league_id == author.league_id, Device.id == author.device_id)
        session.execute(update(Device).where(*mine).values(revoked_at=_now()))


def allow_judge(author: Author, *, during_deal: bool) -> None:
    """Say whether the judge answers while a deal is played, or only after it."""
    with writing() as session:
        mine = League.id == author.league_id
        session.execute(update(League).where(mine).values(judge_during_deal=during_deal))


def start_game(
    author: Author,
    key: str,
    variant: Variant,
    names: Sequence[str],
    first_dealer: int = 0,
    pack: Pack | None = None,
) -> Saved:
    """Start a game with these players in seat order; new names become players of the league.

    Raises `RuleError` for a number of players the game is not for, a name that cannot be used or
    stands twice, and a dealer without a seat.
    """
    if not variant.players.min <= len(names) <= variant.players.max:
        raise ChangeError(variant.wrong_players(len(names)))
    if not 0 <= first_dealer < len(names):
        raise ChangeError("There is no such seat.")
    people = all_different(map(clean_name, names))
    cards = pack or variant.pack(len(names))

    def begin(session: Session) -> Saved:
        _lock_league(session, author.league_id)
        if known := _known_key(session, author, key):
            return known
        players = [_player(session, author.league_id, name) for name in people]
        seats = tuple(SeatRecord(player_id=player) for player in players)
        started = Record(variant=variant, pack=cards, first_dealer=first_dealer, seats=seats)
        game = _new_game(session, author, started)
        _add_history(session, author, game, key, "started", {}, started.units(), ())
        _write_seats(session, game, started)
        return Saved(game.id, game.revision)

    return _once_more(begin)


def change_game(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    action: str,
    change: Callable[[Record], Change],
    *,
    accepted: bool = False,
) -> Saved:
    """Change a game as it is now, if nobody changed it since `revision`.

    Raises `NoSuchGameError`, `StaleError`, `DoubtError` where doubts were not accepted, and what
    the change itself raises. In all these cases nothing is stored. A key seen before answers as
    it did then.
    """
    return _change(
        author, game_id, revision, key, action, lambda _, record: change(record), accepted=accepted
    )


def join_game(
    author: Author, game_id: int, revision: int, key: str, name: str, start_rule: StartRule
) -> Saved:
    """Seat a late joiner, who becomes a player of the league if the name is new.

    Raises as `change_game` does, and `PlayerNameError` for a name that cannot be used.
    """

    def sit_down(session: Session, record: Record) -> Change:
        _lock_league(session, author.league_id)
        return join(record, _player(session, author.league_id, name), start_rule)

    return _change(author, game_id, revision, key, "joined", sit_down)


def restore(author: Author, game_id: int, revision: int, key: str, version: int) -> Saved:
    """Make the game what it was at an earlier revision; the history keeps everything between.

    Raises as `change_game` does, and `ChangeError` where there was no such version.
    """

    def go_back(session: Session, record: Record) -> Change:
        if not 1 <= version < revision:
            raise ChangeError(f"This game has no version {version} to go back to.")
        units = history_units(session, game_id, version)
        return Change(Record.from_units(record.variant, units))

    return _change(author, game_id, revision, key, "restored", go_back)


def _change(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    action: str,
    change: Callable[[Session, Record], Change],
    *,
    accepted: bool = False,
) -> Saved:
    """Lock, look for the key, compare the revision, ask the change, store what differs."""

    def write(session: Session) -> Saved:
        game = _lock_game(session, author, game_id)
        if known := _known_key(session, author, key):
            return known
        if game.revision != revision:
            raise StaleError("Someone else changed this game meanwhile.")
        record = load_game(session, author.league_id, game_id).record
        after = change(session, record)
        if not after.is_certain and not accepted:
            raise DoubtError(after)
        return _store(session, author, game, key, action, record, after)

    return _once_more(write)


def _once_more(write: Callable[[Session], Answer]) -> Answer:
    """Run a write, and the whole of it once more if PostgreSQL asks for that (40001, 40P01)."""
    try:
        with writing() as session:
            return write(session)
    except OperationalError as fault:
        if getattr(fault.orig, "sqlstate", None) not in ("40001", "40P01"):
            raise
    with writing() as session:
        return write(session)


def _lock_league(session: Session, league_id: int) -> None:
    session.execute(select(League.id).where(League.id == league_id).with_for_update()).one()


def _lock_game(session: Session, author: Author, game_id: int) -> Game:
    """Lock first, then look: a key or revision read before the lock may be old."""
    if not is_number(game_id):
        raise NoSuchGameError(game_id)
    mine = select(Game).where(Game.id == game_id, Game.league_id == author.league_id)
    game = session.execute(mine.with_for_update()).scalar_one_or_none()
    if game is None:
        raise NoSuchGameError(game_id)
    return game


def _known_key(session: Session, author: Author, key: str) -> Saved | None:
    row = session.execute(
        select(History.game_id, History.revision).where(
            History.league_id == author.league_id, History.key == key
        )
    ).first()
    return Saved(row.game_id, row.revision, repeated=True) if row else None


def _player(session: Session, league_id: int, name: str) -> int:
    clean = clean_name(name)
    known = session.execute(
        select(Player.id).where(Player.league_id == league_id, Player.name_key == name_key(clean))
    ).scalar_one_or_none()
    if known is not None:
        return known
    player = Player(league_id=league_id, name=clean, name_key=name_key(clean))
    session.add(player)
    session.flush()
    return player.id


def _new_game(session: Session, author: Author, record: Record) -> Game:
    seasons = select(Season.id).where(Season.league_id == author.league_id)
    season = session.execute(seasons.order_by(Season.starts_on.desc(), Season.id.desc())).scalars()
    game = Game(
        league_id=author.league_id,
        season_id=season.first(),
        variant_key=record.variant.key,
        variant_name=record.variant.name,
        rules=write_rules(record.variant),
        facts=record.units()["game"],
        status="running",
        revision=0,
        started_at=_now(),
    )
    session.add(game)
    session.flush()
    return game


def _store(
    session: Session,
    author: Author,
    game: Game,
    key: str,
    action: str,
    before: Record,
    change: Change,
) -> Saved:
    """Write what differs, then the history row; the game's status and places follow from it."""
    record = change.record
    old, new = changed_units(before.units(), record.units())
    if not new:
        return Saved(game.id, game.revision, changed=False)
    deals = {int(name[5:]) for name in new if name.startswith("deal:")}
    if any(a.player_id != b.player_id for a, b in zip(before.seats, record.seats, strict=False)):
        deals = set(range(1, max(len(before.deals), len(record.deals)) + 1))
        _clear_table(session, game)
    _write_seats(session, game, record)
    for position in sorted(deals):
        there = position <= len(record.deals)
        _write_deal(session, game, position, record.deals[position - 1] if there else None)
    _drop_seats(session, game, record)
    game.facts = record.units()["game"]
    game.status = record.status
    notes = (*change.doubts, *(finding for _, finding in change.forbidden))
    _add_history(session, author, game, key, action, old, new, notes)
    return Saved(game.id, game.revision)


def _add_history(
    session: Session,
    author: Author,
    game: Game,
    key: str,
    action: str,
    before: Units,
    after: Units,
    notes: Sequence[Finding],
) -> None:
    game.revision += 1
    session.flush()
    session.add(
        History(
            game_id=game.id,
            revision=game.revision,
            league_id=author.league_id,
            key=key,
            device_id=author.device_id,
            at=_now(),
            action=action,
            notes=[{"words": note.words, "seats": list(note.seats)} for note in notes],
            before=before,
            after=after,
        )
    )


def _clear_table(session: Session, game: Game) -> None:
    """Take everybody's seat and lines away where people changed places, to write them anew.

    One by one they could not move: for a moment somebody would sit twice.
    """
    session.execute(delete(Line).where(Line.game_id == game.id))
    session.execute(delete(Seat).where(Seat.game_id == game.id))


def _write_seats(session: Session, game: Game, record: Record) -> None:
    """Write every seat: new ones, changed ones, and the places of a game that ended."""
    standing = record.standing()
    ended = record.status != "running"
    for number, seat in enumerate(record.seats):
        facts: dict[str, Any] = {
            "league_id": game.league_id,
            "player_id": seat.player_id,
            "start": seat.start,
            "start_rule": seat.start_rule,
            "joined": seat.joined,
            "left": seat.left,
            "placed": seat.placed,
            "place": standing.places[number] if ended else None,
        }
        mine = (Seat.game_id == game.id, Seat.number == number)
        if not session.execute(update(Seat).where(*mine).values(facts)).rowcount:  # type: ignore[attr-defined]
            session.execute(insert(Seat).values(game_id=game.id, number=number, **facts))


def _drop_seats(session: Session, game: Game, record: Record) -> None:
    """Take away the seats of people whose joining was undone."""
    gone = (Seat.game_id == game.id, Seat.number >= len(record.seats))
    session.execute(delete(Seat).where(*gone))


def _write_deal(session: Session, game: Game, position: int, deal: DealRecord | None) -> None:
    """Replace one deal and its lines; None takes the deal away."""
    session.execute(delete(Line).where(Line.game_id == game.id, Line.position == position))
    session.execute(delete(Deal).where(Deal.game_id == game.id, Deal.position == position))
    if deal is None:
        return
    place: dict[str, Any] = {"game_id": game.id, "position": position, "league_id": game.league_id}
    facts = {key: getattr(deal, key) for key in ("step", "dealer", "void", "after_void")}
    session.execute(insert(Deal).values(**place, **facts))
    if deal.lines:
        session.execute(insert(Line), [place | _line(s, deal) for s in sorted(deal.lines)])


def _line(seat: int, deal: DealRecord) -> dict[str, Any]:
    line = deal.lines[seat]
    data = line.to_data()
    declared = line.tally.declared
    return {"seat": seat, "declared": declared, **data}


def _now() -> datetime:
    """Give the time as a label, in UTC without a zone so that every engine stores it alike."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
