"""Games whose deals are points: what was written down, and what follows for who ended the deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules import Variant
from companion.rules.variant import Bids, PointRules

from .bonuses import BID, TRICKS, bonus_reasons
from .cards_left import LARGEST_TOTAL, who_went_out_faults
from .tally import Finding, LineScore, Reason, Tally

RULE = "points"


def point_rules(variant: Variant) -> PointRules:
    """Return what is written down of a deal; of a game with cards what any table writes down."""
    return variant.scoring.points or PointRules()


def asks_points(variant: Variant, tally_declared: str) -> bool:
    """Return whether points are entered for a player, by what they declared."""
    rules = point_rules(variant)
    return not rules.bids and (not tally_declared or rules.ended == "doubled")


def score_points(variant: Variant, tallies: Sequence[Tally | None]) -> list[LineScore | None]:
    """Score a deal from the points that were written down, or from bids and tricks."""
    rules = point_rules(variant)
    return [
        LineScore(
            (*_reasons(rules, seat, tallies), *bonus_reasons(variant, seat, tallies)),
        )
        if tally
        else None
        for seat, tally in enumerate(tallies)
    ]


def _reasons(rules: PointRules, seat: int, tallies: Sequence[Tally | None]) -> Iterator[Reason]:
    tally = tallies[seat] or Tally()
    others = [one.total or 0 for other, one in enumerate(tallies) if one and other != seat]
    if rules.bids:
        yield _bid_reason(rules.bids, tally)
    elif tally.declared and rules.ended == "takes":
        yield Reason("The points of all the others", sum(others), RULE)
    elif rules.ended == "takes":
        yield Reason(f"{tally.total} for who went out", 0, RULE)
    elif tally.declared and rules.ended == "none":
        yield Reason("Went out", 0, RULE)
    else:
        yield Reason("As entered", tally.total or 0, RULE)
    if tally.declared and rules.ended == "doubled" and 0 < (tally.total or 0) >= min(others):
        yield Reason("Ended it without the fewest points: doubled", tally.total or 0, RULE)


def _bid_reason(bids: Bids, tally: Tally) -> Reason:
    bid, tricks = tally.bonuses.get(BID, 0), tally.bonuses.get(TRICKS, 0)
    told = f"Bid {bid}, took {tricks}"
    if bid == tricks:
        return Reason(told, bids.made + bids.trick * tricks, RULE)
    off = abs(bid - tricks)
    return Reason(f"{told}: {off} off", bids.off * off + bids.missed * tricks, RULE)


def point_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find points that nobody entered, or that this game cannot bring."""
    rules = point_rules(variant)
    for seat, tally in enumerate(tallies):
        if tally and rules.bids and not {BID, TRICKS} <= tally.bonuses.keys():
            yield Finding("Enter what {0} bid, and the tricks taken.", (seat,))
    if rules.ended:
        yield from who_went_out_faults(tallies, nobody_may=False)
    for seat, tally in enumerate(tallies):
        if tally is None or not asks_points(variant, tally.declared):
            continue
        if tally.total is None:
            yield Finding("Enter {0}'s points.", (seat,))
        elif tally.total < 0 and not rules.negative:
            yield Finding(
                f"{{0}} can't have {tally.total}: this game has no minus points.", (seat,)
            )
        elif abs(tally.total) > LARGEST_TOTAL:
            yield Finding(f"{{0}} can't have {tally.total} points.", (seat,))
        elif tally.total % rules.step:
            below = tally.total - tally.total % rules.step
            near = f"Is it {below} or {below + rules.step}?"
            words = f"{{0}} can't have {tally.total}: points go by {rules.step}. {near}"
            yield Finding(words, (seat,))


def point_doubts(
    variant: Variant, dealt: int, tallies: Sequence[Tally | None]
) -> Iterator[Finding]:
    """Question points, or tricks, that do not add up to what a deal has."""
    rules = point_rules(variant)
    if rules.bids and dealt:
        took = sum(tally.bonuses.get(TRICKS, 0) for tally in tallies if tally)
        if took != dealt:
            word = variant.deal_word
            yield Finding(f"The tricks together are {took}, and this {word} has {dealt}.")
    together = sum(tally.total or 0 for tally in tallies if tally)
    if rules.together and together != rules.together:
        yield Finding(
            f"Together that makes {together}, and a {variant.deal_word} has {rules.together}."
        )
