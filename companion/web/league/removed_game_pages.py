"""Games taken out of the league by its owner, and brought back."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue as Page

from companion.people import removed_games
from companion.people.actions import league_actions, was_done
from companion.store.models import db
from companion.web.frame.forms import KeyForm, see_other
from companion.web.frame.undoing import offer_undo
from companion.web.middleware.guard import author_in, my_game, my_league, needs

blueprint = Blueprint("removed", __name__)
offer_undo(blueprint, removed_games.undo, below="/league/games/removed")


@blueprint.get("/league/games/removed")
@needs("owner")
def show() -> str:
    """List the games that were taken out, each with the way back."""
    acts = league_actions(db.session(), my_league().league_id, removed_games.UNDOING)
    return render_template("league/removed.html", acts=acts, day_of=date.fromisoformat)


@blueprint.get("/games/<int:game_id>/removal")
@needs("owner")
def ask(game_id: int) -> str:
    """Say what becomes of a game that is taken out."""
    game, _ = my_game(game_id)
    return render_template("table/removal.html", game=game)


@blueprint.post("/games/<int:game_id>/removal")
@needs("owner")
def remove(game_id: int) -> Page:
    """Take a game out of the league."""
    league, form = my_league(), KeyForm(request.form)
    if not was_done(db.session(), league.league_id, form.own_key):
        my_game(game_id)
        form.checked()
        removed_games.remove_game(author_in(league), form.own_key, game_id)
    return see_other("removed.show")
