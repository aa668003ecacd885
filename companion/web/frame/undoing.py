"""Undoing something that was done to the league."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue as Page

from companion.store.authors import Author
from companion.web.middleware.guard import author_in, my_league, needs

from .forms import SafeForm, see_other


def offer_undo(
    blueprint: Blueprint, take_back: Callable[[Author, int], None], below: str = ""
) -> None:
    """Let the owner undo what a room's pages did to the league, at an address `below` them.

    It leads back to the room's first page, and answers 404 for an act that is not of its kinds.
    """

    @blueprint.post(f"{below}/acts/<int:act_id>/undo")
    @needs("owner")
    def undo(act_id: int) -> Page:
        SafeForm(request.form).checked()
        try:
            take_back(author_in(my_league()), act_id)
        except LookupError:
            abort(404)
        return see_other(".show")
