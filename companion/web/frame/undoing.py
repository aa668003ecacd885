"""Undoing something that was done to the league, or saying in a sentence why it cannot be."""

from __future__ import annotations

from collections.abc import Callable

from flask import abort, redirect, request
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.store.authors import Author
from companion.web.middleware.fault_pages import refusal_page
from companion.web.middleware.guard import author_in, my_league

from .forms import SEND_AGAIN, SafeForm


def undone(
    undo: Callable[[Author, int], None], act_id: int, back: str
) -> Response | tuple[str, int]:
    """Undo an act of the league and go back to its page; 404 for one that it does not know."""
    if not SafeForm(request.form).validate():
        return refusal_page(SEND_AGAIN, back)
    try:
        undo(author_in(my_league()), act_id)
    except LookupError:
        abort(404)
    except Refusal as fault:
        return refusal_page(str(fault), back, fault.status)
    return redirect(back, 303)
