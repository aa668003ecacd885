"""What is told about a game beside its scores: its evening, a note, whether it counts."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games import writer
from companion.games.changes import describe
from companion.games.reading import StoredGame
from companion.games.writer import StaleError
from companion.store.dates import DateError, read_day
from companion.web.frame.forms import SEND_AGAIN, ChangeForm, new_key
from companion.web.middleware.guard import my_game, needs

from .table_pages import back_to_table

blueprint = Blueprint("about", __name__, url_prefix="/games/<int:game_id>/about")
Page = str | Response | tuple[str, int]


@blueprint.get("")
@needs("scorekeeper")
def show(game_id: int) -> Page:
    """Show the evening, the note and whether the game counts, to be changed."""
    game, _ = my_game(game_id)
    record = game.record
    day = record.played_on.isoformat() if record.played_on else ""
    return _page(game, day, record.note, record.counts)


@blueprint.post("")
def change(game_id: int) -> Page:
    """Keep what was told about the game."""
    game, author = my_game(game_id)
    form = ChangeForm(request.form)
    day, note = request.form.get("played_on", "")[:40], request.form.get("note", "")[:1000]
    counts = request.form.get("counts", "1") == "1"
    if not form.validate():
        return _page(game, day, note, counts, [("note", SEND_AGAIN)]), 422
    try:
        played_on = read_day(day)
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
        return _page(game, day, note, counts, [("note", words)], stale=True), 409
    except Refusal as fault:
        return _page(game, day, note, counts, [(_field(fault), str(fault))]), 422
    return back_to_table(saved)


def _field(fault: Refusal) -> str:
    return "played-on" if isinstance(fault, DateError) else "note"


def _page(
    game: StoredGame,
    day: str,
    note: str,
    counts: bool,
    faults: list[tuple[str, str]] | None = None,
    *,
    stale: bool = False,
) -> str:
    return render_template(
        "table/about.html",
        game=game,
        day=day,
        note=note,
        counts=counts,
        faults=faults or [],
        stale=stale,
        key=new_key(),
    )
