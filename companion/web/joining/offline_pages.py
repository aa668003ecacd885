"""What lets the app be installed and open without a network, where a browser allows it."""

from __future__ import annotations

import json
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, render_template, url_for

from companion.web.frame.static_files import asset, assets_version, sent
from companion.web.middleware.guard import public

blueprint = Blueprint("offline", __name__)
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    # Chromium offers to install an app only if it has these two sizes.
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable.png", "512x512", "image/png", "maskable"),
)
KEPT = (".js", ".css", ".svg")
"""What pages need without a network."""


@blueprint.get("/sw.js")
@public
def worker() -> Response:
    """Return the service worker: it must come from the top to see every page.

    What it keeps is named by the edition of our files, so that an update drops the older ones.
    """
    folder = Path(current_app.static_folder or "")
    files = (path for path in sorted(folder.rglob("*.*")) if path.suffix in KEPT)
    constants = {
        "KEPT": f"kept-{assets_version(folder)}",
        "AWAY": url_for("offline.away"),
        "FILES": [asset(path.relative_to(folder).as_posix()) for path in files],
        "LINE": render_template("join/kept_line.html"),
    }
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return Response(head + sent(folder / "sw.js"), mimetype="text/javascript")


@blueprint.get("/offline")
@public
def away() -> str:
    """Return the page that stands for one which was never opened on this phone."""
    return render_template("join/away.html")


@blueprint.get("/app.webmanifest")
@public
def manifest() -> Response:
    """Say how the app looks where it is installed."""
    start = url_for("home.front")
    answer = jsonify(
        id=start,
        name="Card Table Companion",
        short_name="Card Table",
        start_url=start,
        scope=start,
        display="standalone",
        background_color="#f6f0e4",
        theme_color="#f6f0e4",
        icons=[
            {
                "src": url_for("static", filename=name),
                "sizes": sizes,
                "type": kind,
                "purpose": purpose,
            }
            for name, sizes, kind, purpose in ICONS
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer
