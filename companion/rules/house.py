"""House rules: a family's game against the book, what to look out for, and the file to pass on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import tomli_w

from . import catalogue
from .field_text import DEALS, RuleField, bonus_words, labels, rests_on, rule_fields, span, tables
from .form_reader import OWN
from .loader import build, to_data
from .validation import buys_needed
from .variant import Bonus, Variant, VariantError
from .words import pack_words, value_signs

LONGEST_FILE = 60_000
LARGEST_NUMBER = 10**6
DEEPEST = 20
MOST_DOTS = 100
_TOO_DEEP = "rules: no game is so deep, or has numbers so large."
_NOT_THERE = "not in this game"
_WHOSE = {"out": "for whoever goes out", "one": "for one player", "each": "for anyone"}
_GIVEN = {"told": "", "always": "always", "if_none": "if nothing was counted"}


class Difference(NamedTuple):
    """One point on which two games differ, in words."""

    what: str
    ours: str
    book: str


def book_of(variant: Variant) -> Variant | None:
    """Find the game as its book has it: itself without house rules, or the one it was made from."""
    key = catalogue.catalogue_key(variant)
    return catalogue.load(key) if key else None


def as_own(variant: Variant) -> Variant:
    """Return a game that came as a file as one of a family's own, made from one we ship.

    Raises `VariantError` where there is no such game, or it counts in another way.
    """
    book = book_of(variant)
    if book is None:
        known = variant.extends or variant.key
        raise VariantError(f"extends: there is no game {known} to take the words of the rules from")
    counted = variant.has_cards or book.has_cards
    if counted and variant.scoring.entry != book.scoring.entry:
        raise VariantError(f"scoring.entry: {book.name} counts differently, it can't become this")
    own = {"key": f"{OWN}read", "extends": book.key, "verified": "read", "assumed": ""}
    return catalogue.extend(variant, own | {"aliases": [], "choices": [], "chosen": {}})


class Compared(NamedTuple):
    """The points on which two games differ, and what is not there just because of one of them."""

    differences: list[Difference]
    following: list[Difference]


def house_differences(variant: Variant) -> list[Difference]:
    """List what a house plays differently from the book: choices taken, or all that was edited."""
    return list(_differences(msgspec.json.encode(variant)).differences)


def following_differences(variant: Variant) -> list[Difference]:
    """List the rules of the book that a house has not because it plays something differently."""
    return list(_differences(msgspec.json.encode(variant)).following)


@lru_cache(maxsize=64)
def _differences(stored: bytes) -> Compared:
    variant = msgspec.json.decode(stored, type=Variant)
    book = book_of(variant)
    # A family's own game is no house rule of the plain pad that it was made from.
    if book is None or book.key == catalogue.ANY:
        return Compared([], [])
    if variant.key != book.key:
        return compared(variant, book)
    choices = {choice.key: choice for choice in variant.choices}
    taken = [(choices[key], value) for key, value in variant.chosen.items()]
    chosen = [
        Difference(choice.question, choice.option(value).label, choice.options[0].label)
        for choice, value in taken
    ]
    return Compared(chosen, [])


def compared(variant: Variant, other: Variant) -> Compared:
    """Compare two games in every point, in the order of the rules page.

    A point that only the other game has follows from another one on which they differ where it
    rests on that: without buying there is no limit for it, with five deals there is no sixth.
    """
    ours = {fact.path: fact for fact in _points(variant)}
    book = {fact.path: fact for fact in _points(other)}
    differing = [
        path
        for path in {**ours, **book}
        if path not in ours or path not in book or ours[path].words != book[path].words
    ]
    following = [path for path in differing if path not in ours and rests_on(path) & {*differing}]

    def differences(paths: Iterable[str]) -> list[Difference]:
        return [_difference(ours.get(path), book.get(path)) for path in paths]

    return Compared(
        differences(path for path in differing if path not in following), differences(following)
    )


def _difference(ours: RuleField | None, book: RuleField | None) -> Difference:
    """Say one point of two games, of which at least one has it."""
    label = next(fact.label for fact in (ours, book) if fact)
    return Difference(label, ours.words if ours else _NOT_THERE, book.words if book else _NOT_THERE)


def _points(variant: Variant) -> list[RuleField]:
    """List what is compared: every field, each deal and bonus, all packs, all card values."""
    packs = [
        f"{span(*row.players)} players: {pack_words(variant.pack(row.players[0]))}"
        for row in variant.packs
    ]
    values = [
        f"{ranks} = {points}" if points.lstrip("−").isdigit() else f"{ranks} {points}"
        for ranks, points in value_signs(variant.counted)
    ]
    return [
        *(fact for fact in rule_fields(variant) if fact.path != "ending.deals"),
        *_number_of_deals(variant),
        RuleField("packs", "Decks", "; ".join(packs)),
        *(fact for fact in tables(variant) if fact.path.startswith("deals.")),
        *(
            RuleField(f"bonuses.{bonus.key}", bonus.name, _whole_bonus(bonus))
            for bonus in variant.scoring.bonuses
        ),
        RuleField("values", "Cards in hand count", "; ".join(values)),
    ]


def _number_of_deals(variant: Variant) -> list[RuleField]:
    """Say how many deals are played, however that is stored; nothing where it shows in play."""
    if variant.deal_count is None:
        return []
    return [RuleField(DEALS, labels()["ending.deals"]["label"], str(variant.deal_count))]


def _whole_bonus(bonus: Bonus) -> str:
    """Say all of a bonus, also whose it is and when it is given."""
    group = f"only the largest of {bonus.group}" if bonus.group else ""
    parts = (f"{bonus.name}: {bonus_words(bonus)}", _WHOSE[bonus.who], _GIVEN[bonus.given], group)
    return ", ".join(filter(None, parts))


def deal_notes(variant: Variant, step: int) -> list[str]:
    """Say what a table should know of the deal before it: discards to buy, no discard at the end.

    >>> deal_notes(catalogue.find_variant("Shanghai Rummy"), 10)
    ['Up to 4 buys each.', 'Going down in one turn takes 2 of them.']
    """
    deal, most, needed = variant.deal(step), variant.buys(step), buys_needed(variant, step)
    notes = []
    if variant.pickup.allowed and most:
        notes.append(f"Up to {most} buy{'s'[: most != 1]} each.")
    if needed:
        of_them = "of them" if most else "discards bought before it"
        notes.append(f"Going down in one turn takes {needed} {of_them}.")
    if deal.contract and deal.goout == "no_discard":
        notes.append("No discard: the last card is melded.")
    return notes


def write_toml(variant: Variant) -> str:
    """Write a family's game as the file that `read_toml` and the shelf read."""
    return tomli_w.dumps(_without_defaults(to_data(variant), to_data(_PLAIN)))


