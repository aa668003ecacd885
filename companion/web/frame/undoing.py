"""Undoing something that was done to the league."""

from __future__ import annotations

from collections.abc import Callable

from flask import abort, redirect, request
from werkzeug.wrappers import Response

from companion.store.authors import Author
from companion.web.middleware.guard import author_in, my_league

from .forms import SafeForm


def undone(undo: Callable[[Author, int], None], act_id: int, back: str) -> Response:
    """Undo an act of the league and go back to its page; 404 for one that it does not know."""
    SafeForm(request.form).checked()
    try:
        undo(author_in(my_league()), act_id)
    except LookupError:
        abort(404)
    return redirect(back, 303)
