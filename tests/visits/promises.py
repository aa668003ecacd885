"""What every page and every answer promises, and which of it one breaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from justhtml import JustHTML
from selectolax.lexbor import LexborNode as Element
from werkzeug.test import TestResponse

from .pages import CONTROLS, Page, attribute, label_of, walk, words

OPENS = re.compile(rb"/j/[\w-]{16,}")
"""A link that lets a phone in."""
MAY_OPEN = ("/j/", "/claims/", "/return", "/league/passphrase", "/league/programs")


def check_headers(path: str, response: TestResponse) -> None:
    """See that an answer carries the headers that every answer carries."""
    headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'"), path
    for none in ("object-src", "base-uri", "frame-ancestors"):
        assert f"{none} 'none'" in policy, path
    assert "unsafe" not in policy, path
    assert headers["X-Content-Type-Options"] == "nosniff", path
    assert headers["Referrer-Policy"] == "same-origin", path
    assert headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()", path
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin", path
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin", path
    if response.data:
        kind = headers["Content-Type"]
        is_text = kind.startswith("text/") or "xml" in kind
        assert "charset=utf-8" in kind or not is_text, f"{path} is {kind}"
    leads_to = headers.get("Location", "/")
    assert leads_to.startswith("/"), f"{path} leads to {leads_to}"
    assert not leads_to.startswith("//"), f"{path} leads to {leads_to}"
    if headers["Cache-Control"].startswith("public") and not path.startswith("/static/"):
        assert path.startswith("/rules/"), path
        assert "Set-Cookie" not in headers, f"{path} gives all the cookie of one"
        assert "Cookie" in headers["Vary"], path
    elif not path.startswith("/static/"):
        opens = bool(OPENS.search(response.data))
        assert headers["Cache-Control"] in ("no-store", "private, no-cache"), path
        if opens or path.startswith("/j/"):
            assert headers["Cache-Control"] == "no-store", path
        elif headers["Cache-Control"] == "no-store":
            assert path.startswith(MAY_OPEN), f"{path} has no secret, and going back loads it anew"


def broken_promises(page: Page) -> Iterator[str]:
    """Find every promise that a page breaks."""
    yield from _html_faults(page.html)
    yield from _heading_faults(page)
    ids = Counter(attribute(one, "id") for one in page.elements if "id" in one.attrs)
    yield from (f"id {name} twice" for name, times in sorted(ids.items()) if times > 1)
    yield from _reference_faults(page, set(ids))
    yield from _control_faults(page)
    yield from _table_faults(page)
    yield from _inline_faults(page)
    for form in page.all("form"):
        names = [attribute(node, "name") for node in walk(form) if node.tag == "input"]
        if attribute(form, "method") == "post" and "csrf_token" not in names:
            yield f"a form without a token: {attribute(form, 'action')}"


def _html_faults(html: str) -> Iterator[str]:
    """Read a page strictly, once for all pages that differ in words alone."""
    shape = _WORDS.sub("-", html)
    if shape not in _sound:
        errors = JustHTML(html, sanitize=False, collect_errors=True).errors
        yield from (f"HTML: {error}" for error in errors)
        if not errors:
            _sound.add(shape)


_PLAIN = r"(?:[\w \n!#-%'-;=?-~\u00a1-\u2fff]|&(?:amp|lt|gt|#34|#39);)"
_WORDS = re.compile(rf'(?<=>)\s*(?=\S){_PLAIN}+(?=<)|(?<=="){_PLAIN}*(?=")')
"""Text and the values of attributes, as long as their characters are beyond doubt."""
_sound: set[str] = set()
"""The shapes of the pages of this run that are HTML."""


def _heading_faults(page: Page) -> Iterator[str]:
    headings = page.all("h1")
    if len(headings) != 1:
        yield f"{len(headings)} main headings"
        return
    title = page.say("title")
    if not title.startswith(("Error: ", words(headings[0]))):
        yield f"the title {title!r} does not begin with the heading {words(headings[0])!r}"
    if not words(headings[0]):
        yield "an empty heading"
    if not attribute(page.one("html"), "lang"):
        yield "no language"


def _reference_faults(page: Page, ids: set[str]) -> Iterator[str]:
    for node in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            lost = set(attribute(node, name).split()) - ids
            if lost:
                yield f"{name} names {lost}, which is not there"


def _control_faults(page: Page) -> Iterator[str]:
    for control in (node for name in CONTROLS for node in page.all(name)):
        if attribute(control, "type") != "hidden" and not label_of(page, control):
            yield f"a control without a label: {attribute(control, 'name')}"
        if attribute(control, "type") == "number":
            yield f"a number field: {attribute(control, 'name')}"
    for node in (*page.all("button"), *page.all("a")):
        if not words(node):
            yield f"a {node.tag} without words: {node.attributes}"
    for image in page.all("img"):
        if "alt" not in image.attrs:
            yield f"an image without words: {attribute(image, 'src')}"


def _table_faults(page: Page) -> Iterator[str]:
    for table in page.all("table"):
        below = list(walk(table))
        if not any(node.tag == "caption" and words(node) for node in below):
            yield "a table without a caption"
        for cell in below:
            if cell.tag == "th" and attribute(cell, "scope") not in ("row", "col"):
                yield f"a heading without scope: {words(cell)}"

        if len(_widths(below)) > 1:
            yield f"a table of {sorted(_widths(below))} columns"


def _widths(below: list[Element]) -> set[int]:
    """Count the columns that each row has on a screen; paper shows some more."""
    rows = [node for node in below if node.tag == "tr"]
    if any("rowspan" in node.attrs for node in below):
        return set()
    return {
        sum(
            int(attribute(cell, "colspan") or 1)
            for cell in walk(row)
            if cell.tag in ("td", "th") and "only-paper" not in attribute(cell, "class").split()
        )
        for row in rows
    }


def _inline_faults(page: Page) -> Iterator[str]:
    for node in page.elements:
        for name in node.attrs:
            if name == "style" or name.startswith("on"):
                yield f"inline {name} on {node.tag}"
        if node.tag == "style" or (node.tag == "script" and not attribute(node, "src")):
            yield f"inline {node.tag}"
