"""What an ended game came to for each player, worked out by hand from its deals."""

from companion.league.changes import play_deal
from companion.league.receipts import Receipts, receipts
from companion.league.record import Record, SeatRecord
from companion.rules import Variant, extend

from .ledger import told
from .reports import ANN, CONTRACT

TIED = extend(CONTRACT, {"ending": {"deals": 2, "tiebreak": "extra_deal"}})


def game(variant: Variant, *deals: tuple[int, ...], seats: int = 3) -> Record:
    record = Record(
        variant=variant,
        pack=variant.pack(seats),
        first_dealer=ANN,
        seats=tuple(SeatRecord(player_id=number) for number in range(1, seats + 1)),
    )
    for points in deals:
        record = play_deal(record, told(*points)).record
    return record


def totals(came_to: Receipts) -> list[int | None]:
    return [seat.total for seat in came_to.seats]


def aheads(came_to: Receipts) -> list[int | None]:
    return [seat.ahead for seat in came_to.seats]


def test_an_extra_deal_parts_the_tied_and_changes_nothing_else() -> None:
    """20, 20 and 52 are 30 2/3 on average; Ann wins by the extra deal, once 20 behind."""
    came_to = receipts(game(TIED, (20, 0, 30), (0, 20, 22), (0, 30)))
    assert [seat.place for seat in came_to.seats] == [1, 2, 3]
    assert totals(came_to) == [20, 20, 52]
    assert aheads(came_to) == [1067, 1067, -2133]
    assert came_to.margin == 0
    assert [seat.comeback for seat in came_to.seats] == [20, None, None]
