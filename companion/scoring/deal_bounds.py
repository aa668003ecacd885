"""What one deal can bring at most and at least, by the rules alone.

Points by agreement, and reports that the review doubts, can go beyond: no rule bounds these.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.cards import Pack
from companion.melds import RANKS
from companion.rules import Variant
from companion.rules.variant import Bonus

from .bonuses import MOST_TIMES


class Span(Struct, frozen=True):
    """The least and the most of something, in points."""

    least: int
    most: int

    def __add__(self, other: Span) -> Span:
        return Span(self.least + other.least, self.most + other.most)

    def times(self, number: int) -> Span:
        """Return the span of so many times this, which may be fewer than none."""
        ends = self.least * number, self.most * number
        return Span(min(ends), max(ends))

    def around(self, other: Span) -> Span:
        """Return the span that holds this one and another."""
        return Span(min(self.least, other.least), max(self.most, other.most))


NOTHING = Span(0, 0)


class DealBounds(Struct, frozen=True):
    """What one deal can bring a player, and by how many points it can set two players apart.

    Never too little; it may be more than one deal's cards could really do for several at once.
    """

    points: Span
    apart: int


def deal_bounds(variant: Variant, step: int, pack: Pack, players: int) -> DealBounds | None:
    """Bound what this deal can bring each of so many players; None where the rules set no bound.

    Where discards are taken out of turn without limit, a hand may grow to the whole pack.
    """
    scoring = variant.scoring
    if variant.pickup.penalty_points or not variant.has_cards:
        return None
    values, cards = _values(variant, pack), _most_cards(variant, step, pack)
    if scoring.entry == "zips":
        # Every card in play is zipped by one player at most, or left with one.
        whole, out = sum(values), scoring.out_points
        return DealBounds(Span(min(out, -whole), whole + max(0, out)), whole + abs(out))
    if scoring.entry == "unmelded":
        held, knock = sum(values[: cards + 1]), scoring.knock
        doubled = knock and knock.penalty_mode == "double_count"
        most = 2 * held if doubled else held + (knock.penalty if knock else 0)
        return DealBounds(Span(0, most), most)
    # One player ends the deal by going out: the others have cards left, or pay.
    for_out = scoring.out_points if scoring.entry == "cards_left" else 0
    out_span = Span(for_out, for_out) + _bonuses(variant, players, out=True)
    other_span = _left(variant, values, cards) + _bonuses(variant, players, out=False)
    gaps = [out_span.most - other_span.least, other_span.most - out_span.least]
    gaps += [other_span.most - other_span.least] if players > 2 else []
    return DealBounds(out_span.around(other_span), max(gaps))


def _values(variant: Variant, pack: Pack) -> list[int]:
    """List what the cards in play count, the dearest first."""
    values, black = variant.melds.values, variant.melds.black_values
    suited = [rank for rank in RANKS if rank != "joker"]
    of_colours = [values[rank] for rank in suited] + [black.get(r, values[r]) for r in suited]
    jokers = [values["joker"]] * pack.jokers if pack.jokers else []
    return sorted(of_colours * 2 * pack.decks + jokers, reverse=True)


def _most_cards(variant: Variant, step: int, pack: Pack) -> int:
    """Return how many cards a hand can have when another player ends the deal."""
    dealt, pickup = variant.deal(step).dealt, variant.pickup
    if variant.turn.draw == "deep_discard" or (pickup.allowed and not variant.buys(step)):
        return pack.size
    deals = range(1, step + 1) if pickup.carry_over else (step,)
    buys = sum(variant.buys(step) for step in deals) if pickup.allowed else 0
    return dealt + buys * (1 + pickup.penalty_cards)


def _left(variant: Variant, values: list[int], cards: int) -> Span:
    """Bound what cards left cost: at least one card, and more where the contract is not met."""
    if variant.scoring.entry == "payments":
        return NOTHING
    more = variant.scoring.not_down
    most = sum(values[:cards]) * (2 if more.double else 1)
    left = Span(values[-1], most) + Span(more.points, more.points).around(NOTHING)
    if any(bonus.doubles for bonus in variant.scoring.bonuses):
        return Span(min(left.least, 2 * left.least), 2 * left.most)
    return left


def _bonuses(variant: Variant, players: int, *, out: bool) -> Span:
    """Bound a player's own bonuses and the payments for those of others."""
    bonuses, others = variant.scoring.bonuses, players - 1
    held = [bonus for bonus in bonuses if out or bonus.who != "out"]
    paid = [bonus for bonus in bonuses if bonus.payer != "self"]
    span = _earned(bonus for bonus in held if bonus.payer == "self")
    span += _earned(bonus for bonus in held if bonus.payer != "self").times(others)
    for who, payers in (("out", int(not out)), ("one", min(1, others)), ("each", others)):
        span += _earned(bonus for bonus in paid if bonus.who == who).times(-payers)
    return span


def _earned(bonuses: Iterable[Bonus]) -> Span:
    """Bound what some bonuses of one player come to; of a group only one counts."""
    span, groups = NOTHING, dict[str, Span]()
    for bonus in bonuses:
        worth = bonus.points * (MOST_TIMES if bonus.counts else 1)
        bonus_span = Span(worth, worth)
        if bonus.group:
            groups[bonus.group] = bonus_span.around(groups.get(bonus.group, NOTHING))
        else:
            span += bonus_span if bonus.given == "always" else bonus_span.around(NOTHING)
    return sum(groups.values(), start=span)
