"""Everyone's own phone: your place, the contract, and your own pad when the deal is over."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from time import monotonic

from flask import (
    Blueprint,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue as Page
from msgspec.structs import asdict
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games.reading import StoredGame
from companion.games.shown.scoreboard import scoreboard
from companion.phones import hand_reports, pending_deal
from companion.phones.deal_on_table import awaited_elsewhere, deal_on_table
from companion.phones.hand_reports import OtherEndingError, TooEarlyError
from companion.phones.pending_deal import NOT_ENDED, EndedDeal, PendingDeal, own_seats
from companion.phones.presence import present_in_text
from companion.scoring import cards_wanted, endings
from companion.scoring.bonuses import TRICKS
from companion.store.authors import Author
from companion.store.database import AnyRow
from companion.store.models import db
from companion.web.frame.forms import TapForm, see_other
from companion.web.frame.live_questions import LiveQuestions, patience
from companion.web.middleware import guard
from companion.web.middleware.fault_pages import asks_for_data, refusal_page
from companion.web.middleware.guard import (
    ForbiddenError,
    author_at,
    i_may,
    my_game,
    my_league,
    needs,
)

from .deal_form import DealForm
from .hand_words import ending_words
from .pending_deal_form import late_points
from .story import stakes_of
from .table_view import read_table

blueprint = Blueprint("hand", __name__, url_prefix="/games/<int:game_id>")
MOST_INSTEAD = 6  # as many as `outbox.js` names


@blueprint.get("/mine")
def show(game_id: int) -> Page:
    """Show a player's own phone: the pad when the deal is over, else where they stand.

    Once the game is over it goes on to the next one in which the player sits.
    """
    game, author = my_game(game_id)
    next_game = _next_game(author, game_id, game.status)
    if next_game:
        return see_other("hand.show", game_id=next_game)
    table = read_table(game, author)
    pending, seat = table.pending, table.my_seat
    if seat is None:
        return render_template("hand/seatless.html", game=game, awaited=table.awaited)
    own_hand = next((hand for hand in pending.hands if hand.seat == seat), None)
    wants = own_hand is not None and (own_hand.is_waited_for or "pad" in request.args)
    pad = _own_form(game, author, seat, pending) if own_hand else None
    return render_template(
        "hand/mine.html",
        **asdict(table),
        seat=seat,
        mine=own_hand,
        own=pending.own(author.device_id, seat),
        entry=pad if wants else None,
        spare=pad,
        neighbour=pending.to_confirm(seat) if own_hand and pending.confirms else None,
        endings=[how for how in endings(game.record.variant) if how],
    )


@blueprint.get("/live")
def live(game_id: int) -> Response:
    """Say which state of the game is current; a page that has seen it may wait for the next.

    One's own page goes on to the next game, and one that `stays` says that there is one. A page
    that asks about `phones` hears beside it which of them are here; one that asks `elsewhere`
    hears as well when another game comes to wait for its player's hand. Where too many wait it
    hears when to ask again.
    """
    until, seen = monotonic() + patience(), request.args.get("seen")
    questions: LiveQuestions = current_app.extensions["waiting"]
    phone = my_league().device_id
    with questions.waiter(game_id, phone) if "wait" in request.args else nullcontext() as waiter:
        name, states = _live_etag(game_id)
        while waiter and name == seen:
            db.session.remove()  # nothing of the database is held by whoever waits
            is_over = not questions.wait(waiter, states, until)
            if questions.is_stopped:
                break
            guard.forget_the_phone()  # it may have been put out meanwhile: then it hears that
            name, states = _live_etag(game_id)
            if is_over:
                break
    answer = Response(name, mimetype="text/plain")
    if "phones" in request.args:
        answer.headers["X-Here"] = present_in_text(
            Path(current_app.instance_path),
            my_league().league_id,
            game_id,
            request.args["phones"],
        )
    if name == seen and "wait" in request.args and (waiter is None or questions.is_stopped):
        answer.headers["Retry-After"] = str(ASK_AGAIN)
    return answer


ASK_AGAIN = 2
"""Seconds after which whoever may not wait asks again."""


def _live_etag(game_id: int) -> tuple[str, dict[int, AnyRow]]:
    """Return the state etag of a game for the asking phone, and the states that it depends on."""
    league, session = my_league(), db.session()
    author = author_at(league, game_id)
    asks = "elsewhere" in request.args and league.player_id is not None and i_may("player")
    others = pending_deal.running_elsewhere(session, author, game_id) if asks else []
    states = pending_deal.live_states(session.connection(), [game_id, *others])
    state = states.get(game_id)
    if state is None or state.league_id != league.league_id:
        abort(404)
    if "stays" in request.args:
        next_game = next_table(league.league_id, game_id, state.status)
    else:
        next_game = _next_game(author, game_id, state.status)
    other = awaited_elsewhere(session, author, game_id) if others else None
    return pending_deal.state_etag(state, next_game, other.game_id if other else None), states


@blueprint.get("/far")
def far(game_id: int) -> Page:
    """Show the score across the room; of a game that is over that of the next at this table."""
    game, _ = my_game(game_id)
    if next_game := next_table(game.league_id, game_id, game.status):
        return see_other("hand.far", game_id=next_game)
    return render_template(
        "hand/far.html",
        game=game,
        board=scoreboard(game),
        pending=deal_on_table(db.session(), game),
        stakes=stakes_of(game) if my_league().show_chances else (),
    )


@blueprint.get("/hands/<int:seat>")
@needs("player")
def pad(game_id: int, seat: int) -> Page:
    """Open the pad for one hand: one's own, or anybody's for who keeps the score."""
    game, author = _game_with_hand(game_id, seat)
    return _pad_page(game, author, seat)


@blueprint.post("/hands/<int:position>/<int:seat>")
@needs("player")
def report(game_id: int, position: int, seat: int) -> Page:
    """Take one hand of one deal; it counts when somebody saves the deal."""
    game, author = _game_with_hand(game_id, seat)
    form = _form_of(game, position, seat, request.form)
    if not _is_readable(form):
        return _not_taken(game, author, seat, form, 422)
    tally, typed = form.shown[0].reported
    try:
        revision = hand_reports.report_hand(
            author,
            game_id,
            position,
            seat,
            form.revision_seen.number or 0,
            form.own_key,
            tally,
            typed,
            str(form.instead.data)[:500].split()[:MOST_INSTEAD],
            lambda saved: late_points(saved, position, seat, tally, typed),
        )
    except Refusal as fault:
        form.form_errors.append(str(fault))
        return _not_taken(game, author, seat, form, 409, early=isinstance(fault, TooEarlyError))
    if asks_for_data():
        return jsonify(taken=True, told=revision)
    is_own = seat in own_seats(db.session(), author, game_id)
    return see_other("hand.show" if is_own else "table.show", game_id=game_id)


@blueprint.post("/endings")
@needs("player")
def end(game_id: int) -> Page:
    """Say how the deal on the table ended: every phone then opens its pad."""
    game, author = my_game(game_id)
    # After the game: another league's is 404, whatever the form.
    form = TapForm(request.form).checked()
    hand_reports.end_deal(author, game_id, _position(game, form), _ended(game, form))
    return _taken(game_id, form)


@blueprint.post("/endings/back")
@needs("player")
def cancel_ending(game_id: int) -> Page:
    """Take back that the deal ended."""
    game, author = my_game(game_id)
    form = TapForm(request.form).checked()
    hand_reports.cancel_ending(author, game_id, _position(game, form))
    return _taken(game_id, form)


@blueprint.post("/hands/<int:position>/<int:seat>/choices")
def choose(game_id: int, position: int, seat: int) -> Page:
    """Choose one of two versions of a hand."""
    _, author = my_game(game_id)
    form = TapForm(request.form).checked()
    hand_reports.choose(author, game_id, position, seat, form.device.required)
    return _taken(game_id, form)


@blueprint.post("/hands/<int:position>/<int:seat>/settled")
def dismiss_late(game_id: int, position: int, seat: int) -> Page:
    """Leave a saved deal as it is, whatever came late."""
    _, author = my_game(game_id)
    form = TapForm(request.form).checked()
    hand_reports.dismiss_late(author, game_id, position, seat)
    return _taken(game_id, form)


@blueprint.post("/hands/<int:position>/<int:seat>/confirmations")
@needs("player")
def confirm(game_id: int, position: int, seat: int) -> Page:
    """Confirm a neighbour's hand as it was entered."""
    _, author = my_game(game_id)
    form = TapForm(request.form).checked()
    device, seen = form.device.required, form.revision_seen.required
    hand_reports.confirm(author, game_id, position, seat, device, seen)
    return _taken(game_id, form)


