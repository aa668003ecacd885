"""Who can still win a game that is being played: what the rules make certain, and nothing else.

Taken for granted: the players now at the table stay, nobody joins, the deals played stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

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

    `behind`: by how many points the best other seat is better, below zero if it is worse.
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
    behind: int | None = None
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
    if variant.ending.length == "until_one_left":
        return tuple(_while_in(variant, standing, seat) for seat in ranked)
    if variant.ending.length != "fixed":
        return None
    left = steps_left(variant, deals)
    if not left or variant.scoring.instant_win:
        return tuple(_if_playing(standing, seat, len(left)) for seat in ranked)
    return _race(variant, standing, ranked, left, pack)


def _if_playing(standing: Standing, seat: int, deals_left: int | None) -> Outlook:
    """Judge a seat where every player at the table can still win: an extra deal, a winning hand."""
    return Outlook(
        seat=seat, can_win=seat in standing.playing, has_won=False, deals_left=deals_left
    )


def _while_in(variant: Variant, standing: Standing, seat: int) -> Outlook:
    """Judge a seat where the last one left wins: whoever is in may go out in every deal."""
    looked = _if_playing(standing, seat, None)
    return replace(looked, spare=_spare(variant, standing, seat)) if looked.can_win else looked


def _spare(variant: Variant, standing: Standing, seat: int) -> int | None:
    rule = variant.ending.eliminate
    if rule is None or seat not in standing.playing:
        return None
    return rule.at - standing.totals[seat] - (1 if rule.op == ">=" else 0)


def _race(
    variant: Variant,
    standing: Standing,
    ranked: Sequence[int],
    left: Sequence[int],
    pack: Pack,
) -> tuple[Outlook, ...] | None:
    """Judge the seats of a game with a fixed number of deals, of which these are left."""
    found = [deal_bounds(variant, step, pack, len(standing.playing)) for step in left]
    bounds = [stake for stake in found if stake is not None]
    if len(bounds) < len(found):
        return None
    race = _Race(variant, standing, ranked, _summed(variant, bounds))
    return tuple(race.outlook(seat, len(left)) for seat in ranked)


def _summed(variant: Variant, bounds: Iterable[DealBounds]) -> DealBounds:
    """Add up deals as costs: less is better. A deal may be thrown in and bring nothing at all.

    Where totals stop at a floor, a deal can bring one player nothing and another everything.
    """
    span, apart = NOTHING, 0
    for deal in bounds:
        cost = deal.points.times(variant.ending.cost)
        cost = Span(min(0, cost.least), max(0, cost.most))
        span += cost
        floored = variant.ending.floor is not None
        apart += cost.most - cost.least if floored else max(0, deal.apart)
    return DealBounds(span, apart)


class _Race(Struct, frozen=True, dict=True):
    """A game with a fixed number of deals; `ahead` bounds what all the deals left can cost."""

    variant: Variant
    standing: Standing
    ranked: Sequence[int]
    ahead: DealBounds

    @cached_property
    def costs(self) -> list[int]:
        """The totals so far, turned so that less is better."""
        return [self.variant.ending.cost * total for total in self.standing.totals]

    def outlook(self, seat: int, deals_left: int) -> Outlook:
        others = [other for other in self.ranked if other != seat]
        return Outlook(
            seat=seat,
            can_win=not self._is_out(seat)
            and all(self._may_pass(seat, other, level=True) for other in others),
            has_won=not any(
                self._may_pass(other, seat, level=not self._is_shared) for other in others
            ),
            deals_left=deals_left,
            behind=self._behind(seat, others),
            sure_with=self._sure_with(seat, others),
            lost_beyond=self._lost_beyond(seat, others),
            spare=_spare(self.variant, self.standing, seat),
        )

    @property
    def _is_shared(self) -> bool:
        return self.variant.ending.tiebreak == "shared"

    def _is_out(self, seat: int) -> bool:
        return self.standing.out_at[seat] is not None

    def _plays(self, seat: int) -> bool:
        return seat in self.standing.playing

    def _may_pass(self, seat: int, other: int, *, level: bool) -> bool:
        """Return whether a seat may end before another, or level with it."""
        if self._is_out(seat) or self._is_out(other):
            return self._is_out(other)
        if self._may_be_put_out(other):
            return True
        gap = self._lifted(seat, better=True) - self._lifted(other, better=False)
        most = self._most_gained(seat, other)
        return gap <= most if level else gap < most

    def _lifted(self, seat: int, *, better: bool) -> int:
        """Return a seat's cost; a total below the floor rises to it in the next deal."""
        floor = self.variant.ending.floor
        if floor is None or better != (self.variant.ending.cost < 0):
            return self.costs[seat]
        return self.variant.ending.cost * max(floor, self.standing.totals[seat])

    def _most_gained(self, seat: int, other: int) -> int:
        if self._plays(seat) and self._plays(other):
            return self.ahead.apart
        gained = -self.ahead.points.least if self._plays(seat) else 0
        return gained + (self.ahead.points.most if self._plays(other) else 0)

    def _may_be_put_out(self, seat: int) -> bool:
        rule = self.variant.ending.eliminate
        if rule is None or not self._plays(seat):
            return False
        most = self.ahead.points.times(self.variant.ending.cost).most
        return rule.takes(self.standing.totals[seat] + most)

    def _behind(self, seat: int, others: Iterable[int]) -> int | None:
        costs = [self.costs[other] for other in others if not self._is_out(other)]
        return self.costs[seat] - min(costs) if costs and not self._is_out(seat) else None

    @property
    def _is_plain(self) -> bool:
        """Whether totals only add up: nothing stops them, and nobody is put out."""
        return self.variant.ending.floor is None and self.variant.ending.eliminate is None

    def _sure_with(self, seat: int, others: Iterable[int]) -> int | None:
        """Find the cost with which a seat ends first even if the others pay the least there is."""
        if not self._is_plain or not self._plays(seat):
            return None
        best = [self._ends(other, self.ahead.points.least) for other in others]
        limit = min(best, default=0) - self.costs[seat] - (0 if self._is_shared else 1)
        return self.variant.ending.cost * limit if limit >= self.ahead.points.least else None

    def _lost_beyond(self, seat: int, others: Iterable[int]) -> int | None:
        """Find the cost beyond which some other ends before a seat, even paying the most."""
        if not self._is_plain or not self._plays(seat):
            return None
        worst = [self._ends(other, self.ahead.points.most) for other in others]
        limit = min(worst, default=0) - self.costs[seat]
        return self.variant.ending.cost * limit if limit < self.ahead.points.most else None

    def _ends(self, seat: int, further: int) -> int:
        return self.costs[seat] + (further if self._plays(seat) else 0)
