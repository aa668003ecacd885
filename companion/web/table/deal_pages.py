"""A deal is over: entering the hands, one review, saving; and correcting any earlier deal."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue as Page
from werkzeug.wrappers import Response

from companion.cards import Card, Refusal, Suit, read_hand, write_hand
from companion.games import writer
from companion.games.reading import StoredGame, deal_changes, history
from companion.games.writer import DoubtError, Saved, StaleError
from companion.melds import RANKS, best_melds
from companion.phones.hand_reports import HandsChangedError, correct_deal, save_deal
from companion.phones.pending_deal import pending_deal
from companion.rules import Variant
from companion.rules.book import load_book
from companion.scoring import endings
from companion.scoring.bonuses import reported_bonuses
from companion.store.authors import Author
from companion.store.models import db
from companion.web.frame.forms import asked, read_ordinal, see_other
from companion.web.middleware.fault_pages import asks_for_data, refusal_page
from companion.web.middleware.guard import my_game, needs

from .deal_form import DealForm, ending_in, saved_lines, seats_of
from .deal_review import hands_of_deal, open_doubts, review_page
from .history_text import headline
from .pending_deal_form import late_form, pending_form, show_bids
from .table_pages import back_to_table

blueprint = Blueprint("deals", __name__, url_prefix="/games/<int:game_id>/deals")


@blueprint.get("/new")
@needs("scorekeeper")
def new(game_id: int) -> Page:
    """Open the pad for the deal that just ended."""
    game, _ = my_game(game_id)
    if game.status != "running":
        return see_other("table.show", game_id=game_id)
    position = len(game.record.deals) + 1
    form = DealForm(game, position, ending=ending_in(game, position, request.args))
    show_bids(form)
    return _entry_page(form)


@blueprint.post("")
def create(game_id: int) -> Page:
    """Review the deal that just ended, then save it."""
    game, author = my_game(game_id)
    form = DealForm(game, len(game.record.deals) + 1, request.form)
    at = (author, game_id, form.seen, form.report_revision.number, form.own_key)
    return _saved(form, author, lambda: save_deal(*at, form.play, accepted=form.accepted.data))


@blueprint.post("/<int:position>")
def amend(game_id: int, position: int) -> Page:
    """Correct an earlier deal: at once where nothing is odd, after a review where something is."""
    game, author = my_game(game_id)
    form = _entered(game, _position(game, position))
    late = (position, form.only) if form.late.data and form.only is not None else None
    at = (author, game_id, form.seen, form.own_key, form.play)
    return _saved(form, author, lambda: correct_deal(*at, accepted=form.accepted.data, late=late))


def _entered(game: StoredGame, position: int) -> DealForm:
    """Read what was entered of a saved deal; of a late hand what its phone entered.

    Raises `StaleError` where that phone has entered it again since.
    """
    form = DealForm(game, position, request.form)
    device = read_ordinal(request.form.get("late", ""))
    # Without how often the phone had entered it, the form has the hand itself.
    if form.only is None or device is None or form.revision_seen.number is None:
        return form
    deal = pending_deal(db.session(), game.league_id, game.game_id, position, game.report_revision)
    report = deal.own(device, form.only)
    if report is None or report.revision != form.revision_seen.number:
        raise StaleError("This hand has changed since. Check it again.")
    return late_form(game, position, form.only, report.tally, report.typed, request.form)


def _saved(form: DealForm, author: Author, save: Callable[[], Saved]) -> Page:
    """Save a deal that needs no second look, and answer what came between."""
    try:
        return _not_to_be_saved(form, author) or back_to_table(save())
    except HandsChangedError as fault:
        return _hands_changed_page(_game_now(), str(fault)), 409
    except StaleError:
        return _stale_page(_game_now()), 409
    except DoubtError as fault:
        return review_page(_entered(_game_now(), form.position), fault.change)


def _not_to_be_saved(form: DealForm, author: Author) -> Page | None:
    """Answer what was saved before, is to be mended or looked over; None for what is sure."""
    game = form.game
    if form.seen != game.revision:
        # A double tap, or a lost answer, has been saved under this key: it is no stale page.
        saved = writer.saved_before(db.session(), author, game.game_id, form.own_key)
        return back_to_table(saved)
    # No page of ours sends it; what was entered for the second deal would be saved as the first.
    if form.of_deal.number not in (None, form.position) and form.is_new:
        words = "This was entered for another deal than the one on the table."
        return refusal_page(words, 409)
    planned = form.planned()
    if planned is None or form.is_edited:
        return _pad_page(form)
    is_odd = not form.accepted.data and (planned.forbidden or open_doubts(form, planned))
    if is_odd or (form.is_new and form.step.data != "save"):
        return review_page(form, planned)
    return None


def _stale_page(game: StoredGame) -> str:
    """Show what is stored now beside what was entered, with a way to use either."""
    entered, following = read_ordinal(request.form.get("position", "")), len(game.record.deals) + 1
    position = entered if entered and entered < following else following
    (last,) = history(db.session(), game.league_id, game.game_id, most=1)
    return render_template(
        "table/stale.html",
        game=game,
        last=last,
        last_change=headline(last, game.names),
        entry=_entered(game, position),
    )


def _hands_changed_page(game: StoredGame, fault: str) -> str:
    """Show the review of hands that changed meanwhile; what was typed for others stays."""
    form = pending_form(game, request.form)
    form.sure.data = ()  # what was answered was asked of other hands
    if planned := form.planned():
        return review_page(form, planned, fault)
    form.form_errors.insert(0, fault)
    return _entry_page(form)


def _game_now() -> StoredGame:
    """Load the game as it is after what was refused."""
    game, _ = my_game((request.view_args or {})["game_id"])
    return game


@blueprint.after_request
def tell_outbox(answer: Response) -> Response:
    """Say to an outbox whether its deal is saved, where anybody else gets a page."""
    if request.method != "POST" or not asks_for_data() or answer.mimetype != "text/html":
        return answer
    is_saved = answer.status_code == 303
    words = "" if is_saved else "Something has changed since. Check the scores again."
    data: Response = jsonify(taken=is_saved, words=words, early=False)
    data.status_code = 200 if is_saved else 409
    return data


@blueprint.get("/told")
@needs("scorekeeper")
def reported(game_id: int) -> Page:
    """Review the deal from the hands that phones reported, or complete it where some are missing.

    That hands are still to come is no fault of anybody's.
    """
    game, _ = my_game(game_id)
    if game.status != "running":
        return see_other("table.show", game_id=game_id)
    form = pending_form(game)
    missing = [hand for hand in form.shown if not hand.is_reported and not hand.entered]
    if missing:
        return _entry_page(form, str(missing[0].seat))
    planned = form.planned()
    return review_page(form, planned) if planned else _entry_page(form)


@blueprint.get("/<int:position>")
def show(game_id: int, position: int) -> Page:
    """Show one deal of the score sheet with the reasons of every line."""
    game, _ = my_game(game_id)
    deal = game.record.deals[_position(game, position) - 1]
    return render_template(
        "table/deal.html",
        game=game,
        position=position,
        deal=deal,
        running=game.record.standing().running[position - 1],
    )


@blueprint.get("/left-over")
def left_over(game_id: int) -> Response | tuple[Response, int]:
    """Count for a pad what a whole hand has in no meld, with its melds."""
    game, _ = my_game(game_id)
    upcoming = game.record.standing().upcoming
    try:
        hand = read_hand(asked("hand"))
        melding = best_melds(hand, game.record.variant.meld_rules(upcoming.step if upcoming else 1))
    except Refusal as fault:
        return jsonify(words=str(fault)), fault.status
    melds = [write_hand(meld.cards).split() for meld in melding.melds]
    return jsonify(left=melding.points, melds=melds, loose=write_hand(melding.loose).split())


@blueprint.get("/<int:position>/ended")
@needs("scorekeeper")
def ended(game_id: int, position: int) -> Page:
    """Ask who ended an earlier deal, if it was not who it says."""
    game, _ = my_game(game_id)
    return render_template(
        "table/ended.html",
        game=game,
        position=position,
        seats=seats_of(game, _position(game, position)),
        endings=endings(game.record.variant),
    )


@blueprint.get("/<int:position>/edit")
@needs("scorekeeper")
def edit(game_id: int, position: int) -> Page:
    """Open the pad for a whole earlier deal, filled in as it stands."""
    game, _ = my_game(game_id)
    ending = ending_in(game, _position(game, position), request.args)
    return _entry_page(DealForm(game, position, ending=ending))


@blueprint.get("/<int:position>/seats/<int:seat>")
def cell(game_id: int, position: int, seat: int) -> Page:
    """Explain one number of the score sheet."""
    game, _ = my_game(game_id)
    form = DealForm(game, _position(game, position, seat), only=seat)
    changes = deal_changes(db.session(), game.league_id, game_id, position)
    return render_template(
        "table/cell.html",
        entry=form,
        game=game,
        hand=form.shown[0],
        line=saved_lines(game, position)[seat],
        shown=hands_of_deal(game.record, position).get(seat),
        rules=load_book(game.record.variant),
        seat=seat,
        total=game.record.standing(position).totals[seat],
        changes=changes,
    )


@blueprint.get("/<int:position>/seats/<int:seat>/<any(cards, points):what>")
@needs("scorekeeper")
def change_cell(game_id: int, position: int, seat: int, what: str) -> Page:
    """Open the pad for one hand of an earlier deal, or ask for points by agreement."""
    game, _ = my_game(game_id)
    form = DealForm(game, _position(game, position, seat), only=seat)
    if what == "cards" and game.record.variant.asks_winners:
        return see_other("deals.edit", game_id=game_id, position=position)
    if what == "cards" and not form.shown[0].is_asked:
        return see_other("deals.cell", game_id=game_id, position=position, seat=seat)
    return _hand_page(form, what)


@blueprint.app_template_global()
def pad_ranks(variant: Variant, suits_apart: bool) -> list[tuple[Card, int]]:
    """List the keys of the pad: the cards of this game, by colour where that counts, with points.

    Where the suits are tapped beside them, each rank has one key.
    """
    rules = variant.melds
    coloured = () if suits_apart else rules.by_colour
    cards = [
        Card(RANKS[name], suit)
        for name in variant.ranks
        for suit in ((Suit.RED, Suit.BLACK) if name in coloured else (None,))
    ]
    return [(card, rules.value(card)) for card in cards]


def _position(game: StoredGame, position: int, seat: int | None = None) -> int:
    """Return the position of a deal that is saved, with a line of this seat; else answer 404."""
    if not 1 <= position <= len(game.record.deals):
        abort(404)
    if seat is not None and seat not in saved_lines(game, position):
        abort(404)
    return position


def _pad_page(form: DealForm) -> tuple[str, int]:
    """Open the pad on which this was entered: every hand of the deal, or the one that is mended."""
    status = 422 if form.faults else 200
    if form.only is None:
        return _entry_page(form), status
    return _hand_page(form, "points" if form.shown[0].asks_adjust else "cards"), status


def _entry_page(form: DealForm, opened: str = "") -> str:
    return render_template(
        "table/entry.html",
        entry=form,
        game=form.game,
        opened=opened or form.changing.data or "",
        bonuses=reported_bonuses(form.game.record.variant),
    )


def _hand_page(form: DealForm, what: str) -> str:
    """Show one hand of an earlier deal to be changed: its cards, or points by agreement."""
    return render_template(
        f"table/cell_{what}.html",
        entry=form,
        game=form.game,
        hand=form.shown[0],
        gone=asked("without"),
    )
