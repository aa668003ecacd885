"""Files of `static/`, as they are sent: without what only people read, and kept for long.

The edition of all files stands in their addresses. So a browser may keep each for good, and what a
module imports from beside it is always of its own edition.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import rcssmin
import rjsmin
from flask import Flask, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.web.middleware.guard import public

SHARED = "@import './shared.css';\n"
"""In a sheet that is sent together with what all pages have: one request, packed as one."""
MIMETYPES = {".js": "text/javascript", ".css": "text/css"}


def init_app(app: Flask) -> None:
    """Answer for scripts and styles, and for every other file as it lies; let templates name them.

    `assets_version` names the present files: an open page of other ones is loaded anew.
    """
    folder = Path(app.static_folder or "")
    paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*.*")]
    # No two files of one name: pages of earlier versions ask for any in a folder of its own day.
    by_name = {Path(path).name: path for path in paths}
    plain = app.view_functions["static"]

    def static(filename: str) -> Response:
        path = folder / filename
        # By the names that lay there at the start: no address leads to a file elsewhere.
        if filename not in paths or path.suffix not in MIMETYPES:
            return plain(filename=filename)  # type: ignore[return-value]
        answer = Response(sent(path), mimetype=MIMETYPES[path.suffix])
        answer.add_etag()
        return answer.make_conditional(request)

    @app.get("/static/<path:filename>")
    @public
    def earlier(filename: str) -> Response:
        """Lead a page of an earlier edition to the present file."""
        path = by_name.get(filename.rpartition("/")[2])
        return redirect(asset(path)) if path else abort(404)

    app.view_functions["static"] = static
    app.jinja_env.globals |= {"asset": asset, "assets_version": lambda: assets_version(folder)}


def asset(name: str) -> str:
    """Return the address of a static file."""
    return url_for("static", filename=name)


@cache
def assets_version(folder: Path) -> str:
    """Mark all files together."""
    content = b"".join(path.read_bytes() for path in sorted(folder.rglob("*.*")))
    return hashlib.sha256(content).hexdigest()[:10]


@cache
def sent(path: Path) -> str:
    """Return a script or a style sheet without what only people read."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return str(rjsmin.jsmin(text))
    shared = path.with_name("shared.css").read_text("utf-8")
    return str(rcssmin.cssmin(text.replace(SHARED, shared)))