def _taken(game_id: int, form: TapForm) -> Response:
    """Go back to the page that was tapped, or say to an outbox that the tap was taken."""
    if asks_for_data():
        return jsonify(taken=True, words="", early=False)
    page = "hand.show" if form.page.data == "mine" else "table.show"
    return see_other(page, game_id=game_id)


@blueprint.errorhandler(Refusal)
def refuse(fault: Refusal) -> Page:
    """Say why a tap was not taken."""
    words = str(fault)
    if isinstance(fault, OtherEndingError):
        game, _ = my_game((request.view_args or {})["game_id"])
        ended = ending_words(game, fault.stored.how, fault.stored.by)
        words = f"Someone else has already entered how it ended: {ended}."
    return refusal_page(words, fault.status, early=isinstance(fault, TooEarlyError))


def _next_game(author: Author, game_id: int, status: str) -> int | None:
    """Find the game that a phone goes on to, once this one is over."""
    if status == "running":
        return None
    return pending_deal.following_game(db.session(), author, game_id)


def next_table(league_id: int, game_id: int, status: str) -> int | None:
    """Find the game that is played at this table now, once this one is over."""
    if status == "running":
        return None
    return pending_deal.next_at_table(db.session(), league_id, game_id)


@blueprint.app_template_global()
def state_etag(game: StoredGame, *, stays: bool, awaited: StoredGame | None = None) -> str:
    """Name the state of a game that a page shows, as `live` does for it."""
    following = next_table(game.league_id, game.game_id, game.status) if stays else None
    return pending_deal.state_etag(game, following, awaited.game_id if awaited else None)


