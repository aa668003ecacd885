"""The record of one game as plain values: what the rows hold, and what every change works on.

A record is a handful of units: `game`, `seats` and `deal:1`, `deal:2` … A change gives a new
record; the units that differ are what the history keeps, and the units of the latest changes up
to a revision are the record as it was then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, force_setattr, replace

from companion.cards import Pack
from companion.rules import Variant, build, to_data
from companion.rules.validation import MOST_DECKS, MOST_JOKERS, MOST_PLAYERS
from companion.scoring import PlayedDeal, Reason, SeatStay, Standing, Tally, standing_after
from companion.scoring.played import Position, VoidNext
from companion.scoring.tally import Declared, Points, Seat

Units = dict[str, Any]
"""`GameFacts` as `game`, all seats as `seats`, a `DealRecord` each as `deal:1` …; None: gone."""
LARGEST = 2**31 - 1  # an integer of PostgreSQL holds no more
Number = Annotated[int, Meta(ge=1, le=LARGEST)]
PAPER, PAPER_WORDS = "paper", "As on the paper"
StartRule = Literal["", "highest", "lowest", "average", "zero"]


class SeatRecord(SeatStay, frozen=True, kw_only=True):
    """A person's stay in the game; `start_rule` says how a late joiner's points were chosen."""

    player_id: Number
    start_rule: StartRule = ""


class LineRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """What one player reported, the points posted for it, and why."""

    tally: Tally
    points: Points
    reasons: Annotated[tuple[Reason, ...], Meta(max_length=500)]

    def to_data(self) -> dict[str, Any]:
        """Write the line as plain data."""
        reasons = [asdict(reason) for reason in self.reasons]
        return {"tally": self.tally.to_data(), "points": self.points, "reasons": reasons}

    @staticmethod
    def on_paper(points: int, declared: Declared = "") -> LineRecord:
        """Take points as an old score sheet has them: nothing else is known."""
        tally = Tally(declared=declared, adjust=points, why=PAPER_WORDS)
        return LineRecord(tally, points, (Reason(PAPER_WORDS, points, PAPER),))


class DealRecord(Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """One deal as the table played it, its lines by seat."""

    step: Position
    dealer: Seat
    lines: Annotated[Mapping[Seat, LineRecord], Meta(max_length=MOST_PLAYERS)]
    void: bool = False
    after_void: VoidNext = "again"

    @property
    def is_on_paper(self) -> bool:
        """Whether only the points of this deal are known, from an old score sheet."""
        rules = [[reason.rule for reason in line.reasons] for line in self.lines.values()]
        return bool(rules) and all(rule == [PAPER] for rule in rules)

    @cached_property
    def played(self) -> PlayedDeal:
        """The same as scoring needs it."""
        return PlayedDeal(
            step=self.step,
            dealer=self.dealer,
            points={seat: line.points for seat, line in self.lines.items()},
            tallies={seat: line.tally for seat, line in self.lines.items()},
            void=self.void,
            after_void=self.after_void,
        )

    def to_data(self) -> dict[str, Any]:
        """Write the deal as plain data."""
        lines = {str(seat): line.to_data() for seat, line in sorted(self.lines.items())}
        return asdict(self) | {"lines": lines}


class GameFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a game beside its seats and deals.

    `played_on` is the date of the evening as the league tells it (None: as it was noted when the
    game began); `order` how the seats sit clockwise, where they changed places; `next_dealer`
    who deals a deal, by its position, where the table said so; `tie` who won a tie that the rules
    leave to the table; `counts` whether the game is among the league's sums once it has ended.
    """

    decks: Annotated[int, Meta(ge=0, le=MOST_DECKS)]
    jokers: Annotated[int, Meta(ge=0, le=MOST_JOKERS)]
    first_dealer: Seat
    stopped: bool = False
    played_on: date | None = None
    note: Annotated[str, Meta(max_length=400)] = ""
    counts: bool = True
    order: Annotated[tuple[Seat, ...], Meta(max_length=MOST_PLAYERS)] = ()
    next_dealer: tuple[Position, Seat] | None = None
    tie: Seat | None = None

    @property
    def pack(self) -> Pack:
        """The cards in play; none where a game's deals are points."""
        return Pack(self.decks, self.jokers)


