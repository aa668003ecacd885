"""A cache in front of the app: a page is shown again as long as the database has not changed.

Between two saves nothing is committed, and everybody looks again. The same request, cookie
included, gets the same page with new tokens in its forms, as long as nobody committed anything, on
the same day, and the same phones are here. Anything else goes through the app. Only SQLite can
tell whether it changed, in microseconds; on PostgreSQL the app always answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, g
from msgspec import Struct

from companion.phones.presence import note_here, phones_here
from companion.store.data_version import DataVersion
from companion.store.database import sqlite_file
from companion.web.middleware.caching.cacheable import PLACE, CacheablePage
from companion.web.middleware.caching.kept import Recent
from companion.web.middleware.compression import pack_page
from companion.web.middleware.guard import this_day

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ASKED_BY = (
    *("SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "wsgi.url_scheme", "HTTP_HOST", "HTTP_COOKIE"),
    *("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH"),
)
"""Everything of a request that a cacheable page depends on, or that chooses how it is sent."""
UNUSUAL = ("HTTP_RANGE", "HTTP_IF_MODIFIED_SINCE", "HTTP_AUTHORIZATION")
"""What no browser sends for such a page: whoever does is answered by the app."""
OF_ONE_ANSWER = {"content-length", "date"}
OF_ONE_PHONE = {"set-cookie", "clear-site-data"}
Headers = list[tuple[str, str]]


class CachedAnswer(Struct, frozen=True):
    """How a page was answered, and the state of the database and the day that it rests on."""

    page: CacheablePage
    status: str
    headers: Headers
    rests_on: Hashable


class PageCache:
    """The app, and the pages in front of it that have not changed."""

    def __init__(self, app: Flask, inner: WSGIApplication) -> None:
        self.app, self.inner, self.instance = app, inner, Path(app.instance_path)
        self.answers: Recent[CachedAnswer] = app.extensions["kept_answers"]
        file = sqlite_file(app)
        self.database = DataVersion(file) if file else None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer from the cache where nothing changed, else let the app answer."""
        state = self._state(environ)
        if state is None:
            return self.inner(environ, start_response)
        rests_on = (state, this_day())
        asked = tuple(environ.get(name) for name in ASKED_BY)
        answer = self.answers.get(asked)
        if answer is None or answer.rests_on != rests_on or not self._same_are_here(answer.page):
            return self._from_app(environ, start_response, asked, rests_on)
        return self._from_cache(answer, start_response)

    def _state(self, environ: WSGIEnvironment) -> Hashable:
        """Return the state of the database; None where the app answers in any case."""
        if environ["REQUEST_METHOD"] != "GET" or any(name in environ for name in UNUSUAL):
            return None
        return self.database and self.database.current()

    def _same_are_here(self, page: CacheablePage) -> bool:
        return all(
            phones_here(self.instance, league, asked) == found
            for league, asked, found in page.looked_for
        )

    def _from_app(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        asked: Hashable,
        rests_on: Hashable,
    ) -> Iterable[bytes]:
        """Let the app answer, and keep a page that is cacheable."""
        pages: list[CacheablePage] = []
        environ[PLACE] = pages

        def started(status: str, headers: Headers, *fault: Any) -> Any:
            names = {name.lower() for name, _ in headers}
            if pages and status[:3] in ("200", "304") and not names & OF_ONE_PHONE:
                shared = [one for one in headers if one[0].lower() not in OF_ONE_ANSWER]
                self.answers.put(asked, CachedAnswer(pages[-1], status, shared, rests_on))
            return start_response(status, headers, *fault)

        return self.inner(environ, started)

    def _from_cache(self, answer: CachedAnswer, start_response: StartResponse) -> list[bytes]:
        page, headers = answer.page, list(answer.headers)
        if page.author is not None:
            note_here(self.instance, page.author)
        with self.app.app_context():
            g.cookie = page.cookie
            rendered = page.render()
        body = rendered.encode() if isinstance(rendered, str) else rendered
        if isinstance(rendered, str) and ("Content-Encoding", "gzip") in headers:
            body = pack_page(body)
        if answer.status[:3] == "200":
            headers.append(("Content-Length", str(len(body))))
        start_response(answer.status, headers)
        return [body]
