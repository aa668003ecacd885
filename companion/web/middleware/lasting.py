"""What a page that lasts says of itself while it is made: how it is written once more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import g, has_request_context, request

from companion.store.authors import Author
from companion.web.middleware.device_cookie import Cookie

PLACE = "companion.lasting"
"""Where a request that may be answered from memory the next time takes the page that lasts."""


@dataclass(frozen=True, slots=True)
class LastingPage:
    """A page made from the database, the day and its address alone, and from who is here.

    `write` gives it once more, text with other tokens or the very bytes. `author` is the phone
    that was noted as here, `looked_for` the phones of a league that were looked for, with those
    that were here.
    """

    write: Callable[[], str | bytes]
    cookie: Cookie
    author: Author | None
    looked_for: tuple[tuple[int, tuple[int, ...], list[int]], ...]


def lasts(write: Callable[[], str | bytes]) -> None:
    """Say that the page being made lasts; `write` is called where only `g.cookie` is known."""
    if has_request_context() and PLACE in request.environ:
        looked_for = tuple(g.get("looked_for", ()))
        page = LastingPage(write, g.cookie, g.get("author_here"), looked_for)
        request.environ[PLACE].append(page)
