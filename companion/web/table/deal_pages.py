"""A deal is over: entering the hands, one review, saving; and correcting any earlier deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.games import writer
from companion.games.changes import Change, ChangeError, amend_deal, play_deal
from companion.games.reading import StoredGame, history, load_game
from companion.games.record import LineRecord, Record
from companion.games.writer import DoubtError, StaleError
from companion.phones.hand_reports import HandsChangedError, save_deal
from companion.rules.book import load_book
from companion.scoring import TallyError, endings
from companion.scoring.bonuses import asked_bonuses
from companion.scoring.shown_hands import shown_hands
from companion.store.authors import Author
from companion.store.models import db
from companion.web.frame.forms import ChangeForm, new_key, place_number
from companion.web.frame.guard import my_game, needs

from .deal_entry import DealEntry, earlier_entry, new_entry, take_over
from .history_text import author_name
from .pending_entry import pending_entry
from .table_pages import back_to_table

place = Blueprint("deals", __name__, url_prefix="/games/<int:game_id>/deals")
Page = str | Response | tuple[str, int]


@dataclass(frozen=True)
class ReviewRow:
    """One player in the review: what was reported, what it costs, and the total after it."""

    name: str
    line: LineRecord
    before: int
    after: int


@place.get("/new")
@needs("scorekeeper")
def new(game_id: int) -> Page:
    """Open the pad for the deal that just ended."""
    game, _ = my_game(game_id)
    standing = game.record.standing()
    if standing.upcoming is None or game.record.stopped:
        return redirect(url_for("table.show", game_id=game_id), 303)
    entry = new_entry(game, len(game.record.deals) + 1, request.args)
    return _entry_page(entry)


@place.post("")
def create(game_id: int) -> Page:
    """Review the deal that just ended, then save it."""
    game, author = my_game(game_id)
    form = ChangeForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = new_entry(game, len(game.record.deals) + 1, request.form)
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


@place.get("/<int:position>/edit")
@needs("scorekeeper")
def edit(game_id: int, position: int) -> Page:
    """Open the pad for a whole earlier deal, filled in as it stands."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return _entry_page(earlier_entry(game, position, request.args))


