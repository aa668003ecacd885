"""Chicago's deal: unmelded points, the knock and its penalty, rummy, and the hand that wins all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from companion.cards import Hand, write_hand
from companion.melds import RANKS
from companion.rules import Variant
from companion.rules.variant import Knock

from .cards_left import count, count_faults, sum_in_words, unknown_cards, who_went_out_faults
from .shown_hands import Shown, layoff_doubts, shown_hands
from .tally import Finding, LineScore, Reason, Tally, who_declared

WRONG_KNOCK = "Wrong knock"
"""Why a table gives a knock over the limit its penalty."""

OVER_LIMIT = "knock-over-limit"
"""The code of a finding that says so."""


def knock_limit(variant: Variant, score: int) -> int | None:
    """Return the most unmelded points with which a player on this score may knock (CH-5.2).

    The score is that at the start of the deal. None: this player may not knock, only go rummy.

    >>> from companion.rules import find_variant
    >>> [knock_limit(find_variant("chicago"), score) for score in (0, 91, 92, 99, 100)]
    [9, 9, 8, 1, None]
    """
    knock = variant.scoring.knock
    if knock is None or score >= knock.below:
        return None
    # A knock must leave the knocker below the score at which only rummy is left.
    return min(knock.limit, knock.below - score)


def knock_table(variant: Variant) -> list[tuple[int, int | None]]:
    """List the scores from which the limit falls, each with its limit, down to none at all."""
    knock = variant.scoring.knock
    if knock is None:
        return []
    scores = range(knock.below - knock.limit, knock.below + 1)
    return [(score, knock_limit(variant, score)) for score in scores]


def score_knock(
    variant: Variant, step: int, tallies: Sequence[Tally | None]
) -> list[LineScore | None]:
    """Score a deal: everyone adds unmelded points, a beaten knocker the penalty as well."""
    if who_declared(tallies, "instant_win") is not None and not _is_scored(variant):
        return [LineScore((_not_scored(tally),)) if tally else None for tally in tallies]
    shown = shown_hands(variant, step, tallies)
    counted = {
        seat: _count(variant, tally, shown.get(seat))
        for seat, tally in enumerate(tallies)
        if tally and tally.declared in ("", "knock")
    }
    return [
        LineScore(tuple(_reasons(variant, seat, tally, counted))) if tally else None
        for seat, tally in enumerate(tallies)
    ]


def knocked_with(variant: Variant, step: int, tally: Tally) -> int:
    """Count what a knocker has in no meld."""
    return _count(variant, tally, shown_hands(variant, step, [tally]).get(0)).points


def _count(variant: Variant, tally: Tally, shown: Shown | None) -> Reason:
    if shown is None:
        return count(variant.melds, tally)
    melds = ", ".join(write_hand(meld.cards) for meld in shown.melding.melds)
    laid_off = f" Laid off {write_hand(shown.laid_off)}." if shown.laid_off else ""
    loose = sum_in_words(variant.melds, shown.melding.loose)
    words = f"Melded {melds or 'nothing'}.{laid_off} Left over {loose}"
    return Reason(words, shown.melding.points, "values")


def _reasons(
    variant: Variant, seat: int, tally: Tally, counted: Mapping[int, Reason]
) -> Iterator[Reason]:
    if tally.declared == "rummy":
        yield Reason("Went rummy: every card melded", 0, "rummy")
        return
    if tally.declared == "out":
        yield Reason("Went out: every card melded", 0, "out")
        return
    if tally.declared == "instant_win":
        yield _not_scored(tally)
        return
    yield counted[seat]
    if tally.declared == "knock" and not _has_agreed_penalty(tally):
        yield _knock_reason(variant, seat, {s: reason.points for s, reason in counted.items()})


def _knock_reason(variant: Variant, seat: int, counts: Mapping[int, int]) -> Reason:
    knock = variant.scoring.knock
    assert knock is not None  # noqa: S101  (the loader proves it)
    others = min((held for other, held in counts.items() if other != seat), default=counts[seat])
    # Rummy and going out have no count: they are not among those who can beat a knock.
    if counts[seat] < others:
        return Reason("Knocked with the lowest count", 0, "knock")
    if counts[seat] == others and knock.tie == "ok":
        return Reason("Knocked and tied for the lowest count: no penalty", 0, "knock")
    return Reason("Knocked without the lowest count", _penalty(knock, counts[seat]), "knock")


def _penalty(knock: Knock, held: int) -> int:
    return knock.penalty if knock.penalty_mode == "add" else held


def _has_agreed_penalty(tally: Tally) -> bool:
    """Return whether a wrong knock has its penalty already: being beaten costs no second (H-21)."""
    return tally.why.endswith(WRONG_KNOCK)


def with_agreed_penalty(
    variant: Variant, step: int, tallies: Sequence[Tally | None]
) -> list[Tally | None]:
    """Give a knock over the limit the penalty of a beaten one, beaten or not (H-21)."""
    punished, knock = list(tallies), variant.scoring.knock
    seat = who_declared(tallies, "knock")
    tally = None if seat is None else tallies[seat]
    if seat is not None and tally and knock and not _has_agreed_penalty(tally):
        extra = _penalty(knock, knocked_with(variant, step, tally))
        why = f"{tally.why}, {WRONG_KNOCK}" if tally.why else WRONG_KNOCK
        punished[seat] = replace(tally, adjust=tally.adjust + extra, why=why)
    return punished


def with_penalty_redecided(
    variant: Variant,
    step: int,
    before: Mapping[int, Tally],
    tallies: Sequence[Tally | None],
    totals: Sequence[int],
) -> list[Tally | None]:
    """Recompute the penalty of a wrong knock where hands of its deal were corrected (H-21)."""
    mended = [
        _without_penalty(variant, step, before[seat], tally) if tally and seat in before else tally
        for seat, tally in enumerate(tallies)
    ]
    is_taken_off = mended != list(tallies)
    if is_taken_off and any(limit_findings(variant, step, mended, totals)):
        return with_agreed_penalty(variant, step, mended)
    return mended


def _without_penalty(variant: Variant, step: int, old: Tally, tally: Tally) -> Tally:
    """Take off the penalty that a wrong knock was given; what somebody changed since stays."""
    is_as_given = (tally.adjust, tally.why) == (old.adjust, old.why)
    if not is_as_given or not old.why.endswith(WRONG_KNOCK) or variant.scoring.knock is None:
        return tally
    if old.why == WRONG_KNOCK:
        return replace(tally, adjust=0, why="")
    penalty = _penalty(variant.scoring.knock, knocked_with(variant, step, old))
    own_why = old.why.removesuffix(WRONG_KNOCK).rstrip(", ")
    return replace(tally, adjust=old.adjust - penalty, why=own_why)


def _not_scored(tally: Tally) -> Reason:
    is_winner = tally.declared == "instant_win"
    return Reason(
        "Wins the game at once" if is_winner else "No points this round", 0, "instant-win"
    )


def knock_faults(variant: Variant, step: int, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find a deal with no single ending, a count that cannot be (`I6`)."""
    if variant.scoring.knock is None:
        yield from who_went_out_faults(tallies, nobody_may=False)
    else:
        yield from _ending_faults(tallies)
    if who_declared(tallies, "instant_win") is not None and not _is_scored(variant):
        return
    melded = ("rummy", "instant_win") if variant.scoring.knock else ("out",)
    for seat, tally in enumerate(tallies):
        if tally is None:
            continue
        if tally.declared in melded:
            if tally.cards or tally.total or tally.hand:
                yield Finding("{0} can't have cards left over: every card is in a meld.", (seat,))
            continue
        if tally.hand is None:
            yield from count_faults(variant, seat, tally)
        else:
            yield from _hand_faults(variant, step, seat, tally)