class Record(GameFacts, frozen=True, kw_only=True, dict=True):
    """Everything that is known of one game.

    Where fewer deals are played by more players, as the cards last, `variant` has those of the
    most who ever sat together.
    """

    variant: Variant
    seats: tuple[SeatRecord, ...]
    deals: tuple[DealRecord, ...] = ()

    def __post_init__(self) -> None:
        table = dict(self.variant.ending.deals_for)
        positions = range(1, len(self.deals) + 2) if table else ()
        sat = {sum(seat.plays(position) for seat in self.seats) for position in positions}
        if numbers := sat & table.keys():
            fewest = min(numbers, key=table.__getitem__)
            force_setattr(self, "variant", self.variant.for_players(fewest))

    def with_deal(self, deal: DealRecord) -> Record:
        """Return the record with one more deal; where the game stood before it is not lost."""
        longer = replace(self, deals=(*self.deals, deal))
        if longer.variant is self.variant:
            longer._standings[len(self.deals)] = self.standing()
        return longer

    def standing(self, deals: int | None = None) -> Standing:
        """Return where the game stands now, or stood after its first deals; derived once."""
        count = len(self.deals[:deals])
        # A page asks for the same standing many times, and a frozen record's never changes.
        if count not in self._standings:
            standing = standing_after(
                self.variant,
                self.seats,
                [deal.played for deal in self.deals[:count]],
                self.first_dealer,
                self.pack,
                self.order,
                dict([self.next_dealer] if self.next_dealer else []).get(count + 1),
                self._standings.get(count - 1),
            )
            # Scoring knows only what the deals say; that the table has had enough stands in the
            # record.
            if self._is_over_by_choice and count == len(self.deals):
                standing = replace(standing, over=True, upcoming=None)
            if standing.over and count == len(self.deals):
                standing = self._with_tie_settled(standing)
            self._standings[count] = standing
        return self._standings[count]

    def _with_tie_settled(self, standing: Standing) -> Standing:
        """Put who won a tie before those who shared the win, if it still is one."""
        if self.tie not in standing.winners or len(standing.winners) < 2:
            return standing
        places = (
            2 if place == 1 and seat != self.tie else place
            for seat, place in enumerate(standing.places)
        )
        return replace(standing, places=tuple(places), winners=(self.tie,))

    @property
    def _is_over_by_choice(self) -> bool:
        """Whether the table has ended a game that lasts until it does so."""
        is_ended = self.stopped and any(not deal.void for deal in self.deals)
        return is_ended and self.variant.ending.length == "until_stopped"

    def number(self, position: int) -> int:
        """Return what players call the deal at a position: the number of its contract.

        A cancelled deal and the one that is dealt again in its place share it.
        """
        if 1 <= position <= len(self.deals):
            return self.deals[position - 1].step
        upcoming = self.standing().upcoming
        return upcoming.step if upcoming else position

    @cached_property
    def _standings(self) -> dict[int, Standing]:
        return {}

    @property
    def status(self) -> Literal["running", "finished", "stopped"]:
        """Whether the game goes on, came to its end, or was broken off."""
        if self.standing().over:
            return "finished"
        return "stopped" if self.stopped else "running"

    def units(self) -> Units:
        """Part the record into its units."""
        return units_of(self, self.seats, self.deals)

    @staticmethod
    def from_units(variant: Variant, units: Units) -> Record:
        """Put a record together from its units."""
        # As numbers: by their names deal:10 would come before deal:2.
        numbers = sorted(int(name[5:]) for name in units if name.startswith("deal:"))
        deals = tuple(units[f"deal:{number}"] for number in numbers)
        facts = asdict(units["game"])
        return Record(variant=variant, seats=units["seats"], deals=deals, **facts)


def units_of(facts: object, seats: Iterable[SeatRecord], deals: Iterable[DealRecord]) -> Units:
    """Part a game into its units; `facts` has the fields of `GameFacts`."""
    of_deals = {f"deal:{n}": deal for n, deal in enumerate(deals, start=1)}
    return {
        "game": msgspec.convert(facts, GameFacts, from_attributes=True),
        "seats": tuple(seats),
        **of_deals,
    }


_KINDS = {"game": GameFacts, "seats": tuple[SeatRecord, ...]}


def read_units(data: Mapping[str, Any]) -> Units:
    """Read units as `write_units` wrote them; those of older versions may have fewer fields.

    Raises `msgspec.ValidationError`.
    """
    return {
        name: msgspec.convert(unit, _KINDS.get(name, DealRecord | None), str_keys=True)
        for name, unit in data.items()
    }


def write_units(units: Units) -> dict[str, Any]:
    """Write units as plain data."""
    return {
        name: unit.to_data() if isinstance(unit, DealRecord) else msgspec.to_builtins(unit)
        for name, unit in units.items()
    }


def changed_units(before: Units, after: Units) -> tuple[Units, Units]:
    """Pick the units that differ, as they were and as they are; None where there is none."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {n: before.get(n) for n in names}, {n: after.get(n) for n in names}


def replay(changes: Iterable[Units]) -> Units:
    """Lay the changes of a history over each other in order (`I2`)."""
    units: Units = {}
    for change in changes:
        units.update(change)
    return {name: unit for name, unit in units.items() if unit is not None}


def write_rules(variant: Variant) -> str:
    """Write the complete rules as they are stored with a game."""
    # Sorted, so that the same rules are the same text, which `read_rules` knows by it.
    return json.dumps(to_data(variant), ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=64)
def read_rules(text: str) -> Variant:
    """Read stored rules; the same text is read once."""
    return build(json.loads(text))
