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
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, force_setattr, replace

from companion.cards import Pack
from companion.rules import Variant, build, to_data
from companion.scoring import PlayedDeal, Reason, SeatStay, Standing, Tally, standing_after
from companion.scoring.tally import Declared

Units = dict[str, Any]
MOST_DEALS, MOST_POINTS = 1_000, 99_999
"""The deals of one game, and the points of one line: its table has that bound too."""
PAPER, PAPER_WORDS = "paper", "As on the paper"
StartRule = Literal["", "highest", "lowest", "average", "zero"]


class SeatRecord(SeatStay, frozen=True, kw_only=True):
    """A person's stay in the game; `start_rule` says how a late joiner's points were chosen."""

    player_id: int
    start_rule: StartRule = ""


class LineRecord(Struct, frozen=True):
    """What one player reported, the points posted for it, and why."""

    tally: Tally
    points: int
    reasons: tuple[Reason, ...]

    def to_data(self) -> dict[str, Any]:
        """Write the line as plain data."""
        reasons = [asdict(reason) for reason in self.reasons]
        return {"tally": self.tally.to_data(), "points": self.points, "reasons": reasons}

    @staticmethod
    def on_paper(points: int, declared: Declared = "") -> LineRecord:
        """Take points as an old score sheet has them: nothing else is known."""
        tally = Tally(declared=declared, adjust=points, why=PAPER_WORDS)
        return LineRecord(tally, points, (Reason(PAPER_WORDS, points, PAPER),))

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> LineRecord:
        """Read a line as `to_data` wrote it."""
        reasons = tuple(Reason(**reason) for reason in data["reasons"])
        return LineRecord(Tally.from_data(data["tally"]), data["points"], reasons)


class DealRecord(Struct, frozen=True, kw_only=True):
    """One deal as the table played it, its lines by seat."""

    step: int
    dealer: int
    lines: Mapping[int, LineRecord]
    void: bool = False
    after_void: Literal["again", "next_dealer", "skip"] = "again"

    @property
    def is_on_paper(self) -> bool:
        """Whether only the points of this deal are known, from an old score sheet."""
        rules = [[reason.rule for reason in line.reasons] for line in self.lines.values()]
        return bool(rules) and all(rule == [PAPER] for rule in rules)

    @property
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
        return {
            "step": self.step,
            "dealer": self.dealer,
            "void": self.void,
            "after_void": self.after_void,
            "lines": {str(seat): line.to_data() for seat, line in sorted(self.lines.items())},
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> DealRecord:
        """Read a deal as `to_data` wrote it."""
        lines = {int(s): LineRecord.from_data(line) for s, line in data["lines"].items()}
        return DealRecord(
            step=data["step"],
            dealer=data["dealer"],
            lines=lines,
            void=data["void"],
            after_void=data["after_void"],
        )


class Record(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that is known of one game.

    Where fewer deals are played by more players, as the cards last, `variant` has those of the
    most who ever sat together.
    `played_on` is the date of the evening as the league tells it (None: as it was noted when the
    game began); `order` how the seats sit clockwise, where they changed places; `next_dealer`
    who deals a deal, by its position, where the table said so; `tie` who won a tie that the rules
    leave to the table; `counts` whether the game is among the league's sums once it has ended.
    """

    variant: Variant
    pack: Pack
    first_dealer: int
    seats: tuple[SeatRecord, ...]
    deals: tuple[DealRecord, ...] = ()
    stopped: bool = False
    played_on: date | None = None
    note: str = ""
    counts: bool = True
    order: tuple[int, ...] = ()
    next_dealer: tuple[int, int] | None = None
    tie: int | None = None

    def __post_init__(self) -> None:
        table = dict(self.variant.ending.deals_for)
        positions = range(1, len(self.deals) + 2) if table else ()
        sat = {sum(seat.plays(position) for seat in self.seats) for position in positions}
        if known := sat & table.keys():
            fewest = min(known, key=table.__getitem__)
            force_setattr(self, "variant", self.variant.for_players(fewest))

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
        """Write the record as its units."""
        game = {
            "decks": self.pack.decks,
            "jokers": self.pack.jokers,
            "first_dealer": self.first_dealer,
            "stopped": self.stopped,
            "played_on": None if self.played_on is None else self.played_on.isoformat(),
            "note": self.note,
            "counts": self.counts,
        }
        told: dict[str, Any] = {"order": list(self.order), "tie": self.tie}
        told["next_dealer"] = list(self.next_dealer) if self.next_dealer else None
        game |= {name: fact for name, fact in told.items() if fact not in (None, [])}
        deals = {f"deal:{n}": deal.to_data() for n, deal in enumerate(self.deals, start=1)}
        return {"game": game, "seats": [asdict(seat) for seat in self.seats], **deals}

    @staticmethod
    def from_units(variant: Variant, units: Mapping[str, Any]) -> Record:
        """Read a record as `units` wrote it."""
        game = units["game"]
        day = game.get("played_on")
        # As numbers: by their names deal:10 would come before deal:2.
        numbers = sorted(int(name[5:]) for name in units if name.startswith("deal:"))
        return Record(
            variant=variant,
            pack=Pack(game["decks"], game["jokers"]),
            first_dealer=game["first_dealer"],
            seats=tuple(SeatRecord(**seat) for seat in units["seats"]),
            deals=tuple(DealRecord.from_data(units[f"deal:{number}"]) for number in numbers),
            stopped=game["stopped"],
            played_on=None if day is None else date.fromisoformat(day),
            note=game.get("note", ""),
            # Games stored before there was a choice count.
            counts=game.get("counts", True),
            **seating(game),
        )


def seating(game: Mapping[str, Any]) -> dict[str, Any]:
    """Read from the unit `game` what the table said of places, and of a tie; most say nothing."""
    dealer = game.get("next_dealer")
    return {
        "order": tuple(game.get("order") or ()),
        "next_dealer": tuple(dealer) if dealer else None,
        "tie": game.get("tie"),
    }


def changed_units(before: Units, after: Units) -> tuple[Units, Units]:
    """Pick the units that differ, as they were and as they are; None where there is none."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {n: before.get(n) for n in names}, {n: after.get(n) for n in names}


def replay(changes: Iterable[Mapping[str, Any]]) -> Units:
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
