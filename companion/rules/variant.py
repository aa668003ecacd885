"""The typed shape of a game's rules, and the bounds that every set of rules must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.cards import Pack, RuleError
from companion.melds import RANKS, Contract, MeldRules

MOST_PLAYERS = 100
MOST_POINTS = 1000


class VariantError(RuleError):
    """Rules that contradict themselves; every line begins with the path to its fault."""


class _Rules(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Players(_Rules, frozen=True):
    """How many can play, and how many it plays best with."""

    min: int
    max: int
    best: str = ""


class PackRow(_Rules, frozen=True):
    """The cards in play from one number of players to another."""

    players: tuple[int, int]
    decks: int
    jokers: int = 0


class Deal(_Rules, frozen=True):
    """One deal of the game: cards to each player and, where the game has them, the contract."""

    dealt: int
    contract: Contract | None = None


class Turn(_Rules, frozen=True):
    """What the table does during a deal and the page must say."""

    upcard: bool = True
    first_player: Literal["normal", "two_turns", "stock_only"] = "normal"
    first_dealer: Literal["low_card", "high_card", "free"] = "free"
    stock_out: Literal["reshuffle", "reshuffle_keep_top", "end_and_score", "void"] = "reshuffle"


class Knock(_Rules, frozen=True):
    """When a player may end the deal early and what a knock that is beaten costs."""

    limit: int
    below: int
    penalty: int
    penalty_mode: Literal["add", "double_count"] = "add"
    tie: Literal["ok", "penalty"] = "ok"
    discards_first: bool = False


class InstantWin(_Rules, frozen=True):
    """A hand that wins the whole game at once; `cards` names the rank and how many of it."""

    name: str
    rank: str
    count: int
    score_deal: bool = False


class ZipRules(_Rules, frozen=True):
    """What makes a zip: at least so many cards whose signed values sum to zero."""

    min_cards: int = 2
    keep_discard: bool = True


class Scoring(_Rules, frozen=True):
    """What is counted when a deal ends."""

    entry: Literal["cards_left", "unmelded", "zips"]
    out_points: int = 0
    knock: Knock | None = None
    instant_win: InstantWin | None = None
    zips: ZipRules | None = None


class Elimination(_Rules, frozen=True):
    """The score at which a player is out, and what happens if that is everybody at once."""

    at: int
    op: Literal[">=", ">"] = ">="
    all_out: Literal["lowest", "extra_deal", "replay"] = "lowest"

    def takes(self, total: int) -> bool:
        """Tell whether a player with this total is out."""
        return total >= self.at if self.op == ">=" else total > self.at


class Ending(_Rules, frozen=True):
    """How the game ends, who has won and who wins a tie."""

    length: Literal["fixed", "until_one_left"] = "fixed"
    winner: Literal["lowest", "highest", "last_standing"] = "lowest"
    tiebreak: Literal["shared", "most_deals_won", "best_last_deal"] = "shared"
    eliminate: Elimination | None = None


class Option(_Rules, frozen=True):
    """One answer to a choice, and what it changes in the rules (a patch of the same shape)."""

    value: str | int | bool
    label: str
    changes: dict[str, Any] = {}


class Choice(_Rules, frozen=True):
    """A house rule that a table may choose; the first option is the book's."""

    key: str
    question: str
    rule: str
    options: tuple[Option, ...]

    def option(self, value: object) -> Option:
        """Find the option with this value.

        Raises `VariantError` naming the values that there are.
        """
        for option in self.options:
            if option.value == value or str(option.value) == str(value):
                return option
        known = ", ".join(str(option.value) for option in self.options)
        raise VariantError(f"choices.{self.key}: {value} is not one of {known}")


