"""Writing a league as one document: the same league gives the same bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import ColumnElement, Row, func, select, union
from sqlalchemy.orm import Session

from companion.games.reading import load_games
from companion.games.record import Record, read_rules, write_units
from companion.people.bulk_games import OWN_KINDS
from companion.rules import to_data
from companion.store.models import (
    Device,
    Game,
    History,
    House,
    League,
    LeagueAction,
    Player,
    Season,
    TeamMember,
)
from companion.store.names import name_key
from companion.store.progress import Progress, silent

from .document import (
    FORMAT,
    VERSION,
    ActData,
    ChangeData,
    DeviceData,
    HouseData,
    LeagueData,
    PlayerData,
    SeasonData,
    from_row,
)

BATCH = 100
PEOPLE = ("person", "kept", "gone", "entries")
"""The names under which the facts of an act tell numbers of players."""

ELSEWHERE = "elsewhere"
"""The kind of an act that came with a file: it is told on, and nobody can undo it here."""

Numbers = Mapping[int, int]


def export_league(session: Session, league_id: int, progress: Progress = silent) -> dict[str, Any]:
    """Write a league as plain data; games taken out and the tokens of devices stay behind.

    Games are read while they are iterated, `BATCH` at a time; `progress` is called with how many
    of how many. Raises `LookupError` where there is no such league.
    """
    league = session.get(League, league_id)
    if league is None:
        raise LookupError(league_id)

    def rows(model: Any, *which: ColumnElement[bool], by: Sequence[Any]) -> Sequence[Any]:
        of_league = select(model).where(model.league_id == league_id, *which).order_by(*by)
        return session.execute(of_league).scalars().all()

    # What came in or went out here is no business of a copy.
    acts = rows(LeagueAction, LeagueAction.kind.not_in(OWN_KINDS), by=[LeagueAction.id])
    devices = rows(Device, Device.id.in_(_wrote(league_id)), by=[Device.id])
    phones = {device.id: number for number, device in enumerate(devices, start=1)}
    entries = players_of(session, league_id)
    persons = {entry.id: entry.person_id or entry.id for entry in entries}
    members: dict[int, list[int]] = {}
    for member in rows(TeamMember, by=[TeamMember.team_id]):
        members.setdefault(member.team_id, []).append(persons[member.member_id])
    # Several entries of one team are one line, here and where the file comes in.
    doubled = {team for team in members if persons[team] != team}
    players = [entry for entry in entries if entry.id not in doubled]
    numbers = {player.id: number for number, player in enumerate(players, start=1)}
    numbers |= {team: numbers[persons[team]] for team in doubled}
    rules = {text: number for number, text in enumerate(_rules(session, league_id), start=1)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "league": from_row(LeagueData, league),
        "devices": [from_row(DeviceData, row, number=phones[row.id]) for row in devices],
        "seasons": [
            from_row(SeasonData, row) for row in rows(Season, by=[Season.starts_on, Season.name])
        ],
        "players": [
            player_facts(player, numbers, members.get(player.id, ())) for player in players
        ],
        "houses": [
            from_row(HouseData, row, rules=json.loads(row.rules) if row.rules else None)
            # Sorted here: databases order letters each in its own way, and bytes must be the same.
            for row in sorted(rows(House, by=[]), key=lambda row: row.key)
        ],
        "rules": [to_data(read_rules(text)) for text in rules],
        "games": ShownGames(session, league_id, numbers, phones, rules, progress),
        "acts": [_act(act, numbers, phones) for act in acts],
    }


def write_document(document: Mapping[str, Any]) -> Iterator[bytes]:
    """Write a document as JSON, each item of its lists on a line of its own, as it comes."""
    opening = b"{"
    for key, value in document.items():
        yield opening + b"\n" + _json(key) + b": "
        if isinstance(value, list | ShownGames) and len(value):
            yield b"[\n"
            for number, item in enumerate(value):
                yield (b",\n" if number else b"") + _json(item)
            yield b"\n]"
        else:
            yield _json([] if isinstance(value, ShownGames) else value)
        opening = b","
    yield b"\n}\n"


def packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Pack a file with gzip on its way; the same bytes give the same."""
    # The gzip module would write the time into its header.
    packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    yield from (piece for part in parts if (piece := packer.compress(part)))
    yield packer.flush()


