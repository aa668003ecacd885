"""Storing what a document holds; its games hidden: nobody sees one before they all are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict
from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session, aliased

from companion.games.game_season import begin_year_of
from companion.games.rows import deal_row, game_row, line_rows
from companion.games.teams import settle_teams, team_key, team_lines, team_name
from companion.people.bulk_games import slices
from companion.people.roster import LEFT_BEHIND
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

from .document import ActData, DeviceData, Document, PlayerData
from .exporting import ELSEWHERE, renumbered, with_players
from .import_check import CheckedGame


class Target(Struct, frozen=True):
    """Where a document goes: the league, and its numbers for those of the document."""

    league_id: int
    players: dict[int, int] = field(default_factory=dict)
    new_players: set[int] = field(default_factory=set)
    phones: dict[int, int] = field(default_factory=dict)


def _insert(session: Session, model: Any, rows: Iterable[dict[str, Any]]) -> None:
    if listed := list(rows):
        session.execute(insert(model.__table__), listed)


def _insert_numbered(session: Session, model: Any, rows: Iterable[dict[str, Any]]) -> Sequence[int]:
    """Insert rows and return their numbers, in their order."""
    # Unless it is asked for, a database returns inserted rows in any order.
    numbered = insert(model.__table__).returning(model.id, sort_by_parameter_order=True)
    listed = list(rows)
    return session.execute(numbered, listed).scalars().all() if listed else []


def new_league(session: Session, document: Document, now: datetime) -> int:
    """Make the league and its seasons."""
    facts = {"is_sample": False, "created_at": now}
    league = League(**asdict(document.league), **facts)
    session.add(league)
    session.flush()
    of_league = {"league_id": league.id}
    _insert(session, Season, (of_league | asdict(season) for season in document.seasons))
    return league.id


def add_players(session: Session, target: Target, players: Sequence[PlayerData]) -> None:
    """Add the people of a document whom the league does not have, and note all their numbers.

    New ones are archived until their games are shown. Players whom an import that broke off, or
    was undone, left behind are new once more.
    """
    of_league = select(Player.name_key, Player.id, LEFT_BEHIND).where(
        Player.league_id == target.league_id
    )
    entries = {key: (number, is_idle) for key, number, is_idle in session.execute(of_league)}
    keys = {name_key(player.name): player for player in players if not player.members}
    new = {key: player.name for key, player in keys.items() if key not in entries}
    numbers = _add_entries(session, target, new)
    entries |= {key: (number, True) for key, number in zip(new, numbers, strict=True)}
    for key, player in keys.items():
        number, is_idle = entries[key]
        target.players[player.number] = number
        if is_idle:
            target.new_players.add(number)


def _add_entries(session: Session, target: Target, names: Mapping[str, str]) -> Sequence[int]:
    """Add names by their keys, each a person of its own and archived; return their numbers."""
    of_league = {"league_id": target.league_id, "archived": True}
    rows = (of_league | {"name": name, "name_key": key} for key, name in names.items())
    numbers = _insert_numbered(session, Player, rows)
    alone = update(Player).where(Player.league_id == target.league_id, Player.person_id.is_(None))
    session.execute(alone.values(person_id=Player.id))
    return numbers


def add_phones(
    session: Session, target: Target, devices: Sequence[DeviceData], now: datetime
) -> None:
    """Make a row for each phone that wrote the games, without a token that anybody has."""
    facts = {"league_id": target.league_id, "created_at": now, "revoked_at": now, "name": ""}
    rows = [facts | {"token_hash": token_hex(32), "role": device.role} for device in devices]
    numbers = _insert_numbered(session, Device, rows)
    target.phones.update(zip([device.number for device in devices], numbers, strict=True))


def settle_people(session: Session, target: Target, players: Sequence[PlayerData]) -> None:
    """Add the teams of a document, and make new players the other names of whom it says."""
    _add_teams(session, target, players)
    for player in players:
        number = target.players[player.number]
        if player.merged_into and number in target.new_players:
            into = select(Player.person_id).where(Player.id == target.players[player.merged_into])
            entry = update(Player).where(Player.id == number)
            session.execute(entry.values(person_id=into.scalar_subquery()))
    settle_teams(session, target.league_id)


def _add_teams(session: Session, target: Target, players: Sequence[PlayerData]) -> None:
    """Find each team by its people, or add it, called by them in the order of the document."""
    person_of = _people(session, target.league_id)
    lines_of = team_lines(session, target.league_id)
    fresh: dict[frozenset[int], str] = {}
    teams: dict[int, frozenset[int]] = {}
    for team in (player for player in players if player.members):
        persons = [players[number - 1].merged_into or number for number in team.members]
        people = dict(person_of[target.players[person]] for person in persons)
        # Here they may be one person: then no game of theirs comes in.
        if len(people) == 1:
            target.players[team.number] = next(iter(people))
            continue
        teams[team.number] = frozenset(people)
        if teams[team.number] not in lines_of:
            fresh[teams[team.number]] = team_name([*people.values()], team.name)
    people_of = {team_key(sorted(people)): people for people in fresh}
    added = _add_entries(session, target, {key: fresh[of] for key, of in people_of.items()})
    lines_of |= dict(zip(people_of.values(), added, strict=True))
    members = (
        {"league_id": target.league_id, "team_id": lines_of[people], "member_id": person}
        for people in fresh
        for person in people
    )
    _insert(session, TeamMember, members)
    target.players.update({number: lines_of[people] for number, people in teams.items()})
    idle = select(TeamMember.team_id).join(Player, Player.id == TeamMember.team_id)
    left = session.execute(idle.where(Player.league_id == target.league_id, LEFT_BEHIND)).scalars()
    target.new_players.update({*left} & {lines_of[people] for people in teams.values()})


def _people(session: Session, league_id: int) -> dict[int, tuple[int, str]]:
    """Return by entry whose it is, and what that person is called."""
    person = aliased(Player)
    rows = select(Player.id, person.id, person.name).join(person, person.id == Player.person_id)
    of_league = session.execute(rows.where(Player.league_id == league_id))
    return {entry: (number, name) for entry, number, name in of_league}


def add_acts(session: Session, target: Target, acts: Sequence[ActData]) -> None:
    """Keep what was done elsewhere for the record: a file cannot say what is undone here."""
    rows = (
        {
            "league_id": target.league_id,
            "key": act.key,
            "device_id": target.phones[act.device],
            "at": act.at,
            "kind": ELSEWHERE,
            "facts": {"kind": act.kind, "facts": renumbered(act.facts, target.players)},
            "undone_at": act.undone_at,
        }
        for act in acts
    )
    _insert(session, LeagueAction, rows)


def store_games(session: Session, target: Target, games: Sequence[CheckedGame]) -> Sequence[int]:
    """Store games, hidden and not counted, and return their numbers."""
    begin_year_of(session, target.league_id, {game.facts.played_on for game in games})
    rows = (_game(target, game) for game in games)
    numbers = _insert_numbered(session, Game, rows)
    in_use = _taken_keys(session, target, games)
    numbered = list(zip(numbers, games, strict=True))
    for model, rows_of in ((Seat, _seats), (Deal, _deals), (Line, _lines)):
        _insert(session, model, (row for pair in numbered for row in rows_of(target, *pair)))
    _insert(session, History, (row for pair in numbered for row in _history(target, *pair, in_use)))
    return numbers


def _game(target: Target, game: CheckedGame) -> dict[str, Any]:
    facts, record = game.facts, game.record
    return {
        "league_id": target.league_id,
        "variant_key": record.variant.key,
        "variant_name": record.variant.name,
        "rules": game.rules,
        **game_row(record, game.earned),
        "revision": len(facts.history),
        "started_at": facts.started_at,
        "uid": facts.uid,
        "played_on": facts.played_on,
        "hidden": True,
        "counted": False,
    }


def _seats(target: Target, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    of_game = {
        "game_id": number,
        "league_id": target.league_id,
        "variant_key": game.record.variant.key,
        "played_on": game.facts.played_on,
        "counted": False,
    }
    stays = zip(game.record.seats, game.earned.seats, strict=True)
    for seat, (stay, receipt) in enumerate(stays):
        person = {"number": seat, "player_id": target.players[stay.player_id]}
        yield of_game | asdict(stay) | asdict(receipt) | person


def _deals(target: Target, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    of_game = {"game_id": number, "league_id": target.league_id}
    for position, deal in enumerate(game.record.deals, start=1):
        yield of_game | {"position": position} | deal_row(game.record.variant, deal)


def _lines(target: Target, number: int, game: CheckedGame) -> Iterable[dict[str, Any]]:
    of_game = {"game_id": number, "league_id": target.league_id}
    for position, deal in enumerate(game.record.deals, start=1):
        yield from (of_game | {"position": position} | line for line in line_rows(deal))


def _taken_keys(session: Session, target: Target, games: Sequence[CheckedGame]) -> set[str]:
    """Find the keys of changes that other games of the league have, as two samples do."""
    keys = [change.key for game in games for change in game.facts.history]
    in_use: set[str] = set()
    for part in slices(keys):
        of_league = (History.league_id == target.league_id, History.key.in_(part))
        in_use.update(session.execute(select(History.key).where(*of_league)).scalars())
    return in_use


def _history(
    target: Target, number: int, game: CheckedGame, in_use: set[str]
) -> Iterable[dict[str, Any]]:
    for change in game.facts.history:
        own_key = f"{number}.{game.facts.uid}.{change.revision}"
        yield {
            "game_id": number,
            "revision": change.revision,
            "league_id": target.league_id,
            "key": own_key if change.key in in_use else change.key,
            "device_id": target.phones[change.device],
            "at": change.at,
            "action": change.action,
            "notes": msgspec.to_builtins(change.notes),
            "before": with_players(change.before, target.players),
            "after": with_players(change.after, target.players),
        }
