"""Flask, but for one thing: what watches over the server may ask for its health under any name."""

from __future__ import annotations

from flask import Flask
from flask.wrappers import Request
from werkzeug.routing import MapAdapter

from companion.web.middleware.plain_request import PlainRequest

HEALTH = ("/healthz", "/readyz")


class Application(Flask):
    """The app; a request holds plain text only."""

    request_class = PlainRequest

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Answer for the health whatever `TRUSTED_HOSTS` says: a container asks for localhost."""
        if request is not None and request.path in HEALTH:
            return self.url_map.bind_to_environ(request.environ)
        return super().create_url_adapter(request)