class Variant(_Rules, frozen=True, kw_only=True):
    """The complete rules of one named game.

    Values are points, sizes are cards. `chosen` lists the house rules taken: choice to value.
    """

    key: str
    name: str
    aliases: tuple[str, ...] = ()
    extends: str = ""
    summary: str
    source: str
    verified: Literal["source", "read", "assumed"]
    deal_word: str = "deal"
    players: Players
    packs: tuple[PackRow, ...]
    turn: Turn = Turn()
    deals: tuple[Deal, ...]
    melds: MeldRules
    scoring: Scoring
    ending: Ending = Ending()
    choices: tuple[Choice, ...] = ()
    chosen: dict[str, str | int | bool] = {}

    def pack(self, players: int) -> Pack:
        """Tell the cards in play for so many players.

        Raises `VariantError` where that many cannot play.
        """
        for row in self.packs:
            if row.players[0] <= players <= row.players[1]:
                return Pack(row.decks, row.jokers)
        raise VariantError(self.wrong_players(players))

    def wrong_players(self, players: int) -> str:
        """Say in a sentence that this number cannot play."""
        most = "" if self.players.min == self.players.max else f" to {self.players.max}"
        return f"{self.name} is for {self.players.min}{most} players, not {players}."

    def deal(self, step: int) -> Deal:
        """Find a deal by its number, counted from 1; a game without end repeats its last one."""
        return self.deals[min(step, len(self.deals)) - 1]

    @property
    def is_endless(self) -> bool:
        """Whether the number of deals is not fixed beforehand."""
        return self.ending.length != "fixed"


def build(raw: Mapping[str, Any]) -> Variant:
    """Build a variant from the plain data of a rule file, a form or a stored game.

    Raises `VariantError` with the path to each fault.
    """
    try:
        variant = msgspec.convert(raw, Variant)
    except msgspec.ValidationError as fault:
        raise VariantError(path_first(str(fault))) from None
    faults = [*_unknown(raw, variant, ""), *_faults(variant)]
    if faults:
        raise VariantError("\n".join(faults))
    return variant


def to_data(variant: Variant) -> dict[str, Any]:
    """Write a variant as plain data; `build` gives it back."""
    data: dict[str, Any] = msgspec.to_builtins(variant)
    return data


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Lay changes over a base: tables are merged field by field, everything else replaced.

    >>> merge({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"y": 3}, "b": [2]})
    {'a': {'x': 1, 'y': 3}, 'b': [2]}
    """
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def path_first(message: str) -> str:
    """Turn msgspec's ``Expected `int` - at `$.deals[2].dealt` `` the way people read a fault."""
    said, _, path = message.partition(" - at `$")
    return f"{path.rstrip('`').lstrip('.') or 'rules'}: {said[0].lower()}{said[1:]}"


def _unknown(raw: object, built: object, path: str) -> Iterator[str]:
    """Name the fields that nothing reads: a misspelt rule must not be silently ignored."""
    if isinstance(raw, Mapping) and is_dataclass(built):
        known = {field.name for field in fields(built)}
        for key in raw.keys() - known:
            yield f"{path}{key}: there is no such field"
    if isinstance(raw, Mapping) and not isinstance(built, Mapping):
        for key in raw:
            yield from _unknown(raw[key], getattr(built, key, None), f"{path}{key}.")
    elif isinstance(raw, list | tuple) and isinstance(built, tuple):
        for number, (item, made) in enumerate(zip(raw, built, strict=True)):
            yield from _unknown(item, made, f"{path.rstrip('.')}[{number}].")


def _faults(variant: Variant) -> Iterator[str]:
    yield from _value_faults(variant)
    yield from _pack_faults(variant)
    yield from _deal_faults(variant)
    yield from _scoring_faults(variant)
    yield from _ending_faults(variant)
    yield from _choice_faults(variant)


def _value_faults(variant: Variant) -> Iterator[str]:
    jokers = any(row.jokers for row in variant.packs)
    for name in RANKS:
        if name not in variant.melds.values and (jokers or name != "joker"):
            yield f"melds.values: {name} has no value"
    for name, value in variant.melds.values.items():
        if name not in RANKS:
            yield f"melds.values.{name}: there is no such rank"
        if not 0 <= value <= MOST_POINTS:
            yield f"melds.values.{name}: must be 0 to {MOST_POINTS} points"
    if not any(variant.melds.values.values()):
        yield "melds.values: at least one card must count something"
    for name in variant.melds.wilds:
        if name not in RANKS:
            yield f"melds.wilds: there is no rank {name}"


