"""The rules of each game, drawn from the same data that scores it."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from companion.rules import Variant, VariantError, all_variants, differences, load
from companion.scoring.knock import knock_table

from .security import LARGEST_NUMBER, my_game, my_leagues, public

place = Blueprint("rules", __name__, url_prefix="/rules")


@place.get("")
@public
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", variants=all_variants())


@place.get("/<key>")
@public
def book(key: str) -> str:
    """Show a game's rules; with `?game=` those a running game is played under."""
    variant, game_id = _wanted(key)
    return render_template(
        "rules/book.html",
        variant=variant,
        game_id=game_id,
        differences=differences(variant),
        knock_table=knock_table,
    )


def _wanted(key: str) -> tuple[Variant, int | None]:
    number = request.args.get("game", "")
    if number.isdecimal() and my_leagues() and int(number) <= LARGEST_NUMBER:
        game, _ = my_game(int(number))
        return game.record.variant, game.game_id
    try:
        return load(key), None
    except VariantError:
        abort(404)
