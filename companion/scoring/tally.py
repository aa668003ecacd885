"""What one player reports when a deal ends, and what may be wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from companion.cards import Hand, Refusal, read_hand, write_hand

Declared = Literal["", "out", "knock", "rummy", "instant_win"]


class Tally(Struct, frozen=True, kw_only=True):
    """One player's report: what was declared, and cards or a typed total.

    `cards` are those left in hand (Chicago: those in no meld) and `total` stands in their place
    where only points were told; `hand` is Chicago's whole hand, from which the judge finds the
    rest. `zips` and `zipped` are cards played in zips and their total. `met` tells whether the
    player met the contract, `bonuses` how often each bonus was earned; `adjust` are points added
    by agreement, for the reason `why`.
    """

    declared: Declared = ""
    cards: Hand | None = None
    total: int | None = None
    hand: Hand | None = None
    zips: tuple[Hand, ...] = ()
    zipped: int | None = None
    met: bool = False
    bonuses: Mapping[str, int] = field(default_factory=dict)
    adjust: int = 0
    why: str = ""

    def to_data(self) -> dict[str, Any]:
        """Write the report as plain data; `from_data` gives it back."""
        data = {name: getattr(self, name) for name in _FIELDS}
        for name, (write, _) in _CODECS.items():
            if data[name] is not None:
                data[name] = write(data[name])
        return data

    @property
    def reported_cards(self) -> Hand:
        """Every card this report names: left, held or zipped."""
        zipped = (card for one in self.zips for card in one)
        return (*(self.cards or ()), *(self.hand or ()), *zipped)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Tally:
        """Read a report as `to_data` wrote it; an older one may have fewer fields."""
        given = {name: value for name, value in data.items() if value is not None}
        for name, (_, read) in _CODECS.items():
            if name in given:
                given[name] = read(given[name])
        return Tally(**given)


def who_declared(tallies: Sequence[Tally | None], what: Declared) -> int | None:
    """Return the first seat that declared this, if one did."""
    return next((seat for seat, one in enumerate(tallies) if one and one.declared == what), None)


_FIELDS = Tally.__struct_fields__
_CODECS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "cards": (write_hand, read_hand),
    "hand": (write_hand, read_hand),
    "zips": (lambda zips: list(map(write_hand, zips)), lambda zips: tuple(map(read_hand, zips))),
    "bonuses": (dict, dict),
}
"""How a field is written and read where it is not plain data already: a new field needs no line."""


class Finding(Struct, frozen=True):
    """Something found in the reports of a deal, in words with `{0}`, `{1}` … for its seats.

    A finding is either a fault, which is refused, or a doubt, which is asked once. `field` says
    which part of the report it is about, where it is not the cards left.
    """

    words: str
    seats: tuple[int, ...] = ()
    field: Literal["", "zips", "adjust", "why", "knock", "worth"] = ""

    def in_words(self, names: Sequence[str]) -> str:
        """Say it with the players' names.

        >>> Finding("{0} has no cards entered.", (1,)).in_words(["Ann", "Cleo"])
        'Cleo has no cards entered.'
        """
        return self.words.format(*(names[seat] for seat in self.seats))


class TallyError(Refusal):
    """Reports that the rules forbid; `findings` lists every fault."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        seats = max((seat for found in findings for seat in found.seats), default=-1) + 1
        names = [f"Seat {number + 1}" for number in range(seats)]
        super().__init__(" ".join(found.in_words(names) for found in findings))


class Reason(Struct, frozen=True):
    """One step of how a line's points came about; `rule` is the id of the rule it rests on."""

    words: str
    points: int
    rule: str


class LineScore(Struct, frozen=True):
    """One seat's points for a deal, with the reasons that add up to them."""

    reasons: tuple[Reason, ...]

    @property
    def points(self) -> int:
        """The sum of the reasons."""
        return sum(reason.points for reason in self.reasons)


Lines = tuple[LineScore | None, ...]
