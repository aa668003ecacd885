"""Who can still win a running game: what is certain, and what this league's own deals suggest."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from msgspec import Struct

from companion.games.reading import StoredGame
from companion.games.shown.scoreboard import scoreboard
from companion.scoring.certainty import Outlook, outlooks
from companion.scoring.chances import Chance, chances
from companion.statistics.past_deals import past_deals
from companion.store.models import db
from companion.web.middleware.guard import my_game, shows_chances

blueprint = Blueprint("outlook", __name__, url_prefix="/games/<int:game_id>")


class Prospect(Struct, frozen=True):
    """One player's prospects: what is certain, and the chance to win with its range in percent."""

    seat: int
    name: str
    total: int
    certain: Outlook | None
    percent: int | None = None
    low: int = 0
    high: int = 0


@blueprint.get("/outlook")
def show(game_id: int) -> str:
    """Show who can still win; a league that does not want to know is told nothing."""
    game, author = my_game(game_id)
    if game.status != "running" or not game.record.deals or not shows_chances(author):
        abort(404)
    prospects, past = _prospects(game)
    return render_template(
        "table/outlook.html",
        game=game,
        variant=game.record.variant,
        prospects=prospects,
        past=past,
    )


def _prospects(game: StoredGame) -> tuple[list[Prospect], int]:
    """Return the prospects in the order of places, and how many past deals they rest on."""
    record = game.record
    seats = record.seats
    deals = [deal.played for deal in record.deals]
    past = past_deals(db.session(), game)
    said = outlooks(record.variant, record.standing(), deals, record.pack) or ()
    drawn = chances(record.variant, seats, deals, record.first_dealer, record.pack, past) or ()
    certain, likely = {one.seat: one for one in said}, {one.seat: one for one in drawn}
    rows = scoreboard(game).by_place
    shown = [
        _prospect(row.seat, row.name, row.total, certain.get(row.seat), likely.get(row.seat))
        for row in rows
        if row.place is not None
    ]
    return shown, len(past) if likely else 0


def _prospect(
    seat: int, name: str, total: int, certain: Outlook | None, chance: Chance | None
) -> Prospect:
    if chance is None:
        return Prospect(seat, name, total, certain)
    percent = [round(100 * part) for part in (chance.likely, chance.low, chance.high)]
    return Prospect(seat, name, total, certain, *percent)
