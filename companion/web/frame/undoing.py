"""Undoing something that was done to the league, or saying in a sentence why it cannot be."""

from __future__ import annotations

from collections.abc import Callable

from flask import abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.cards import RuleError
from companion.store.authors import Author

from .forms import SafeForm
from .guard import author_in, my_league

AGAIN = "Please send this once more."


def undone(
    undo: Callable[[Author, int], None], act_id: int, back: str
) -> Response | tuple[str, int]:
    """Undo an act of the league and go back to its page; 404 for one that it does not know."""
    if not SafeForm(request.form).validate():
        return refused(AGAIN, back)
    try:
        undo(author_in(my_league()), act_id)
    except LookupError:
        abort(404)
    except RuleError as fault:
        return refused(str(fault), back)
    return redirect(back, 303)


def refused(words: str, back: str, code: int = 422) -> tuple[str, int]:
    """Say why something was not done to the league."""
    return render_template("league/refused.html", words=words, back=back), code
