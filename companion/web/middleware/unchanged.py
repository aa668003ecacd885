"""A page that is asked for again while nothing at all was written is answered before the app.

Between two saves nothing is written, and everybody looks again. Whoever asks in the very words in
which a page was made gets it once more, with new tokens in its forms, as long as the database says
that nobody committed anything, on the same day, and the same phones are here. Anything else goes
through the app. Only SQLite can tell, and tells it in microseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, g

from companion.phones.presence import note_here, phones_here
from companion.store.database import sqlite_file
from companion.store.written import Written
from companion.web.middleware.compression import pack_page
from companion.web.middleware.guard import this_day
from companion.web.middleware.kept import Recent
from companion.web.middleware.lasting import PLACE, LastingPage

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ASKED_BY = (
    *("SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "wsgi.url_scheme", "HTTP_HOST", "HTTP_COOKIE"),
    *("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH"),
)
"""Everything of a request that a lasting page is made from, or that chooses how it is sent."""
UNUSUAL = ("HTTP_RANGE", "HTTP_IF_MODIFIED_SINCE", "HTTP_AUTHORIZATION")
"""What no browser sends for such a page: whoever does is answered by the app."""
OF_ONE_ANSWER = {"content-length", "date"}
OF_ONE_PHONE = {"set-cookie", "clear-site-data"}
Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Answered:
    """How a page was answered, and the state of the database and the day that it rests on."""

    page: LastingPage
    status: str
    headers: Headers
    rests_on: Hashable


class Unchanged:
    """The app, and before it the pages that are still as they were."""

    def __init__(self, app: Flask, inner: WSGIApplication) -> None:
        self.app, self.inner, self.instance = app, inner, Path(app.instance_path)
        self.answers: Recent[Answered] = app.extensions["kept_answers"]
        file = sqlite_file(app)
        self.written = Written(file) if file else None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answered with the page of before where nothing changed, else let the app answer."""
        state = self._state(environ)
        if state is None:
            return self.inner(environ, start_response)
        rests_on = (state, this_day())
        asked = tuple(environ.get(name) for name in ASKED_BY)
        answer = self.answers.get(asked)
        if answer is None or answer.rests_on != rests_on or not self._same_are_here(answer.page):
            return self._made(environ, start_response, asked, rests_on)
        return self._again(answer, start_response)

    def _state(self, environ: WSGIEnvironment) -> Hashable:
        """Return the state of the database; None where the app answers in any case."""
        if environ["REQUEST_METHOD"] != "GET" or any(name in environ for name in UNUSUAL):
            return None
        return self.written and self.written.state()

    def _same_are_here(self, page: LastingPage) -> bool:
        return all(
            phones_here(self.instance, league, asked) == found
            for league, asked, found in page.looked_for
        )

    def _made(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        asked: Hashable,
        rests_on: Hashable,
    ) -> Iterable[bytes]:
        """Let the app answer, and remember a page that lasts."""
        pages: list[LastingPage] = []
        environ[PLACE] = pages

        def started(status: str, headers: Headers, *fault: Any) -> Any:
            names = {name.lower() for name, _ in headers}
            if pages and status[:3] in ("200", "304") and not names & OF_ONE_PHONE:
                lasting = [one for one in headers if one[0].lower() not in OF_ONE_ANSWER]
                self.answers.put(asked, Answered(pages[-1], status, lasting, rests_on))
            return start_response(status, headers, *fault)

        return self.inner(environ, started)

    def _again(self, answer: Answered, start_response: StartResponse) -> list[bytes]:
        page, headers = answer.page, list(answer.headers)
        if page.author is not None:
            note_here(self.instance, page.author)
        with self.app.app_context():
            g.cookie = page.cookie
            written = page.write()
        body = written.encode() if isinstance(written, str) else written
        if isinstance(written, str) and ("Content-Encoding", "gzip") in headers:
            body = pack_page(body)
        if answer.status[:3] == "200":
            headers.append(("Content-Length", str(len(body))))
        start_response(answer.status, headers)
        return [body]
