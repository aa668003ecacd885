"""Whole games in few words."""

from companion.games.changes import Change, play_deal
from companion.games.record import Record, SeatRecord
from companion.rules import Variant, extend
from companion.scoring import Tally
from tests.support.reports import ANN, CONTRACT, FAMILY, OUT, total

TWO_DEALS = extend(CONTRACT, {"ending": {"deals": 2, "tiebreak": "extra_deal"}})


def fresh(variant: Variant, seats: int = 3) -> Record:
    return Record(
        variant=variant,
        **vars(variant.pack(seats)),
        first_dealer=ANN,
        seats=tuple(SeatRecord(player_id=number) for number in range(1, seats + 1)),
    )


def deal(record: Record, *tallies: Tally | None) -> Record:
    told = {seat: tally for seat, tally in enumerate(tallies) if tally}
    return play_deal(record, told).record


def told(*points: int) -> dict[int, Tally]:
    """A deal by its points: the first player on 0 went out."""
    first = points.index(0)
    return {seat: OUT if seat == first else total(p) for seat, p in enumerate(points)}


def game(variant: Variant, *deals: tuple[int, ...]) -> Record:
    record = fresh(variant, len(deals[0]))
    for points in deals:
        record = play_deal(record, told(*points)).record
    return record


def objected(change: Change) -> list[tuple[int, str]]:
    return [(position, found.in_words(FAMILY)) for position, found in change.forbidden]


WINNER = extend(CONTRACT, {"turn": {"next_dealer": "winner"}})
