"""Who can still win a game that is being played: what the rules make certain, and nothing else.

Taken for granted: the players now at the table stay, nobody joins, the deals played stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from companion.cards import Pack
from companion.rules import Variant

from .course import steps_left
from .deal_bounds import NOTHING, DealBounds, Span, deal_bounds
from .played import PlayedDeal, Standing

USUAL = 100
"""More points than this are rare for one player in one deal of any game here."""


class Outlook(Struct, frozen=True, kw_only=True):
    """What is certain of one seat, in points of the game.

    `can_win` False and `has_won` True are never mistaken; a win may be shared. `deals_left` is
    None where play decides it.

    `sure_with`: with at most so many points in the deals left (at least, where the highest total
    wins) first place is certain, whatever the others do; None if no points make it so.
    `lost_beyond`: with more than so many (fewer, where the highest wins) it cannot win any more;
    None if no deal brings so many.
    `spare`: with so many points or fewer in the next deal it stays in the game; None where nobody
    is put out.
    """

    seat: int
    can_win: bool
    has_won: bool
    deals_left: int | None = None
    sure_with: int | None = None
    lost_beyond: int | None = None
    spare: int | None = None

    @property
    def tells(self) -> Literal["", "won", "lost", "sure_with", "lost_beyond", "spare"]:
        """Name what a table would want to hear; empty where only what hardly happens is certain.

        A number of points is worth saying if deals bring so many: some from none to `USUAL` each.
        """
        if self.has_won or not self.can_win:
            return "won" if self.has_won else "lost"
        usual = range(1 + USUAL * (self.deals_left or 1))
        if self.sure_with is not None and self.sure_with in usual:
            return "sure_with"
        if self.lost_beyond is not None and self.lost_beyond in usual:
            return "lost_beyond"
        return "" if self.spare is None else "spare"


def outlooks(
    variant: Variant, standing: Standing, deals: Sequence[PlayedDeal], pack: Pack
) -> tuple[Outlook, ...] | None:
    """Return for every seat in the order of places what is certain; None if the rules say nothing.

    `standing` is where the game stands after these deals.

    They say nothing of a game that is over, and of one that ends by a score reached or by
    contracts met: whoever is behind there may go out as often as it takes.
    """
    if standing.over or standing.upcoming is None:
        return None
    ranked = [seat for seat, place in enumerate(standing.places) if place is not None]
    length, left = variant.ending.length, steps_left(variant, deals)
    if length == "fixed" and left and not variant.scoring.instant_win:
        bounds = [deal_bounds(variant, step, pack, len(standing.playing)) for step in left]
        if None in bounds:
            return None
        race = _Race(variant, standing, ranked, [bound for bound in bounds if bound])
        return tuple(race.outlook(seat) for seat in ranked)
    if length not in ("fixed", "until_one_left"):
        return None
    # An extra deal, a hand that wins all, the last one left: whoever plays may still win.
    return tuple(
        Outlook(
            seat=seat,
            can_win=seat in standing.playing,
            has_won=False,
            deals_left=len(left) if length == "fixed" else None,
            spare=_spare(variant, standing, seat) if length != "fixed" else None,
        )
        for seat in ranked
    )


def _spare(variant: Variant, standing: Standing, seat: int) -> int | None:
    rule = variant.ending.eliminate
    if rule is None or seat not in standing.playing:
        return None
    return rule.at - standing.totals[seat] - (1 if rule.op == ">=" else 0)


class _Race(Struct, frozen=True, dict=True):
    """A game with a fixed number of deals. Points are turned into costs: less is better."""

    variant: Variant
    standing: Standing
    ranked: Sequence[int]
    bounds: Sequence[DealBounds]

    @cached_property
    def ahead(self) -> DealBounds:
        """What all the deals left can cost. One may be thrown in and bring nothing at all.

        Where totals stop at a floor, a deal can bring one player nothing and another everything.
        """
        span, apart = NOTHING, 0
        for deal in self.bounds:
            cost = deal.points.times(self.variant.ending.cost).around(NOTHING)
            span += cost
            floored = self.variant.ending.floor is not None
            apart += cost.most - cost.least if floored else max(0, deal.apart)
        return DealBounds(span, apart)

    def outlook(self, seat: int) -> Outlook:
        others = [other for other in self.ranked if other != seat]
        shared = self.variant.ending.tiebreak == "shared"
        sure_with, lost_beyond = self._limits(seat, others, shared=shared)
        return Outlook(
            seat=seat,
            can_win=self._is_in(seat)
            and all(self._may_pass(seat, other, level=True) for other in others),
            has_won=not any(self._may_pass(other, seat, level=not shared) for other in others),
            deals_left=len(self.bounds),
            sure_with=sure_with,
            lost_beyond=lost_beyond,
            spare=_spare(self.variant, self.standing, seat),
        )

    def _is_in(self, seat: int) -> bool:
        return self.standing.out_at[seat] is None

    def _cost(self, seat: int) -> int:
        return self.variant.ending.cost * self.standing.totals[seat]

    def _start(self, seat: int) -> Span:
        """Return a seat's cost now; a total below the floor rises to it in the next deal."""
        floor, total = self.variant.ending.floor, self.standing.totals[seat]
        lifted = total if floor is None else max(floor, total)
        return Span(total, lifted).times(self.variant.ending.cost)

    def _to_come(self, seat: int) -> Span:
        return self.ahead.points if seat in self.standing.playing else NOTHING

    def _may_pass(self, seat: int, other: int, *, level: bool) -> bool:
        """Return whether a seat may end before another, or level with it."""
        if not self._is_in(seat) or not self._is_in(other):
            return not self._is_in(other)
        if self._may_be_put_out(other):
            return True
        gap = self._start(seat).least - self._start(other).most
        gained = self._to_come(other).most - self._to_come(seat).least
        if {seat, other} <= {*self.standing.playing}:
            gained = self.ahead.apart
        return gap <= gained if level else gap < gained

    def _may_be_put_out(self, seat: int) -> bool:
        rule = self.variant.ending.eliminate
        points = self._to_come(seat).times(self.variant.ending.cost)
        playing = seat in self.standing.playing
        return bool(rule and playing and rule.takes(self.standing.totals[seat] + points.most))

    def _limits(
        self, seat: int, others: Sequence[int], *, shared: bool
    ) -> tuple[int | None, int | None]:
        """Find with which points a seat ends first whatever the others pay, and beyond which not.

        None where totals do more than add up: something stops them, or puts players out.
        """
        ending = self.variant.ending
        if ending.floor is not None or ending.eliminate or seat not in self.standing.playing:
            return None, None
        ends = [self._to_come(other) + Span(*[self._cost(other)] * 2) for other in others]
        sure = min((end.least for end in ends), default=0) - self._cost(seat) - (not shared)
        lost = min((end.most for end in ends), default=0) - self._cost(seat)
        span = self.ahead.points
        return (
            ending.cost * sure if sure >= span.least else None,
            ending.cost * lost if lost < span.most else None,
        )
