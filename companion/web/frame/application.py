"""Flask, but for one thing: what watches over the server may ask for its health under any name."""

from __future__ import annotations

from flask import Blueprint, Flask, Response
from flask.wrappers import Request
from werkzeug.routing import MapAdapter

from companion.store.models import db
from companion.web.middleware.guard import public
from companion.web.middleware.plain_request import PlainRequest

blueprint = Blueprint("health", __name__)


class Application(Flask):
    """The app; a request holds plain text only."""

    request_class = PlainRequest

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Answer for the health whatever `TRUSTED_HOSTS` says: a container asks for localhost."""
        if request is not None and request.path in ("/healthz", "/readyz"):
            return self.url_map.bind_to_environ(request.environ)
        return super().create_url_adapter(request)


@blueprint.get("/healthz")
@public
def alive() -> Response:
    """Answer that the process is alive."""
    return Response("ok", mimetype="text/plain")


@blueprint.get("/readyz")
@public
def ready() -> Response:
    """Answer that the database can be reached."""
    db.session.connection()
    return Response("ok", mimetype="text/plain")