def _ending_faults(tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    endings = tuple(seat for seat, tally in enumerate(tallies) if tally and tally.declared)
    if not endings:
        yield Finding("No one ended the deal: say who knocked or went rummy.")
    if len(endings) > 1:
        yield Finding("{0} and {1} can't both end the deal.", endings)


def whole_hand(variant: Variant, step: int, tally: Tally) -> int:
    """Return how many cards a player's whole hand has when it is shown (H-3)."""
    knock = variant.scoring.knock
    draws = tally.declared == "knock" and knock is not None and not knock.discards_first
    return variant.deal(step).dealt + draws


def _hand_faults(variant: Variant, step: int, seat: int, tally: Tally) -> Iterator[Finding]:
    """Find a whole hand with a wrong number of cards, an untold suit or a card not in play."""
    hand, size = tally.hand or (), whole_hand(variant, step, tally)
    if len(hand) != size:
        yield Finding(f"{{0}} has {len(hand)} cards: the whole hand is {size}.", (seat,))
    if any(card.rank and (card.suit is None or card.suit.is_colour) for card in hand):
        yield Finding("{0}: say the suit of each card, as in 7H 8S.", (seat,))
    yield from unknown_cards(variant.melds, seat, hand)


def limit_findings(
    variant: Variant, step: int, tallies: Sequence[Tally | None], totals: Sequence[int]
) -> Iterator[Finding]:
    """Find knocks over the limit: refused at entry, asked about when an old deal is corrected."""
    for seat, tally in enumerate(tallies):
        if tally and tally.declared == "knock":
            yield from knock_over_limit(variant, step, seat, tally, totals[seat])


def knock_over_limit(
    variant: Variant, step: int, seat: int, tally: Tally, score: int
) -> Iterator[Finding]:
    """Find a knock that the knocker's score at the start of the deal does not allow."""
    limit, held = knock_limit(variant, score), knocked_with(variant, step, tally)
    if limit is None:
        yield Finding(
            f"{{0}} began with {score} points and can't knock: only rummy is left.",
            (seat,),
            code=OVER_LIMIT,
        )
    elif held > limit:
        yield Finding(
            f"{{0}} can't knock with {held}. At {score} points the limit is {limit}.",
            (seat,),
            code=OVER_LIMIT,
        )


def knock_doubts(
    variant: Variant, step: int, tallies: Sequence[Tally | None], totals: Sequence[int]
) -> Iterator[Finding]:
    """Warn of a legal knock that puts the knocker out (H-1), and of a winning hand (H-8)."""
    yield from _winning_hand_doubts(variant, tallies)
    yield from layoff_doubts(variant, tallies)
    seat = who_declared(tallies, "knock")
    takes = variant.ending.eliminate
    if seat is None or takes is None or variant.scoring.knock is None:
        return
    line = score_knock(variant, step, tallies)[seat]
    tally = tallies[seat]
    after = totals[seat] + (line.points if line else 0) + (tally.adjust if tally else 0)
    if takes.takes(after):
        words = f"This knock puts {{0}} on {after} and out of the game."
        yield Finding(words, (seat,), code="knock-puts-out")


def wins_at_once(variant: Variant, hand: Hand) -> bool:
    """Return whether a hand, also of eight cards, holds those that win the game (H-8, H-9)."""
    win = variant.scoring.instant_win
    return win is not None and sum(c.rank is RANKS[win.rank] for c in hand) >= win.count


def _winning_hand_doubts(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    win = variant.scoring.instant_win
    if win and who_declared(tallies, "instant_win") is None:
        for seat, tally in enumerate(tallies):
            if tally and wins_at_once(variant, tally.reported_cards):
                words = f"{{0}} holds {win.name}, which win the game: end it so?"
                yield Finding(words, (seat,), code="holds-what-wins")


def _is_scored(variant: Variant) -> bool:
    win = variant.scoring.instant_win
    return win is None or win.score_deal
