"""Planned games as a document of ours, so that they come in, are compared and are undone as one.

There is one way into a league, `files/exchange`: what is checked of a file that another server
wrote is checked of old scores as well.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, time
from io import BytesIO
from typing import Any

import msgspec

from companion.cards import Refusal
from companion.files.exchange.document import FORMAT, MOST_HOUSES, VERSION
from companion.files.exchange.document_reader import read_document
from companion.files.exchange.exporting import game_facts
from companion.files.exchange.import_check import check_document
from companion.games.changes import Change
from companion.games.from_paper import write_down
from companion.games.record import Record, SeatRecord, changed_units, write_units
from companion.rules import Variant, to_data
from companion.rules.catalogue import ANY
from companion.store.dates import now
from companion.store.names import PlayerNameError, all_different, team_of

from .as_played import as_played
from .cell_values import PastError
from .plan import PastPlan, PlannedGame

MOST_CHECKED = 200
TOTALS_ONLY = "Only the totals are known."
Line = tuple[str, ...]
"""The people of one column: several are a team."""
PHONE = 1
"""The number of the one phone in the document: that which brings them in."""


def write_plan(plan: PastPlan, name: str) -> bytes:
    """Write a plan without open questions as a packed document; `name` says where it came from.

    Raises `PastError` with a sentence about the first game that cannot be.
    """
    lines = dict.fromkeys(_line(name, game) for game in plan.games for name in game.players)
    people = dict.fromkeys(one for line in lines for one in line)
    # A person comes before the teams of which they are.
    known = [*((name,) for name in people), *(line for line in lines if len(line) > 1)]
    numbers = {line: number for number, line in enumerate(known, start=1)}
    rules = _RuleList()
    packed = BytesIO()
    # A game at a time: 20,000 of them are ninety megabytes of text.
    with gzip.open(packed, "wb", compresslevel=1) as file:
        file.write(b'{"games":[')
        for place, game in enumerate(plan.games):
            file.write(b"," * bool(place) + msgspec.json.encode(_game(game, numbers, rules)))
        league = {"name": name or "Old scores", "judge_during_deal": True, "show_chances": True}
        others = {
            "format": FORMAT,
            "version": VERSION,
            "league": league,
            "devices": [{"number": PHONE, "role": "scorekeeper"}],
            "seasons": [],
            "players": [_player(line, numbers) for line in numbers],
            "houses": [
                {"key": variant.key, "revision": 1, "chosen": {}, "rules": to_data(variant)}
                for variant in _own_games(plan)
            ],
            "rules": [to_data(variant) for variant in rules.variants],
            "acts": [],
        }
        file.write(b"]," + msgspec.json.encode(others)[1:])
    return packed.getvalue()


def refusal(plan: PastPlan) -> str:
    """Return what the reader of documents has against a plan, nothing if it takes all of it.

    What it may refuse is the same for all games of a kind, so the longest of each is looked at.
    """
    kinds: dict[tuple[str, int], PlannedGame] = {}
    for game in plan.games:
        kind = (game.variant.key if game.variant else "", len(game.players))
        if kind not in kinds or len(game.deals or ()) > len(kinds[kind].deals or ()):
            kinds[kind] = game
    some = PastPlan(list(kinds.values())[:MOST_CHECKED], (), ())
    try:
        check_document(read_document(write_plan(some, "")))
    except Refusal as fault:
        return str(fault)
    return ""


def _own_games(plan: PastPlan) -> list[Variant]:
    """List the games that the family makes with this, those that were played most."""
    made = [game.variant for game in plan.games if game.variant and game.variant.extends == ANY]
    variants = {variant.key: variant for variant in made}
    often = Counter(variant.key for variant in made).most_common(MOST_HOUSES)
    return [variants[key] for key, _ in often]


class _RuleList:
    """The rules of all games of a document, each once."""

    def __init__(self) -> None:
        self.variants: list[Variant] = []
        self._numbers: dict[tuple[str, int, int | None], int] = {}

    def add(self, book: Variant, players: int, deals: int | None) -> int:
        """Return the number of the rules of a book, for a sheet of so many deals."""
        mark = (book.key, players, deals)
        if mark not in self._numbers:
            rules = as_played(book, players, deals or None) if deals is not None else book
            self.variants.append(rules)
            self._numbers[mark] = len(self.variants)
        return self._numbers[mark]


def _line(name: str, game: PlannedGame) -> Line:
    """Return whose a column is: the people of a team where a game's deals are points."""
    is_of_points = game.variant is not None and not game.variant.has_cards
    return tuple(team_of(name)) if is_of_points and team_of(name) else (name,)


