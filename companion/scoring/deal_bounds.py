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
    if variant.pickup.penalty_points or not variant.has_cards:
        return None
    match variant.scoring.entry:
        case "zips":
            return _zips(variant, pack)
        case "unmelded":
            return _unmelded(variant, step, pack)
        case _:
            return _with_bonuses(variant, step, pack, players)


def _zips(variant: Variant, pack: Pack) -> DealBounds:
    """Every card in play is zipped by one player at most, or left with one."""
    whole, out = _dearest(_values(variant, pack), pack.size), variant.scoring.out_points
    points = Span(min(out, -whole), whole + max(0, out))
    return DealBounds(points, whole + abs(out))


def _unmelded(variant: Variant, step: int, pack: Pack) -> DealBounds:
    knock = variant.scoring.knock
    held = _dearest(_values(variant, pack), _most_cards(variant, step, pack) + 1)
    if knock and knock.penalty_mode == "double_count":
        return _independent(Span(0, 2 * held))
    return _independent(Span(0, held + (knock.penalty if knock else 0)))


def _independent(points: Span) -> DealBounds:
    return DealBounds(points, points.most - points.least)


def _with_bonuses(variant: Variant, step: int, pack: Pack, players: int) -> DealBounds:
    """Bound a deal that one player ends by going out: the others have cards left, or pay."""
    out = _out(variant) + _bonuses(variant, players, out=True)
    rest = _left(variant, step, pack) + _bonuses(variant, players, out=False)
    points = Span(min(out.least, rest.least), max(out.most, rest.most))
    ways = [out.most - rest.least, rest.most - out.least]
    if players > 2:
        ways.append(rest.most - rest.least)
    return DealBounds(points, max(ways))


def _out(variant: Variant) -> Span:
    points = variant.scoring.out_points if variant.scoring.entry == "cards_left" else 0
    return Span(points, points)


def _left(variant: Variant, step: int, pack: Pack) -> Span:
    """Bound what cards left cost: at least one card, and more where the contract is not met."""
    if variant.scoring.entry == "payments":
        return NOTHING
    more, twice = variant.scoring.not_down, any(b.doubles for b in variant.scoring.bonuses)
    values = _values(variant, pack)
    most = _dearest(values, _most_cards(variant, step, pack)) * (2 if more.double else 1)
    cheapest, _ = values[-1]
    left = Span(cheapest + min(0, more.points), most + max(0, more.points))
    return Span(min(left.least, 2 * left.least), 2 * left.most) if twice else left


def _most_cards(variant: Variant, step: int, pack: Pack) -> int:
    """Return how many cards a hand can have when another player ends the deal."""
    dealt, pickup = variant.deal(step).dealt, variant.pickup
    if variant.turn.draw == "deep_discard" or (pickup.allowed and not variant.buys(step)):
        return pack.size
    if not pickup.allowed:
        return dealt
    deals = range(1, step + 1) if pickup.carry_over else (step,)
    buys = sum(variant.buys(one) for one in deals)
    return dealt + buys * (1 + pickup.penalty_cards)


def _dearest(values: Iterable[tuple[int, int]], cards: int) -> int:
    total = 0
    for value, copies in values:
        taken = min(copies, cards)
        total, cards = total + value * taken, cards - taken
        if not cards:
            break
    return total


def _values(variant: Variant, pack: Pack) -> list[tuple[int, int]]:
    """List what the cards in play count, the dearest first, each with how many there are of it."""
    values, black = variant.melds.values, variant.melds.black_values
    of_colour = 2 * pack.decks
    found = [(values[rank], of_colour) for rank in RANKS if rank != "joker"]
    found += [(black.get(rank, values[rank]), of_colour) for rank in RANKS if rank != "joker"]
    if pack.jokers:
        found.append((values["joker"], pack.jokers))
    return sorted(found, reverse=True)


def _bonuses(variant: Variant, players: int, *, out: bool) -> Span:
    """Bound a player's own bonuses and the payments for those of others."""
    bonuses, others = variant.scoring.bonuses, players - 1
    if not bonuses:
        return NOTHING
    held = [bonus for bonus in bonuses if out or bonus.who != "out"]
    span = _earned(bonus for bonus in held if bonus.payer == "self")
    span += _earned(bonus for bonus in held if bonus.payer != "self").times(others)
    for who, payers in (("out", int(not out)), ("one", min(1, others)), ("each", others)):
        paid = [bonus for bonus in bonuses if bonus.who == who and bonus.payer != "self"]
        span += _earned(paid).times(-payers)
    return span


def _earned(bonuses: Iterable[Bonus]) -> Span:
    """Bound what some bonuses of one player come to; of a group only one counts."""
    span, groups = NOTHING, dict[str, Span]()
    for bonus in bonuses:
        worth = bonus.points * (MOST_TIMES if bonus.counts else 1)
        one = Span(min(0, worth), max(0, worth))
        if bonus.group:
            so_far = groups.get(bonus.group, NOTHING)
            groups[bonus.group] = Span(min(so_far.least, one.least), max(so_far.most, one.most))
        else:
            span += Span(worth, worth) if bonus.given == "always" else one
    return sum(groups.values(), start=span)
