"""Who can still win a running game: what is certain, and what this league's own deals suggest."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from companion.games.shown.scoreboard import scoreboard
from companion.scoring.certainty import outlooks
from companion.scoring.chances import chances
from companion.statistics.past_deals import past_deals
from companion.store.models import db
from companion.web.middleware.guard import my_game, my_league

blueprint = Blueprint("outlook", __name__, url_prefix="/games/<int:game_id>")


@blueprint.get("/outlook")
def show(game_id: int) -> str:
    """Show who can still win; a league that does not want to know is told nothing."""
    game, _ = my_game(game_id)
    if game.status != "running" or not game.record.deals or not my_league().show_chances:
        abort(404)
    record, deals = game.record, [deal.played for deal in game.record.deals]
    past = past_deals(db.session(), game)
    certain = outlooks(record.variant, record.standing(), deals, record.pack) or ()
    drawn = chances(record.variant, record.seats, deals, record.first_dealer, record.pack, past)
    return render_template(
        "table/outlook.html",
        game=game,
        rows=[row for row in scoreboard(game).by_place if row.place is not None],
        certain={outlook.seat: outlook for outlook in certain},
        chances={outlook.seat: outlook for outlook in drawn or ()},
        past=len(past),
    )