def _player(line: Line, numbers: Mapping[Line, int]) -> dict[str, Any]:
    facts = {"number": numbers[line], "archived": False, "merged_into": None}
    members = {"members": [numbers[one,] for one in line]} if len(line) > 1 else {}
    return facts | members | {"name": " + ".join(line)}


def _game(game: PlannedGame, numbers: Mapping[Line, int], rules: _RuleList) -> dict[str, Any]:
    if game.variant is None or game.day is None:
        raise PastError("Say first which game it was, and when.")
    rule, started, change = _played(game, game.variant, numbers, rules)
    uid = _uid(game)
    units = started.units()
    history = [
        _change(1, "started", *changed_units({}, units), uid),
        _change(2, "typed in", *changed_units(units, change.record.units()), uid),
    ]
    return game_facts(
        change.record,
        {number: number for number in numbers.values()},
        uid=uid,
        rules=rule,
        started_at=datetime.combine(game.day, time(12)),
        history=history,
    )


def _played(
    game: PlannedGame, book: Variant, numbers: Mapping[Line, int], rules: _RuleList
) -> tuple[int, Record, Change]:
    """Write a game down by its own rules where they end it just so, else as its sheet has it."""
    players, deals = len(game.players), len(game.deals or ())
    rows = [dict(enumerate(row)) for row in game.deals or [game.totals]]
    note = " ".join(filter(None, ("" if game.deals else TOTALS_ONLY, game.note)))
    own = book.for_players(players)
    is_whole = deals > 0 and (game.is_stopped or own.deal_count in (None, deals))
    if is_whole and book.players.min <= players <= book.players.max:
        started = _started(game, own, numbers)
        with suppress(Refusal):
            change = write_down(started, rows, note)
            if _is_as_planned(change.record, game):
                return rules.add(started.variant, players, None), started, change
    rule = rules.add(book, players, deals)
    started = _started(game, rules.variants[rule - 1], numbers)
    try:
        return rule, started, write_down(started, rows, note)
    except Refusal as fault:
        raise PastError(f"The game of {game.day} can't be kept: {fault}") from None


def _is_as_planned(record: Record, game: PlannedGame) -> bool:
    standing = record.standing()
    if game.is_stopped or not standing.over:
        return game.is_stopped and not standing.over
    winners = sorted(game.players[seat] for seat in standing.winners)
    return winners == sorted(game.winners) and list(standing.totals) == list(game.totals)


def _started(game: PlannedGame, variant: Variant, numbers: Mapping[Line, int]) -> Record:
    lines = [_line(name, game) for name in game.players]
    try:
        all_different(person for line in lines for person in line)
    except PlayerNameError as fault:
        raise PastError(f"The game of {game.day} can't be kept: {fault}") from None
    return Record(
        variant=variant,
        **vars(variant.pack(len(game.players))),
        first_dealer=0,
        seats=tuple(SeatRecord(player_id=numbers[line]) for line in lines),
        played_on=game.day,
    )


def _change(revision: int, action: str, before: Any, after: Any, uid: str) -> dict[str, Any]:
    return {
        "revision": revision,
        "key": f"{uid}.{revision}",
        "device": PHONE,
        "at": now(),
        "action": action,
        "notes": [],
        "before": {name: unit for name, unit in write_units(before).items() if unit is not None},
        "after": write_units(after),
    }


def _uid(game: PlannedGame) -> str:
    """Name a game by what it says, so that the same file brings nothing in twice."""
    day, scores = game.fingerprint
    name = game.variant.key if game.variant else ""
    text = json.dumps([day, name, sorted(scores), game.deals, game.copy])
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:18]).decode()
