"""Games whose deals are points: what was written down, and what follows for who ended the deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from companion.rules import Variant
from companion.rules.variant import Bids, Bonus, PointRules

from .bonuses import BID, TRICKS, bid_parts, bonus_reasons
from .cards_left import LARGEST_TOTAL, who_went_out_faults
from .played import PlayedDeal
from .tally import Declared, Finding, LineScore, Reason, Tally

RULE = "points"
WON = "won"
"""What is told of a winner, among the bonuses."""


def point_rules(variant: Variant) -> PointRules:
    """Return what is written down of a deal; of a game with cards what any table writes down."""
    return variant.scoring.points or PointRules()


def asks_points(variant: Variant, declared: Declared) -> bool:
    """Return whether a player has points, or bid and tricks, to enter, by what they declared."""
    if variant.scoring.entry == "winner":
        return False
    return not declared or point_rules(variant).ended == "doubled"


def counts_as_entered(variant: Variant, declared: Declared) -> bool:
    """Return whether the points entered for a player are what is added to their own total."""
    rules = point_rules(variant)
    return rules.ended in ("", "none") or (rules.ended == "doubled" and not declared)


def filled_in(variant: Variant, tallies: Sequence[Tally | None]) -> list[Tally | None]:
    """Read a deal with what follows from the rest: nothing where the others have it all.

    A player with the bonus for every point of a deal has them, and who has taken everything has
    that bonus (`with_sweep`).
    """
    rules, bonus = point_rules(variant), sweep_bonus(variant)
    written = [tally.total for tally in tallies if tally and tally.total is not None]
    swept = bonus and any(tally and tally.bonuses.get(bonus.key) for tally in tallies)
    if swept and not written:
        points_left = [
            rules.together if t and bonus and t.bonuses.get(bonus.key) else 0 for t in tallies
        ]
    elif rules.together and sum(written) == rules.together:
        points_left = [0] * len(tallies)
    else:
        return with_sweep(variant, tallies)
    tallies = [
        replace(tally, total=points) if tally and tally.total is None else tally
        for tally, points in zip(tallies, points_left, strict=True)
    ]
    return with_sweep(variant, tallies)


def sweep_bonus(variant: Variant) -> Bonus | None:
    """Find the bonus of whoever took every point of a deal: it counts them once, or again."""
    whole = point_rules(variant).together
    counted = (bonus for bonus in variant.scoring.bonuses if bonus.who == "one" and bonus.points)
    return next((bonus for bonus in counted if whole and bonus.points % whole == 0), None)


def with_sweep(variant: Variant, tallies: Sequence[Tally | None]) -> list[Tally | None]:
    """Read a deal in which one player took everything as all its points and the bonus for them.

    A table writes down what was taken (26 0 0 0) or what that comes to (0 26 26 26, or
    -26 0 0 0); who holds the bonus need not be told. What fits neither is left as it was.
    """
    bonus, whole = sweep_bonus(variant), point_rules(variant).together
    playing = [seat for seat, tally in enumerate(tallies) if tally]
    if bonus is None or len(playing) < 3:
        return list(tallies)
    as_taken, passed = (whole, 0), (0, bonus.points)
    written = {as_taken, passed if bonus.payer == "passed_on" else (whole + bonus.points, 0)}
    holders = {s for s in playing if (tally := tallies[s]) and tally.bonuses.get(bonus.key)}
    for seat in playing:
        points = {s: tally.total for s in playing if (tally := tallies[s])}
        own_points, others = points.pop(seat), set(points.values())
        if len(others) == 1 and (own_points, *others) in written and holders <= {seat}:
            return [
                _swept(tally, bonus.key, whole if other == seat else 0)
                for other, tally in enumerate(tallies)
            ]
    return list(tallies)


def _swept(tally: Tally | None, key: str, points: int) -> Tally | None:
    if tally is None:
        return None
    bonuses = {name: times for name, times in tally.bonuses.items() if name != key}
    return replace(tally, total=points, bonuses=bonuses | ({key: 1} if points else {}))


def score_points(
    variant: Variant, tallies: Sequence[Tally | None], bags: Sequence[int] = ()
) -> list[LineScore | None]:
    """Score a deal from the points that were written down, or from bids and tricks.

    `bags` are those that each seat had before, where the game counts them.
    """
    rules = point_rules(variant)
    if variant.scoring.entry == "worth":
        return [
            LineScore((_worth_reason(rules, seat, tally, tallies),)) if tally else None
            for seat, tally in enumerate(tallies)
        ]
    lines: list[LineScore | None] = []
    for seat, tally in enumerate(tallies):
        if tally is None:
            lines.append(None)
            continue
        others = [
            other_tally.total or 0
            for other, other_tally in enumerate(tallies)
            if other_tally and other != seat
        ]
        had = bags[seat] if bags else 0
        if variant.bids:
            reasons = tuple(_bid_reasons(variant, variant.bids, tally, had))
        else:
            reasons = () if variant.asks_winners else tuple(_reasons(rules, tally, others))
        lines.append(LineScore((*reasons, *bonus_reasons(variant, seat, tallies))))
    return lines


def _reasons(rules: PointRules, tally: Tally, others: Sequence[int]) -> Iterator[Reason]:
    """Explain one player's points; `others` are those that were written down for the others."""
    points, has_ended = tally.total or 0, tally.declared == "out"
    if rules.ended == "takes" and not has_ended:
        yield Reason(f"{points} for who {rules.closing}", 0, RULE)
    elif rules.ended == "takes":
        yield Reason("The points of all the others", sum(others), RULE)
    elif rules.ended == "none" and has_ended:
        yield Reason(rules.closing.capitalize(), 0, RULE)
    else:
        yield Reason("As entered", points, RULE)
    # A tie counts as not the fewest, and minus points are not doubled at Skyjo.
    if rules.ended == "doubled" and has_ended and points > 0 and points >= min(others):
        yield Reason(f"{rules.closing.capitalize()} but not lowest: doubled", points, RULE)


