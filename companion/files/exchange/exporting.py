"""Writing a league as one document: the same league gives the same bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import Row, Select, func, select, union
from sqlalchemy.orm import Session

from companion.games.record import read_rules
from companion.games.seals import head
from companion.people.bulk_games import OWN_KINDS
from companion.rules import to_data
from companion.store.models import (
    Deal,
    Device,
    Game,
    History,
    House,
    League,
    LeagueAction,
    Line,
    Player,
    Season,
    Seat,
    TeamMember,
)

from .document import FORMAT, VERSION

BATCH = 100
PEOPLE = ("person", "kept", "gone", "entries")
"""The names under which the facts of an act tell numbers of players."""

ELSEWHERE = "elsewhere"
"""The kind of an act that came with a file: it is told on, and nobody can undo it here."""

Progress = Callable[[int, int], None]
Numbers = Mapping[int, int]


def silent(_done: int, _all: int) -> None:
    """Report no progress."""


def export_league(session: Session, league_id: int, progress: Progress = silent) -> dict[str, Any]:
    """Write a league as plain data; games taken out and the tokens of devices stay behind.

    Games are read while they are iterated, `BATCH` at a time; `progress` is called with how many
    of how many. Raises `LookupError` where there is no such league.
    """
    league = session.get(League, league_id)
    if league is None:
        raise LookupError(league_id)
    seal = head(session, league_id)
    acts = _acts(session, league_id)
    devices = _devices(session, league_id, acts)
    players = players_of(session, league_id)
    numbers = {player.id: number for number, player in enumerate(players, start=1)}
    teams = _teams(session, league_id)
    phones = {device.id: number for number, device in enumerate(devices, start=1)}
    rules = {text: number for number, text in enumerate(_rules(session, league_id), start=1)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "league": {
            "name": league.name,
            "judge_during_deal": league.judge_during_deal,
            "show_chances": league.show_chances,
        },
        "devices": [{"number": phones[row.id], "role": row.role} for row in devices],
        "seasons": _seasons(session, league_id),
        "players": [player_facts(one, numbers, teams.get(one.id, ())) for one in players],
        "houses": _houses(session, league_id),
        "rules": [to_data(read_rules(text)) for text in rules],
        "games": ShownGames(session, league_id, numbers, phones, rules, progress),
        "acts": [_act(act, numbers, phones) for act in acts],
        "seal": seal.typed if seal else None,
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
    packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    yield from (some for part in parts if (some := packer.compress(part)))
    yield packer.flush()


def _json(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _acts(session: Session, league_id: int) -> Sequence[LeagueAction]:
    """List what was done to the league; what came in or went out here is no business of a copy."""
    mine = select(LeagueAction).where(
        LeagueAction.league_id == league_id, LeagueAction.kind.not_in(OWN_KINDS)
    )
    return session.execute(mine.order_by(LeagueAction.id)).scalars().all()


def _act(act: LeagueAction, numbers: Numbers, phones: Numbers) -> dict[str, Any]:
    kind, facts = act.kind, act.facts
    if kind == ELSEWHERE:
        kind, facts = str(act.facts["kind"]), act.facts["facts"]  # type: ignore[assignment]
    return {
        "key": act.key,
        "kind": kind,
        "device": phones[act.device_id],
        "at": act.at,
        "undone_at": act.undone_at,
        "facts": renumbered(facts, numbers),
    }


def renumbered(facts: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Return an act's facts with other numbers for its players."""

    def new(value: Any) -> Any:
        if isinstance(value, list):
            return [new(item) for item in value]
        return numbers.get(value, value) if isinstance(value, int) else value

    return {name: new(value) if name in PEOPLE else value for name, value in facts.items()}


def _devices(session: Session, league_id: int, acts: Sequence[LeagueAction]) -> Sequence[Device]:
    """List the devices that changed something."""
    shown = select(Game.id).where(*_shown(league_id))
    wrote = select(History.device_id).where(
        History.league_id == league_id, History.game_id.in_(shown)
    )
    acted = select(LeagueAction.device_id).where(LeagueAction.id.in_([act.id for act in acts]))
    mine = select(Device).where(Device.id.in_(union(wrote, acted).scalar_subquery()))
    return session.execute(mine.order_by(Device.id)).scalars().all()


def _seasons(session: Session, league_id: int) -> list[dict[str, Any]]:
    mine = select(Season).where(Season.league_id == league_id)
    rows = session.execute(mine.order_by(Season.starts_on, Season.name)).scalars()
    keys = ("name", "starts_on", "ends_on", "own")
    return [{key: getattr(row, key) for key in keys} for row in rows]


def players_of(session: Session, league_id: int) -> Sequence[Player]:
    """List every name of a league, by name without case and accents."""
    mine = select(Player).where(Player.league_id == league_id)
    players = session.execute(mine).scalars().all()
    return sorted(players, key=lambda player: player.name_key)


def player_facts(player: Player, numbers: Numbers, members: Sequence[int] = ()) -> dict[str, Any]:
    """Write a player as plain data, with these numbers for people; a team with its members."""
    person = player.person_id or player.id
    team = {"members": [numbers[member] for member in members]} if members else {}
    return team | {
        "number": numbers[player.id],
        "name": player.name,
        "archived": player.archived,
        "merged_into": None if person == player.id else numbers[person],
    }


