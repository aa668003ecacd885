"""What a table reports, in few words: hands, knocks, zips, deals, and where a game stands."""

from collections.abc import Sequence
from typing import Any

from companion.cards import read_hand
from companion.rules import Variant, extend, find_variant
from companion.rules.examples import WorkedReport
from companion.scoring import DealScore, PlayedDeal, SeatStay, Standing, Tally, standing_after

CONTRACT, ZIONCHECK = find_variant("contract rummy"), find_variant("zioncheck")
CHICAGO, ZIP = find_variant("chicago"), find_variant("zip")
SEEDS = (CONTRACT, ZIONCHECK, CHICAGO, ZIP)
FAMILY = ["Ann", "Bob", "Cleo", "Dev"]
THREE = ("Ann", "Bob", "Cleo")
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


def reports(report: WorkedReport, names: Sequence[str]) -> list[Tally]:
    return [tally_of(report, name) for name in names]


def tally_of(report: WorkedReport, name: str) -> Tally:
    declared = report.ended if name == report.by and report.ended != "nobody" else ""
    left = report.left.get(name)
    return Tally(
        declared=declared,
        cards=read_hand(left) if isinstance(left, str) else None,
        total=left if isinstance(left, int) else None,
        hand=read_hand(report.hands[name]) if name in report.hands else None,
        zips=tuple(map(read_hand, report.zips.get(name, ()))),
        bonuses=report.bonuses.get(name, {}),
        met=name in report.met,
    )


TWO_STEPS = extend(
    CONTRACT,
    {
        "deals": [
            {"dealt": 10, "contract": {"melds": [{"kind": "set", "size": 3}] * 2}},
            {"dealt": 10, "contract": {"melds": [{"kind": "run", "size": 7}]}},
        ],
        "ending": {"length": "until_contracts_met", "winner": "furthest"},
    },
)
"""A short game in which each player stays on a contract until it is met, as in Phase 10."""
