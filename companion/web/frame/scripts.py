"""Scripts and styles of pages, as they are sent: without what only people read.

Each script in `static/` is a module as browsers know it, one behaviour a file. A page asks for one;
what that imports is put before it, each once and in a scope of its own: a page costs one small
request, and the mark in its address changes with every part. So style sheets import one another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import rcssmin
import rjsmin
from flask import Flask, request
from werkzeug.wrappers import Response

from .page_urls import address

IMPORT = re.compile(
    r"^(?:import (?:\{[^}]*\} from )?|@import )'\./([\w-]+\.(?:js|css))';\n", re.MULTILINE
)
WITHIN = re.compile(r"(?<=[\w)\]]) :(?=[\w:-])")
"""Inside of a layer the minifier takes the colon for a declaration's, and the space away."""
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function) (\w+))", re.MULTILINE)


def init_app(app: Flask) -> None:
    """Answer for scripts and styles, and for every other file as it lies; let templates name them.

    `edition` names the present files: an open page of other ones is loaded anew.
    """
    folder = app.static_folder or ""
    plain = app.view_functions["static"]

    def static(filename: str) -> Response:
        path = Path(folder, filename)
        if path.suffix not in MADE or not path.is_file():
            return plain(filename=filename)  # type: ignore[return-value]
        mimetype, made = MADE[path.suffix]
        answer = Response(made(folder, filename), mimetype=mimetype)
        answer.set_etag(fingerprint(folder, filename))
        return answer.make_conditional(request)

    def asset(name: str) -> str:
        """Write the address of a static file: it changes with it, so browsers may keep it."""
        return address("static", filename=name, v=fingerprint(folder, name))

    app.view_functions["static"] = static
    app.jinja_env.globals |= {"asset": asset, "edition": lambda: edition(folder)}


@cache
def fingerprint(folder: str, name: str) -> str:
    """Mark a file by what is sent of it, a script by all of its parts."""
    path = Path(folder, name)
    if path.suffix in MADE:
        content = MADE[path.suffix][1](folder, name).encode()
    else:
        content = path.read_bytes()
    return hashlib.sha256(content).hexdigest()[:10]


@cache
def edition(folder: str) -> str:
    """Mark all files together."""
    marks = [fingerprint(folder, path.name) for path in sorted(Path(folder).glob("*.*"))]
    return hashlib.sha256("".join(marks).encode()).hexdigest()[:10]


@cache
def script(folder: str, name: str) -> str:
    """Put a script together: what it imports first, in the order of need, then itself."""
    *needed, own = (Path(folder) / part for part in _parts(Path(folder), name, ()))
    whole = "".join(map(_scope, needed)) + IMPORT.sub("", own.read_text("utf-8"))
    return str(rjsmin.jsmin(whole))


@cache
def style(folder: str, name: str) -> str:
    """Put a style sheet together, where `.menu :is(a)` stays what lies within the menu."""
    parts = (Path(folder, part).read_text("utf-8") for part in _parts(Path(folder), name, ()))
    return str(rcssmin.cssmin(WITHIN.sub(" *:", IMPORT.sub("", "".join(parts)))))


MADE: dict[str, tuple[str, Callable[[str, str], str]]] = {
    ".js": ("text/javascript", script),
    ".css": ("text/css", style),
}
"""What a file of each kind is sent as, and how."""


def _parts(folder: Path, name: str, above: tuple[str, ...]) -> list[str]:
    """List a script or sheet and what it needs, each after what it needs itself."""
    if name in above:
        raise ValueError(f"{name} imports itself by way of {above[-1]}.")
    needed: dict[str, None] = {}
    for part in IMPORT.findall((folder / name).read_text("utf-8")):
        needed |= dict.fromkeys(_parts(folder, part, (*above, name)))
    return [*needed, name]


def _scope(path: Path) -> str:
    source = path.read_text("utf-8")
    body = EXPORT.sub("", IMPORT.sub("", source))
    names = ", ".join(EXPORT.findall(source))
    head = f"const {{ {names} }} = " if names else ""
    tail = f"return {{ {names} }};\n" if names else ""
    return f"{head}(() => {{\n{body}{tail}}})();\n"
