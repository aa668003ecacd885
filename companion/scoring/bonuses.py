"""Bonuses and payments: points for how a deal was won, told by the table or known from the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.rules import Variant
from companion.rules.variant import Bonus

from .cards_left import cards_left_reasons, who_went_out_faults
from .tally import Finding, LineScore, Reason, Tally

MOST_TIMES = 99
BID, PARTNER, TRICKS = "bid", "partner", "tricks"
"""What a report keeps under these names, like bonuses: a side's bid, what of it its second player
bid, and its tricks."""
FIRST = "first"
"""The bonus of who was first to reach the score that ends a race: it counts no points."""
_BIDS = [
    Bonus(key=BID, name="Bid", points=0, who="each", counts=True),
    Bonus(key=PARTNER, name="Bid", points=0, who="each", counts=True),
    Bonus(key=TRICKS, name="Tricks", points=0, who="each", counts=True),
]


def bid_parts(counts: Mapping[str, int]) -> tuple[int, ...]:
    """Return what a seat bid, by each of two partners where it is told.

    >>> bid_parts({"bid": 6, "partner": 2}), bid_parts({"bid": 6}), bid_parts({})
    ((4, 2), (6,), ())
    """
    if BID not in counts:
        return ()
    partner = counts.get(PARTNER)
    return (counts[BID],) if partner is None else (counts[BID] - partner, partner)


def told_bid(parts: Sequence[int]) -> dict[str, int]:
    """Return what a report keeps of the bids of a seat; `bid_parts` reads it."""
    return {BID: sum(parts)} | ({PARTNER: parts[1]} if len(parts) == 2 else {})


def reported_bonuses(variant: Variant) -> list[Bonus]:
    """List the bonuses that the table must tell; the others follow from these."""
    return [bonus for bonus in variant.scoring.bonuses if bonus.given == "told"]


def score_cards_left(variant: Variant, tallies: Sequence[Tally | None]) -> list[LineScore | None]:
    """Score a deal that one player ends by going out: cards left count, then bonuses."""
    doubled = [
        bonus.name
        for tally in tallies
        for bonus, _ in (earned(variant, tally) if tally else ())
        if bonus.doubles
    ]
    lines: list[LineScore | None] = []
    for seat, tally in enumerate(tallies):
        if tally is None:
            lines.append(None)
            continue
        reasons = cards_left_reasons(variant, tally)
        if doubled and tally.declared != "out":
            # Before bonuses: down and out doubles cards, not what was paid.
            more = sum(reason.points for reason in reasons)
            reasons += (Reason(f"{doubled[0]}: counts double", more, "bonus"),)
        lines.append(LineScore((*reasons, *bonus_reasons(variant, seat, tallies))))
    return lines


def score_payments(variant: Variant, tallies: Sequence[Tally | None]) -> list[LineScore | None]:
    """Score a deal in which the others pay the player who went out; the points sum to zero."""
    return [
        LineScore(tuple(bonus_reasons(variant, seat, tallies))) if tally else None
        for seat, tally in enumerate(tallies)
    ]


def bonus_reasons(variant: Variant, seat: int, tallies: Sequence[Tally | None]) -> Iterator[Reason]:
    """Return what a seat's own bonuses bring, then what it pays for those of others."""
    opponents = sum(tally is not None for tally in tallies) - 1
    for other, tally in enumerate(tallies):
        for bonus, times in earned(variant, tally) if tally else ():
            is_full = bonus.full and times >= bonus.full
            points = bonus.full_points if is_full else bonus.points * times
            name = _named(bonus, times)
            if bonus.payer == "self":
                if other == seat:
                    yield Reason(name, points, "bonus")
            elif bonus.payer == "passed_on":
                yield Reason(name, -points if other == seat else points, "bonus")
            elif other == seat:
                yield Reason(
                    f"{name}, {points} from each of {opponents}", points * opponents, "bonus"
                )
            else:
                yield Reason(f"Paid. {name}", -points, "bonus")


def _named(bonus: Bonus, times: int) -> str:
    return f"{bonus.name}: {times}" if bonus.counts else bonus.name


def earned(variant: Variant, tally: Tally) -> list[tuple[Bonus, int]]:
    """List the bonuses that one report earns, each with how often; of a group the largest only."""
    reported = [
        (bonus, times)
        for bonus in variant.scoring.bonuses
        if (times := _times(variant, bonus, tally))
    ]
    return [
        (bonus, times)
        for index, (bonus, times) in enumerate(reported)
        if not bonus.group or index == _largest(reported, bonus.group)
    ]


def _largest(reported: Sequence[tuple[Bonus, int]], group: str) -> int:
    indices = [index for index, (bonus, _) in enumerate(reported) if bonus.group == group]
    return max(indices, key=lambda index: abs(reported[index][0].points * reported[index][1]))


def _times(variant: Variant, bonus: Bonus, tally: Tally) -> int:
    if bonus.given == "told":
        return tally.bonuses.get(bonus.key, 0)
    if tally.declared != "out":
        return 0
    if bonus.given == "always":
        return 1
    counted = [other.key for other in variant.scoring.bonuses if other.counts]
    return int(not any(tally.bonuses.get(key) for key in counted))


def bonus_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find bonuses that the game does not have, or that cannot be this player's."""
    bids = _BIDS if variant.bids else []
    by_key = {bonus.key: bonus for bonus in (*reported_bonuses(variant), *bids)}
    for seat, tally in enumerate(tallies):
        for key, times in (tally.bonuses if tally else {}).items():
            if key not in by_key:
                yield Finding(f"{{0}}: {variant.name} has no such bonus.", (seat,))
            elif tally and tally.declared != "out" and by_key[key].who == "out" and times:
                words = f"{{0}} did not go out: {by_key[key].name} belongs to who did."
                yield Finding(words, (seat,))
            elif not 0 <= times <= (MOST_TIMES if by_key[key].counts else 1):
                yield Finding(f"{{0}}: {by_key[key].name} cannot be {times}.", (seat,))
    for bonus in by_key.values():
        seats = tuple(s for s, t in enumerate(tallies) if t and t.bonuses.get(bonus.key))
        if bonus.who == "one" and len(seats) > 1:
            yield Finding(f"{{0}} and {{1}} can't both have it: {bonus.name}.", seats)


def payment_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find what the rules forbid where the others pay the player who went out."""
    yield from who_went_out_faults(tallies, nobody_may=False)
    for seat, tally in enumerate(tallies):
        if tally and (tally.cards or tally.total or tally.hand):
            yield Finding(f"{{0}}: cards left are not counted in {variant.name}.", (seat,))
