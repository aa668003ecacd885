"""What many requests show alike is made once: whole pages of rules, and parts of a game's pages.

The key of a part names everything it was made from, roles included. Nothing in a part belongs to
one phone: no token, no device's name, nothing typed. Each process keeps its own parts, the most
recently used ones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import Any, Generic, TypeVar, cast

from flask import Flask, Response, current_app, g, request
from markupsafe import Markup
from msgspec import Struct

from companion.web.middleware.caching.cacheable import may_be_cached
from companion.web.middleware.compression import pack_for_all

T = TypeVar("T")
MOST_PARTS = 600
"""A busy evening of twenty tables; a part is some kilobytes."""
MOST_STATES = 150
"""Pages as they are now, of six phones at each of twenty tables; a page is twenty kilobytes."""
MOST_PAGES = 60
"""Every book and card of the shelf; a page is up to 130 KB."""
MOST_ANSWERS = 300
"""Pages as a phone asked for them; those of one state share their text."""
FRESH = 600
"""Seconds for which whoever has no phone in a league need not ask whether a book is still so."""


class Same:
    """A thing that is no key by its content, as a key by which one it is."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


class Recent(Generic[T]):
    """Things under keys, as long as not too many others were asked for since."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        """Return the thing under this key, None where there is none."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key]

    def put(self, key: Hashable, thing: T) -> None:
        """Put a thing under this key."""
        with self._lock:
            self._things[key] = thing
            if len(self._things) > self._most:
                self._things.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things.clear()


class Kept(Recent[Any]):
    """What was made under a key."""

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under this key, or make it; two threads may both make it."""
        made = cast("T | None", self.get(key))
        if made is None:
            made = make()
            self.put(key, made)
        return made


class KeptPage(Struct, frozen=True, dict=True):
    """A page that is alike for all who may ask for it."""

    body: bytes

    @cached_property
    def packed(self) -> bytes:
        """The page compressed; it holds nothing secret whose length could tell."""
        return pack_for_all(self.body)

    @cached_property
    def etag(self) -> str:
        """What a browser asks by whether the page is still so."""
        return sha256(self.body).hexdigest()[:20]


def init_app(app: Flask) -> None:
    """Let pages and templates keep what they make."""
    app.extensions["kept_parts"] = Kept(MOST_PARTS)
    app.extensions["kept_states"] = Kept(MOST_STATES)
    app.extensions["kept_pages"] = Kept(MOST_PAGES)
    app.extensions["kept_answers"] = Recent(MOST_ANSWERS)
    app.jinja_env.globals["once"] = _once


def forget(app: Flask) -> None:
    """Forget all parts and pages: the database is another than it was."""
    for kept in ("kept_parts", "kept_states", "kept_pages", "kept_answers"):
        app.extensions[kept].clear()


def part(key: Hashable, make: Callable[[], T]) -> T:
    """Return a part of pages, made once for this key and this address of the app."""
    kept: Kept = current_app.extensions["kept_parts"]
    return kept.once((request.script_root, key), make)


def keep_parts(made: Iterable[tuple[Hashable, object]]) -> None:
    """Keep what was made already, as what `part` would make under each key."""
    kept: Kept = current_app.extensions["kept_parts"]
    for key, thing in made:
        kept.put((request.script_root, key), thing)


def state(key: Hashable, make: Callable[[], str]) -> str:
    """Return a page of a state that many may ask for, made once for this key."""
    kept: Kept = current_app.extensions["kept_states"]
    return kept.once((request.script_root, key), make)


def _once(*key: Hashable, caller: Callable[[], Markup]) -> Markup:
    """Serve `{% call once(…) %}` in a template; what stands in it is made once for its key."""
    return part(key, caller)


def kept_page(key: Hashable, make: Callable[[], str]) -> Response:
    """Answer with a page made once for this key, or with 304 to a browser that has it."""
    kept: Kept = current_app.extensions["kept_pages"]
    page = kept.once((request.script_root, key), lambda: KeptPage(make().encode()))
    takes_gzip = request.accept_encodings["gzip"] > 0
    response = Response(page.packed if takes_gzip else page.body, mimetype="text/html")
    if takes_gzip:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.update(("Accept-Encoding", "Cookie"))
    if request.cookies:
        response.headers["Cache-Control"] = "private, no-cache"
    else:
        response.headers["Cache-Control"] = f"public, max-age={FRESH}"
        g.renews_cookie = False  # what may be kept for many gives nobody a cookie
    response.set_etag(page.etag, weak=True)
    response.make_conditional(request)
    sent = b"" if response.status_code == NOT_MODIFIED else response.get_data()
    may_be_cached(lambda: sent)
    return response


NOT_MODIFIED = 304
