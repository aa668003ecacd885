"""Every field of a game's rules in words: for the rules page and for comparing games."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .contracts import contract_words
from .variant import Bonus, Choice, Variant, VariantError
from .words import list_words, pack_words, value_rows, wild_table_words

FILE = Path(__file__).parent.parent / "variants" / "facts.toml"


Say = Mapping[str, Mapping[str, str]]
"""For the path of a field, what to say for each of its values."""


class RuleField(NamedTuple):
    """One field of a game's rules: where it stands, what it is called, what it says here."""

    path: str
    label: str
    words: str


@cache
def labels() -> dict[str, dict[str, Any]]:
    """Read the label of each field, when it matters, and the words for its values."""
    return tomllib.loads(FILE.read_text("utf-8"))


def rule_fields(variant: Variant) -> list[RuleField]:
    """List every field that matters in this game, in words.

    Contracts, packs, card values and bonuses are tables of their own: see `tables`.
    """
    return [
        RuleField(path, entry["label"], in_words(variant, path))
        for path, entry in labels().items()
        if at(variant, path.rpartition(".")[0]) is not None
        and all(is_so(variant, when) for when in _listed(entry.get("when", ())))
    ]


DEALS = "deals"
"""How many deals a game has, as a point on which games differ."""
_CONDITION = re.compile(r"!?([\w.]+)")


@cache
def rests_on(path: str) -> frozenset[str]:
    """Name the points that decide whether a game has this one."""
    if path == DEALS or path.startswith("deals."):
        return frozenset({"ending.length"} if path == DEALS else {DEALS})
    conditions = _listed(labels().get(path, {}).get("when", ()))
    return frozenset(found[1] for when in conditions if (found := _CONDITION.match(when)))


def tables(variant: Variant) -> list[RuleField]:
    """List what is no single field: players, packs, each deal, card values, bonuses."""
    deals = [
        RuleField(
            f"deals.{step}", f"{variant.deal_word.capitalize()} {step}", _deal_words(variant, step)
        )
        for step in range(1, len(variant.deals) + 1)
    ]
    packs = [
        RuleField(
            f"packs.{row.players[0]}",
            f"Decks for {span(*row.players)} players",
            pack_words(variant.pack(row.players[0])),
        )
        for row in variant.packs
    ]
    values = [
        RuleField(f"values.{ranks}", f"{ranks[0].upper()}{ranks[1:]} in hand", f"{points}")
        for ranks, points in value_rows(variant.counted)
        if variant.scoring.entry != "payments"
    ]
    bonuses = [
        RuleField(f"bonuses.{bonus.key}", bonus.name, bonus_words(bonus))
        for bonus in variant.scoring.bonuses
    ]
    begins = [
        RuleField(f"begins.{players}", f"With {players} players, in turn", ", ".join(turns).lower())
        for players, turns in (variant.scoring.points.begins if variant.scoring.points else ())
    ]
    openings = [
        RuleField(f"openings.{above}", f"First meld with a total from {above:,}", f"{least}")
        for above, least in (variant.scoring.points.openings if variant.scoring.points else ())
    ]
    return [*packs, *deals, *values, *bonuses, *begins, *openings]


def at(variant: Variant, path: str) -> Any:
    """Find the value at a dotted path; None where a part of the rules is not there.

    `deals.7` is the seventh deal, None where there are fewer; `scoring.bonuses.cut` is the bonus
    with this key, None where the game has no such one.
    Raises `VariantError` for a path that no rules have.
    """
    value: Any = variant
    for name in path.split(".") if path else ():
        if value is None:
            return None
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, tuple) and name.isdecimal():
            value = value[int(name) - 1] if 1 <= int(name) <= len(value) else None
        elif isinstance(value, tuple) and all(hasattr(item, "key") for item in value):
            value = next((item for item in value if item.key == name), None)
        elif hasattr(value, name):
            value = getattr(value, name)
        else:
            raise VariantError(f"{path}: there is no such field")
    return value


def is_so(variant: Variant, when: str) -> bool:
    """Return whether a condition holds: `path`, `!path`, `path=value` or `path!=value`.

    >>> from companion.rules import find_variant
    >>> zip_game = find_variant("zip")
    >>> is_so(zip_game, "turn.upcard"), is_so(zip_game, "scoring.entry!=zips")
    (True, False)
    """
    path, unequal, wanted = when.partition("!=")
    if unequal:
        return _plain(at(variant, path)) != wanted
    path, equal, wanted = when.partition("=")
    if equal:
        return _plain(at(variant, path)) == wanted
    return not at(variant, when[1:]) if when.startswith("!") else bool(at(variant, when))


def offered(variant: Variant) -> list[Choice]:
    """List the house rules of which an answer would change something, and those taken already."""
    return [
        choice
        for choice in variant.choices
        if choice.key in variant.chosen or all(is_so(variant, when) for when in choice.when)
    ]


def in_words(variant: Variant, path: str, say: Say | None = None) -> str:
    """Say the value at a path, by the words given for it, else by those of its label."""
    value = at(variant, path)
    for words in ((say or {}).get(path, {}), labels().get(path, {})):
        if _plain(value) in words:
            return str(words[_plain(value)])
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "no limit"
    if path == "melds.wild_table":
        return wild_table_words(value)
    if isinstance(value, tuple):
        return list_words([str(item) for item in value]) or "none"
    return signed(value) if isinstance(value, int) else str(value)


def signed(count: int) -> str:
    """Write a number with a true minus sign."""
    return str(count).replace("-", "−")


def bonus_words(bonus: Bonus) -> str:
    """Say what a bonus is worth and who pays it."""
    each = " for each" if bonus.counts else ""
    if bonus.payer == "each_opponent":
        return f"{bonus.points} from each opponent{each}"
    if bonus.payer == "passed_on":
        return f"{bonus.points} off, and {bonus.points} more for each of the others"
    if not bonus.points and not bonus.doubles:
        return "no points"
    points = f"{abs(bonus.points)} point{'s'[: abs(bonus.points) != 1]}"
    said = f"{points} {'off' if bonus.points < 0 else 'more'}{each}"
    double = "the cards of the others count double"
    return said if not bonus.doubles else f"{said}, and {double}" if bonus.points else double


def _deal_words(variant: Variant, step: int) -> str:
    deal = variant.deal(step)
    words = [f"{deal.dealt} card{'s'[: deal.dealt != 1]}"]
    if deal.contract:
        words.append(contract_words(deal.contract))
        if deal.goout != "discard":
            words.append("no discard" if deal.goout == "no_discard" else "discard or not")
    if deal.buys is not None:
        limit = f"at most {deal.buys}" if deal.buys else "any number"
        words.append(f"{limit} taken out of turn")
    if deal.wilds is not None:
        words.append(f"wild: {list_words(list(deal.wilds)) or 'none'}")
    return "; ".join(words)


def span(low: int, high: int) -> str:
    """Say a number, or from which to which."""
    return str(low) if low == high else f"{low} to {high}"


def _listed(when: str | Sequence[str]) -> Sequence[str]:
    return (when,) if isinstance(when, str) else when


def _plain(value: Any) -> str:
    # As rule files write it: `true`, `none`.
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
