"""The course of a game in values: seats and deals as played, where it stands, what is next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from companion.cards import Pack
from companion.melds import Contract

from .tally import MOST_POINTS, Seat, Tally

MOST_DEALS = 1_000
"""The deals of one game."""
MOST_TOTAL = MOST_DEALS * MOST_POINTS
Position = Annotated[int, Meta(ge=1, le=MOST_DEALS + 1)]
VoidNext = Literal["again", "next_dealer", "skip"]


class NextDeal(Struct, frozen=True):
    """What a deal demands before it is played; `dealer` and `first` are seats.

    Where players stay on a contract until it is met, `steps` is the number of the contract that
    each seat is on, and the deal itself has none.
    """

    step: int
    dealt: int
    contract: Contract | None
    pack: Pack
    dealer: int
    first: int
    turns_at_start: int
    steps: tuple[int, ...] = ()


class SeatStay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's stay at the table: from which deal, until before which, with how many points.

    `joined` and `left` are positions in the list of deals, from 1. `placed`: a player who left
    is among the places only if the table says so. `sits_after`: the seat on whose left a late
    joiner took a chair; None for everybody whose chair is where their number says.
    """

    start: Annotated[int, Meta(ge=-MOST_TOTAL, le=MOST_TOTAL)] = 0
    joined: Position = 1
    left: Position | None = None
    placed: bool = True
    sits_after: Seat | None = None

    def plays(self, position: int) -> bool:
        """Return whether the player sits at the table for the deal at this position."""
        return self.joined <= position and (self.left is None or position < self.left)


class PlayedDeal(Struct, frozen=True, kw_only=True, dict=True):
    """One deal as the table played it: `step` is the contract it stood for, from 1.

    A void deal has no points; `after_void` says what the table deals next.
    """

    step: int
    dealer: int
    points: Mapping[int, int] = field(default_factory=dict)
    tallies: Mapping[int, Tally] = field(default_factory=dict)
    void: bool = False
    after_void: VoidNext = "again"

    @cached_property
    def won_by(self) -> int | None:
        """The seat whose hand won the whole game at once, if one did; a void deal wins nothing."""
        if self.void:
            return None
        return next((s for s, t in self.tallies.items() if t.declared == "instant_win"), None)


class Standing(Struct, frozen=True):
    """Where a game stands after the deals played so far.

    `totals`, `places` and `out_at` are by seat; `out_at` is the position of the deal that put
    the seat out, `places` is None for a seat outside the order, and `levels` what ranks a seat
    before its points: they tell apart only seats of one level. `running` holds the totals after
    each deal, `regular` the same without extra deals, which only part the tied. `met` counts the
    contracts that each seat has met, `bags` the tricks beyond its bids, where that matters.
    `upcoming` is None when the game is over. `circle` lists all seats clockwise as they sit,
    `playing` those of them that play on.
    """

    totals: tuple[int, ...]
    running: tuple[tuple[int, ...], ...]
    regular: tuple[tuple[int, ...], ...]
    out_at: tuple[int | None, ...]
    circle: tuple[int, ...]
    playing: tuple[int, ...]
    places: tuple[int | None, ...]
    winners: tuple[int, ...]
    over: bool
    upcoming: NextDeal | None
    met: tuple[int, ...] = ()
    bags: tuple[int, ...] = ()
    levels: tuple[tuple[int, ...] | None, ...] = ()

    def apart(self, seat: int, other: int) -> int | None:
        """Return by how many points two seats differ; None where points don't tell them apart."""
        if self.levels[seat] is None or self.levels[seat] != self.levels[other]:
            return None
        return abs(self.decisive[seat] - self.decisive[other])

    @property
    def decisive(self) -> tuple[int, ...]:
        """The totals that the places rest on: those of the regular deals."""
        return self.regular[-1] if self.regular else self.totals
