"""The table: the page of a game in progress, and everything a group does around its deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from msgspec.structs import asdict
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf

from companion.cards import Refusal
from companion.games import writer
from companion.games.changes import (
    Change,
    choose_dealer,
    free_chairs,
    late_starts,
    leave,
    stop,
    throw_in,
    void_deals,
)
from companion.games.reading import StoredGame, history
from companion.games.record import Record, StartRule
from companion.games.seating import settle_tie, take_places
from companion.games.shown.scoreboard import running_totals, scoreboard
from companion.games.writer import Saved
from companion.phones.links import game_link
from companion.phones.pending_deal import seats_with_phones
from companion.scoring import endings
from companion.scoring.played import VoidNext
from companion.store.models import db
from companion.web.frame.codes import code_of
from companion.web.frame.forms import ChangeForm, OrdinalField, read_ordinal, see_other
from companion.web.middleware.guard import my_game, needs

from .hand_words import ending_words, in_one_line
from .history_text import author_name, change_facts, headline, whose
from .story import chart_of, end_of
from .table_view import read_table

blueprint = Blueprint("table", __name__, url_prefix="/games/<int:game_id>")
for words in (author_name, ending_words, in_one_line):
    blueprint.add_app_template_global(words)
blueprint.add_app_template_filter(whose)
blueprint.add_app_template_filter(lambda name: 1 + (" and " in name), "heads")


@blueprint.get("")
def show(game_id: int) -> Page:
    """Show the table: a deal being played, hands coming in from phones, or the end."""
    game, author = my_game(game_id)
    table = read_table(game, author, tells_story=True)
    is_just_saved = request.args.get("saved") == str(game.revision) and game.revision > 1
    about = {**asdict(table), "state_etag": table.state_etag, "just_saved": is_just_saved}
    if game.status != "running":
        return render_template("table/over.html", **about, **asdict(end_of(game)))
    state = "coming" if table.pending.ended else "running"
    return render_template(f"table/{state}.html", **about, endings=endings(game.record.variant))


@blueprint.get("/history")
def past(game_id: int) -> Page:
    """List every change of the game, each with a way back to it."""
    game, author = my_game(game_id)
    entries = history(db.session(), author.league_id, game_id)
    return render_template(
        "table/history.html",
        game=game,
        entries=[
            (entry, headline(entry, game.names), change_facts(entry, game.names))
            for entry in entries
        ],
    )


@blueprint.get("/sheet")
def sheet(game_id: int) -> Page:
    """Show the score sheet as it is printed."""
    game, _ = my_game(game_id)
    return render_template(
        "table/sheet.html",
        game=game,
        board=scoreboard(game),
        chart=chart_of(game),
    )


@blueprint.get("/seats/<int:seat>")
def seat(game_id: int, seat: int) -> Page:
    """Explain a total, deal by deal; and let the player leave."""
    game, _ = my_game(game_id)
    if seat >= len(game.names):
        abort(404)
    return render_template(
        "table/seat.html",
        game=game,
        seat=seat,
        rows=running_totals(game.record, seat),
        board=scoreboard(game),
    )


JOINING = ("name", "start_rule", "sits_after")
"""What is typed of a late joiner."""


ASKED = "any(correct, 'throw-in', dealer, join, leave, phones, points, seats, stop)"


@blueprint.get(f"/more/<{ASKED}:what>")
@needs("scorekeeper")
def more(game_id: int, what: str) -> Page:
    """Ask before what happens rarely: a score corrected, a player joining, the game stopped."""
    game, _ = my_game(game_id)
    return _more_page(game, what)


def _more_page(game: StoredGame, what: str, fault: str = "") -> str:
    """Ask again with what was typed, or with what the way here says of it."""
    link = game_link(db.session(), game.league_id, game.game_id) if what == "phones" else None
    return render_template(
        f"table/{what}.html",
        game=game,
        board=scoreboard(game),
        starts=late_starts(game.record),
        chairs=free_chairs(game.record),
        fault=fault,
        typed={name: request.values.get(name, "")[:400] for name in JOINING},
        code=code_of(link) if link else None,
        with_phone=[game.names[seat] for seat in seats_with_phones(db.session(), game.game_id)],
    )


START_RULES = [rule for rule in get_args(StartRule) if rule]


class TableForm(ChangeForm):
    """What happens to a game around its deals, each thing with the fields that it needs."""

    after_void = StringField(default="again", validators=[AnyOf(get_args(VoidNext))])
    start_rule = StringField(default="", validators=[AnyOf(["", *START_RULES])])
    name = StringField(default="")
    sits_after = OrdinalField()
    seat = OrdinalField()
    placed = HiddenField()
    stopped = HiddenField(default="1")
    version = OrdinalField()


@blueprint.post("/voids")
def void(game_id: int) -> Page:
    """Throw the deal on the table in."""
    form, change = _sent(game_id)
    after = cast("VoidNext", form.after_void.data)
    return change("thrown in", lambda record: throw_in(record, after))


@blueprint.post("/deals/<int:position>/void")
def void_deal(game_id: int, position: int) -> Page:
    """Strike out a deal that was scored."""
    _, change = _sent(game_id)
    return change("struck out", lambda record: void_deals(record, [position]))


@blueprint.post("/seats")
def sit_down(game_id: int) -> Page:
    """Seat a late joiner with points by the rule the table chose."""
    game, author = my_game(game_id)
    try:
        form = TableForm(request.form).checked()
        saved = writer.join_game(
            author,
            game_id,
            form.seen,
            form.own_key,
            form.name.data or "",
            cast("StartRule", form.start_rule.data or next(iter(late_starts(game.record)), "")),
            form.sits_after.number,
        )
    except Refusal as fault:
        return _more_page(game, "join", str(fault)), fault.status
    return back_to_table(saved)


@blueprint.post("/departures")
def depart(game_id: int) -> Page:
    """Let a player leave the game."""
    form, change = _sent(game_id)
    seat, placed = form.seat.required, form.placed.data == "1"
    return change("left", lambda record: leave(record, seat, placed=placed))


@blueprint.post("/stops")
def break_off(game_id: int) -> Page:
    """Break the game off, or go on with it."""
    form, change = _sent(game_id)
    stopped = form.stopped.data == "1"
    action = "stopped" if stopped else "resumed"
    return change(action, lambda record: stop(record, stopped=stopped))


@blueprint.post("/dealer")
def dealer(game_id: int) -> Page:
    """Choose who deals first, before anything was dealt."""
    form, change = _sent(game_id)
    seat = form.seat.required
    return change("dealer chosen", lambda record: choose_dealer(record, seat))


@blueprint.post("/places")
def places(game_id: int) -> Page:
    """Let two players swap seats, and say who deals next."""
    game, author = my_game(game_id)
    swapped = [read_ordinal(text) for text in request.form.getlist("swap")]
    seats = [seat for seat in swapped if seat is not None]
    try:
        form = TableForm(request.form).checked()
        dealer = form.seat.number
        submission = (author, game_id, form.seen, form.own_key, "seats changed")
        changed = writer.change_game(*submission, lambda record: take_places(record, seats, dealer))
    except Refusal as fault:
        return _more_page(game, "seats", str(fault)), fault.status
    return back_to_table(changed)


@blueprint.post("/tie")
def tie(game_id: int) -> Page:
    """Say who won a tie that the rules leave to the table."""
    form, change = _sent(game_id)
    seat = form.seat.required
    return change("tie settled", lambda record: settle_tie(record, seat))


@blueprint.post("/restorations")
def restore(game_id: int) -> Page:
    """Make the game what it was at an earlier version."""
    _, author = my_game(game_id)
    form = TableForm(request.form).checked()
    saved = writer.restore(author, game_id, form.seen, form.own_key, form.version.required)
    return back_to_table(saved, taken_back=True)


def back_to_table(saved: Saved, *, taken_back: bool = False) -> Response:
    """Go back to the table, which offers to undo what was just changed, if anything was."""
    number = saved.revision if saved.changed else None
    back = 1 if taken_back else None
    return see_other("table.show", game_id=saved.game_id, saved=number, back=back)


def _sent(game_id: int) -> tuple[TableForm, Callable[[str, Callable[[Record], Change]], Response]]:
    """Read what is sent to a game, and give what makes a change of it that needs no review.

    Another league's answers 404 whatever was sent.
    """
    _, author = my_game(game_id)
    form = TableForm(request.form).checked()

    def change(action: str, make: Callable[[Record], Change]) -> Response:
        submission = (author, game_id, form.seen, form.own_key)
        return back_to_table(writer.change_game(*submission, action, make, accepted=True))

    return form, change
