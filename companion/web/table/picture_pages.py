"""A finished game as a picture to share, made on the device that shows it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template

from companion.games.shown.course_of_play import behind, how_it_went
from companion.games.shown.scoreboard import scoreboard
from companion.web.middleware.guard import my_game, my_league

from .story import chart_of, streak

blueprint = Blueprint("picture", __name__, url_prefix="/games/<int:game_id>/picture")


@blueprint.get("")
def show(game_id: int) -> str:
    """Show the picture with a way to save it; a script makes a PNG of it."""
    return render_template("table/picture.html", **_about(game_id))


@blueprint.get("/drawing.svg")
def drawing(game_id: int) -> Response:
    """Draw the result of a game."""
    answer = make_response(render_template("table/picture.svg", **_about(game_id)))
    answer.mimetype = "image/svg+xml"
    return answer


def _about(game_id: int) -> dict[str, Any]:
    """Gather what the picture tells; answer 404 for a game that is not finished."""
    game, _ = my_game(game_id)
    if game.status != "finished":
        abort(404)
    board = scoreboard(game)
    return {
        "game": game,
        "variant": game.record.variant,
        "board": board,
        "behind": behind(board.standing),
        "chart": chart_of(game),
        "course": how_it_went(game.record),
        "streak": streak(game),
        "league": my_league(),
    }
