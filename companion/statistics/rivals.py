"""Head to head: how often each finished above, level with or below each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.store.models import Player, RivalSum

from .ratings import can_tell_apart
from .standings import StandingsRow

ENOUGH = 5  # games against each other before somebody is called a nemesis
MOST_IN_GRID = 60  # it grows by the square of people
HALF = Fraction(1, 2)
PAIRS: Any = RivalSum.__table__


class Rival(Struct, frozen=True):
    """One other person: games together, and in how many one finished above or level."""

    person_id: int
    name: str
    games: int
    above: int
    level: int

    @property
    def below(self) -> int:
        """In how many games one finished below the other."""
        return self.games - self.above - self.level

    @property
    def share(self) -> Fraction:
        """The share of games above the other, a shared place as half of one."""
        return Fraction(2 * self.above + self.level, 2 * self.games)

    @property
    def is_few(self) -> bool:
        """Whether there are too few games to say anything."""
        return self.games < ENOUGH

    def is_proved(self, people: int) -> bool:
        """Return whether chance alone is no likely reason, among so many people of the league."""
        return can_tell_apart(self.above, self.below, people)

    @property
    def is_ahead(self) -> bool:
        """Whether one finished above the other more often than below."""
        return 2 * self.above + self.level > self.games


def rivals(session: Session, person_id: int, variant_key: str = "") -> list[Rival]:
    """List everybody a person has played against, the most games first."""
    rows = session.execute(
        select(RivalSum.other_id, Player.name, RivalSum.games, RivalSum.above, RivalSum.level)
        .join(Player, Player.id == RivalSum.other_id)
        .where(
            RivalSum.person_id == person_id,
            RivalSum.variant_key == variant_key,
            RivalSum.games > 0,
        )
    )
    found = [Rival(*row) for row in rows]
    return sorted(found, key=lambda rival: (-rival.games, rival.name, rival.person_id))


def in_grid(rows: Sequence[StandingsRow]) -> list[StandingsRow]:
    """Choose whom a grid shows, in their order: where there are many, those with the most games."""
    often = sorted(rows, key=lambda row: -row.games)[:MOST_IN_GRID]
    chosen = {row.person_id for row in often}
    return [row for row in rows if row.person_id in chosen]


def rivalries(
    session: Session, league_id: int, people: Sequence[StandingsRow], variant_key: str = ""
) -> dict[int, dict[int, Rival]]:
    """Return for each of these people the others whom they have played against, by number."""
    names = {row.person_id: row.name for row in people}
    of = PAIRS.c
    pairs = session.execute(
        select(of.person_id, of.other_id, of.games, of.above, of.level).where(
            of.league_id == league_id,
            of.person_id.in_(names),
            of.other_id.in_(names),
            # Each pair is read once and mirrored below, half the rows.
            of.person_id < of.other_id,
            of.variant_key == variant_key,
            of.games > 0,
        )
    )
    grid: dict[int, dict[int, Rival]] = {}
    for one, other, games, above, level in pairs:
        against = Rival(other, names[other], games, above, level)
        grid.setdefault(one, {})[other] = against
        mirrored = Rival(one, names[one], games, against.below, level)
        grid.setdefault(other, {})[one] = mirrored
    return grid


def nemeses(found: list[Rival]) -> list[Rival]:
    """Find who most often finish above one over enough games: several where they do equally."""
    worst = min((rival.share for rival in found if not rival.is_few), default=HALF)
    return _with_share(found, worst) if worst < HALF else []


def favourites(found: list[Rival]) -> list[Rival]:
    """Find whom one most often finishes above over enough games: several if equally often."""
    best = max((rival.share for rival in found if not rival.is_few), default=HALF)
    return _with_share(found, best) if best > HALF else []


def _with_share(found: list[Rival], share: Fraction) -> list[Rival]:
    equals = [rival for rival in found if not rival.is_few and rival.share == share]
    return sorted(equals, key=lambda rival: (rival.name, rival.person_id))
