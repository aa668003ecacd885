"""A deal is over: entering the hands, one review, saving; and correcting any earlier deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.cards import Refusal, read_hand, write_hand
from companion.games import writer
from companion.games.changes import Change, ChangeError, amend_deal, play_deal
from companion.games.reading import StoredGame, deal_changes, history, load_game
from companion.games.record import Record
from companion.games.writer import DoubtError, StaleError
from companion.melds import best_melds
from companion.phones.hand_reports import HandsChangedError, save_deal, settle
from companion.rules.book import load_book
from companion.scoring import TallyError, endings
from companion.scoring.bonuses import asked_bonuses
from companion.store.authors import Author
from companion.store.models import db
from companion.web.frame.forms import LONGEST_FIELD, DealForm, new_key
from companion.web.middleware.fault_pages import asks_for_data, refusal_page
from companion.web.middleware.guard import my_game, needs

from .deal_entry import DealEntry, earlier_entry, new_entry, seats_of, take_over
from .deal_review import hands_of_deal, open_doubts, review_page
from .history_text import author_name, headline
from .pending_entry import pending_entry
from .table_pages import back_to_table

place = Blueprint("deals", __name__, url_prefix="/games/<int:game_id>/deals")
Page = str | Response | tuple[str | Response, int]


@place.get("/new")
@needs("scorekeeper")
def new(game_id: int) -> Page:
    """Open the pad for the deal that just ended."""
    game, _ = my_game(game_id)
    standing = game.record.standing()
    if standing.upcoming is None or game.record.stopped:
        return redirect(url_for("table.show", game_id=game_id), 303)
    return _entry_page(_new(game, request.args))


def _new(game: StoredGame, sent: Mapping[str, str]) -> DealEntry:
    return new_entry(game, len(game.record.deals) + 1, sent)


@place.post("")
def create(game_id: int) -> Page:
    """Review the deal that just ended, then save it; an outbox hears whether it is saved."""
    page = _created(game_id)
    if not asks_for_data():
        return page
    taken = isinstance(page, Response)
    words = "" if taken else "Something has changed since. Check the scores again."
    return jsonify(taken=taken, words=words, early=False), 200 if taken else 409


def _created(game_id: int) -> Page:
    game, author = my_game(game_id)
    form = DealForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = _new(game, request.form)
    if form.position.number not in (None, entry.position):
        words = "This was entered for another deal than the one on the table."
        return refusal_page(words, url_for("table.show", game_id=game_id), 409)
    return _answer(entry, author, form, must_review=True)


@place.get("/told")
@needs("scorekeeper")
def told(game_id: int) -> Page:
    """Review the deal from the hands that the phones told."""
    game, _ = my_game(game_id)
    if game.record.standing().upcoming is None or game.record.stopped:
        return redirect(url_for("table.show", game_id=game_id), 303)
    return _review_told(game)


@place.get("/<int:position>")
def show(game_id: int, position: int) -> Page:
    """Show one deal of the score sheet with the reasons of every line."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return render_template(
        "table/deal.html",
        game=game,
        position=position,
        deal=game.record.deals[position - 1],
        running=game.record.standing().running[position - 1],
        key=new_key(),
    )


@place.get("/left-over")
def left_over(game_id: int) -> Response | tuple[Response, int]:
    """Count for a pad what a whole hand has in no meld, with its melds."""
    game, _ = my_game(game_id)
    upcoming = game.record.standing().upcoming
    try:
        hand = read_hand(request.args.get("hand", "")[:LONGEST_FIELD])
        melding = best_melds(hand, game.record.variant.meld_rules(upcoming.step if upcoming else 1))
    except Refusal as fault:
        return jsonify(words=str(fault)), fault.status
    melds = [write_hand(meld.cards).split() for meld in melding.melds]
    return jsonify(left=melding.points, melds=melds, loose=write_hand(melding.loose).split())


@place.get("/<int:position>/ended")
@needs("scorekeeper")
def ended(game_id: int, position: int) -> Page:
    """Ask who ended an earlier deal, if it was not who it says."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return render_template(
        "table/ended.html",
        game=game,
        position=position,
        seats=seats_of(game, position),
        endings=endings(game.record.variant),
    )


@place.get("/<int:position>/edit")
@needs("scorekeeper")
def edit(game_id: int, position: int) -> Page:
    """Open the pad for a whole earlier deal, filled in as it stands."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return _entry_page(earlier_entry(game, position, request.args))


