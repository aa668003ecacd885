"""Every field of a game's rules is named and shown; a field that nothing says cannot be added."""

import types
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct

from companion.rules import Variant, card_games, find_variant
from companion.rules.field_text import RuleField, labels, rule_fields, tables
from companion.rules.form_fields import fields

IDENTITY = {
    *("key", "name", "aliases", "extends", "summary", "source", "verified", "assumed"),
    *("deal_word", "contract_word", "choices", "chosen"),
}
"""What a page shows as the game's name, words and choices."""

TABLES = {
    "players.usual",
    "packs",
    "deals",
    "melds.values",
    "melds.black_values",
    "scoring.bonuses",
    "scoring.points.begins",
    "scoring.points.openings",
    "scoring.points.dealt_for",
    "ending.deals_for",
}
"""What a page shows as a table of its own."""


def leaves(kind: Any, path: str = "") -> Iterator[str]:
    """Walk the typed shape of a game down to its plain fields."""
    for name, hint in get_type_hints(kind).items():
        inner = hint
        if get_origin(hint) in (Union, types.UnionType):
            inner = next(one for one in get_args(hint) if one is not type(None))
        if isinstance(inner, type) and (issubclass(inner, Struct) or is_dataclass(inner)):
            yield from leaves(inner, f"{path}{name}.")
        else:
            yield f"{path}{name}"


def test_every_field_is_named_and_no_name_is_idle() -> None:
    assert set(leaves(Variant)) == set(labels()) | IDENTITY | TABLES


def test_every_named_field_can_be_edited_but_what_makes_the_game() -> None:
    editable = {
        field.path
        for variant in card_games()
        for group in fields(variant).values()
        for field in group
    }
    not_edited = {"scoring.entry", "players.min", "players.max", "players.best", "players.sides"}
    points = {path for path in labels() if path.startswith("scoring.points.")}
    assert editable == set(labels()) - not_edited - points


@pytest.mark.parametrize("variant", card_games(), ids=lambda variant: variant.key)
def test_tables_tell_each_deal_pack_value_and_bonus(variant: Variant) -> None:
    told = [fact.path.partition(".")[0] for fact in tables(variant)]
    assert told.count("deals") == len(variant.deals)
    assert told.count("packs") == len(variant.packs)
    assert told.count("bonuses") == len(variant.scoring.bonuses)


def test_facts_speak() -> None:
    told = {fact.path: fact for fact in rule_fields(find_variant("zioncheck"))}
    assert told["turn.first_player"] == RuleField(
        "turn.first_player", "The first turn", "the first player takes two turns in a row"
    )
    assert told["pickup.limit"].words == "as often as you like"
    assert "scoring.knock.limit" not in told
