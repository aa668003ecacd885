"""Flask as the pages use it: without what none of them needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSession, SessionInterface
from flask.wrappers import Request
from werkzeug.routing import MapAdapter, Rule
from werkzeug.wrappers import Response

from companion.web.middleware.plain_request import PlainRequest

from .templating import QuickEnvironment

HEALTH = ("/healthz", "/readyz")


class NoSession(SessionInterface):
    """No session: who asks is known by the device's own cookie, and nothing else is kept."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Give every request an empty one, without looking for a cookie."""
        return self.make_null_session(app)

    def save_session(self, app: Flask, session: Any, response: Response) -> None:
        """Keep nothing."""


class LateRule(Rule):
    """A route whose URL builder is compiled when its first URL is built.

    Werkzeug compiles two for each, which took a tenth of a start.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled, name = super()._compile_builder, f"_build{'_unknown' * append_unknown}"

        def write(rule: LateRule, **values: Any) -> tuple[str, str]:
            """Compile the builder, put it in this place, and build the first URL."""
            written = compiled(append_unknown).__get__(rule)
            setattr(rule, name, written)
            return written(**values)  # type: ignore[no-any-return]

        return write


class PlainFlask(Flask):
    """Flask for views that are plain functions, and for a device instead of a session.

    What it leaves out took a twentieth of a page's time.
    """

    request_class = PlainRequest
    jinja_environment = QuickEnvironment
    session_interface = NoSession()
    url_rule_class = LateRule

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Let what watches over the server ask for its health under any name."""
        if request is not None and request.path in HEALTH:
            return self.url_map.bind_to_environ(request.environ)
        return super().create_url_adapter(request)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: none here is a coroutine, which Flask would look for each time."""
        return func
