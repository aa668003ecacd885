"""Storing what a document holds; its games hidden: nobody sees one before they all are there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict
from sqlalchemy import and_, insert, select, update
from sqlalchemy.orm import Session

from companion.games.game_season import season_for
from companion.games.locking import lock_league
from companion.games.rows import contract_key
from companion.games.seals import add_seals
from companion.store.models import (
    Deal,
    Device,
    Game,
    History,
    League,
    LeagueAction,
    Line,
    Player,
    Season,
    Seat,
    TeamMember,
)
from companion.store.names import name_key

from .document import ActFacts, DeviceFacts, Document, PlayerFacts, SeasonFacts
from .exporting import ELSEWHERE, renumbered, with_players
from .import_check import CheckedGame


class Place(Struct, frozen=True):
    """Where a document goes: the league, the action, and its numbers for those of the document."""

    league_id: int
    act_id: int
    players: dict[int, int] = field(default_factory=dict)
    new_players: set[int] = field(default_factory=set)
    phones: dict[int, int] = field(default_factory=dict)


def new_league(session: Session, document: Document, now: datetime) -> int:
    """Make the league and its seasons."""
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
    _insert(session, Season, (_season(league.id, season) for season in document.seasons))
    return league.id


def _season(league_id: int, season: SeasonFacts) -> dict[str, Any]:
    return {"league_id": league_id, **msgspec.structs.asdict(season)}


def add_players(
    session: Session, league_id: int, players: Sequence[PlayerFacts]
) -> tuple[dict[int, int], set[int]]:
    """Add those of these players whom the league does not have; give all their numbers.

    New ones are archived until their games are shown. Players whom an import that broke off, or
    was undone, left behind are new once more.
    """
    keys = {name_key(player.name): player for player in players}
    known = _players(session, league_id, keys)
    rows = (
        {"league_id": league_id, "name": player.name, "name_key": key, "archived": True}
        for key, player in keys.items()
        if key not in known
    )
    _insert(session, Player, rows)
    mine = (Player.league_id == league_id, Player.name_key.in_(keys))
    alone = update(Player).where(*mine, Player.person_id.is_(None))
    session.execute(alone.values(person_id=Player.id))
    there = _players(session, league_id, keys)
    numbers = {player.number: there[key][0] for key, player in keys.items()}
    teams = [player for key, player in keys.items() if player.members and key not in known]
    members = (
        {"league_id": league_id, "team_id": numbers[team.number], "member_id": numbers[member]}
        for team in teams
        for member in team.members
    )
    _insert(session, TeamMember, members)
    return numbers, {number for key, (number, idle) in there.items() if idle or key not in known}


def _players(
    session: Session, league_id: int, keys: Collection[str]
) -> dict[str, tuple[int, bool]]:
    """Find people by their names; with each whether they are archived and seen in no game."""
    idle = and_(Player.archived, Player.person_id == Player.id, Player.last_game.is_(None))
    mine = (Player.league_id == league_id, Player.name_key.in_(keys))
    rows = session.execute(select(Player.name_key, Player.id, idle).where(*mine))
    return {key: (number, bool(is_idle)) for key, number, is_idle in rows}


def add_phones(
    session: Session, league_id: int, devices: Sequence[DeviceFacts], now: datetime
) -> dict[int, int]:
    """Make a row for each phone that wrote the games, without a token that anybody has."""
    rows = {
        token_hex(32): {"league_id": league_id, "role": device.role, "number": device.number}
        for device in devices
    }
    times = {"created_at": now, "revoked_at": now, "name": ""}
    told = ("league_id", "role")
    _insert(
        session,
        Device,
        ({"token_hash": key, **times, **{n: row[n] for n in told}} for key, row in rows.items()),
    )
    made = select(Device.token_hash, Device.id).where(Device.token_hash.in_(rows))
    return {int(rows[key]["number"]): number for key, number in session.execute(made)}


def settle_people(session: Session, place: Place, players: Sequence[PlayerFacts]) -> None:
    """Make new players the other names of whom the document says."""
    for player in players:
        number = place.players[player.number]
        if player.merged_into and number in place.new_players:
            into = select(Player.person_id).where(Player.id == place.players[player.merged_into])
            mine = update(Player).where(Player.id == number)
            session.execute(mine.values(person_id=into.scalar_subquery()))


def add_acts(session: Session, place: Place, acts: Sequence[ActFacts]) -> None:
    """Keep what was done elsewhere for the record: a file cannot say what is undone here."""
    rows = (
        {
            "league_id": place.league_id,
            "key": act.key,
            "device_id": place.phones[act.device],
            "at": act.at,
            "kind": ELSEWHERE,
            "facts": {"kind": act.kind, "facts": renumbered(act.facts, place.players)},
            "undone_at": act.undone_at,
        }
        for act in acts
    )
    _insert(session, LeagueAction, rows)


def store_games(session: Session, place: Place, games: Sequence[CheckedGame]) -> list[int]:
    """Store games of an action, hidden and in no sum, and return their numbers."""
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
    for row in changes:
        if row["revision"] == 1:
            row["rules"] = games[row["game_id"]].rules
    add_seals(session, place.league_id, changes)


def _insert(session: Session, model: Any, rows: Iterable[dict[str, Any]]) -> None:
    if found := list(rows):
        session.execute(insert(model.__table__), found)


def _store_game(session: Session, place: Place, game: CheckedGame, season: int) -> int:
    facts, record = game.facts, game.record
    row = {
        "league_id": place.league_id,
        "season_id": season,
        "variant_key": record.variant.key,
        "variant_name": record.variant.name,
        "rules": game.rules,
        "facts": record.units()["game"],
        "status": record.status,
        "revision": len(facts.history),
        "started_at": facts.started_at,
        "uid": facts.uid,
        "act_id": place.act_id,
        "played_on": facts.played_on,
        "note": record.note,
        "hidden": True,
        "counted": False,
        "players": game.earned.players,
        "margin": game.earned.margin,
        "touched": 0,
    }
    stored = insert(Game.__table__).returning(Game.id)  # type: ignore[arg-type]
    return int(session.execute(stored, row).scalar_one())


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
