"""What a table reports, in few words: hands, knocks, zips, deals, and where a game stands."""

from collections.abc import Sequence
from typing import Any

from companion.cards import read_hand
from companion.rules import Variant, find_variant
from companion.scoring import DealScore, PlayedDeal, SeatStay, Standing, Tally, standing_after

CONTRACT, ZIONCHECK = find_variant("contract rummy"), find_variant("zioncheck")
CHICAGO, ZIP = find_variant("chicago"), find_variant("zip")
SEEDS = (CONTRACT, ZIONCHECK, CHICAGO, ZIP)
FAMILY = ["Ann", "Bob", "Cleo", "Dev"]
ANN, BOB, CLEO, DEV = range(4)

OUT, RUMMY, SEVEN_TWOS = (Tally(declared=how) for how in ("out", "rummy", "instant_win"))


def left(cards: str) -> Tally:
    return Tally(cards=read_hand(cards))


def total(points: int) -> Tally:
    return Tally(total=points)


def knock(points: int) -> Tally:
    return Tally(declared="knock", total=points)


def zipped(*zips: str, rest: str | None = None) -> Tally:
    cards = None if rest is None else read_hand(rest)
    return Tally(
        declared="" if rest else "out", zips=tuple(map(read_hand, zips)), cards=cards or None
    )


def points(score: DealScore) -> list[int | None]:
    return [line.points if line else None for line in score.lines]


def played(
    step: int, *worth: int | None, dealer: int = 0, won: int | None = None, **more: Any
) -> PlayedDeal:
    """A deal by its points alone; `won` is the seat that went out."""
    tallies = {} if won is None else {won: OUT}
    scores = {seat: points for seat, points in enumerate(worth) if points is not None}
    return PlayedDeal(step=step, dealer=dealer, points=scores, **{"tallies": tallies, **more})


def scored_deal(step: int, score: DealScore, dealer: int = 0) -> PlayedDeal:
    return PlayedDeal(
        step=step,
        dealer=dealer,
        points={seat: line.points for seat, line in enumerate(score.lines) if line},
    )


def void(step: int, dealer: int, after: Any) -> PlayedDeal:
    return PlayedDeal(step=step, dealer=dealer, void=True, after_void=after)


def stand(
    variant: Variant,
    deals: Sequence[PlayedDeal],
    *,
    seats: Sequence[SeatStay] | int = 3,
    first_dealer: int = 0,
) -> Standing:
    sitting = [SeatStay()] * seats if isinstance(seats, int) else seats
    return standing_after(variant, sitting, deals, first_dealer, variant.pack(3))