def _position(game: StoredGame, form: TapForm) -> int:
    """Return the deal that the page was about; the one on the table where it does not say."""
    return form.position.number or len(game.record.deals) + 1


def _ended(game: StoredGame, form: TapForm) -> EndedDeal:
    """Read how the deal ended; answer 400 for what this game does not know."""
    how, by = str(form.how.data), form.by.number
    seats = game.record.standing().playing if how else (None,)
    if how not in endings(game.record.variant) or by not in seats:
        abort(400)
    return EndedDeal(how, by)


def _game_with_hand(game_id: int, seat: int) -> tuple[StoredGame, Author]:
    """Load the game; answer 404 for a seat that it has not, 403 for the hand of somebody else."""
    game, author = my_game(game_id)
    if not 0 <= seat < len(game.names):
        abort(404)
    if not i_may("scorekeeper") and seat not in own_seats(db.session(), author, game_id):
        raise ForbiddenError("scorekeeper")
    return game, author


def _is_readable(form: DealForm) -> bool:
    """Read a hand that was sent; without cards there is nothing to report."""
    if not form.validate():
        return False
    (hand,) = form.shown
    if not hand.is_asked or "zips" in hand or hand.entered:
        return True
    finding = cards_wanted(form.game.record.variant, hand.seat, form.ending.by)
    hand[hand.modes[0]].errors = [finding.in_words(form.game.names)]
    return False


def _not_taken(
    game: StoredGame, author: Author, seat: int, form: DealForm, status: int, *, early: bool = False
) -> Page:
    """Refuse a hand in sentences, with what was typed, or as data for the outbox."""
    if asks_for_data():
        words = " ".join(words for _, words in form.faults)
        return jsonify(taken=False, words=words, early=early), status
    return _pad_page(game, author, seat, form), status


def _own_form(game: StoredGame, author: Author, seat: int, pending: PendingDeal) -> DealForm:
    """Build the pad of one hand, with what this phone entered before."""
    form = _form_of(game, pending.position, seat, ending=pending.ended or NOT_ENDED)
    (hand,) = form.shown
    if reported := pending.own(author.device_id, seat) or pending.agreed(seat):
        form.show_report(hand, reported.tally, reported.typed)
    if TRICKS in hand and not pending.ended:
        if seat in pending.bids:
            hand.show_bid(pending.bids[seat])
        else:
            del hand[TRICKS]  # bids come first, and alone
    return form


def _form_of(
    game: StoredGame,
    position: int,
    seat: int,
    fields: MultiDict[str, str] | None = None,
    ending: EndedDeal | None = None,
) -> DealForm:
    """Build the form of one hand; refuse that of somebody who is not in the deal."""
    form = DealForm(game, position, fields, ending, seat)
    if not form.shown:
        raise Refusal(f"{game.names[seat]} is not in this deal.")
    return form


def _pad_page(game: StoredGame, author: Author, seat: int, form: DealForm | None = None) -> str:
    """Show the pad of one hand, which may be of an earlier deal where a form was not taken."""
    pending = deal_on_table(db.session(), game)
    form = form or _own_form(game, author, seat, pending)
    reports: PendingDeal = pending
    if form.position != pending.position:
        deal = (game.league_id, game.game_id, form.position)
        reports = pending_deal.pending_deal(db.session(), *deal, max(1, game.report_revision))
    return render_template(
        "hand/pad.html",
        game=game,
        seat=seat,
        pending=pending,
        own=reports.own(author.device_id, seat),
        entry=form,
        is_mine=seat == pending.seat_of(author.device_id),
    )
