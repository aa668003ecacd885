"""Pages that are asked for again and again in one state: drawn once, each with its own tokens.

What tells one phone's page from another's stands in the key, what proves a form is put in at last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

from flask import g, render_template, request

from companion.store.dates import today
from companion.web.middleware.caching import kept
from companion.web.middleware.caching.cacheable import may_be_cached
from companion.web.middleware.guard import my_league
from companion.web.middleware.security import form_token

from .forms import new_key

TOKEN, KEY = "\x02", "\x03"
"""Where a drawn page has the token of its forms and the key of its submission: no text has these
signs, for names and notes are kept without them."""


def state_page(
    template: str,
    state: Hashable,
    context: Callable[[], Mapping[str, Any]],
    *,
    is_settled: bool = True,
) -> str:
    """Show a page, drawn once for a state in which it is asked for again and again.

    `state` names everything that `context` is made from, but for the address of the app, the role
    of the phone in the league asked about, and the day. The template has a `key` beside it.
    `is_settled`: whether the page stays so while nothing is written.
    """
    asked = (template, request.host_url, my_league().role, today(), state)
    drawn = kept.state(asked, lambda: _drawn(template, context()))
    if is_settled:
        may_be_cached(partial(_with_tokens, drawn))
    return _with_tokens(drawn)


def _with_tokens(drawn: str) -> str:
    return drawn.replace(TOKEN, form_token()).replace(KEY, new_key())


def _drawn(template: str, context: Mapping[str, Any]) -> str:
    g.form_token = TOKEN
    try:
        return render_template(template, key=KEY, **context)
    finally:
        del g.form_token
