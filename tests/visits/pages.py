"""A phone that reads the pages as a browser would, and checks every page that it is shown."""

from __future__ import annotations

import gzip
import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Flask
from justhtml import JustHTML
from justhtml.dom import Element, Node
from sqlalchemy import Engine, event, select
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.test import TestResponse

from companion.store.models import Base, db
from companion.web.middleware.device_cookie import Cookie

Dump = dict[str, list[tuple[object, ...]]]
CONTROLS = ("input", "select", "textarea")


class PageError(AssertionError):
    """A page that breaks a promise every page makes."""


@dataclass
class Page:
    """One answer: where it came from, and what it shows."""

    path: str
    status: int
    response: TestResponse

    @property
    def document(self) -> JustHTML | None:
        """The page and every error of its HTML, read when somebody looks; None for no page."""
        is_page = "html" in self.response.headers.get("Content-Type", "")
        return _parsed(self.html) if is_page and not 300 <= self.status < 400 else None

    @cached_property
    def elements(self) -> list[Element]:
        """Every element in the order of the page."""
        assert self.document is not None, f"{self.path} is no page"
        return list(walk(self.document.root))

    @cached_property
    def labels(self) -> dict[str, str]:
        """The words of each label by the control that it is for."""
        found = [(attribute(one, "for"), one) for one in reversed(self.elements)]
        return {name: words(one) for name, one in found if name and one.name == "label"}

    @property
    def html(self) -> str:
        """The page as it was sent."""
        return self.response.text

    @property
    def text(self) -> str:
        """All that the page says, blanks folded."""
        return self.say("body")

    def all(self, selector: str) -> list[Element]:
        """Find every element that fits."""
        if selector.isalnum():
            return [one for one in self.elements if one.name == selector]
        assert self.document is not None, f"{self.path} is no page"
        return [found for found in self.document.query(selector) if isinstance(found, Element)]

    def one(self, selector: str) -> Element:
        """Find the only element that fits."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} of {selector} on {self.path}"
        return found[0]

    def say(self, selector: str) -> str:
        """Read what the first element that fits says."""
        found = self.all(selector)
        return words(found[0]) if found else ""

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return self.say("h1")

    @property
    def faults(self) -> str:
        """What the page complains about."""
        return self.say("[role=alert]")

    @property
    def doubts(self) -> str:
        """What the page asks about before it saves."""
        return " ".join(words(item) for item in self.all(".notice li, div.doubt p"))

    def links(self) -> list[str]:
        """List where the links of the page lead."""
        return [attribute(link, "href") for link in self.all("a")]

    def link(self, part: str) -> str:
        """Find the first link whose address ends with this, or else holds it."""
        found = [link for link in self.links() if link.endswith(part)]
        found = found or [link for link in self.links() if part in link]
        assert found, f"no link to {part} on {self.path}: {self.links()}"
        return found[0]

    def typed_text(self, name: str) -> str:
        """Read the text area with this id, line by line."""
        return value_of(self.one(f"#{name}"))

    def forms(self) -> list[Filled]:
        """List the forms of the page."""
        here = urlsplit(self.path).path
        return [Filled(self, here, form) for form in self.all("form")]

    def form(self, action: str = "") -> Filled:
        """Take the only form whose address ends so; a change that is offered twice is one."""
        fitting = [form for form in self.forms() if form.action.endswith(action)]
        different = {(form.action, *sorted(form.data().items())): form for form in fitting}
        assert len(different) == 1, f"{len(different)} forms for {action} on {self.path}"
        return fitting[0]


@dataclass
class Filled:
    """A form as somebody filled it in."""

    page: Page
    here: str
    element: Element
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def action(self) -> str:
        """Where the form is sent."""
        return attribute(self.element, "action") or self.here

    def controls(self) -> list[Element]:
        """List every control of the form, hidden ones too."""
        return [node for node in walk(self.element) if node.name in CONTROLS]

    def control(self, label: str) -> Element:
        """Find a visible control by the words of its label, or by its id."""
        shown = [c for c in self.controls() if attribute(c, "type") != "hidden"]
        found = [c for c in shown if attribute(c, "id") == label] or [
            c for c in shown if label in label_of(self.page, c)
        ]
        assert len(found) == 1, f"{len(found)} controls for {label} on {self.page.path}"
        return found[0]

    def value(self, label: str) -> str:
        """Read what stands in a control."""
        return value_of(self.control(label))

    def choose(self, name: str, value: str) -> Filled:
        """Choose one of the offers that share a name."""
        offers = [c for c in self.controls() if attribute(c, "type") == "radio"]
        offered = [attribute(c, "value") for c in offers if attribute(c, "name") == name]
        assert value in offered, f"{value} is not offered for {name}: {offered}"
        self.typed[name] = value
        return self

    def fill(self, label: str, text: str) -> Filled:
        """Type into a control, or choose in it."""
        control = self.control(label)
        if control.name == "select":
            offered = [attribute(o, "value") for o in walk(control) if o.name == "option"]
            assert text in offered, f"{text} is not offered: {offered}"
        self.typed[attribute(control, "name")] = text
        return self

    def data(self) -> dict[str, str]:
        """Gather what a browser would send, without the button."""
        sent: dict[str, str] = {}
        for control in self.controls():
            off = control.attrs and "disabled" in control.attrs
            radio = attribute(control, "type") in ("radio", "checkbox")
            if not off and (not radio or "checked" in (control.attrs or {})):
                sent[attribute(control, "name")] = value_of(control)
        return sent | self.typed

    def button(self, wanted: str = "") -> dict[str, str]:
        """Find a visible button by its words or its value, and say what it adds."""
        buttons = [b for b in walk(self.element) if b.name == "button" and is_shown(b)]
        buttons = [b for b in buttons if attribute(b, "type") in ("", "submit")]
        exact = [b for b in buttons if wanted in (attribute(b, "value"), words(b))]
        found = exact or [b for b in buttons if wanted in words(b)]
        assert found, f"no button {wanted} on {self.page.path}"
        name = attribute(found[0], "name")
        return {name: attribute(found[0], "value")} if name else {}


@lru_cache(maxsize=32)
def _parsed(html: str) -> JustHTML:
    """Read a page without what its templates hold: no browser shows it."""
    document = JustHTML(html, sanitize=False, collect_errors=True)
    for template in document.query("template"):
        if isinstance(template, Element):
            template.template_content = None
    return document


def walk(node: Node) -> Iterator[Element]:
    """Yield every element below a node, in the order of the page."""
    for child in node.children or ():
        if isinstance(child, Element):
            yield child
        if isinstance(child, Node):
            yield from walk(child)


def words(node: Node) -> str:
    """Read a node's words, blanks folded."""
    return " ".join(node.to_text(separator="", strip=False).split())


