"""What a page says of itself while it is made, if it may be shown again: how to render it."""

from __future__ import annotations

from collections.abc import Callable

from flask import g, has_request_context, request
from msgspec import Struct

from companion.store.authors import Author
from companion.web.middleware.device_cookie import Cookie

PLACE = "companion.cacheable"
"""Where a request takes the pages that may be shown again."""


class CacheablePage(Struct, frozen=True):
    """A page that depends on the database, the day, its address and who is here, nothing else.

    `render` gives it once more: text with other tokens, or the same bytes. `author` is the phone
    that was noted as here, `looked_for` the phones of a league that were looked for, with those
    that were here.
    """

    render: Callable[[], str | bytes]
    cookie: Cookie
    author: Author | None
    looked_for: tuple[tuple[int, tuple[int, ...], list[int]], ...]


def may_be_cached(render: Callable[[], str | bytes]) -> None:
    """Mark the page being made as cacheable; `render` is called where only `g.cookie` is known."""
    if has_request_context() and PLACE in request.environ:
        looked_for = tuple(g.get("looked_for", ()))
        page = CacheablePage(render, g.cookie, g.get("author_here"), looked_for)
        request.environ[PLACE].append(page)
