"""Flask, but no page is made of tables of an earlier version; health is asked under any name."""

from __future__ import annotations

from flask import Flask, current_app, request
from flask.wrappers import Request
from werkzeug.routing import MapAdapter

from companion.store.schema import refuse_behind
from companion.web.middleware.plain_request import PlainRequest

READY = "tables"
"""Under this name the app notes that its tables were found to be those of this version."""


def init_app(app: Flask) -> None:
    """Refuse every page as long as the tables are behind the code; comes before all else."""
    app.before_request(_need_tables)


def _need_tables() -> None:
    if request.endpoint == "health.ready":
        # A backup restored under a running process is older than what was found at its start.
        current_app.extensions.pop(READY, None)
    if READY in current_app.extensions or request.endpoint in ("health.alive", "static"):
        return
    refuse_behind()
    current_app.extensions[READY] = True


class Application(Flask):
    """The app; a request holds plain text only."""

    request_class = PlainRequest

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Answer for the health whatever `TRUSTED_HOSTS` says: a container asks for localhost."""
        if request is not None and request.path in ("/healthz", "/readyz"):
            return self.url_map.bind_to_environ(request.environ)
        return super().create_url_adapter(request)
