"""The games as the asking device's league plays them: the shelf, its choices, and its own games."""

from __future__ import annotations

from flask import abort, g

from companion.people.house_rules import SavedRules, find_house, list_houses
from companion.rules import Variant, VariantError, card_games, load, point_games
from companion.rules.form_reader import OWN
from companion.store.models import db
from companion.web.middleware.guard import my_leagues


def my_house(key: str) -> SavedRules | None:
    """Find the asking league's own rules by their key, asked of the database once a request."""
    houses = g.setdefault("houses", {})
    if key not in houses:
        leagues = my_leagues()
        houses[key] = find_house(db.session(), leagues[0].league_id, key) if leagues else None
    found: SavedRules | None = houses[key]
    return found


def my_variant(key: str) -> Variant:
    """Return a game as this league plays it, or as its book has it; 404 for no game."""
    house = my_house(key)
    if house:
        return house.variant
    try:
        return load(key)
    except VariantError:
        abort(404)


def my_variants() -> list[Variant]:
    """List every game there is for this league, its own games first."""
    houses = list_houses(db.session(), my_leagues()[0].league_id) if my_leagues() else []
    chosen = {house.key: house.variant for house in houses if not house.is_own}
    own = [house.variant for house in houses if house.is_own]
    shelf = (*card_games(), *point_games())
    return [*own, *(chosen.get(variant.key, variant) for variant in shelf)]


def is_own(variant: Variant) -> bool:
    """Return whether a family made this game itself."""
    return variant.key.startswith(OWN)
