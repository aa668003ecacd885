"""Zip, Zilch, Zero: what was zipped counts for its player, what is left counts against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion import melds
from companion.cards import Card, Hand
from companion.rules import Variant

from .cards_left import (
    LARGEST_TOTAL,
    count,
    left_faults,
    sum_in_words,
    sum_of_values,
    unknown_cards,
    who_went_out_faults,
)
from .tally import Finding, LineScore, Reason, Tally, who_declared


def is_zip(variant: Variant, cards: Sequence[Card]) -> bool:
    """Return whether cards told with their colours are a zip: black adds, red takes away (ZZ-3.1).

    >>> from companion.cards import read_hand
    >>> from companion.rules import find_variant
    >>> is_zip(find_variant("zip"), read_hand("KB 2R 3R 8R"))
    True
    """
    rules = variant.scoring.zips
    least = rules.min_cards if rules else 2
    has_suits = all(card.suit is not None and card.rank for card in cards)
    return len(cards) >= least and has_suits and melds.is_zip(cards)


def zipped_points(variant: Variant, tally: Tally) -> int:
    """Add up the absolute values of every zipped card, or take the typed total (P-table 9)."""
    if tally.zipped is not None:
        return tally.zipped
    return sum(sum_of_values(variant.melds, zipped) for zipped in tally.zips)


def open_zip(zips: Sequence[Hand]) -> Hand:
    """Return a last zip that does not sum to zero: it is none, and the review asks (ZZ-4.4)."""
    last = zips[-1] if zips else ()
    is_entered = all(card.rank and card.suit for card in last)
    return last if last and is_entered and not melds.is_zip(last) else ()


def without_open_zip(tally: Tally, *, has_cards: bool) -> Tally:
    """Count the cards of an open zip as left; not of who went out, nor where a total says it."""
    cards = open_zip(tally.zips)
    if not cards:
        return tally
    leaves = has_cards and tally.total is None
    left = (*(tally.cards or ()), *cards) if leaves else tally.cards
    return replace(tally, zips=tally.zips[:-1], cards=left)


def score_zips(variant: Variant, tallies: Sequence[Tally | None]) -> list[LineScore | None]:
    """Score a deal: zipped minus left, card by card without signs."""
    return [LineScore(tuple(_reasons(variant, tally))) if tally else None for tally in tallies]


def _reasons(variant: Variant, tally: Tally) -> Iterator[Reason]:
    if tally.zipped is not None:
        yield Reason("Zipped, typed as a total", tally.zipped, "zips")
    for zipped in tally.zips:
        words, worth = sum_in_words(variant.melds, zipped), sum_of_values(variant.melds, zipped)
        yield Reason(f"Zipped {words}", worth, "zips")
    if tally.zipped is None and not tally.zips:
        yield Reason("Zipped nothing", 0, "zips")
    if tally.declared == "out":
        yield Reason("Went out", variant.scoring.out_points, "out")
    else:
        left = count(variant.melds, tally)
        words = ", typed as a total" if tally.cards is None else f": {left.words}"
        yield Reason(f"Left over{words}", -left.points, "values")


def zip_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find groups that are no zips, totals that no zips make, and hands that were not told."""
    ends = variant.turn.stock_out == "end_and_score"
    yield from who_went_out_faults(tallies, nobody_may=ends)
    for seat, tally in enumerate(tallies):
        if tally:
            yield from _zipped_faults(variant, seat, tally)
            yield from left_faults(variant, seat, tally, who_declared(tallies, "out"))


def _zipped_faults(variant: Variant, seat: int, tally: Tally) -> Iterator[Finding]:
    if tally.zipped is not None and tally.zips:
        yield Finding("{0} has zips and a zipped total: enter one or the other.", (seat,), "zips")
    if tally.zipped is not None and not 0 <= tally.zipped <= LARGEST_TOTAL:
        yield Finding(f"{{0}} can't have zipped {tally.zipped}.", (seat,), "zips")
    # Red and black weigh the same in each zip, so its cards add up to twice one side.
    elif tally.zipped is not None and tally.zipped % 2:
        yield Finding(
            f"{{0}} can't have zipped {tally.zipped}: red and black are equal in every zip, "
            "so the total is even.",
            (seat,),
            "zips",
        )
    for zipped in tally.zips:
        yield from _zip_faults(variant, seat, zipped)


def _zip_faults(variant: Variant, seat: int, zipped: Hand) -> Iterator[Finding]:
    unknown = list(unknown_cards(variant.melds, seat, zipped))
    yield from (replace(finding, field="zips") for finding in unknown)
    if not unknown and not is_zip(variant, zipped):
        written = " ".join(map(str, zipped))
        if any(card.suit is None for card in zipped):
            yield Finding(
                f"{{0}}: say red or black for each card of {written}, as in 7R 7B.",
                (seat,),
                "zips",
            )
        else:
            yield Finding(
                f"{{0}}: {written} is no zip, its cards do not sum to zero.", (seat,), "zips"
            )


def zip_doubts(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Question a player who went out without a single zip: the hand never grew shorter."""
    if variant.scoring.zips is None:
        return
    for seat, tally in enumerate(tallies):
        if tally and tally.declared == "out" and not zipped_points(variant, tally):
            words = "{0} went out without zipping anything."
            yield Finding(words, (seat,), code="out-without-a-zip")