def attribute(element: Element, name: str) -> str:
    """Give an attribute's value, empty where there is none."""
    return (element.attrs or {}).get(name) or ""


def value_of(control: Element) -> str:
    """Give what stands in a control."""
    if control.name == "textarea":
        return control.to_text(separator="", strip=False)
    if control.name == "select":
        options = [option for option in walk(control) if option.name == "option"]
        chosen = [option for option in options if "selected" in (option.attrs or {})]
        return attribute((chosen or options)[0], "value")
    return attribute(control, "value")


def label_of(page: Page, control: Element) -> str:
    """Read a control's label: around it, for it, or named by it."""
    around: Any = control.parent
    while around is not None and around.name != "label":
        around = around.parent
    if around is not None:
        return words(around)
    return page.labels.get(attribute(control, "id"), attribute(control, "aria-label"))


def is_shown(element: Element) -> bool:
    """Tell whether a browser without scripts shows an element."""
    node: Any = element
    while node is not None:
        if isinstance(node, Element) and "hidden" in (node.attrs or {}):
            return False
        node = node.parent
    return True


class Site:
    """The app with everybody's phones, and a watch on its database."""

    def __init__(self, app: Flask, engine: Engine) -> None:
        self.app, self.engine = app, engine
        self.seen_ids: dict[str, set[str]] = {}
        self._commits = _second_look(engine)
        self._last: tuple[int, Dump] | None = None

    def phone(self) -> Phone:
        """Unpack a phone that never was here."""
        return Phone(self)

    def dump(self) -> Dump:
        """Read every row of every table, but for how often somebody guessed.

        SQLite tells whether anybody has written since it was asked last: if not, the rows are the
        same ones.
        """
        if not self._commits:
            return self._rows()
        (version,) = self._commits.execute("PRAGMA data_version").fetchone()
        if self._last is None or self._last[0] != version:
            self._last = version, self._rows()
        return self._last[1]

    def close(self) -> None:
        """Let go of a file; PostgreSQL's connections are the app's."""
        if self._commits:
            self._commits.close()
            self.engine.dispose()

    @contextmanager
    def asked(self) -> Iterator[list[str]]:
        """Gather the questions that are asked of the database."""
        asked: list[str] = []

        def listen(_c: object, _k: object, statement: str, *_: object) -> None:
            if not statement.startswith(("BEGIN", "PRAGMA")):
                asked.append(statement)

        event.listen(self.engine, "before_cursor_execute", listen)
        try:
            yield asked
        finally:
            event.remove(self.engine, "before_cursor_execute", listen)

    def _rows(self) -> Dump:
        with self.engine.connect() as connection:
            tables = [table for table in Base.metadata.sorted_tables if table.name != "failure"]
            rows = {t.name: connection.execute(select(t)).all() for t in tables}
        return {name: sorted(map(tuple, found), key=repr) for name, found in rows.items()}

    def league(self, number: int) -> Dump:
        """Read every row of one league."""
        column = {name: table.columns for name, table in Base.metadata.tables.items()}
        return {
            name: [row for row in rows if number == row[_league_place(column[name], name)]]
            for name, rows in self.dump().items()
        }


