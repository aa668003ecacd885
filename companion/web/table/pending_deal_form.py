"""Forms of deals that phones entered: the one on the table, and a saved one with a late hand."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from companion.games.reading import StoredGame
from companion.phones.pending_deal import NOT_ENDED, pending_deal
from companion.scoring import Tally, TallyError
from companion.store.models import db

from .deal_form import DealForm, Typed, saved_lines
from .hand_form import Sent


def pending_form(game: StoredGame, fields: Sent | None = None) -> DealForm:
    """Build the form of the deal that the table has come to, from what phones entered of it.

    `fields` is what the table typed itself, for hands that no phone entered.
    """
    position = len(game.record.deals) + 1
    pending = pending_deal(
        db.session(), game.league_id, game.game_id, position, game.report_revision
    )
    agreed = {seat: report for seat in pending.reports if (report := pending.agreed(seat))}
    # A bonus that only one may have is the table's to give, to a hand that a phone entered too.
    theirs = tuple(f"seat{seat}-" for seat in agreed)
    typed = fields and MultiDict(
        (name, text) for name, text in fields.items(multi=True) if not name.startswith(theirs)
    )
    form = DealForm(game, position, typed, pending.ended or NOT_ENDED)
    form.report_revision.data = str(pending.report_revision)
    for hand in form.hands:
        if report := agreed.get(hand.seat):
            form.show_report(hand, report.tally, report.typed)
        elif hand.seat in pending.bids:
            hand.show_bid(pending.bids[hand.seat])
    return form


def show_bids(form: DealForm) -> None:
    """Show in the form of the deal on the table what was bid before it was played."""
    game = form.game
    if game.record.variant.bids:
        deal = (game.league_id, game.game_id, form.position, game.report_revision)
        bids = pending_deal(db.session(), *deal).bids
        for hand in form.hands:
            if hand.seat in bids:
                hand.show_bid(bids[hand.seat])


def late_form(
    game: StoredGame,
    position: int,
    seat: int,
    tally: Tally,
    typed: Typed,
    fields: Sent | None = None,
) -> DealForm:
    """Build the form of a saved deal with one hand as a phone entered it afterwards."""
    form = DealForm(game, position, fields, only=seat)
    form.show_report(form.shown[0], tally, typed)
    return form


def late_points(
    game: StoredGame, position: int, seat: int, tally: Tally, typed: Typed
) -> int | None:
    """Return what a hand would score in its saved deal: as saved where it cannot be scored.

    None where the seat has no line in that deal.
    """
    saved = saved_lines(game, position).get(seat)
    if saved is None:
        return None
    try:
        amended = late_form(game, position, seat, tally, typed).play(game.record).record
    except TallyError:
        return saved.points
    return amended.deals[position - 1].lines[seat].points
