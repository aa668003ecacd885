"""The plan of old scores: the games as they will be stored, and what is to be decided of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from msgspec import Struct

from companion.rules import Variant
from companion.store.names import name_key

from .cells import Cell, place_runs
from .league_so_far import Fingerprint
from .questions import Question

LABELS = {
    *("days", "titles", "headings", "numbers of deals"),
    *("names of games", "names of players", "names of winners"),
}
"""Reasons of cells that have digits and are no numbers to anybody."""
GROUPS: Mapping[str, str] = {
    field: group
    for group, fields in {
        "points": "row column halves cell totals wins",
        "games": "game own duplicates",
        "days": "day order year",
        "players": "who",
        "file": "encoding sheet",
    }.items()
    for field in fields.split()
}
"""What a control is about, by the beginning of its field, in the order in which a page asks."""


_key = lru_cache(1024)(name_key)


class PlannedGame(Struct, frozen=True):
    """A game as it will be stored: in the league's names, with every number that is known.

    `copy` is how many equal ones were before it.
    """

    day: date | None
    variant: Variant | None
    name: str
    players: Sequence[str]
    deals: Sequence[Sequence[int | None]] | None
    totals: Sequence[int]
    note: str = ""
    is_duplicate: bool = False
    copy: int = 0
    is_stopped: bool = False

    @property
    def winners(self) -> list[str]:
        """Name whoever did best; nobody has won a game that was stopped."""
        if self.is_stopped:
            return []
        best = max if self.variant and self.variant.ending.winner == "highest" else min
        most = best(self.totals)
        return [
            name for name, total in zip(self.players, self.totals, strict=True) if total == most
        ]

    @property
    def fingerprint(self) -> Fingerprint:
        """What tells a game from others: its day, and who had how many points."""
        scores = zip(map(_key, self.players), self.totals, strict=True)
        return str(self.day), frozenset(scores)


class Unscored(Struct, frozen=True):
    """Numbers that are part of no score for one reason."""

    reason: str
    cells: Sequence[Cell]

    @property
    def places(self) -> list[str]:
        """The places, those below or beside one another as one: A2–A9."""
        return place_runs(self.cells)


class PastPlan(Struct, frozen=True):
    """The games to be stored, what is to be decided about them, and what the checks say.

    Of all `numbers` of the file `scored` are points of these games; `unscored` names the others.
    `gaps` are points that a sheet lacks; `faults` what the reader of such files would refuse.
    """

    games: Sequence[PlannedGame]
    questions: Sequence[Question]
    checks: Sequence[str]
    left_out: int = 0
    scored: int = 0
    unscored: Sequence[Unscored] = ()
    gaps: Sequence[str] = ()
    faults: Sequence[str] = ()

    @property
    def numbers(self) -> int:
        """How many numbers the file has; a day or the name of a game is none."""
        others = (one for one in self.unscored if one.reason not in LABELS)
        return self.scored + sum(len(one.cells) for one in others)

    @property
    def groups(self) -> dict[str, list[Question]]:
        """The questions by what they are about, those that are asked first."""
        groups: dict[str, list[Question]] = {group: [] for group in GROUPS.values()}
        for question in sorted(self.questions, key=lambda one: not one.is_asked):
            groups[GROUPS[question.field.partition("-")[0]]].append(question)
        return groups

    @property
    def open(self) -> list[Question]:
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
    def span(self) -> str:
        """The years over which it goes: `2004–2023`, or one of them; nothing without a day."""
        years = sorted({game.day.year for game in self.games if game.day})
        return "–".join(map(str, dict.fromkeys((*years[:1], *years[-1:]))))