@place.get("/<int:position>/seats/<int:seat>")
def cell(game_id: int, position: int, seat: int) -> Page:
    """Explain one number of the score sheet."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    if seat not in game.record.deals[position - 1].lines:
        abort(404)
    entry = earlier_entry(game, position, {})
    entry.only = seat
    return _cell_page(entry)


@place.get("/<int:position>/seats/<int:seat>/<what>")
@needs("scorekeeper")
def change_cell(game_id: int, position: int, seat: int, what: str) -> Page:
    """Open the pad for one hand of an earlier deal, or ask for points by agreement."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    if seat not in game.record.deals[position - 1].lines or what not in ("cards", "points"):
        abort(404)
    entry = earlier_entry(game, position, {})
    entry.only = seat
    if what == "cards" and not entry.shown[0].is_asked:
        return redirect(url_for("deals.cell", game_id=game_id, position=position, seat=seat), 303)
    return _hand_page(entry, what)


@place.post("/<int:position>")
def amend(game_id: int, position: int) -> Page:
    """Correct an earlier deal: at once where nothing is odd, after a review where something is."""
    game, author = my_game(game_id)
    _check_position(game, position)
    form = DealForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = earlier_entry(game, position, request.form)
    take_over(entry, request.form)
    return _answer(entry, author, form, must_review=False)


def _check_position(game: StoredGame, position: int) -> None:
    if not 1 <= position <= len(game.record.deals):
        abort(404)


def _answer(entry: DealEntry, author: Author, form: DealForm, *, must_review: bool) -> Page:
    """Refuse with sentences, show the review, or save."""
    if not form.validate():
        entry.faults += form.sentences()
    tallies = entry.tallies()
    void_later = form.later.data == "void"

    def change(record: Record) -> Change:
        if entry.is_new:
            return play_deal(record, tallies, wrong_knock=entry.wrong_knock)
        return amend_deal(record, entry.position, tallies, void_later=void_later)

    planned = _planned(entry, change)
    if planned is None:
        return _back_to_entry(entry)
    if "change" in (form.step.data, *request.form):
        return _pad_page(entry)
    if form.step.data != "save" and must_review:
        return review_page(entry, planned)
    if form.accepted.data != "1" and (planned.forbidden or open_doubts(entry, planned)):
        return review_page(entry, planned)
    return _save(entry, author, form, change)


def _planned(entry: DealEntry, change: Callable[[Record], Change]) -> Change | None:
    """Try a change on the game as it was loaded; what stands in its way is put in the entry."""
    if entry.faults:
        return None
    try:
        return change(entry.game.record)
    except TallyError as fault:
        entry.tell(fault)
    except ChangeError as fault:
        entry.faults.append(("entry", str(fault)))
    return None


def _review_told(game: StoredGame) -> str:
    """Show the review of what was told, or the hands to complete where some are missing."""
    entry = pending_entry(game)
    planned = _planned_told(entry)
    if planned:
        return review_page(entry, planned)
    return _entry_page(entry, _first_missing(entry))


def _first_missing(entry: DealEntry) -> str:
    """Name the seat to open; that hands are still to come is no fault of anybody's."""
    missing = [hand for hand in entry.shown if not hand.entered]
    if not missing or len(entry.faults) > sum(len(hand.faults) for hand in missing):
        return ""
    entry.faults.clear()
    for hand in missing:
        hand.faults.clear()
    return str(missing[0].seat)


def _review_changed(game: StoredGame) -> tuple[str, int]:
    """Show the review of hands that changed meanwhile; what was typed for others stays."""
    entry = pending_entry(game, request.form)
    planned, notice = _planned_told(entry), "Someone has entered or corrected a hand since."
    if planned:
        return review_page(entry, planned, notice), 409
    entry.faults.insert(0, ("entry", notice))
    return _entry_page(entry), 409


def _planned_told(entry: DealEntry) -> Change | None:
    tallies = entry.tallies()
    return _planned(entry, lambda record: play_deal(record, tallies))


