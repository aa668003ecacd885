"""Every field of a game's rules in words: for the rules page, for rule texts and for comparing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .bounds import buys_needed
from .contracts import contract_words
from .variant import Bonus, Variant, VariantError
from .words import list_words, number, pack_words, value_rows

FILE = Path(__file__).parent.parent / "variants" / "facts.toml"
_PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[A-Za-z0-9_]+)*)(:word)?\}")


Say = Mapping[str, Mapping[str, str]]
"""For the path of a field, what to say for each of its values."""


class Fact(NamedTuple):
    """One field of a game's rules: where it stands, what it is called, what it says here."""

    path: str
    label: str
    words: str


@cache
def labels() -> dict[str, dict[str, Any]]:
    """Read the label of each field, when it matters, and the words for its values."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def facts(variant: Variant) -> list[Fact]:
    """List every field that matters in this game, in words.

    Contracts, packs, card values and bonuses are tables of their own: see `tables`.
    """
    return [
        Fact(path, entry["label"], in_words(variant, path))
        for path, entry in labels().items()
        if at(variant, path.rpartition(".")[0]) is not None
        and all(is_so(variant, when) for when in _listed(entry.get("when", ())))
    ]


def tables(variant: Variant) -> list[Fact]:
    """List what is no single field: players, packs, each deal, card values, bonuses."""
    deals = [
        Fact(
            f"deals.{step}", f"{variant.deal_word.capitalize()} {step}", _deal_words(variant, step)
        )
        for step in range(1, len(variant.deals) + 1)
    ]
    packs = [
        Fact(
            f"packs.{row.players[0]}",
            f"Packs for {_span(*row.players)} players",
            pack_words(variant.pack(row.players[0])),
        )
        for row in variant.packs
    ]
    values = [
        Fact(f"values.{ranks}", f"{ranks[0].upper()}{ranks[1:]} in hand", f"{points}")
        for ranks, points in value_rows(variant.melds)
    ]
    bonuses = [
        Fact(f"bonuses.{bonus.key}", bonus.name, bonus_words(bonus))
        for bonus in variant.scoring.bonuses
    ]
    return [*packs, *deals, *values, *bonuses]


def at(variant: Variant, path: str) -> Any:
    """Find the value at a dotted path; None where a part of the rules is not there.

    Raises `VariantError` for a path that no rules have.
    """
    value: Any = variant
    for name in path.split(".") if path else ():
        if value is None:
            return None
        if isinstance(value, Mapping):
            value = value.get(name)
        elif hasattr(value, name):
            value = getattr(value, name)
        else:
            raise VariantError(f"{path}: there is no such field")
    return value


def is_so(variant: Variant, when: str) -> bool:
    """Tell whether a condition holds: `path`, `!path`, `path=value` or `path!=value`.

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
    if isinstance(value, tuple):
        return list_words([str(item) for item in value]) or "none"
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)


def fill(variant: Variant, text: str, say: Say | None = None) -> str:
    """Fill a text's placeholders from the rules, such as `{melds.set_size:word}`.

    A placeholder is a path, or one of `DERIVED` with a number where it needs one (`{need.7}`).
    Words may hold placeholders themselves. Raises `VariantError` for one that nothing fills.
    """
    for _ in range(3):
        filled = _PLACEHOLDER.sub(lambda found: _filled(variant, found, say), text)
        if filled == text:
            return text
        text = filled
    return text


def placeholders(text: str) -> list[str]:
    """List what a text takes from the rules."""
    return [path for path, _ in _PLACEHOLDER.findall(text)]


def _filled(variant: Variant, found: re.Match[str], say: Say | None) -> str:
    path, as_word = found.groups()
    name, _, argument = path.partition(".")
    if name in DERIVED and path not in labels():
        made = DERIVED[name](variant, argument)
        return number(int(made)) if as_word else made
    value = at(variant, path)
    if as_word and isinstance(value, int):
        return number(value)
    return in_words(variant, path, say)


def _step(variant: Variant, argument: str) -> int:
    step = int(argument) if argument.isdecimal() else len(variant.deals)
    if not 1 <= step <= len(variant.deals):
        raise VariantError(f"{variant.name} has no deal {argument}.")
    return step


def _contract(variant: Variant, argument: str) -> str:
    contract = variant.deal(_step(variant, argument)).contract
    said = contract_words(contract) if contract else "No contract"
    return said[0].lower() + said[1:]


def _need(variant: Variant, argument: str) -> str:
    contract = variant.deal(_step(variant, argument)).contract
    return str(contract.least_cards if contract else 0)


def _sizes(variant: Variant) -> str:
    sizes = sorted({deal.dealt for deal in variant.deals})
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


DERIVED: dict[str, Callable[[Variant, str], str]] = {
    "name": lambda variant, _: variant.name,
    "deal_word": lambda variant, _: variant.deal_word,
    "deals": lambda variant, _: str(variant.deal_count or len(variant.deals)),
    "sizes": lambda variant, _: _sizes(variant),
    "dealt": lambda variant, step: str(variant.deal(_step(variant, step)).dealt),
    "contract": _contract,
    "need": _need,
    "spare": lambda v, step: str(v.deal(_step(v, step)).dealt + 1 - int(_need(v, step))),
    "buys": lambda variant, step: str(variant.buys(_step(variant, step))),
    "buys_needed": lambda variant, step: str(buys_needed(variant, _step(variant, step))),
    "packs": lambda variant, players: pack_words(variant.pack(int(players))),
    "cards": lambda variant, players: str(variant.pack(int(players)).size),
    "values": lambda variant, _: "; ".join(f"{r} {p}" for r, p in value_rows(variant.melds)),
    "value": lambda variant, rank: str(variant.melds.values.get(rank, 0)),
    "wilds": lambda variant, _: list_words([_many(name) for name in variant.melds.wilds]),
    "bonus": lambda v, key: str(abs(next(b.points for b in v.scoring.bonuses if b.key == key))),
}
"""What rule texts may take from the rules that is no single field."""


def _many(rank: str) -> str:
    names = {"joker": "jokers", "2": "twos", "A": "aces", "K": "kings"}
    return names.get(rank, f"{rank}s")


def bonus_words(bonus: Bonus) -> str:
    """Say what a bonus is worth and who pays it."""
    each = " for each" if bonus.counts else ""
    if bonus.payer == "each_opponent":
        return f"{bonus.points} from each opponent{each}"
    points = f"{abs(bonus.points)} point{'s'[: abs(bonus.points) != 1]}"
    return f"{points} {'off' if bonus.points < 0 else 'more'}{each}"


def _deal_words(variant: Variant, step: int) -> str:
    deal = variant.deal(step)
    words = [f"{deal.dealt} cards"]
    if deal.contract:
        words.append(contract_words(deal.contract))
        if deal.goout != "discard":
            words.append("no discard" if deal.goout == "no_discard" else "discard or not")
    if deal.buys is not None:
        words.append(f"at most {deal.buys} taken out of turn")
    if deal.wilds is not None:
        words.append(f"wild: {list_words(list(deal.wilds)) or 'none'}")
    return "; ".join(words)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _listed(when: str | Sequence[str]) -> Sequence[str]:
    return (when,) if isinstance(when, str) else when


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
