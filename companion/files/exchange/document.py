"""The shape of a league as one document, version 1: what docs/exchange.md describes.

Numbers of players, devices and rules are places in the document's own lists, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from companion.games.record import MOST_DEALS, MOST_POINTS
from companion.rules.validation import MOST_DECKS, MOST_JOKERS, MOST_PLAYERS
from companion.store.names import MOST_OF_TEAM

FORMAT = "card-table-companion league"
VERSION = 1
MOST_PEOPLE = 20_000
MOST_GAMES = 200_000
MOST_RULES = 2_000
MOST_SEASONS = 1_000
MOST_HOUSES = 60
MOST_ACTS = 20_000
MOST_CHANGES = 10_000
MOST_TOTAL = MOST_DEALS * MOST_POINTS
LARGEST = 2**31 - 1  # an integer of PostgreSQL holds no more

Number = Annotated[int, Meta(ge=1, le=LARGEST)]
Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Points = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
Count = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
Position = Annotated[int, Meta(ge=1, le=MOST_DEALS + 1)]
NextDealer = Annotated[
    list[Annotated[int, Meta(ge=0, le=MOST_DEALS + 1)]], Meta(min_length=2, max_length=2)
]
"""The position of a deal, and the seat that deals it."""
Key = Annotated[str, Meta(min_length=1, max_length=80)]
Words = Annotated[str, Meta(max_length=1000)]
Cards = Annotated[str, Meta(max_length=2000)]
Moment = Annotated[datetime, Meta(tz=False)]
Role = Literal["owner", "scorekeeper", "player", "viewer"]


class DocumentPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the document: every field is known and of its own kind."""


def from_row(part: type[DocumentPart], row: object, **other: Any) -> dict[str, Any]:
    """Write a part as plain data: each field as the row has it, but for those said otherwise."""
    fields = [field for field in part.__struct_fields__ if field not in other]
    return other | {field: getattr(row, field) for field in fields}


class LeagueData(DocumentPart, frozen=True):
    """The league itself, and what it chose for itself; older files do not tell the last two."""

    name: Annotated[str, Meta(min_length=1, max_length=160)]
    judge_during_deal: bool
    show_chances: bool
    confirm_hands: bool = False
    standings_variant: Annotated[str, Meta(pattern="^[a-z0-9-]{0,80}$")] = ""


class DeviceData(DocumentPart, frozen=True):
    """A phone that changed something: only its role, so that the history can tell which."""

    number: Number
    role: Role


class SeasonData(DocumentPart, frozen=True):
    """A stretch of dates; `own` ones were made by the league."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    starts_on: date
    ends_on: date | None
    own: bool


class PlayerData(DocumentPart, frozen=True):
    """A name in the league's list; `merged_into` is the number of the same person's other name.

    `members` are the numbers of the people of a team, who give it its name.
    """

    number: Number
    name: Annotated[str, Meta(min_length=1, max_length=160)]
    archived: bool
    merged_into: Number | None
    members: Annotated[tuple[Number, ...], Meta(max_length=MOST_OF_TEAM)] = ()


class HouseData(DocumentPart, frozen=True):
    """A game of the league's own (`rules`), or its choices in one we ship (`chosen`)."""

    key: Key
    revision: Number
    rules: dict[str, Any] | None
    chosen: dict[Key, Key | int | bool]


class TallyData(DocumentPart, frozen=True):
    """What one player reported when a deal ended."""

    declared: Literal["", "out", "knock", "rummy", "instant_win"]
    cards: Cards | None = None
    total: Points | None = None
    hand: Cards | None = None
    zips: Annotated[list[Cards], Meta(max_length=100)] = []
    zipped: Points | None = None
    met: bool = False
    bonuses: Annotated[dict[Key, Count], Meta(max_length=100)] = {}
    adjust: Points = 0
    why: Words = ""


class ReasonData(DocumentPart, frozen=True):
    """One step of how points came about."""

    words: Words
    points: Points
    rule: Annotated[str, Meta(max_length=80)]


class LineData(DocumentPart, frozen=True):
    """One seat's row of a deal."""

    tally: TallyData
    points: Points
    reasons: Annotated[list[ReasonData], Meta(max_length=200)]