def _second_look(engine: Engine) -> sqlite3.Connection | None:
    """Open a connection beside the app's own; PostgreSQL cannot be asked who wrote."""
    if engine.dialect.name != "sqlite":
        return None
    return sqlite3.connect(str(engine.url.database), check_same_thread=False)


def _league_place(columns: Any, table: str) -> int:
    names = [column.name for column in columns]
    return names.index("id" if table == "league" else "league_id")


def watched(app: Flask) -> Site:
    """Watch the database of an app."""
    with app.app_context():
        return Site(app, db.engine)


class Phone:
    """A device with its cookie; `show` checks each page, and that a refusal changed nothing."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = site.app.test_client()

    def carry(self, token: str) -> None:
        """Be the phone with this token, with the cookie that the server would give it."""
        with self.site.app.app_context():
            self.client.set_cookie("device", Cookie(token).write(0))

    def send(self, path: str, method: str = "GET", **more: Any) -> TestResponse:
        """Send one request, and see that a refused one changed nothing (`I14`)."""
        before = self.site.dump()
        response = self.raw(path, method, **more)
        if response.status_code >= 400:
            after = self.site.dump()
            changed = [name for name, rows in before.items() if rows != after[name]]
            assert not changed, f"{response.status_code} for {method} {path} changed {changed}"
        return response

    def raw(self, path: str, method: str = "GET", **more: Any) -> TestResponse:
        """Send one request in a context of its own, as a server would."""
        return Context().run(self.client.open, path, method=method, buffered=True, **more)

    def show(self, path: str, status: int = 200, **more: Any) -> Page:
        """Open an address and check the page."""
        return self.check(path, self.send(path, **more), status)

    def post(self, path: str, data: Mapping[str, Any], status: int = 303, **more: Any) -> Page:
        """Send a form to an address and check what comes back."""
        return self.check(path, self.send(path, "POST", data=data, **more), status)

    def press(self, form: Filled, button: str = "", status: int = 303) -> Page:
        """Send a filled form with one of its buttons, and follow where that leads."""
        page = self.post(form.action, form.data() | form.button(button), status)
        return self.follow(page) if status == 303 else page

    def follow(self, page: Page) -> Page:
        """Go where an answer sends us, and on from there, as a browser does."""
        path = page.response.headers["Location"]
        while (answer := self.send(path)).status_code == 302:
            path = answer.headers["Location"]
        return self.check(path, answer, 200)

    def token(self) -> str:
        """Take the form token from the pages."""
        return self.show("/games/new/zioncheck").form().data()["csrf_token"]

    def check(self, path: str, response: TestResponse, status: int) -> Page:
        """Check an answer: its status, its headers, and everything a page promises."""
        assert response.status_code == status, f"{response.status_code} for {path}, not {status}"
        check_headers(path, response)
        page = Page(path, response.status_code, response)
        seen = _apart_from_tokens(page)
        if seen not in _sound and page.document is not None:
            faults = [*_faults(page), *self._dead_links(page)]
            if faults:
                raise PageError(f"{path}: " + "; ".join(faults))
            _sound.add(seen)
        return page

    def _dead_links(self, page: Page) -> Iterator[str]:
        own = {attribute(one, "id") for one in page.elements} - {""}
        for link in page.links():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                yield f"a link to another site: {link}"
            elif not parts.path:
                if parts.fragment not in own:
                    yield f"nothing has the id of {link}"
            else:
                yield from self._dead_link(link)
        for form in page.all("form"):
            yield from self._dead_action(attribute(form, "action"), attribute(form, "method"))

    def _dead_link(self, link: str) -> Iterator[str]:
        parts = urlsplit(link)
        try:
            self.site.app.url_map.bind("localhost").match(parts.path)
        except Exception:
            yield f"{link} leads nowhere"
            return
        if parts.fragment and parts.fragment not in self._ids(f"{parts.path}?{parts.query}"):
            yield f"{link} leads to no part of its page"

    def _ids(self, path: str) -> set[str]:
        if path not in self.site.seen_ids:
            there = _parsed(self.raw(path).text)
            self.site.seen_ids[path] = {attribute(node, "id") for node in walk(there.root)}
        return self.site.seen_ids[path]

    def _dead_action(self, action: str, method: str) -> Iterator[str]:
        if method.lower() not in ("get", "post"):
            yield f"a form for {action} that neither asks nor posts"
        elif action:
            try:
                self.site.app.url_map.bind("localhost").match(action, method=method.upper())
            except (MethodNotAllowed, LookupError):
                yield f"the form for {action} leads nowhere"


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
        assert headers["Cache-Control"] in ("no-store", "private, no-cache"), path


_sound: set[tuple[str, bytes]] = set()
"""The pages of this run that keep their promises: the same bytes need no second look."""
_TOKENS = re.compile(rb'(name="(?:csrf_token|key)" value=")[^"<>]*"')


def _apart_from_tokens(page: Page) -> tuple[str, bytes]:
    """Know a page again by its address and its bytes, whatever its form's token and key are."""
    body = _TOKENS.sub(rb'\1"', page.response.data)
    return page.path, hashlib.sha256(body).digest()