def _json(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _shown(league_id: int) -> tuple[Any, Any]:
    return (Game.league_id == league_id, Game.hidden.is_(False))


def _wrote(league_id: int) -> Any:
    """Ask for the devices that changed something of what is shown."""
    shown = select(Game.id).where(*_shown(league_id))
    wrote = select(History.device_id).where(
        History.league_id == league_id, History.game_id.in_(shown)
    )
    acted = select(LeagueAction.device_id).where(
        LeagueAction.league_id == league_id, LeagueAction.kind.not_in(OWN_KINDS)
    )
    return union(wrote, acted).scalar_subquery()


def _rules(session: Session, league_id: int) -> Iterable[str]:
    """List the different rules of a league's games, those of its first game first."""
    each = select(Game.rules).where(*_shown(league_id)).group_by(Game.rules)
    return session.execute(each.order_by(func.min(Game.id))).scalars()


def players_of(session: Session, league_id: int) -> Sequence[Player]:
    """List every name of a league, by name without case and accents."""
    players = session.execute(select(Player).where(Player.league_id == league_id)).scalars()
    return sorted(players, key=lambda player: (name_key(player.name), player.name_key))


def player_facts(player: Player, numbers: Numbers, members: Sequence[int] = ()) -> PlayerData:
    """Write a player with these numbers for people; a team with its members."""
    person = player.person_id or player.id
    return from_row(
        PlayerData,
        player,
        number=numbers[player.id],
        merged_into=None if person == player.id else numbers[person],
        members=tuple(sorted(numbers[member] for member in members)),
    )


def _act(act: LeagueAction, numbers: Numbers, phones: Numbers) -> ActData:
    done: Any = act.facts if act.kind == ELSEWHERE else {"kind": act.kind, "facts": act.facts}
    device, facts = phones[act.device_id], renumbered(done["facts"], numbers)
    return from_row(ActData, act, kind=done["kind"], device=device, facts=facts)


def renumbered(facts: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Return an act's facts with other numbers for its players."""

    def new(value: Any) -> Any:
        if isinstance(value, list):
            return [new(item) for item in value]
        return numbers.get(value, value) if isinstance(value, int) else value

    return {name: new(value) if name in PEOPLE else value for name, value in facts.items()}


class ShownGames(Struct, frozen=True):
    """The games of a league as plain data: no more than `BATCH` are in memory."""

    session: Session
    league_id: int
    people: Numbers
    phones: Numbers
    rules: Mapping[str, int]
    progress: Progress
    ids: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note which there are."""
        shown = select(Game.id).where(*_shown(self.league_id)).order_by(Game.id)
        self.ids.extend(self.session.execute(shown).scalars())

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ids)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Read them in the order in which they were begun."""
        for start in range(0, len(self.ids), BATCH):
            batch = self.ids[start : start + BATCH]
            histories = self._histories(batch)
            of_batch = select(Game.id, Game.uid, Game.rules).where(Game.id.in_(batch))
            rows = {row.id: row for row in self.session.execute(of_batch)}
            for game in load_games(self.session, batch):
                row, history = rows[game.game_id], histories[game.game_id]
                yield game_facts(
                    game.record,
                    self.people,
                    uid=row.uid,
                    rules=self.rules[row.rules],
                    started_at=game.started_at,
                    history=[self._change(change) for change in history],
                )
            self.session.expunge_all()
            self.progress(start + len(batch), len(self.ids))

    def _histories(self, batch: Sequence[int]) -> Mapping[int, list[Row[Any]]]:
        """Read the changes of some games in their order, by game."""
        by_game: dict[int, list[Row[Any]]] = {game: [] for game in batch}
        changes = select(History.__table__).where(History.game_id.in_(batch))
        for row in self.session.execute(changes.order_by(History.game_id, History.revision)):
            by_game[row.game_id].append(row)
        return by_game

    def _change(self, change: Row[Any]) -> ChangeData:
        before, after = (
            with_players(units, self.people) for units in (change.before, change.after)
        )
        phone = self.phones[change.device_id]
        return from_row(ChangeData, change, device=phone, before=before, after=after)


def game_facts(record: Record, people: Numbers, **other: Any) -> dict[str, Any]:
    """Write a game as plain data, with these numbers for people; `other` is what no record has."""
    units = with_players(write_units(record.units()), people)
    deals = [units[f"deal:{number}"] for number in range(1, len(record.deals) + 1)]
    facts = {"status": record.status, "seats": units["seats"], "deals": deals}
    return {**units["game"], **facts, **other}


def with_players(units: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Return the units of a game with other numbers for its players."""
    seats = units.get("seats")
    if not seats:
        return dict(units)
    return {**units, "seats": [s | {"player_id": numbers[s["player_id"]]} for s in seats]}
