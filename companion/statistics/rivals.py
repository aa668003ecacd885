"""Head to head: how often each finished above, level with or below each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.store.models import Player, RivalSum

from .ratings import can_tell_apart
from .standings import StandingsRow

ENOUGH = 5  # games against each other before somebody is called a nemesis
MOST_IN_GRID = 60  # it grows by the square of people


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
        return can_tell_apart(max(self.above, self.below), min(self.above, self.below), people)


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
    session: Session, league_id: int, people: Collection[int], variant_key: str = ""
) -> dict[int, dict[int, Rival]]:
    """Return for each of these people the others whom they have played against, by number."""
    rows = session.execute(
        select(
            RivalSum.person_id,
            RivalSum.other_id,
            Player.name,
            RivalSum.games,
            RivalSum.above,
            RivalSum.level,
        )
        .join(Player, Player.id == RivalSum.other_id)
        .where(
            RivalSum.league_id == league_id,
            RivalSum.person_id.in_(people),
            RivalSum.other_id.in_(people),
            RivalSum.variant_key == variant_key,
            RivalSum.games > 0,
        )
    )
    grid: dict[int, dict[int, Rival]] = {}
    for person, other, name, games, above, level in rows:
        grid.setdefault(person, {})[other] = Rival(other, name, games, above, level)
    return grid


def nemesis(found: list[Rival]) -> Rival | None:
    """Find who most often finishes above one, if anybody does over enough games."""
    worst = min(_enough(found), key=lambda rival: (rival.share, rival.name), default=None)
    return worst if worst and worst.share < Fraction(1, 2) else None


def favourite(found: list[Rival]) -> Rival | None:
    """Find whom one most often finishes above, if there is anybody over enough games."""
    best = max(_enough(found), key=lambda rival: (rival.share, rival.games), default=None)
    return best if best and best.share > Fraction(1, 2) else None


def _enough(found: list[Rival]) -> list[Rival]:
    return [rival for rival in found if not rival.is_few]
