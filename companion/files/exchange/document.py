"""The shape of a league as one document, version 1: what docs/exchange.md describes.

Numbers of players, devices and rules are places in the document's own lists, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from companion.games.record import DealRecord, GameFacts, Number, SeatRecord
from companion.rules.validation import MOST_PLAYERS
from companion.scoring.played import MOST_DEALS
from companion.scoring.tally import Key, Note
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
Moment = Annotated[datetime, Meta(tz=False)]
Role = Literal["owner", "scorekeeper", "player", "viewer"]


Part = TypeVar("Part", bound=Struct)


class DocumentPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the document: every field is known and of its own kind."""


def from_row(part: type[Part], row: object, **other: Any) -> Part:
    """Copy a row into a struct, field by field, but for the `other` fields."""
    fields = [field for field in part.__struct_fields__ if field not in other]
    return part(**other, **{field: getattr(row, field) for field in fields})


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


class ChangeData(DocumentPart, frozen=True):
    """One change of a game: the units it touched, as they were and as they became."""

    revision: Number
    key: Annotated[str, Meta(min_length=1, max_length=64)]
    device: Number
    at: Moment
    action: Annotated[str, Meta(max_length=20)]
    notes: Annotated[list[Note], Meta(max_length=1000)]
    before: dict[str, Any]
    after: dict[str, Any]


class GameData(GameFacts, frozen=True, kw_only=True):
    """One game with everything that ever happened to it; `rules` is a number in the document."""

    uid: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,32}$")]
    rules: Number
    status: Literal["running", "finished", "stopped"]
    started_at: Moment
    stopped: bool
    played_on: date
    note: Annotated[str, Meta(max_length=400)]
    counts: bool
    seats: Annotated[tuple[SeatRecord, ...], Meta(min_length=1, max_length=MOST_PLAYERS)]
    deals: Annotated[tuple[DealRecord, ...], Meta(max_length=MOST_DEALS)]
    history: Annotated[tuple[ChangeData, ...], Meta(min_length=1, max_length=MOST_CHANGES)]


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
