"""The plan of old scores: the games as they will be stored, and what is to be decided of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from companion.rules import Variant
from companion.store.names import name_key

from .choices import PlanQuestion
from .places import as_runs
from .plan_questions import Fingerprint

DAYS = "days"
GROUPS = {
    "points": ("row", "halves", "cell", "totals", "wins"),
    "games": ("game", "own", "duplicates"),
    "days": ("day", "order", "year"),
    "players": ("who",),
    "file": ("encoding", "sheet"),
}
"""The fields of controls, by what they are about."""


class PlannedGame(Struct, frozen=True):
    """A game as it will be stored: in the league's names, with every number that is known."""

    day: date | None
    variant: Variant | None
    name: str
    players: Sequence[str]
    deals: Sequence[Sequence[int | None]] | None
    totals: Sequence[int]
    note: str = ""
    is_duplicate: bool = False

    @property
    def winners(self) -> list[str]:
        """Name whoever did best."""
        best = max if self.variant and self.variant.ending.winner == "highest" else min
        most = best(self.totals)
        return [
            name for name, total in zip(self.players, self.totals, strict=True) if total == most
        ]

    @property
    def fingerprint(self) -> Fingerprint:
        """What tells a game from others: its day, and who had how many points."""
        scores = zip(map(name_key, self.players), self.totals, strict=True)
        return str(self.day), frozenset(scores)


class Unscored(Struct, frozen=True):
    """Numbers that are part of no score for one reason, by their places."""

    reason: str
    places: Sequence[str]

    @property
    def runs(self) -> list[str]:
        """The places, those below or beside one another as one: A2–A9."""
        return as_runs(self.places)


class PastPlan(Struct, frozen=True):
    """The games to be stored, what is to be decided about them, and what the checks say.

    Of all `numbers` of the file `scored` are points of these games; `unscored` names the others.
    `faults` are what the reader of such files would refuse.
    """

    games: Sequence[PlannedGame]
    questions: Sequence[PlanQuestion]
    checks: Sequence[str]
    left_out: int = 0
    scored: int = 0
    unscored: Sequence[Unscored] = ()
    faults: Sequence[str] = ()

    @property
    def numbers(self) -> int:
        """How many numbers the file has; a day is none."""
        others = (one for one in self.unscored if one.reason != DAYS)
        return self.scored + sum(len(one.places) for one in others)

    @property
    def asks(self) -> list[PlanQuestion]:
        """The questions that the file leaves open."""
        return [question for question in self.questions if question.is_asked]

    @property
    def controls(self) -> list[PlanQuestion]:
        """One question for each control: what several ask of one stands in its words."""
        found: dict[str, PlanQuestion] = {}
        asked = (one for one in self.questions if one.field and not one.is_about)
        for one in asked:
            same = found.get(one.field)
            found[one.field] = replace(one, words=f"{same.words}; {one.words}") if same else one
        return sorted(found.values(), key=lambda question: not question.is_asked)

    @property
    def groups(self) -> dict[str, list[PlanQuestion]]:
        """The controls by what they are about, in the order in which a page shows that."""
        about = {name: group for group, names in GROUPS.items() for name in names}
        groups: dict[str, list[PlanQuestion]] = {group: [] for group in GROUPS}
        for one in self.controls:
            groups[about[one.field.partition("-")[0]]].append(one)
        return groups

    @property
    def columns(self) -> list[PlanQuestion]:
        """Who each column is, where nothing had to be asked."""
        return [question for question in self.questions if question.is_about]

    @property
    def notices(self) -> list[str]:
        """What is only said."""
        return [question.words for question in self.questions if not question.field]

    @property
    def open(self) -> list[PlanQuestion]:
        """The questions without which nothing can be stored."""
        return [question for question in self.questions if question.is_open]

    @property
    def is_ready(self) -> bool:
        """Whether there is something to store, and nothing in its way."""
        return bool(self.games) and not self.open and not self.faults

    @property
    def people(self) -> list[str]:
        """Everybody who plays in these games, as often as they first come."""
        return list(dict.fromkeys(name for game in self.games for name in game.players))

    @property
    def years(self) -> tuple[int, int] | None:
        """The first and the last year; None where no day is known."""
        years = [game.day.year for game in self.games if game.day]
        return (min(years), max(years)) if years else None

    @property
    def span(self) -> str:
        """Say over which years it goes: `2004–2023`, or one of them; nothing without a day."""
        if not self.years:
            return ""
        first, last = self.years
        return str(first) if first == last else f"{first}–{last}"
