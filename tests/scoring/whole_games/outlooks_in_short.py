"""Outlooks on games in few words."""

from collections.abc import Sequence

from companion.melds import RANKS
from companion.rules import Variant, extend
from companion.scoring import PlayedDeal, SeatStay, standing_after
from companion.scoring.certainty import Outlook, outlooks
from tests.support.reports import (
    CONTRACT,
    played,
)

NO_BUYING = extend(CONTRACT, {"pickup": {"allowed": False}})
"""Contract Rummy without buying: whoever is caught holds 12 cards at most in the last deal."""

SHORT = extend(
    NO_BUYING,
    {
        "players": {"min": 2, "max": 5},
        "deals": [{"dealt": 1}, {"dealt": 1}, {"dealt": 1}],
        "packs": [{"players": [2, 5], "decks": 1, "jokers": 0}],
        "melds": {
            "wilds": [],
            "values": dict.fromkeys(RANKS, 5) | {"K": 10},
        },
    },
)
"""Three deals of one card each: a king left costs ten, any other card five."""


def look(
    variant: Variant, deals: Sequence[PlayedDeal], seats: Sequence[SeatStay] | int = 3
) -> tuple[Outlook, ...]:
    found = told(variant, deals, seats)
    assert found is not None
    return found


def told(
    variant: Variant, deals: Sequence[PlayedDeal], seats: Sequence[SeatStay] | int = 3
) -> tuple[Outlook, ...] | None:
    sitting = [SeatStay()] * seats if isinstance(seats, int) else seats
    pack = variant.pack(max(len(sitting), variant.players.min))
    standing = standing_after(variant, sitting, deals, 0, pack)
    return outlooks(variant, standing, deals, pack)


def before_the_last(variant: Variant, *totals: int) -> list[PlayedDeal]:
    """All deals but the last, the totals scored in the first."""
    rest = [played(n, *[0] * len(totals)) for n in range(2, variant.deal_count or 0)]
    return [played(1, *totals), *rest]
