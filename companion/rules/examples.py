"""Worked examples of each game: shown on its rules page, and run by the tests.

They are data beside the game's numbers, `examples.toml`; what they claim was worked out by hand.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from companion.cards import NotationError, read_hand

from . import catalogue
from .loader import path_first
from .variant import Variant, VariantError

Ended = Literal["out", "knock", "rummy", "instant_win", "nobody"]
"""How a deal ended; `nobody` where the stock ran out and everyone was scored."""


class _Example(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class WorkedHand(_Example, frozen=True, kw_only=True):
    """What one hand counts: the cards left and, where the game has them, the zips played."""

    title: str
    rule: str
    house: dict[str, str | int | bool] = {}
    cards: str
    zips: tuple[str, ...] = ()
    points: int


class WorkedReport(_Example, frozen=True, kw_only=True):
    """What the table reports of one deal, and what everyone scores.

    `left` holds cards as people write them, or a number where only points were told, `hands` the
    whole hands that were shown. A player who ended the deal with nothing left need not be named
    there. `bonuses` tells how often each player earned what, `met` who met the contract where the
    game asks.
    """

    ended: Ended
    by: str = ""
    left: dict[str, str | int] = {}
    hands: dict[str, str] = {}
    zips: dict[str, tuple[str, ...]] = {}
    bonuses: dict[str, dict[str, int]] = {}
    met: tuple[str, ...] = ()
    points: dict[str, int] = {}
    totals: dict[str, int] = {}
    out: tuple[str, ...] = ()


class WorkedDeal(WorkedReport, frozen=True, kw_only=True):
    """One deal from given scores; `refused` is the sentence where the rules forbid the report."""

    title: str
    rule: str
    house: dict[str, str | int | bool] = {}
    deal: int = 1
    start: dict[str, int]
    winners: tuple[str, ...] = ()
    refused: str = ""


class WorkedGame(_Example, frozen=True, kw_only=True):
    """A whole game, from the first deal to the winner; the first player named deals first."""

    title: str
    rule: str
    house: dict[str, str | int | bool] = {}
    players: tuple[str, ...]
    deals: tuple[WorkedReport, ...]
    totals: dict[str, int]
    places: dict[str, int]


class Examples(_Example, frozen=True, kw_only=True):
    """The worked examples of one game."""

    hands: tuple[WorkedHand, ...] = ()
    deals: tuple[WorkedDeal, ...] = ()
    games: tuple[WorkedGame, ...] = ()


@cache
def load_examples(key: str) -> Examples:
    """Load the worked examples of a game; a game that brings none has none.

    Raises `VariantError` with the path to each fault.
    """
    variant, path = catalogue.load(key), catalogue.VARIANTS / key / "examples.toml"
    if not path.is_file():
        return Examples()
    try:
        examples = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Examples)
    except tomllib.TOMLDecodeError as fault:
        raise VariantError(f"{key}: examples.toml: {fault}") from None
    except msgspec.ValidationError as fault:
        raise VariantError(f"{key}: examples.{path_first(str(fault))}") from None
    if faults := [f"{key}: examples.{fault}" for fault in _faults(variant, examples)]:
        raise VariantError("\n".join(faults))
    return examples


def _faults(variant: Variant, examples: Examples) -> Iterator[str]:
    for index, worked in enumerate(examples.hands):
        yield from _house_faults(variant, worked.house, f"hands[{index}]")
        for cards in (worked.cards, *worked.zips):
            yield from _card_faults(cards, f"hands[{index}]")
    for index, deal in enumerate(examples.deals):
        yield from _house_faults(variant, deal.house, f"deals[{index}]")
        yield from _report_faults(deal, deal.start, f"deals[{index}]", refused=bool(deal.refused))
        yield from _strangers(deal.winners, deal.start, f"deals[{index}].winners")
    for index, game in enumerate(examples.games):
        yield from _house_faults(variant, game.house, f"games[{index}]")
        for number, report in enumerate(game.deals):
            where = f"games[{index}].deals[{number}]"
            yield from _report_faults(report, game.players, where, refused=False)
        for field, named in (("totals", game.totals), ("places", game.places)):
            if set(named) != set(game.players):
                yield f"games[{index}].{field}: must name every player"


def _house_faults(
    variant: Variant, house: Mapping[str, str | int | bool], where: str
) -> Iterator[str]:
    try:
        catalogue.with_choices(variant, house)
    except VariantError as fault:
        yield f"{where}.house: {fault}"


def _report_faults(
    report: WorkedReport, players: Collection[str], where: str, *, refused: bool
) -> Iterator[str]:
    named: dict[str, Collection[str]] = {
        "left": report.left,
        "hands": report.hands,
        "zips": report.zips,
        "bonuses": report.bonuses,
        "met": report.met,
        "points": report.points,
        "totals": report.totals,
        "out": report.out,
    }
    for field, names in named.items():
        yield from _strangers(names, players, f"{where}.{field}")
    if (report.ended == "nobody") != (report.by == ""):
        yield f"{where}.by: names who ended the deal, and nobody where nobody did"
    yield from _strangers([report.by] if report.by else [], players, f"{where}.by")
    if bool(report.points) == refused:
        yield f"{where}.points: belong to every deal that is not refused, and only there"
    reported_cards = [cards for cards in report.left.values() if isinstance(cards, str)]
    zipped = [cards for zips in report.zips.values() for cards in zips]
    for cards in (*reported_cards, *report.hands.values(), *zipped):
        yield from _card_faults(cards, where)


def _strangers(names: Collection[str], players: Collection[str], where: str) -> Iterator[str]:
    for name in names:
        if name not in players:
            yield f"{where}: {name} is no player here"


def _card_faults(cards: str, where: str) -> Iterator[str]:
    try:
        read_hand(cards)
    except NotationError as fault:
        yield f"{where}: {fault}"
