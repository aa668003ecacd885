"""A game's rules as a form: every field with its label, its answers and what stands there now."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from . import catalogue
from .contracts import contract_signs
from .field_text import at, labels
from .variant import Bonus, DealRules, Variant

Kind = Literal["choice", "number", "text", "ranks", "rows"]
PACK = ("low", "high", "decks", "jokers")
GROUPS = {
    "turn": "A turn",
    "pickup": "Taking discards out of turn",
    "joker_trade": "Exchanging wild cards",
    "melds": "Melds and wild cards",
    "scoring": "Scoring",
    "ending": "End of the game",
}
# What is counted otherwise is another game, and no book has its words.
_NOT_EDITED = ("scoring.entry",)
ZERO_COUNTS = ("melds.max_wilds", "ending.floor")
"""Numbers of which 0 is a limit; of the others that may be blank, 0 is the same as a blank."""


NO_LIMIT = "no limit"


class Field(NamedTuple):
    """One field of the rules as a form shows it; `value` is what stands there now.

    `blank` says what an empty field means, `such_as` is an example; `is_often` are the fields that
    house rules of the book change; `is_switch` is the one without which its group matters little.
    """

    path: str
    label: str
    kind: Kind
    value: str
    options: tuple[tuple[str, str], ...] = ()
    blank: str = ""
    such_as: str = ""
    is_often: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether all the rest of its group only matters where the answer is yes."""
        return self.path.endswith(".allowed")


def fields(variant: Variant) -> dict[str, list[Field]]:
    """List the fields of each group that this game has."""
    found: dict[str, list[Field]] = {title: [] for title in GROUPS.values()}
    often = frozenset(_changed_by_choices(variant))
    for path, entry in labels().items():
        group, _, name = path.partition(".")
        inside = path.rpartition(".")[0]
        if group in GROUPS and name and path not in _NOT_EDITED and at(variant, inside) is not None:
            found[GROUPS[group]].append(_field(variant, path, entry, path in often))
    return {title: group for title, group in found.items() if group}


def _changed_by_choices(variant: Variant) -> Iterator[str]:
    """Name the fields that the house rules of a game change, or of the book it was made from."""
    key = catalogue.catalogue_key(variant)
    for choice in catalogue.load(key).choices if key else ():
        for option in choice.options:
            yield from _leaves(option.changes)


def _leaves(changes: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in changes.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{path}.")
        else:
            yield path


def _field(variant: Variant, path: str, entry: Mapping[str, Any], is_often: bool) -> Field:
    value, kind, answers = at(variant, path), *_kind(path)
    words = {"true": "yes", "false": "no", **entry}
    options = tuple((answer, str(words.get(answer, answer))) for answer in answers)
    blank = str(entry.get("blank", "none" if kind == "ranks" else ""))
    shown = "" if blank and not value and kind == "number" else _shown(value, kind)
    such_as = str(entry.get("such_as", ""))
    if value == 0 and path in ZERO_COUNTS:
        shown = "0"
    return Field(path, entry["label"], kind, shown, options, blank, such_as, is_often)


def _shown(value: Any, kind: Kind) -> str:
    if value is None:
        return ""
    if kind == "ranks":
        return " ".join(value)
    if kind == "rows":
        return ", ".join(f"{size}:{most}" for size, most in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _kind(path: str) -> tuple[Kind, tuple[str, ...]]:
    """Return how a field is asked for, and its possible answers, from its type."""
    kind: Any = Variant
    for name in path.split("."):
        kind = _plain_type(get_type_hints(kind)[name])
    if kind is bool:
        return "choice", ("true", "false")
    if get_origin(kind) is Literal:
        return "choice", tuple(map(str, get_args(kind)))
    if get_origin(kind) is tuple:
        return ("rows" if get_args(kind)[0] is not str else "ranks"), ()
    return ("number" if kind is int else "text"), ()


def _plain_type(kind: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        return next(one for one in get_args(kind) if one is not type(None))
    return kind


def shown(variant: Variant) -> dict[str, str]:
    """Write a game as the form's fields: what a browser would send back unchanged."""
    form = {"name": variant.name, "summary": variant.summary}
    if variant.deal_count is not None:
        form["deals"] = str(variant.deal_count)
    form |= {f"f.{f.path}": f.value for group in fields(variant).values() for f in group}
    form |= {f"value.{rank}": str(points) for rank, points in variant.melds.values.items()}
    form |= {f"black.{rank}": str(points) for rank, points in variant.melds.black_values.items()}
    for number, row in enumerate(variant.packs, start=1):
        numbers = (*row.players, row.decks, row.jokers)
        form |= {f"pack.{number}.{name}": str(n) for name, n in zip(PACK, numbers, strict=True)}
    for number, deal in enumerate(variant.deals, start=1):
        form |= {f"deal.{number}.{name}": text for name, text in _deal_form(deal).items()}
    for number, bonus in enumerate(variant.scoring.bonuses, start=1):
        form |= {f"bonus.{number}.{name}": text for name, text in _bonus_form(bonus).items()}
    return form


def _deal_form(deal: DealRules) -> dict[str, str]:
    return {
        "dealt": str(deal.dealt),
        "contract": contract_signs(deal.contract) if deal.contract else "",
        "goout": deal.goout,
        "buys": "" if deal.buys is None else str(deal.buys or NO_LIMIT),
        "wilds": "" if deal.wilds is None else " ".join(deal.wilds) or "none",
    }


def _bonus_form(bonus: Bonus) -> dict[str, str]:
    return {
        "key": bonus.key,
        "name": bonus.name,
        "points": str(bonus.points),
        "who": bonus.who,
        "counts": str(bonus.counts).lower(),
        "payer": bonus.payer,
        "doubles": str(bonus.doubles).lower(),
    }