def _faults(page: Page) -> Iterator[str]:
    """Find every promise that a page breaks."""
    assert page.document is not None
    yield from (f"HTML: {error}" for error in page.document.errors)
    yield from _heading_faults(page)
    ids = Counter(attribute(one, "id") for one in page.elements if "id" in (one.attrs or {}))
    yield from (f"id {name} twice" for name, times in sorted(ids.items()) if times > 1)
    yield from _reference_faults(page, set(ids))
    yield from _control_faults(page)
    yield from _table_faults(page)
    yield from _inline_faults(page)
    for form in page.all("form"):
        names = [attribute(node, "name") for node in walk(form) if node.name == "input"]
        if attribute(form, "method") == "post" and "csrf_token" not in names:
            yield f"a form without a token: {attribute(form, 'action')}"


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
            yield f"a {node.name} without words: {node.attrs}"
    for image in page.all("img"):
        if "alt" not in (image.attrs or {}):
            yield f"an image without words: {attribute(image, 'src')}"


def _table_faults(page: Page) -> Iterator[str]:
    for table in page.all("table"):
        below = list(walk(table))
        if not any(node.name == "caption" and words(node) for node in below):
            yield "a table without a caption"
        for cell in below:
            if cell.name == "th" and attribute(cell, "scope") not in ("row", "col"):
                yield f"a heading without scope: {words(cell)}"

        if len(_widths(below)) > 1:
            yield f"a table of {sorted(_widths(below))} columns"


def _widths(below: list[Element]) -> set[int]:
    """Count the columns that each row has on a screen; paper shows some more."""
    rows = [node for node in below if node.name == "tr"]
    if any("rowspan" in (node.attrs or {}) for node in below):
        return set()
    return {
        sum(
            int(attribute(cell, "colspan") or 1)
            for cell in walk(row)
            if cell.name in ("td", "th") and "only-paper" not in attribute(cell, "class").split()
        )
        for row in rows
    }


def _inline_faults(page: Page) -> Iterator[str]:
    for node in page.elements:
        for name in node.attrs or {}:
            if name == "style" or name.startswith("on"):
                yield f"inline {name} on {node.name}"
        if node.name == "style" or (node.name == "script" and not attribute(node, "src")):
            yield f"inline {node.name}"


def packed(page: Page, *assets: bytes) -> int:
    """Weigh a page and its files as they travel, compressed."""
    return sum(len(gzip.compress(part, 6)) for part in (page.response.data, *assets))


def query_of(link: str) -> dict[str, str]:
    """Read the query of an address."""
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))
