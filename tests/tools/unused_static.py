"""Names what in `static/` nothing uses: files, what modules export, classes of style sheets."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
EXPORTED = re.compile(r"^export (?:async )?(?:const|function) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r"import \{([^}]*)\}|const \{ (\w+) \} = await import|\(\{ (\w+) \}\)")
CHOSEN = re.compile(r"import\(`\./([\w-]+-)\$\{")
CLASS = re.compile(r"\.(-?[a-z][\w-]*)(?=[^{}]*\{)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WORD = re.compile(r"[\w-]+")
MADE = {*(f"p{number}" for number in range(1, 9))}
"""Classes that a template puts together from a word and a number."""


def unused() -> Iterator[str]:
    """Name everything unused."""
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.*"))
    code = "".join(path.read_text("utf-8") for path in (ROOT / "companion").rglob("*.py"))
    scripts = {path.name: path.read_text("utf-8") for path in STATIC.rglob("*.js")}
    sheets = {path.name: path.read_text("utf-8") for path in STATIC.rglob("*.css")}
    said = "\n".join((pages, code, *scripts.values(), *sheets.values()))
    families = tuple(CHOSEN.findall(said))
    for path in sorted(STATIC.rglob("*.*")):
        if path.name.startswith(families):
            continue
        if not re.search(rf"['/]{re.escape(path.name)}|\"{re.escape(path.name)}", said):
            yield f"static/{path.name} is named nowhere"
    imported = {
        name.strip()
        for text in scripts.values()
        for found in IMPORTED.findall(text)
        for name in "".join(found).split(",")
    }
    for script, text in scripts.items():
        for name in EXPORTED.findall(text):
            if name not in imported:
                yield f"static/{script} exports {name}, which nothing imports"
    words = {*WORD.findall("\n".join((pages, code, *scripts.values()))), *MADE}
    for sheet, text in sheets.items():
        for name in sorted({*CLASS.findall(COMMENT.sub("", text))} - words):
            yield f"static/{sheet} dresses .{name}, which nothing has"


if __name__ == "__main__":
    found = list(unused())
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
