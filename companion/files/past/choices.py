"""What was decided about old scores so far, and the questions that are left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from msgspec import Struct, field

from companion.store.names import shortened

from .meaning import Order
from .past_game import RowKind

LEFT_OUT = "-"


class Choices(Struct):
    """What was decided so far; empty where the guess stands.

    `games` says which game each name in the file is, "" those without a name, which `own_name`
    names; `people` who each name is; `LEFT_OUT` leaves either out. `cells` says what each text
    comes to that is no number, `halves` what becomes of parts of a point. `totals` tells which is
    right where both don't fit, `wins` whether plays without points come in, `year` that of days
    without one.
    """

    games: dict[str, str] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    day: date | None = None
    year: int | None = None
    order: Order | None = None
    row: RowKind = ""
    halves: str = ""
    totals: str = "deals"
    wins: str = "leave"
    duplicates: bool = False
    sheet: str = ""
    own_name: str = ""

    def who(self, name: str) -> str:
        """Return who a name in the file is: themselves, where nothing else was chosen."""
        chosen = self.people.get(name, "")
        return chosen if chosen == LEFT_OUT else shortened(chosen) or shortened(name) or "?"


class PlanAnswer(NamedTuple):
    """One answer to a question."""

    value: str
    words: str


class PlanQuestion(Struct, frozen=True):
    """Something that the file does not say, with the guess; `field` names its control.

    `is_asked` is False for what was only guessed; `is_about` names the column it speaks of.
    `label` is how a page asks it, where that is other words; `takes_number` where points may be
    typed beside the answers, `takes_text` where text is.
    """

    field: str
    words: str
    options: Sequence[PlanAnswer] = ()
    chosen: str = ""
    is_asked: bool = True
    is_about: str = ""
    takes_number: bool = False
    takes_text: bool = False
    label: str = ""

    @property
    def heading(self) -> str:
        """What stands above its control."""
        return self.label or self.words[:1].upper() + self.words[1:]

    @property
    def is_open(self) -> bool:
        """Whether nothing can be stored before it is answered."""
        return self.is_asked and not self.chosen
