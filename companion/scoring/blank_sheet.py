"""A blank score sheet: what a table that plays on paper needs beside each deal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from companion.cards import Pack
from companion.melds import Contract
from companion.rules import Variant

from .course import course

Same = TypeVar("Same")

MOST_COLUMNS = 12
"""So many players' points can be written beside each other; more need a second sheet."""
UPRIGHT_PLAYERS = 6
UPRIGHT_ROWS = 20
WIDE_ROWS = 14
"""Rows of a game whose number of deals shows in play."""
FEW_ROWS = 11
FEW_WIDE_ROWS = 7


class BlankRow(Struct, frozen=True):
    """One deal to be written down; the dealer is a seat, None where that shows in play."""

    number: int
    contract: Contract | None
    dealt: int
    dealer: int | None


class BlankSheet(Struct, frozen=True):
    """A score sheet to print. `contract` and `dealt` are those of all deals, if all are the same.

    `is_wide`: the paper lies on its side.
    """

    players: int
    pack: Pack
    rows: Sequence[BlankRow]
    contract: Contract | None
    dealt: int | None
    is_wide: bool

    @property
    def has_contracts(self) -> bool:
        """Whether each row says a contract of its own."""
        return self.contract is None and any(row.contract for row in self.rows)

    @property
    def has_few_rows(self) -> bool:
        """Whether the rows need not fill the paper to be large enough to write in."""
        return len(self.rows) < (FEW_WIDE_ROWS if self.is_wide else FEW_ROWS)

    @property
    def has_dealers(self) -> bool:
        """Whether it is known beforehand who deals when."""
        return self.rows[0].dealer is not None


def sheet_sizes(variant: Variant) -> range:
    """List the numbers of players that have a sheet."""
    low = min(variant.players.min, MOST_COLUMNS)
    return range(low, min(variant.players.max, MOST_COLUMNS) + 1)


def blank_sheet(variant: Variant, players: int) -> BlankSheet:
    """Lay out the sheet of a game for so many players, seat 0 dealing first.

    Raises `VariantError` where that many cannot play.
    """
    deals = variant.deal_count
    is_wide = players > UPRIGHT_PLAYERS and (deals or WIDE_ROWS) <= WIDE_ROWS
    count = deals or (WIDE_ROWS if is_wide else UPRIGHT_ROWS)
    plans = list(islice(course(variant, players), count))
    # Who is out deals no more, and nobody knows on paper when that will be.
    in_turn = variant.turn.next_dealer == "in_turn" and not variant.ending.eliminate
    in_turn = in_turn and variant.has_dealer
    rows = [
        BlankRow(plan.step, plan.contract, plan.dealt, plan.dealer if in_turn else None)
        for plan in plans
    ]
    return BlankSheet(
        players=players,
        pack=variant.pack(players),
        rows=rows,
        contract=_same([row.contract for row in rows]),
        dealt=_same([row.dealt for row in rows]),
        is_wide=is_wide,
    )


def _same(values: Sequence[Same]) -> Same | None:
    """Return the value that all share, None where they differ."""
    first = values[0]
    return first if all(value == first for value in values) else None