class DealData(DocumentPart, frozen=True):
    """One deal; `lines` are by seat, the first of them "0"."""

    step: Position
    dealer: Seat
    void: bool
    after_void: Literal["again", "next_dealer", "skip"]
    lines: Annotated[
        dict[Annotated[str, Meta(pattern="^(0|[1-9][0-9]?)$")], LineData],
        Meta(max_length=MOST_PLAYERS),
    ]


class SeatData(DocumentPart, frozen=True):
    """One seat of a game; `player_id` is the player's number in this document."""

    player_id: Number
    start: Annotated[int, Meta(ge=-MOST_TOTAL, le=MOST_TOTAL)] = 0
    start_rule: Literal["", "highest", "lowest", "average", "zero"] = ""
    joined: Position = 1
    left: Position | None = None
    placed: bool = True
    sits_after: Seat | None = None


class TableData(DocumentPart, frozen=True):
    """The unit `game` of a game's history."""

    decks: Annotated[int, Meta(ge=0, le=MOST_DECKS)]
    jokers: Annotated[int, Meta(ge=0, le=MOST_JOKERS)]
    first_dealer: Seat
    stopped: bool
    played_on: date | None = None
    note: Annotated[str, Meta(max_length=400)] = ""
    counts: bool = True
    order: Annotated[list[Seat], Meta(max_length=MOST_PLAYERS)] = []
    next_dealer: NextDealer | None = None
    tie: Seat | None = None


class NoteData(DocumentPart, frozen=True):
    """What the table was asked before a change; `{0}` stands for the name in that seat."""

    words: Words
    seats: Annotated[list[Seat], Meta(max_length=MOST_PLAYERS)]


class ChangeData(DocumentPart, frozen=True):
    """One change of a game: the units it touched, as they were and as they became."""

    revision: Number
    key: Annotated[str, Meta(min_length=1, max_length=64)]
    device: Number
    at: Moment
    action: Annotated[str, Meta(max_length=20)]
    notes: Annotated[list[NoteData], Meta(max_length=1000)]
    before: dict[str, Any]
    after: dict[str, Any]


class GameData(DocumentPart, frozen=True):
    """One game with everything that ever happened to it; `rules` is a number in the document."""

    uid: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,32}$")]
    rules: Number
    status: Literal["running", "finished", "stopped"]
    started_at: Moment
    played_on: date
    note: Annotated[str, Meta(max_length=400)]
    decks: Annotated[int, Meta(ge=0, le=MOST_DECKS)]
    jokers: Annotated[int, Meta(ge=0, le=MOST_JOKERS)]
    first_dealer: Seat
    stopped: bool
    counts: bool
    seats: Annotated[list[SeatData], Meta(min_length=1, max_length=MOST_PLAYERS)]
    deals: Annotated[list[DealData], Meta(max_length=MOST_DEALS)]
    history: Annotated[list[ChangeData], Meta(min_length=1, max_length=MOST_CHANGES)]
    order: Annotated[list[Seat], Meta(max_length=MOST_PLAYERS)] = []
    next_dealer: NextDealer | None = None
    tie: Seat | None = None


class ActData(DocumentPart, frozen=True):
    """Something done to the league itself, for the record."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]
    kind: Annotated[str, Meta(min_length=1, max_length=20)]
    device: Number
    at: Moment
    undone_at: Moment | None
    facts: dict[str, Any]


class DocumentHead(DocumentPart, frozen=True):
    """A league apart from what takes much room, or has a free shape.

    Earlier versions wrote a `seal`, which means nothing here.
    """

    format: Literal["card-table-companion league"]
    version: Literal[1]
    league: LeagueData
    devices: Annotated[list[DeviceData], Meta(max_length=MOST_PEOPLE)]
    seasons: Annotated[list[SeasonData], Meta(max_length=MOST_SEASONS)]
    players: Annotated[list[PlayerData], Meta(max_length=MOST_PEOPLE)]
    seal: Any = None


class Document(DocumentHead, frozen=True, kw_only=True):
    """A whole league."""

    houses: Annotated[list[HouseData], Meta(max_length=MOST_HOUSES)]
    rules: Annotated[list[dict[str, Any]], Meta(max_length=MOST_RULES)]
    games: Iterable[GameData]
    acts: Annotated[list[ActData], Meta(max_length=MOST_ACTS)]
