"""What programs are answered and may send: the parts of docs/exchange.md, and a few around them.

Players and games have the league's own numbers here; seats are counted from 0.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from companion.files.exchange.document import PlayerData
from companion.games.record import DealRecord, GameFacts, Number, SeatRecord
from companion.games.writer import LONGEST_KEY
from companion.rules.validation import MOST_PLAYERS
from companion.scoring.tally import Seat, Tally

Status = Literal["running", "finished", "stopped"]
OfStatus = Annotated[Status, Meta(description="only games of this status")]
PageKey = Annotated[
    str, Meta(description="where the page begins, as `older` of the page before has it")
]
SeasonName = Annotated[
    str, Meta(description="the name of a season, such as 2026; all of them without")
]


# JSON has names where we have numbers, and msgspec describes none that it makes numbers of.
BY_SEAT = Meta(
    max_length=MOST_PLAYERS,
    extra_json_schema={"propertyNames": {"pattern": "^(0|[1-9][0-9]?)$"}},
)


class ProgramAnswer(Struct, frozen=True, kw_only=True):
    """Something that a program is answered."""


class LeagueAnswer(ProgramAnswer, frozen=True):
    """The league that the token is for, and what the program may do there."""

    name: str
    role: str
    judge_during_deal: bool
    show_chances: bool


class PlayersAnswer(ProgramAnswer, frozen=True):
    """Everybody of the league; `merged_into` is the number of the same person's other name."""

    players: list[PlayerData]


class GameLine(ProgramAnswer, frozen=True):
    """A game in a list."""

    number: int
    variant: str
    name: str
    status: Status
    played_on: date
    note: str
    players: list[str]
    winners: list[str]
    deals: int


class GamesAnswer(ProgramAnswer, frozen=True):
    """A page of games, the latest evening first; `older` is where the next page begins."""

    games: list[GameLine]
    older: str | None


class SeatAnswer(SeatRecord, frozen=True, kw_only=True):
    """A seat with its name and where it stands; `place` is null for who has none."""

    name: str
    total: int
    place: int | None


class NextAnswer(ProgramAnswer, frozen=True):
    """The deal that is played next: what is dealt and asked, who deals, who begins, who plays."""

    position: int
    step: int
    dealer: int
    first: int
    dealt: int
    contract: str | None
    playing: list[int]


class GameAnswer(GameFacts, frozen=True, kw_only=True):
    """A game as it stands; a change of it names its `revision`. `next` is null when it is over."""

    number: int
    revision: int
    variant: str
    name: str
    status: Status
    started_at: datetime
    seats: list[SeatAnswer]
    deals: list[DealRecord]
    winners: list[int]
    next: NextAnswer | None


class PersonAnswer(ProgramAnswer, frozen=True):
    """A row of the standings; a win shared by two is half a win for each."""

    rank: int
    number: int
    name: str
    games: int
    wins: float
    average_place: float


class StandingsAnswer(ProgramAnswer, frozen=True):
    """Who leads in a season, or in all of them together."""

    season: str
    rows: list[PersonAnswer]


class RulesLine(ProgramAnswer, frozen=True):
    """A game that the league can play."""

    key: str
    name: str


class RulesIndexAnswer(ProgramAnswer, frozen=True):
    """Every game that the league can play, its own games first."""

    rules: list[RulesLine]


class RuleText(ProgramAnswer, frozen=True):
    """One rule of a book, as the league plays it."""

    rule: str
    title: str
    text: str


class RulesAnswer(ProgramAnswer, frozen=True):
    """A game's rules as data, in the shape of docs/exchange.md, and its book in words."""

    key: str
    name: str
    rules: dict[str, Any]
    book: list[RuleText]


class DealReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal to score: what each player reported, by seat.

    `key` is the sender's own for this deal, and no other of the league may have it: sent twice, the
    deal is scored once. `revision` is the game's, as it was read. `sure` saves what is odd but
    possible.
    """

    key: Annotated[str, Meta(min_length=1, max_length=LONGEST_KEY)]
    revision: Number
    lines: Annotated[dict[Seat, Tally], BY_SEAT]
    sure: bool = False


class Complaint(ProgramAnswer, frozen=True):
    """What is wrong or odd, in words, and in whose seats."""

    words: str
    seats: list[int]


class Refused(ProgramAnswer, frozen=True):
    """Why nothing was changed; `doubts` are saved as they are with `sure`."""

    words: str
    faults: list[Complaint] = []
    doubts: list[Complaint] = []
