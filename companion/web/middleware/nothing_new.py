"""That nothing changed is said before the app is entered: an evening's phones ask little else.

Only this one answer is given here, and only to a phone that the guard would let in as it is.
Whatever is in any way unusual goes on to the app, and so does every state that is new to a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.http import parse_cookie
from werkzeug.sansio.utils import host_is_trusted

from companion.phones.pending_deal import running_state
from companion.phones.presence import named_here, note_here
from companion.store.authors import Author, token_hash
from companion.store.models import db
from companion.web.middleware.device_cookie import Cookie
from companion.web.middleware.guard import COOKIE, name_over_https, this_day

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LIVE = re.compile(r"/games/([0-9]{1,18})/live")
Headers = list[tuple[str, str]]


class NothingNew:
    """The app, and before it the answer to a page that shows what is still so."""

    def __init__(self, app: Flask, inner: WSGIApplication) -> None:
        self.app, self.inner, self.instance = app, inner, Path(app.instance_path)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer 304 where that is all there is to say, else let the app answer."""
        live = LIVE.fullmatch(environ["PATH_INFO"])
        if not live or environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" not in environ:
            return self.inner(environ, start_response)
        with self.app.app_context():
            headers = self._still(environ, int(live[1]))
        if headers is None:
            return self.inner(environ, start_response)
        start_response("304 NOT MODIFIED", headers)
        return []

    def _still(self, environ: WSGIEnvironment, game_id: int) -> Headers | None:
        """Return the headers of the answer that nothing changed; None where the app must answer."""
        token = self._token(environ)
        try:
            with db.engine.connect() as connection:
                found = token and running_state(connection, token_hash(token), game_id)
        except SQLAlchemyError:
            return None
        if not found or environ["HTTP_IF_NONE_MATCH"] != f'"{found[1]}"':
            return None
        author, mark = found
        if "HTTP_X_AWAY" not in environ:
            note_here(self.instance, author)
        return [
            *self.app.extensions["headers"][_is_secure(environ)].items(),
            ("Cache-Control", "private, no-cache"),
            ("ETag", f'"{mark}"'),
            *self._here(environ, author),
        ]

    def _token(self, environ: WSGIEnvironment) -> str | None:
        """Return the token of a phone whose cookie we made, and need not renew today."""
        if not host_is_trusted(environ.get("HTTP_HOST"), self.app.config["TRUSTED_HOSTS"]):
            return None
        name = name_over_https(COOKIE) if _is_secure(environ) else COOKIE
        cookie = Cookie.read(parse_cookie(environ).get(name, ""))
        return None if cookie is None or cookie.is_old(this_day()) else cookie.token

    def _here(self, environ: WSGIEnvironment, author: Author) -> Headers:
        asked = parse_qs(environ.get("QUERY_STRING", "")).get("phones", [])[:1]
        return [("X-Here", named_here(self.instance, author.league_id, one)) for one in asked]


def _is_secure(environ: WSGIEnvironment) -> bool:
    """Return whether a request came over https; a proxy may name any scheme."""
    return str(environ["wsgi.url_scheme"]) == "https"
