"""What is told about a game beside its scores: its evening, a note, whether it counts."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue as Page
from wtforms import HiddenField, StringField

from companion.cards import Refusal
from companion.games import writer
from companion.games.changes import describe
from companion.games.reading import StoredGame
from companion.games.writer import StaleError
from companion.store.dates import DateError, read_day
from companion.store.names import LONGEST_TYPED
from companion.web.frame.forms import ChangeForm, TextField
from companion.web.middleware.guard import my_game, needs

from .table_pages import back_to_table

blueprint = Blueprint("about", __name__, url_prefix="/games/<int:game_id>/about")


def _cut(typed: str | None) -> str:
    """Cut what is sent back with its fault, so that the fault is still found."""
    return (typed or "")[: LONGEST_TYPED + 1]


class NoteForm(ChangeForm):
    """What is told about a game."""

    played_on = TextField()
    note = StringField(default="", filters=[_cut])
    counts = HiddenField(default="1")


@blueprint.get("")
@needs("scorekeeper")
def show(game_id: int) -> Page:
    """Show the evening, the note and whether the game counts, to be changed."""
    game, _ = my_game(game_id)
    record = game.record
    day = record.played_on.isoformat() if record.played_on else ""
    stored = {"played_on": day, "note": record.note}
    return _page(game, NoteForm(data=stored | {"counts": "1" if record.counts else "0"}))


@blueprint.post("")
def change(game_id: int) -> Page:
    """Keep what was told about the game."""
    game, author = my_game(game_id)
    form = NoteForm(request.form)
    note, counts = form.note.data or "", form.counts.data == "1"
    try:
        played_on = read_day(form.checked().played_on.text)
        saved = writer.change_game(
            author,
            game_id,
            form.seen,
            form.own_key,
            "described",
            lambda record: describe(record, played_on, note, counts=counts),
        )
    except Refusal as fault:
        return _page(game, form, fault), fault.status
    return back_to_table(saved)


def _page(game: StoredGame, form: NoteForm, fault: Refusal | None = None) -> str:
    stale = isinstance(fault, StaleError)
    words = f"{fault} What you entered is kept here: check it and save again." if stale else fault
    field = "played-on" if isinstance(fault, DateError) else "note"
    faults = [(field, str(words))] if fault else []
    return render_template("table/about.html", game=game, form=form, faults=faults, stale=stale)
