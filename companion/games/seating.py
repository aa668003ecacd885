"""Who sits where and who deals next, as the table changed it; and who won a tie."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from .changes import Change, ChangeError
from .record import Record


def take_places(record: Record, swapped: Sequence[int], dealer: int | None) -> Change:
    """Let two seats swap places from the next deal on, and say who deals it; either may be left.

    Raises `ChangeError` when the game is over, or these are not two players, or nobody plays on
    the dealer's seat.
    """
    standing = record.standing()
    if standing.over:
        raise ChangeError("The game is over: the seats stay as they are.")
    if swapped and (len(set(swapped)) != 2 or not set(swapped) <= set(standing.playing)):
        raise ChangeError("Tap the two players who swap seats.")
    if dealer is not None and dealer not in standing.playing:
        raise ChangeError("Nobody sits there any more: choose who deals.")
    if not swapped and dealer is None:
        raise ChangeError("Tap two players who swap seats, or who deals next.")
    other = dict(zip(swapped, reversed(swapped), strict=True))
    if swapped:
        order = tuple(other.get(seat, seat) for seat in standing.circle)
        record = replace(record, order=order)
    if dealer is not None and record.deals:
        record = replace(record, next_dealer=(len(record.deals) + 1, dealer))
    elif dealer is not None:
        record = replace(record, first_dealer=dealer)
    return Change(record)


def settle_tie(record: Record, seat: int) -> Change:
    """Say who of those who share the win has won the tie, where no rule of the game does.

    Raises `ChangeError` where there is no tie to settle, or this seat is not among the winners.
    """
    if not can_settle(record):
        raise ChangeError("There is no tie to settle.")
    if seat not in record.standing().winners:
        raise ChangeError("Choose one of those who share the win.")
    return Change(replace(record, tie=seat))


def can_settle(record: Record) -> bool:
    """Return whether several share the win of a game whose rules leave the tie to the table."""
    variant = record.variant
    if variant.has_cards or variant.scoring.entry == "winner":
        return False
    shared = variant.ending.tiebreak == "shared" and len(record.standing().winners) > 1
    return shared and record.status == "finished"