def _teams(session: Session, league_id: int) -> dict[int, list[int]]:
    rows = session.execute(
        select(TeamMember.team_id, TeamMember.member_id)
        .where(TeamMember.league_id == league_id)
        .order_by(TeamMember.team_id, TeamMember.member_id)
    )
    found: dict[int, list[int]] = {}
    for team, member in rows:
        found.setdefault(team, []).append(member)
    return found


def _houses(session: Session, league_id: int) -> list[dict[str, Any]]:
    rows = session.execute(select(House).where(House.league_id == league_id)).scalars()
    return [
        {
            "key": row.key,
            "revision": row.revision,
            "rules": json.loads(row.rules) if row.rules else None,
            "chosen": row.chosen,
        }
        for row in sorted(rows, key=lambda row: row.key)
    ]


def _shown(league_id: int) -> tuple[Any, Any]:
    return (Game.league_id == league_id, Game.hidden.is_(False))


def _rules(session: Session, league_id: int) -> Iterable[str]:
    """List the different rules of a league's games, those of its first game first."""
    each = select(Game.rules).where(*_shown(league_id)).group_by(Game.rules)
    return session.execute(each.order_by(func.min(Game.id))).scalars()


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
            rows = {number: _Rows(game) for number, game in _by_id(self.session, batch)}
            _gather(self.session, batch, rows)
            for number in batch:
                rules = self.rules[rows[number].game.rules]
                yield rows[number].to_data(self.people, self.phones, rules)
            self.session.expunge_all()
            self.progress(start + len(batch), len(self.ids))


def _by_id(session: Session, batch: Sequence[int]) -> Iterator[tuple[int, Game]]:
    for game in session.execute(select(Game).where(Game.id.in_(batch))).scalars():
        yield game.id, game


def _gather(session: Session, batch: Sequence[int], rows: Mapping[int, _Rows]) -> None:
    """Read what belongs to some games, a query for each table."""

    def read(wanted: Select[Any]) -> Sequence[Row[Any]]:
        return session.execute(wanted).all()

    for seat in read(
        select(Seat.__table__).where(Seat.game_id.in_(batch)).order_by(Seat.game_id, Seat.number)
    ):
        rows[seat.game_id].seats.append(seat)
    for deal in read(
        select(Deal.__table__).where(Deal.game_id.in_(batch)).order_by(Deal.game_id, Deal.position)
    ):
        rows[deal.game_id].deals.append(deal)
    for line in read(
        select(Line.__table__)
        .where(Line.game_id.in_(batch))
        .order_by(Line.game_id, Line.position, Line.seat)
    ):
        rows[line.game_id].lines.setdefault(line.position, []).append(line)
    for change in read(
        select(History.__table__)
        .where(History.game_id.in_(batch))
        .order_by(History.game_id, History.revision)
    ):
        rows[change.game_id].history.append(change)


class _Rows:
    """The rows of one game, gathered."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seats: list[Row[Any]] = []
        self.deals: list[Row[Any]] = []
        self.lines: dict[int, list[Row[Any]]] = {}
        self.history: list[Row[Any]] = []

    def to_data(self, numbers: Numbers, phones: Numbers, rules: int) -> dict[str, Any]:
        game, facts = self.game, self.game.facts
        return {
            "uid": game.uid,
            "rules": rules,
            "status": game.status,
            "started_at": game.started_at,
            "played_on": game.played_on,
            "note": game.note,
            "decks": facts["decks"],
            "jokers": facts["jokers"],
            "first_dealer": facts["first_dealer"],
            "stopped": facts["stopped"],
            "counts": facts.get("counts", True),
            "seats": [self._seat(seat, numbers) for seat in self.seats],
            "deals": [self._deal(deal) for deal in self.deals],
            "history": [self._change(change, numbers, phones) for change in self.history],
        }

    @staticmethod
    def _seat(seat: Row[Any], numbers: Numbers) -> dict[str, Any]:
        keys = ("start", "start_rule", "joined", "left", "placed", "sits_after")
        return {"player_id": numbers[seat.player_id]} | {key: getattr(seat, key) for key in keys}

    def _deal(self, deal: Row[Any]) -> dict[str, Any]:
        lines = {
            str(line.seat): {"tally": line.tally, "points": line.points, "reasons": line.reasons}
            for line in self.lines.get(deal.position, [])
        }
        keys = ("step", "dealer", "void", "after_void")
        return {key: getattr(deal, key) for key in keys} | {"lines": lines}

    @staticmethod
    def _change(change: Row[Any], numbers: Numbers, phones: Numbers) -> dict[str, Any]:
        keys = ("revision", "key", "at", "action", "notes")
        return {key: getattr(change, key) for key in keys} | {
            "device": phones[change.device_id],
            "before": with_players(change.before, numbers),
            "after": with_players(change.after, numbers),
        }


def with_players(units: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Return the units of a game with other numbers for its players."""
    seats = units.get("seats")
    if not seats:
        return dict(units)
    return {**units, "seats": [s | {"player_id": numbers[s["player_id"]]} for s in seats]}
