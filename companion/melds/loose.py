"""Melds of any suits on what runs of one suit leave: runs by rank, and sets without a suit twice."""

from __future__ import annotations

from typing import Any

from .hand import Held
from .plan import Plan, Run, SetKind
from .ranks import RANK_CELLS
from .suits import EMPTY, SHORT, short_of, spread

Choice = tuple[int, int, int, Any]
"""A key, the cards wanted, how many cards of each rank are taken with it, and what lies there."""


class Loose:
    """Every way to lay such melds; few contracts ask for one."""

    def __init__(self, plan: Plan, held: Held) -> None:
        if plan.unlike and plan.run_specs:
            raise NotImplementedError("Sets of different suits beside runs.")
        self.plan, self.held = plan, held
        self.melds: list[tuple[Run, ...] | SetKind] = [*plan.any_runs, *plan.unlike]
        alone = [self.choices(meld, 0) for meld in self.melds]
        self.empty = sum(
            min((key >> EMPTY & 255 for key, *_ in choices), default=99) for choices in alone
        )
        self.short = sum(min((key & 255 for key, *_ in choices), default=99) for choices in alone)

    def all(self, taken: int) -> list[tuple[int, int, int]]:
        """List all ways when so many cards of each rank are taken already."""
        ways = [(0, 0, taken)]
        for meld in self.melds:
            ways = [
                (key + more, value | wanted, both)
                for key, value, before in ways
                for more, wanted, both, _ in self.choices(meld, before)
            ]
        return ways

    def choices(self, meld: tuple[Run, ...] | SetKind, taken: int) -> list[Choice]:
        return self._sets(meld, taken) if isinstance(meld, SetKind) else self._runs(meld, taken)

    def _sets(self, kind: SetKind, taken: int) -> list[Choice]:
        found = []
        for rank in range(1, 14):
            if not kind.ranks >> rank & 1 or taken >> 4 * rank & 15:
                continue
            steady, natural = (
                sum(1 << 16 * suit + rank for suit in range(4) if levels[suit][0] >> rank & 1)
                for levels in (self.held.steady, self.held.natural)
            )
            for size, need in kind.sizes:
                empty = max(0, size - steady.bit_count())
                short = max(0, need - natural.bit_count())
                value = (RANK_CELLS[rank] & ~steady if empty else 0) | (
                    RANK_CELLS[rank] & ~natural if short else 0
                ) << SHORT
                used = min(size, natural.bit_count())
                found.append(
                    (short | empty << EMPTY, value, taken + (used << 4 * rank), (rank, size, need))
                )
        return found

    def _runs(self, runs: tuple[Run, ...], taken: int) -> list[Choice]:
        steady = natural = 0
        for rank in range(1, 14):
            left = self.held.natural_of[rank] - (taken >> 4 * rank & 15)
            natural |= (left > 0) << rank
            steady |= (left > 0 and self.held.steady_of[rank] > 0) << rank
        found = []
        for run in runs:
            every = run.mask & natural
            some = every
            while True:
                again = 0
                for rank in range(1, 14):
                    if run.again >> rank & 1 and self.held.natural_of[rank] - (
                        taken >> 4 * rank & 15
                    ) > (some >> rank & 1):
                        again |= 1 << rank
                short, nearer = short_of(run, some, again)
                empty = run.size - (some & steady).bit_count() - (again & steady).bit_count()
                value = (
                    in_all_suits(run.mask & ~(some & steady) | run.again & ~(again & steady))
                    | in_all_suits(nearer) << SHORT
                )
                found.append(
                    (
                        short | empty << EMPTY,
                        value,
                        taken + spread(some) + spread(again),
                        (run, some, again),
                    )
                )
                if not some or not (self.plan.most_given and self.plan.set_kinds):
                    break
                some = some - 1 & every
        return found


def in_all_suits(ranks: int) -> int:
    return ranks | ranks << 16 | ranks << 32 | ranks << 48
