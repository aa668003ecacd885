"""Games whose deals are points: what was written down, and what follows for who ended the deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules import Variant
from companion.rules.variant import Bids, PointRules

from .bonuses import BID, TRICKS, bonus_reasons
from .cards_left import LARGEST_TOTAL, who_went_out_faults
from .tally import Declared, Finding, LineScore, Reason, Tally

RULE = "points"


def point_rules(variant: Variant) -> PointRules:
    """Return what is written down of a deal; of a game with cards what any table writes down."""
    return variant.scoring.points or PointRules()


def asks_points(variant: Variant, declared: Declared) -> bool:
    """Return whether a player has points, or bid and tricks, to enter, by what they declared."""
    return not declared or point_rules(variant).ended == "doubled"


def score_points(variant: Variant, tallies: Sequence[Tally | None]) -> list[LineScore | None]:
    """Score a deal from the points that were written down, or from bids and tricks."""
    rules = point_rules(variant)
    lines: list[LineScore | None] = []
    for seat, tally in enumerate(tallies):
        if tally is None:
            lines.append(None)
            continue
        others = [one.total or 0 for other, one in enumerate(tallies) if one and other != seat]
        reasons = tuple(_reasons(rules, tally, others))
        lines.append(LineScore((*reasons, *bonus_reasons(variant, seat, tallies))))
    return lines


def _reasons(rules: PointRules, tally: Tally, others: Sequence[int]) -> Iterator[Reason]:
    """Explain one player's points; `others` are those that were written down for the others."""
    points, has_ended = tally.total or 0, tally.declared == "out"
    if rules.bids:
        yield _bid_reason(rules.bids, tally)
    elif rules.ended == "takes" and not has_ended:
        yield Reason(f"{points} for who went out", 0, RULE)
    elif rules.ended == "takes":
        yield Reason("The points of all the others", sum(others), RULE)
    elif rules.ended == "none" and has_ended:
        yield Reason("Went out", 0, RULE)
    else:
        yield Reason("As entered", points, RULE)
    # A tie counts as not the fewest, and minus points are not doubled at Skyjo.
    if rules.ended == "doubled" and has_ended and points > 0 and points >= min(others):
        yield Reason("Ended it without the fewest points: doubled", points, RULE)


def _bid_reason(bids: Bids, tally: Tally) -> Reason:
    bid, tricks = tally.bonuses.get(BID, 0), tally.bonuses.get(TRICKS, 0)
    bid_words = f"Bid {bid}, took {tricks}"
    if bid == tricks:
        return Reason(bid_words, bids.made + bids.trick * tricks, RULE)
    off = abs(bid - tricks)
    return Reason(f"{bid_words}: {off} off", bids.off * off + bids.missed * tricks, RULE)


def point_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find points that nobody entered, or that this game cannot bring."""
    rules = point_rules(variant)
    if rules.ended:
        yield from who_went_out_faults(tallies, nobody_may=False)
    for seat, tally in enumerate(tallies):
        if tally and rules.bids:
            if not {BID, TRICKS} <= tally.bonuses.keys():
                yield Finding("Enter what {0} bid, and the tricks taken.", (seat,))
        elif tally and asks_points(variant, tally.declared):
            yield from _total_faults(rules, seat, tally.total)


def _total_faults(rules: PointRules, seat: int, total: int | None) -> Iterator[Finding]:
    if total is None:
        yield Finding("Enter {0}'s points.", (seat,))
    elif total < 0 and not rules.negative:
        yield Finding(f"{{0}} can't have {total}: there are no minus points here.", (seat,))
    elif abs(total) > LARGEST_TOTAL:
        yield Finding(f"{{0}} can't have {total} points.", (seat,))
    elif total % rules.step:
        below = total - total % rules.step
        near = f"Is it {below} or {below + rules.step}?"
        yield Finding(f"{{0}} can't have {total}: points go by {rules.step}. {near}", (seat,))


def point_doubts(
    variant: Variant, dealt: int, tallies: Sequence[Tally | None]
) -> Iterator[Finding]:
    """Question points, or tricks, that do not add up to what a deal has."""
    rules, word = point_rules(variant), variant.deal_word
    reported = [tally for tally in tallies if tally]
    together = sum(tally.total or 0 for tally in reported)
    tricks = sum(tally.bonuses.get(TRICKS, 0) for tally in reported)
    if rules.bids and dealt and tricks != dealt:
        yield Finding(f"The tricks together are {tricks}, and this {word} has {dealt}.")
    if rules.together and together != rules.together:
        yield Finding(f"Together that makes {together}, and a {word} has {rules.together}.")
