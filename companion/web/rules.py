"""The rules of each game, drawn from the same data that scores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from flask import Blueprint, render_template, request

from companion.rules import (
    Variant,
    differences,
    load_examples,
)
from companion.rules.examples import WorkedDeal, WorkedGame, WorkedHand
from companion.scoring.knock import knock_table

from .forms import place_number
from .security import my_game, my_leagues, public
from .shelf import my_variant, my_variants

Worked = TypeVar("Worked", WorkedHand, WorkedDeal, WorkedGame)
place = Blueprint("rules", __name__, url_prefix="/rules")


@place.get("")
@public
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", variants=my_variants())


@place.get("/<key>")
@public
def book(key: str) -> str:
    """Show a game's rules; with `?game=` those a running game is played under."""
    variant, game_id = _wanted(key)
    examples = load_examples(variant.key)
    return render_template(
        "rules/book.html",
        variant=variant,
        hands=_shown(variant, examples.hands),
        deals=_shown(variant, examples.deals),
        games=_shown(variant, examples.games),
        game_id=game_id,
        differences=differences(variant),
        knock_table=knock_table,
    )


def _wanted(key: str) -> tuple[Variant, int | None]:
    number = place_number(request.args.get("game", ""))
    if number is not None and my_leagues():
        game, _ = my_game(number)
        return game.record.variant, game.game_id
    return my_variant(key), None


def _shown(variant: Variant, examples: Iterable[Worked]) -> list[tuple[Worked, list[str]]]:
    """Pick the examples to show, each with the house rules under which it was worked.

    A game with house rules of its own shows what was worked under exactly these; the book shows
    everything, what other houses play included.
    """
    if variant.chosen:
        return [(example, []) for example in examples if example.house == variant.chosen]
    return [(example, _house_words(variant, example.house)) for example in examples]


def _house_words(variant: Variant, house: Mapping[str, str | int | bool]) -> list[str]:
    choices = {choice.key: choice for choice in variant.choices}
    return [
        f"{choices[k].question} {choices[k].option(value).label}." for k, value in house.items()
    ]
