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
from companion.web.frame.forms import SEND_AGAIN, ChangeForm, TextField
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
    if not form.validate():
        return _page(game, form, SEND_AGAIN), 422
    note, counts = form.note.data or "", form.counts.data == "1"
    try:
        played_on = read_day(form.played_on.text)
        saved = writer.change_game(
            author,
            game_id,
            form.seen,
            form.own_key,
            "described",
            lambda record: describe(record, played_on, note, counts=counts),
        )
    except StaleError as fault:
        words = f"{fault} What you entered is kept here: check it and save again."
        return _page(game, form, words, stale=True), fault.status
    except DateError as fault:
        return _page(game, form, str(fault), "played-on"), 422
    except Refusal as fault:
        return _page(game, form, str(fault)), 422
    return back_to_table(saved)


def _page(
    game: StoredGame, form: NoteForm, fault: str = "", field: str = "note", *, stale: bool = False
) -> str:
    faults = [(field, fault)] if fault else []
    return render_template("table/about.html", game=game, form=form, faults=faults, stale=stale)
