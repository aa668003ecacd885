"""Counting cards: what is left in hand scores against its holder."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from companion.cards import Hand, sort_hand
from companion.melds import RANK_NAMES, RANKS, MeldRules
from companion.rules import Variant

from .tally import Finding, Reason, Tally, who_declared

LARGEST_TOTAL = 9999


def cards_left_reasons(variant: Variant, tally: Tally) -> tuple[Reason, ...]:
    """Score one player of a deal that ends when somebody goes out: whose cards left do not count.

    Who has not met the contract may pay more beside the cards.
    """
    if tally.declared == "out":
        return (Reason("Went out", variant.scoring.out_points, "out"),)
    counted, more = count(variant.melds, tally), variant.scoring.not_down
    reasons = [counted]
    if not tally.met and more.double:
        reasons.append(Reason("Not down: counts double", counted.points, "not-down"))
    if not tally.met and more.points:
        reasons.append(Reason("Not down", more.points, "not-down"))
    return tuple(reasons)


def cards_left_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find what the rules forbid where the first player out ends the deal."""
    yield from who_went_out_faults(tallies, nobody_may=False)
    for seat, tally in enumerate(tallies):
        if tally:
            yield from left_faults(variant, seat, tally, who_declared(tallies, "out"))


def left_faults(variant: Variant, seat: int, tally: Tally, out: int | None) -> Iterator[Finding]:
    """Find cards left with who went out, and a hand of anybody else that can't be counted."""
    if tally.declared != "out":
        yield from count_faults(variant, seat, tally, out)
    elif tally.cards or tally.total:
        yield Finding("{0} went out and can't have cards left.", (seat,))


def who_went_out_faults(
    tallies: Sequence[Tally | None], *, nobody_may: bool, did: str = "went out"
) -> Iterator[Finding]:
    """Find a deal that nobody, or more than one, ended (`I5`)."""
    out = tuple(seat for seat, tally in enumerate(tallies) if tally and tally.declared == "out")
    if not out and not nobody_may:
        yield Finding(f"No one {did}: tap the player who did, or cancel the deal.")
    if len(out) > 1:
        yield Finding("{0} and {1} can't both go out: only one player ends a deal.", out)


def count(rules: MeldRules, tally: Tally) -> Reason:
    """Count the cards, or take the total that was typed in their place."""
    if tally.cards is None:
        return Reason("Typed as a total", tally.total or 0, "values")
    return Reason(sum_in_words(rules, tally.cards), sum_of_values(rules, tally.cards), "values")


def sum_of_values(rules: MeldRules, hand: Hand) -> int:
    """Add up the values of a hand's cards, signs aside."""
    return sum(map(rules.value, hand))


def sum_in_words(rules: MeldRules, hand: Hand) -> str:
    """Write the addition as people do on paper.

    >>> from companion.cards import read_hand
    >>> sum_in_words(MeldRules(values={"7": 7, "K": 10}), read_hand("K 7 7"))
    '7 7 K: 2 × 7 + 10'
    """
    if not hand:
        return "No cards"
    ordered = sort_hand(hand)
    terms = []
    for value, group in groupby(ordered, rules.value):
        times = len(list(group))
        terms.append(f"{times} × {value}" if times > 1 else str(value))
    return f"{' '.join(map(str, ordered))}: {' + '.join(terms)}"


def may_be_empty(variant: Variant) -> bool:
    """Return whether a hand may have no cards to enter: where it is what lies in no meld."""
    return variant.scoring.entry == "unmelded"


def cards_wanted(variant: Variant, seat: int, out: int | None) -> Finding:
    """Ask for the cards of a hand; `out` is the seat that has none."""
    if not variant.has_cards:
        return Finding("Enter {0}'s points.", (seat,))
    if may_be_empty(variant):
        return Finding("Enter {0}'s cards, or a total of 0 if none are left.", (seat,))
    if out is None:
        return Finding("Enter {0}'s cards.", (seat,))
    return Finding("Enter {0}'s cards. Only {1} went out.", (seat, out))


def count_faults(
    variant: Variant, seat: int, tally: Tally, out: int | None = None
) -> Iterator[Finding]:
    """Find a hand that was not told, a card that the game lacks, a total that no cards make."""
    if tally.cards is None and tally.total is None:
        yield cards_wanted(variant, seat, out)
    elif tally.cards is None:
        yield from total_faults(variant, seat, tally.total or 0)
    elif not tally.cards and not may_be_empty(variant):
        yield cards_wanted(variant, seat, out)
    else:
        yield from unknown_cards(variant.melds, seat, tally.cards)


def unknown_cards(rules: MeldRules, seat: int, hand: Hand) -> Iterator[Finding]:
    """Find cards that are not in this game's pack, or whose colour must be said."""
    # Kalooki's red and black ace differ by fourteen points: a bare A can't be counted.
    plain = {RANK_NAMES[card.rank] for card in hand if card.suit is None}
    for name in sorted(plain & set(rules.by_colour)):
        rank = RANKS[name]
        question = f"is the {rank.word} red or black? Write {rank.letter}R or {rank.letter}B."
        yield Finding(f"{{0}}: {question}", (seat,))
    if any(not card.rank for card in hand) and "joker" not in rules.values:
        yield Finding("{0} has a joker, and there are none in this game.", (seat,))


def total_faults(variant: Variant, seat: int, total: int) -> Iterator[Finding]:
    """Find a typed total that no cards of this game add up to."""
    if total == 0 and may_be_empty(variant):
        return
    if total > LARGEST_TOTAL:
        yield Finding(f"{{0}} can't have {total} points.", (seat,))
        return
    values = {*variant.melds.values.values(), *variant.melds.black_values.values()}
    made = reachable(tuple(sorted(values)))
    at = bisect(made, total)
    near = made[max(at - 1, 0) : at + 1]
    if total not in near:
        nearest = " or ".join(map(str, near))
        yield Finding(f"{{0}} can't have {total}: no cards make it. Is it {nearest}?", (seat,))


@lru_cache(maxsize=64)
def reachable(values: tuple[int, ...]) -> tuple[int, ...]:
    """List in order every total up to `LARGEST_TOTAL` that one or more cards of these values make.

    The next after it may be among them, but none that is more than a card above.

    >>> max(reachable((10,))), max(reachable((7,))), max(reachable((7, 10)))
    (10000, 10003, 10009)
    """
    top = LARGEST_TOTAL + max(values)
    made = 1
    for value in values:
        step = value
        while step and step <= top:
            made |= made << step
            step *= 2
        made &= (1 << (top + 1)) - 1
    least = 0 if 0 in values else 1
    return tuple(total for total in range(least, made.bit_length()) if made >> total & 1)