def read_toml(text: str) -> Variant:
    """Read a game from a file that somebody passed on; nothing it says is trusted.

    Raises `VariantError` with the path to each fault.
    """
    if len(text) > LONGEST_FILE:
        raise VariantError(f"rules: {len(text)} characters are no game: {LONGEST_FILE} at most.")
    # Python's reader takes the square of the dots in a key.
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise VariantError(_TOO_DEEP)  # a dotted key so long is slow to read
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        # Besides its own error tomllib lets through that of int() and of brackets in brackets.
        raise VariantError(f"rules: this is no TOML file: {fault}") from None
    if not _is_sane(raw, DEEPEST):
        raise VariantError(_TOO_DEEP)
    return build({"key": "read"} | raw)


def _is_sane(value: object, levels: int) -> bool:
    """Return whether data is no deeper and no number larger than any game needs."""
    if isinstance(value, Mapping | list):
        items = value.values() if isinstance(value, Mapping) else value
        # The values come from a stranger's file: deep nesting would end in a RecursionError later
        # on.
        return levels > 0 and all(_is_sane(item, levels - 1) for item in items)
    return not isinstance(value, int) or abs(value) <= LARGEST_NUMBER


_PLAIN = msgspec.convert(
    {
        "key": "",
        "name": "",
        "summary": "",
        "source": "",
        "verified": "read",
        "players": {"min": 0, "max": 0},
        "packs": [],
        "deals": [],
        "melds": {},
        "scoring": {"entry": "cards_left"},
    },
    Variant,
)
# Fields without a default: left out because they are as in `_PLAIN`, no file could be read back.
_ALWAYS = {"key", "name", "summary", "source", "verified", "entry"}


def _without_defaults(data: Mapping[str, Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what every game has unless it says otherwise; TOML cannot say None."""
    changed: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping) and isinstance(plain.get(key), Mapping):
            inner = _without_defaults(value, plain[key])
            if inner:
                changed[key] = inner
        elif key in _ALWAYS or value != plain.get(key):
            changed[key] = _without_none(value)
    return {key: value for key, value in changed.items() if value is not None}


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value]
    return value