def _pack_faults(variant: Variant) -> Iterator[str]:
    low, high = variant.players.min, variant.players.max
    rows = [number for row in variant.packs for number in row.players]
    if not 1 <= low <= high <= MOST_PLAYERS or not all(1 <= n <= MOST_PLAYERS for n in rows):
        yield f"players: {low} to {high} is no number of players"
        return
    covered = sorted(
        number for row in variant.packs for number in range(row.players[0], row.players[1] + 1)
    )
    if covered != list(range(low, high + 1)):
        yield f"packs: must name each number of players from {low} to {high} once"
    for place, row in enumerate(variant.packs):
        most = max((deal.dealt for deal in variant.deals), default=0)
        needed, there = row.players[1] * most + 1, Pack(row.decks, row.jokers).size
        if needed > there:
            yield f"packs[{place}]: {row.players[1]} players need {needed} cards, there are {there}"


def _deal_faults(variant: Variant) -> Iterator[str]:
    if not variant.deals:
        yield "deals: a game needs at least one"
    for place, deal in enumerate(variant.deals):
        if deal.dealt < 1:
            yield f"deals[{place}].dealt: must be at least 1"
        if deal.contract is None:
            continue
        ways = (deal.contract.melds, *deal.contract.or_melds)
        for meld in (meld for way in ways for meld in way):
            yield from (
                f"deals[{place}].contract: there is no rank {name}"
                for name in meld.ranks
                if name not in RANKS
            )
        if not all(ways):
            yield f"deals[{place}].contract: names no meld"
        elif any(meld.size < 1 for way in ways for meld in way):
            yield f"deals[{place}].contract: a meld has at least 1 card"
        elif deal.contract.least_cards > deal.dealt + 1:
            yield (
                f"deals[{place}].contract: needs {deal.contract.least_cards} cards, "
                f"{deal.dealt} are dealt and 1 drawn"
            )


def _scoring_faults(variant: Variant) -> Iterator[str]:
    scoring = variant.scoring
    if (scoring.entry == "unmelded") != (scoring.knock is not None):
        yield "scoring.knock: belongs to the entry `unmelded`, and only there"
    if (scoring.entry == "zips") != (scoring.zips is not None):
        yield "scoring.zips: belongs to the entry `zips`, and only there"
    if scoring.instant_win and scoring.instant_win.rank not in RANKS:
        yield f"scoring.instant_win.rank: there is no rank {scoring.instant_win.rank}"


def _ending_faults(variant: Variant) -> Iterator[str]:
    ending = variant.ending
    if variant.is_endless and ending.eliminate is None:
        yield "ending.eliminate: a game until one is left must say when a player is out"
    if variant.is_endless != (ending.winner == "last_standing"):
        yield "ending.winner: `last_standing` belongs to a game until one is left, and only there"


def _choice_faults(variant: Variant) -> Iterator[str]:
    keys = [choice.key for choice in variant.choices]
    for place, choice in enumerate(variant.choices):
        if choice.key in keys[:place]:
            yield f"choices[{place}].key: {choice.key} is there twice"
        if len({str(option.value) for option in choice.options}) < len(choice.options):
            yield f"choices[{place}].options: a value is there twice"
        if len(choice.options) < 2:
            yield f"choices[{place}]: a choice needs at least two options"
        if choice.options and choice.options[0].changes:
            yield f"choices[{place}].options[0]: the first option is the book's and changes nothing"
    for key, value in variant.chosen.items():
        offered = [c for c in variant.choices if c.key == key]
        if not any(str(option.value) == str(value) for c in offered for option in c.options):
            yield f"chosen.{key}: {value} is not offered"