def _worth_reason(
    rules: PointRules, seat: int, tally: Tally, tallies: Sequence[Tally | None]
) -> Reason:
    """Explain what a deal brings one side: who is alone has it from each of the others."""
    won = tally.bonuses.get(WON, 0)
    partners = sum(bool(reported and reported.bonuses.get(WON, 0) == won) for reported in tallies)
    against, worth = sum(reported is not None for reported in tallies) - partners, tally.total or 0
    if rules.alone_only and partners > 1:
        return Reason("Played against", 0, RULE)
    points = worth if won else -worth
    if partners == 1 < against:
        times = 1 if rules.alone_only else against
        points *= times if won else times * rules.lost
    did = "Won" if won else "Lost"
    words = f"{did} alone, worth {worth}" if partners == 1 < against else f"{did}, worth {worth}"
    return Reason(words, points, RULE)


def _worth_faults(rules: PointRules, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find sides that cannot settle a worth between them, and a worth of nothing."""
    playing = [tally for tally in tallies if tally]
    won = sum(bool(tally.bonuses.get(WON)) for tally in playing)
    lost = len(playing) - won
    if not won:
        yield Finding("Tap who won.")
    elif not lost:
        yield Finding("Someone must have lost: tap only who won.")
    elif 1 not in (won, lost) and (rules.alone_only or won != lost):
        sides = "one plays alone" if rules.alone_only else "one alone, or equal sides"
        yield Finding(f"{won} against {lost} can't be settled: {sides}.")
    if any(not 0 < (tally.total or 0) <= LARGEST_TOTAL for tally in playing):
        yield Finding("Enter what it was worth: 1 or more.", field="worth")


def _bid_reasons(variant: Variant, bids: Bids, tally: Tally, had: int) -> Iterator[Reason]:
    """Explain what a bid and its tricks bring; `had` are the bags of the deals before."""
    bid, tricks = tally.bonuses.get(BID, 0), tally.bonuses.get(TRICKS, 0)
    words, off = f"Bid {bid}, took {tricks}", abs(bid - tricks)
    if bids.at_least and tricks >= bid:
        points = bids.made + bids.trick * bid + bids.over * (tricks - bid)
        yield Reason(words, points, RULE)
    elif bid == tricks:
        yield Reason(words, bids.made + bids.trick * tricks, RULE)
    else:
        points = bids.off * off + bids.missed * tricks + bids.lost * bid
        yield Reason(words, points, RULE)
    if bids.bags:
        full = (had % bids.bags + deal_bags(variant, tally)) // bids.bags
        if full:
            yield Reason(f"{full * bids.bags} bags", full * bids.bags_points, RULE)


def deal_bags(variant: Variant, tally: Tally) -> int:
    """Count the tricks beyond the bid in one deal, those of a broken nil as well."""
    beyond = tally.bonuses.get(TRICKS, 0) - tally.bonuses.get(BID, 0)
    reported_bags = sum(
        tally.bonuses.get(bonus.key, 0) for bonus in variant.scoring.bonuses if bonus.bags
    )
    return max(0, beyond) + reported_bags


def bags_of(variant: Variant, seats: int, deals: Sequence[PlayedDeal]) -> tuple[int, ...]:
    """Count the bags of each seat in these deals; none where the game does not count them."""
    if not variant.bids or not variant.bids.bags:
        return ()
    tallies = [deal.tallies for deal in deals if not deal.void]
    return tuple(
        sum(deal_bags(variant, reports[seat]) for reports in tallies if seat in reports)
        for seat in range(seats)
    )


def point_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find points that nobody entered, or that this game cannot bring."""
    rules = point_rules(variant)
    if rules.ended:
        yield from who_went_out_faults(tallies, nobody_may=False, did=rules.closing)
    if variant.scoring.entry == "worth":
        yield from _worth_faults(rules, tallies)
        return
    yield from _sweep_faults(variant, tallies)
    for seat, tally in enumerate(tallies):
        if tally and variant.bids:
            if not {BID, TRICKS} <= tally.bonuses.keys():
                yield Finding("Enter what {0} bid, and the tricks taken.", (seat,))
        elif tally and asks_points(variant, tally.declared):
            yield from _total_faults(rules, seat, tally.total)


def _sweep_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find the bonus for every point of a deal with a player who has not taken them all."""
    bonus, whole = sweep_bonus(variant), point_rules(variant).together
    for seat, tally in enumerate(tallies):
        if not bonus or not tally or not tally.bonuses.get(bonus.key):
            continue
        others = [
            other_tally.total
            for other, other_tally in enumerate(tallies)
            if other_tally and other != seat
        ]
        if tally.total != whole or any(others):
            words = f"{bonus.name}: {{0}} has all {whole} points then, the others 0."
            yield Finding(f"{words} Or choose no one.", (seat,))


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


def nils_open(variant: Variant, tally: Tally) -> int:
    """Count the bids of nothing of which it isn't told how they went, where that counts."""
    ways = [bonus.key for bonus in variant.scoring.bonuses if bonus.nil]
    settled = sum(tally.bonuses.get(way, 0) for way in ways)
    return bid_parts(tally.bonuses).count(0) - settled if ways else 0


def bid_fault(
    rules: Bids, dealt: int, order: Sequence[int], bids: Mapping[int, int]
) -> Finding | None:
    """Find that the last bid makes all come out where it may not; `order` is that of bidding."""
    is_whole = rules.uneven and dealt and bids.keys() >= set(order)
    if is_whole and sum(bids.values()) == dealt:
        return Finding(f"{{0}} bids last and may not make it {dealt}.", (order[-1],))
    return None


def point_doubts(
    variant: Variant, dealt: int, tallies: Sequence[Tally | None]
) -> Iterator[Finding]:
    """Question points, or tricks, that do not add up to what a deal has."""
    rules, word = point_rules(variant), variant.deal_word
    reported = [tally for tally in tallies if tally]
    together = sum(tally.total or 0 for tally in reported)
    counted = [TRICKS, *(bonus.key for bonus in variant.scoring.bonuses if bonus.bags)]
    tricks = sum(tally.bonuses.get(key, 0) for tally in reported for key in counted)
    for seat, tally in enumerate(tallies):
        bid = tally.bonuses.get(BID, 0) if tally and variant.bids else 0
        if dealt and bid > dealt:
            there_are = "there is only 1 trick" if dealt == 1 else f"there are only {dealt} tricks"
            words = f"{{0}} bid {bid}, but {there_are} in this {word}."
            yield Finding(words, (seat,), code="bid-over-tricks")
        if tally and nils_open(variant, tally) > 0:
            yield Finding("{0} bid nil: was it made or broken?", (seat,), code="nil-open")
    if variant.bids and dealt and tricks != dealt:
        of_tricks = f"{tricks} trick{'' if tricks == 1 else 's'}"
        only = f"{of_tricks}, but there {'is' if dealt == 1 else 'are'} only {dealt}"
        words = f"That's {only if tricks > dealt else f'{of_tricks} of {dealt}'}."
        yield Finding(words, code="tricks-not-those-dealt")
    if rules.together and together != rules.together:
        words = f"Together that makes {together}, and a {word} has {rules.together}."
        yield Finding(words, code="points-not-those-together")
