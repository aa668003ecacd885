"""Codes to scan: the address of a link, and its picture."""

from __future__ import annotations

import segno
from flask import url_for
from markupsafe import Markup
from msgspec import Struct

from companion.phones.attempts import attempt, subject_key
from companion.phones.links import LinkRow
from companion.web.middleware.leaving import on_own_machine
from companion.web.middleware.limits import client
from companion.web.middleware.security import keep_no_copy
from companion.web.middleware.server_keys import link_keys

MOST_DEAD = 20


class Code(Struct, frozen=True):
    """A link as it is shown: `is_far` if other phones can reach the address."""

    link: LinkRow
    path: str
    address: str
    picture: Markup
    is_far: bool


def count_dead_link() -> None:
    """Count a link that does not work; who asks for many is slowed down everywhere.

    A link that works is never refused for it: a whole club may sit behind one address. Raises
    `TooManyError`.
    """
    attempt(subject_key("link", client()), most=MOST_DEAD)


def code_of(link: LinkRow) -> Code:
    """Show a link under the address at which this page was asked for."""
    # Whoever reads the address can come in, so no page that shows a code is kept.
    keep_no_copy()
    token = link.token(*link_keys())
    address = url_for("join.show", token=token, _external=True)
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    named = Markup('<svg role="img" shape-rendering="crispEdges" aria-label="{}"').format(address)
    return Code(
        link,
        url_for("join.show", token=token),
        address,
        named + Markup(drawn.removeprefix("<svg")),  # noqa: S704
        not on_own_machine(),
    )
