"""What lets the app be installed and open without a network, where a browser allows it."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, url_for

from companion.web.middleware.guard import public

place = Blueprint("offline", __name__)


@place.get("/sw.js")
@public
def worker() -> Response:
    """Return the service worker: it must come from the top to see every page."""
    source = (Path(current_app.static_folder or "") / "sw.js").read_text("utf-8")
    return Response(source, mimetype="text/javascript")


@place.get("/app.webmanifest")
@public
def manifest() -> Response:
    """Say how the app looks where it is installed."""
    icon = {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    answer = jsonify(
        name="Card Table Companion",
        short_name="Card Table",
        start_url=url_for("home.front"),
        scope=url_for("home.front"),
        display="standalone",
        background_color="#f6f1e7",
        theme_color="#f6f1e7",
        icons=[icon],
    )
    answer.mimetype = "application/manifest+json"
    return answer
