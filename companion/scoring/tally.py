"""What one player reports when a deal ends, and what may be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, force_setattr

from companion.cards import Hand, Refusal, read_hand, write_hand
from companion.rules.validation import MOST_PLAYERS

Declared = Literal["", "out", "knock", "rummy", "instant_win"]
MOST_POINTS = 99_999
"""The points of one line: its table has that bound too."""
Points = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
Key = Annotated[str, Meta(min_length=1, max_length=80)]
Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Words = Annotated[str, Meta(max_length=4000)]
if TYPE_CHECKING:
    Cards = Hand
else:
    # Data has hands as they are written, of which `Tally` makes cards.
    Cards = Annotated[str, Meta(max_length=2000)]


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player's report: what was declared, and cards or a typed total.

    `cards` are those left in hand (Chicago: those in no meld) and `total` stands in their place
    where only points were told; `hand` is Chicago's whole hand, from which the judge finds the
    rest. `zips` and `zipped` are cards played in zips and their total. `met` tells whether the
    player met the contract, `bonuses` how often each bonus was earned; `adjust` are points added
    by agreement, for the reason `why`.
    """

    declared: Declared = ""
    cards: Cards | None = None
    total: Points | None = None
    hand: Cards | None = None
    zips: Annotated[tuple[Cards, ...], Meta(max_length=200)] = ()
    zipped: Points | None = None
    met: bool = False
    bonuses: Annotated[Mapping[Key, Points], Meta(max_length=100)] = field(default_factory=dict)
    adjust: Points = 0
    why: Words = ""

    def __post_init__(self) -> None:
        """Read the hands of a report that is read from data."""
        for name in ("cards", "hand"):
            force_setattr(self, name, _read(getattr(self, name)))
        force_setattr(self, "zips", tuple(map(_read, self.zips)))

    def to_data(self) -> dict[str, Any]:
        """Write the report as plain data; `msgspec.convert` gives it back."""
        both_hands = {"cards": self.cards, "hand": self.hand}
        hands = {
            name: hand if hand is None else write_hand(hand) for name, hand in both_hands.items()
        }
        return asdict(self) | hands | {"zips": list(map(write_hand, self.zips))}

    @property
    def reported_cards(self) -> Hand:
        """Every card this report names: left, held or zipped."""
        zipped = (card for cards in self.zips for card in cards)
        return (*(self.cards or ()), *(self.hand or ()), *zipped)


def _read(hand: Any) -> Any:
    return read_hand(hand) if isinstance(hand, str) else hand


def who_declared(tallies: Sequence[Tally | None], what: Declared) -> int | None:
    """Return the first seat that declared this, if one did."""
    return next(
        (seat for seat, tally in enumerate(tallies) if tally and tally.declared == what), None
    )


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table was asked before a change, in words with `{0}`, `{1}` … for its seats."""

    words: Words
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST_PLAYERS)] = ()

    def in_words(self, names: Sequence[str]) -> str:
        """Say it with the players' names.

        >>> Note("{0} has no cards entered.", (1,)).in_words(["Ann", "Cleo"])
        'Cleo has no cards entered.'
        """
        return self.words.format(*(names[seat] for seat in self.seats))


class Finding(Note, frozen=True):
    """Something found in the reports of a deal: a fault, which is refused, or a doubt.

    `field` says which part of the report it is about, where it is not the cards left. A doubt has a
    `code` by which a table's answer is known, whatever the words.
    """

    field: Literal["", "zips", "adjust", "why", "worth"] = ""
    code: str = ""

    @property
    def key(self) -> str:
        """The code with the seats that it is about."""
        return "-".join([self.code, *map(str, self.seats)])


class TallyError(Refusal):
    """Reports that the rules forbid; `findings` lists every fault."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        seats = max((seat for finding in findings for seat in finding.seats), default=-1) + 1
        names = [f"Seat {number + 1}" for number in range(seats)]
        super().__init__(" ".join(finding.in_words(names) for finding in findings))


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of how a line's points came about; `rule` is the id of the rule it rests on."""

    words: Words
    points: Points
    rule: Annotated[str, Meta(max_length=80)]


class LineScore(Struct, frozen=True):
    """One seat's points for a deal, with the reasons that add up to them."""

    reasons: tuple[Reason, ...]

    @property
    def points(self) -> int:
        """The sum of the reasons."""
        return sum(reason.points for reason in self.reasons)


Lines = tuple[LineScore | None, ...]
