"""Storing the games of a document, hidden: nobody sees them before they all are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from secrets import token_hex
from typing import Any

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from companion.games.game_season import season_for
from companion.games.locking import lock_league
from companion.games.record import write_rules
from companion.games.rows import contract_key
from companion.games.seals import add_seals
from companion.store.models import Deal, Device, Game, History, League, Line, Player, Season, Seat
from companion.store.names import name_key

from .document import Document
from .exporting import with_players
from .import_check import CheckedGame


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document goes: the league, and its numbers for those of the document."""

    league_id: int
    players: Mapping[int, int]
    new_players: frozenset[int]
    phones: Mapping[int, int]


def make_place(session: Session, document: Document, league_id: int | None, now: datetime) -> Place:
    """Make the league, if it is a new one, the players it does not have, and the old phones.

    New players are archived until their games are shown; old phones cannot come back. Players
    whom an import that broke off, or was undone, left behind are new once more.
    """
    if league_id is None:
        league_id = _new_league(session, document, now)
    known = _players(session, league_id)
    idle = _idle(session, league_id)
    for player in document.players:
        key = name_key(player.name)
        if key not in known:
            facts = {"name": player.name, "name_key": key, "archived": True}
            session.add(Player(league_id=league_id, **facts))
    session.flush()
    alone = (Player.league_id == league_id, Player.person_id.is_(None))
    session.execute(update(Player).where(*alone).values(person_id=Player.id))
    there = _players(session, league_id)
    numbers = {p.number: there[name_key(p.name)] for p in document.players}
    new = {there[key] for key in there.keys() - known.keys()} | (idle & set(numbers.values()))
    return Place(league_id, numbers, frozenset(new), _old_phones(session, document, league_id, now))


def _new_league(session: Session, document: Document, now: datetime) -> int:
    facts = document.league
    league = League(
        name=facts.name,
        is_sample=False,
        judge_during_deal=facts.judge_during_deal,
        show_chances=facts.show_chances,
        created_at=now,
        revision=0,
        upheaval=0,
    )
    session.add(league)
    session.flush()
    for season in document.seasons:
        session.add(Season(league_id=league.id, **msgspec.structs.asdict(season)))
    session.flush()
    return league.id


def _players(session: Session, league_id: int) -> dict[str, int]:
    rows = select(Player.name_key, Player.id).where(Player.league_id == league_id)
    return dict(session.execute(rows).all())


def _idle(session: Session, league_id: int) -> set[int]:
    """Find the archived people whom nobody sees in any game."""
    alone = (Player.person_id == Player.id, Player.last_game.is_(None))
    idle = select(Player.id).where(Player.league_id == league_id, Player.archived, *alone)
    return set(session.execute(idle).scalars())


def _old_phones(
    session: Session, document: Document, league_id: int, now: datetime
) -> dict[int, int]:
    """Make a row for each phone that wrote the games, without a token that anybody has."""
    phones = [
        Device(
            league_id=league_id,
            token_hash=token_hex(32),
            role=device.role,
            created_at=now,
            revoked_at=now,
        )
        for device in document.devices
    ]
    for phone in phones:
        session.add(phone)
        session.flush()
    return {number: phone.id for number, phone in enumerate(phones, start=1)}


def store_games(session: Session, place: Place, games: Sequence[CheckedGame]) -> list[int]:
    """Store games, hidden and in no sum, and give their numbers."""
    seasons: dict[date, int] = {}
    numbers = []
    for game in games:
        day = game.facts.played_on
        if day not in seasons:
            seasons[day] = season_for(session, place.league_id, day)
        numbers.append(_store_game(session, place, game, seasons[day]))
    both = list(zip(numbers, games, strict=True))
    _insert(session, Seat, (row for one in both for row in _seats(place, *one)))
    _insert(session, Deal, (row for one in both for row in _deals(place, *one)))
    _insert(session, Line, (row for one in both for row in _lines(place, *one)))
    taken = _taken_keys(session, place, games)
    changes = [row for one in both for row in _history(place, *one, taken)]
    _insert(session, History, changes)
    _seal(session, place, changes, dict(both))
    return numbers


def _seal(
    session: Session,
    place: Place,
    changes: Sequence[dict[str, Any]],
    games: Mapping[int, CheckedGame],
) -> None:
    """Seal what came in as ours: a file's own seal is of another chain."""
    lock_league(session, place.league_id)
    rules = {number: write_rules(game.record.variant) for number, game in games.items()}
    for row in changes:
        if row["revision"] == 1:
            row["rules"] = rules[row["game_id"]]
    add_seals(session, place.league_id, changes)


def _insert(session: Session, model: Any, rows: Iterable[dict[str, Any]]) -> None:
    if found := list(rows):
        session.execute(insert(model), found)


def _store_game(session: Session, place: Place, game: CheckedGame, season: int) -> int:
    facts, record = game.facts, game.record
    row = Game(
        league_id=place.league_id,
        season_id=season,
        variant_key=record.variant.key,
        variant_name=record.variant.name,
        rules=write_rules(record.variant),
        facts=record.units()["game"],
        status=record.status,
        revision=len(facts.history),
        started_at=facts.started_at,
        uid=facts.uid,
        played_on=facts.played_on,
        note=record.note,
        hidden=True,
        counted=False,
        players=game.earned.players,
        margin=game.earned.margin,
        touched=0,
    )
    session.add(row)
    session.flush()
    number = row.id
    session.expunge(row)
    return number


def _seats(place: Place, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    of_game = {
        "game_id": number,
        "league_id": place.league_id,
        "variant_key": game.record.variant.key,
        "played_on": game.facts.played_on,
        "counted": False,
    }
    for seat, (record, receipt) in enumerate(
        zip(game.record.seats, game.earned.seats, strict=True)
    ):
        person = {"player_id": place.players[record.player_id]}
        yield of_game | {"number": seat} | asdict(record) | asdict(receipt) | person


def _deals(place: Place, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    for position, deal in enumerate(game.record.deals, start=1):
        yield {
            "game_id": number,
            "position": position,
            "league_id": place.league_id,
            "step": deal.step,
            "contract": contract_key(game.record.variant, deal.step),
            "dealer": deal.dealer,
            "void": deal.void,
            "after_void": deal.after_void,
        }


def _lines(place: Place, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    for position, deal in enumerate(game.record.deals, start=1):
        for seat, line in sorted(deal.lines.items()):
            here = {"game_id": number, "position": position, "seat": seat}
            told = {"league_id": place.league_id, "declared": line.tally.declared}
            yield here | told | line.to_data()


def _taken_keys(session: Session, place: Place, games: Sequence[CheckedGame]) -> set[str]:
    """Find the keys of changes that other games of the league have, as two samples do."""
    keys = [change.key for game in games for change in game.facts.history]
    taken: set[str] = set()
    for start in range(0, len(keys), 500):
        some = History.key.in_(keys[start : start + 500])
        mine = select(History.key).where(History.league_id == place.league_id, some)
        taken.update(session.execute(mine).scalars())
    return taken


def _history(
    place: Place, number: int, game: CheckedGame, taken: set[str]
) -> Iterable[dict[str, Any]]:
    for change in game.facts.history:
        own = f"{number}.{game.facts.uid}.{change.revision}"
        yield {
            "game_id": number,
            "revision": change.revision,
            "league_id": place.league_id,
            "key": own if change.key in taken else change.key,
            "device_id": place.phones[change.device],
            "at": change.at,
            "action": change.action,
            "notes": msgspec.to_builtins(change.notes),
            "before": with_players(change.before, place.players),
            "after": with_players(change.after, place.players),
        }