@place.get("/<int:position>/seats/<int:seat>")
def cell(game_id: int, position: int, seat: int) -> Page:
    """Explain one number of the score sheet, with the pad to correct it."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    if seat not in game.record.deals[position - 1].lines:
        abort(404)
    entry = earlier_entry(game, position, {})
    entry.only = seat
    return _cell_page(entry)


@place.post("/<int:position>")
def amend(game_id: int, position: int) -> Page:
    """Correct an earlier deal: at once where nothing is odd, after a review where something is."""
    game, author = my_game(game_id)
    _check_position(game, position)
    form = ChangeForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = earlier_entry(game, position, request.form)
    take_over(entry, request.form)
    return _answer(entry, author, form, must_review=False)


def _check_position(game: StoredGame, position: int) -> None:
    if not 1 <= position <= len(game.record.deals):
        abort(404)


def _answer(entry: DealEntry, author: Author, form: ChangeForm, *, must_review: bool) -> Page:
    """Refuse with sentences, show the review, or save."""
    if not form.validate():
        entry.faults += form.sentences()
    tallies = entry.tallies()
    void_later = request.form.get("later") == "void"

    def change(record: Record) -> Change:
        if entry.is_new:
            return play_deal(record, tallies)
        return amend_deal(record, entry.position, tallies, void_later=void_later)

    planned = _planned(entry, change)
    if planned is None:
        return _back_to_entry(entry)
    step = request.form.get("step")
    if step == "change":
        return _entry_page(entry)
    if step != "save" and (must_review or not planned.is_certain):
        return _review_page(entry, planned)
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
    entry = pending_entry(game).entry
    planned = _planned_told(entry)
    return _review_page(entry, planned) if planned else _entry_page(entry)


def _review_changed(game: StoredGame) -> tuple[str, int]:
    """Show the review of hands that changed meanwhile; what was typed for others stays."""
    entry = pending_entry(game, request.form).entry
    planned, notice = _planned_told(entry), "A hand was told or corrected meanwhile."
    if planned:
        return _review_page(entry, planned, notice), 409
    entry.faults.insert(0, ("entry", notice))
    return _entry_page(entry), 409


def _planned_told(entry: DealEntry) -> Change | None:
    tallies = entry.tallies()
    return _planned(entry, lambda record: play_deal(record, tallies))


def _save(
    entry: DealEntry, author: Author, form: ChangeForm, change: Callable[[Record], Change]
) -> Page:
    accepted = request.form.get("accepted") == "1"
    pulse = place_number(request.form.get("pulse", ""))
    where = (author, entry.game.game_id, form.seen)
    try:
        if entry.is_new:
            saved = save_deal(*where, pulse, form.own_key, change, accepted=accepted)
        else:
            saved = writer.change_game(*where, form.own_key, "corrected", change, accepted=accepted)
    except DoubtError as doubt:
        return _review_page(entry, doubt.change)
    except HandsChangedError:
        return _review_changed(_as_it_is(entry.game))
    except StaleError:
        return _stale_page(entry.game)
    return back_to_table(saved)


def _repeated_or_stale(game: StoredGame, author: Author, form: ChangeForm) -> Page:
    """Answer a repeated submission as the first time; show both entries for a stale one."""
    try:
        saved = writer.change_game(author, game.game_id, form.seen, form.own_key, "scored", _refuse)
    except StaleError:
        return _stale_page(game)
    return back_to_table(saved)


def _refuse(record: Record) -> Change:
    raise StaleError("This page is older than the game.")


def _as_it_is(game: StoredGame) -> StoredGame:
    """Load the game once more: it was changed since this request began."""
    db.session.rollback()
    return load_game(db.session(), game.league_id, game.game_id)


def _stale_page(game: StoredGame) -> tuple[str, int]:
    """Show what is stored now beside what was entered, with a way to use either."""
    now = _as_it_is(game)
    typed = place_number(request.form.get("position", "")) or 0
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
            by=author_name(last.phone, last.person),
            entry=entry,
            position=there,
            stored=now.record.deals[there - 1] if there else None,
            sent=request.form,
            key=new_key(),
        ),
        409,
    )


def _back_to_entry(entry: DealEntry) -> tuple[str, int]:
    page = _cell_page(entry) if entry.only is not None else _entry_page(entry)
    return page, 422


def _entry_page(entry: DealEntry) -> str:
    return render_template(
        "table/entry.html",
        entry=entry,
        game=entry.game,
        endings=endings(entry.game.record.variant),
        bonuses=asked_bonuses(entry.game.record.variant),
        key=new_key(),
    )


def _cell_page(entry: DealEntry) -> str:
    game, seat = entry.game, entry.only or 0
    deal = game.record.deals[entry.position - 1]
    line, tallies = deal.lines[seat], deal.played.tallies
    told = [tallies.get(other) for other in range(len(game.names))]
    return render_template(
        "table/cell.html",
        entry=entry,
        game=game,
        line=line,
        shown=shown_hands(game.record.variant, deal.step, told).get(seat),
        rules=load_book(game.record.variant),
        seat=seat,
        before=game.record.standing(entry.position - 1).totals[seat],
        total=game.record.standing(entry.position).totals[seat],
        key=new_key(),
    )


def _review_page(entry: DealEntry, planned: Change, notice: str = "") -> str:
    game, record = entry.game, planned.record
    deal = record.deals[entry.position - 1]
    before = game.record.standing(entry.position - 1).totals
    after = record.standing(entry.position).totals
    rows = [ReviewRow(game.names[s], line, before[s], after[s]) for s, line in deal.lines.items()]
    later = [(position, finding.told(game.names)) for position, finding in planned.forbidden]
    return render_template(
        "table/review.html",
        entry=entry,
        game=game,
        rows=rows,
        doubts=[finding.told(game.names) for finding in planned.doubts],
        later=later,
        notice=notice,
        sent=entry.sent,
        key=request.form.get("key") or new_key(),
    )