def _save(
    entry: DealEntry, author: Author, form: DealForm, change: Callable[[Record], Change]
) -> Page:
    accepted = form.accepted.data == "1"
    where = (author, entry.game.game_id, form.seen)
    try:
        if entry.is_new:
            saved = save_deal(*where, form.pulse.number, form.own_key, change, accepted=accepted)
        else:
            saved = writer.change_game(*where, form.own_key, "corrected", change, accepted=accepted)
            if entry.only is not None and form.late.data == "1":
                settle(author, entry.game.game_id, entry.position, entry.only)
    except DoubtError as doubt:
        return review_page(entry, doubt.change)
    except HandsChangedError:
        return _review_changed(_as_it_is(entry.game))
    except StaleError:
        return _stale_page(entry.game, form)
    return back_to_table(saved)


def _repeated_or_stale(game: StoredGame, author: Author, form: DealForm) -> Page:
    """Answer a repeated submission as the first time; show both entries for a stale one."""
    try:
        saved = writer.change_game(author, game.game_id, form.seen, form.own_key, "scored", _refuse)
    except StaleError:
        return _stale_page(game, form)
    return back_to_table(saved)


def _refuse(record: Record) -> Change:
    raise StaleError("This page is out of date.")


def _as_it_is(game: StoredGame) -> StoredGame:
    """Load the game once more: it was changed since this request began."""
    db.session.rollback()
    return load_game(db.session(), game.league_id, game.game_id)


def _stale_page(game: StoredGame, form: DealForm) -> tuple[str, int]:
    """Show what is stored now beside what was entered, with a way to use either."""
    now = _as_it_is(game)
    typed = form.position.number or 0
    there = typed if 1 <= typed <= len(now.record.deals) else None
    if there:
        entry = earlier_entry(now, there, request.form)
        take_over(entry, request.form)
    else:
        entry = new_entry(now, len(now.record.deals) + 1, request.form)
    entry.tallies()
    last = next(iter(history(db.session(), now.league_id, now.game_id)))
    return (
        render_template(
            "table/stale.html",
            game=now,
            last=last,
            last_change=headline(last, now.names),
            by=author_name(last.phone, last.person),
            entry=entry,
            position=there,
            stored=now.record.deals[there - 1] if there else None,
            key=new_key(),
        ),
        409,
    )


def _back_to_entry(entry: DealEntry) -> tuple[str, int]:
    return _pad_page(entry), 422


def _pad_page(entry: DealEntry) -> str:
    """Open the pad on which this was entered: every hand of the deal, or the one that is mended."""
    if entry.only is None:
        return _entry_page(entry)
    return _hand_page(entry, "points" if entry.shown[0].asks_adjust else "cards")


def _entry_page(entry: DealEntry, opened: str = "") -> str:
    return render_template(
        "table/entry.html",
        entry=entry,
        game=entry.game,
        opened=opened or request.form.get("change", ""),
        bonuses=asked_bonuses(entry.game.record.variant),
        key=new_key(),
    )


def _hand_page(entry: DealEntry, what: str) -> str:
    """Show one hand of an earlier deal to be changed: its cards, or points by agreement."""
    return render_template(
        f"table/cell_{what}.html",
        entry=entry,
        game=entry.game,
        hand=entry.shown[0],
        gone=request.args.get("without", "")[:LONGEST_FIELD],
        key=new_key(),
    )


def _cell_page(entry: DealEntry) -> str:
    game, seat = entry.game, entry.only or 0
    deal = game.record.deals[entry.position - 1]
    changes = deal_changes(db.session(), game.league_id, game.game_id, entry.position)
    return render_template(
        "table/cell.html",
        entry=entry,
        game=game,
        line=deal.lines[seat],
        shown=hands_of_deal(game.record, entry.position).get(seat),
        rules=load_book(game.record.variant),
        seat=seat,
        before=game.record.standing(entry.position - 1).totals[seat],
        total=game.record.standing(entry.position).totals[seat],
        written=changes[0],
        written_by=author_name(changes[0].phone, changes[0].person),
        changed=changes[-1] if len(changes) > 1 else None,
    )
