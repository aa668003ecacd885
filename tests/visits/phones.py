"""A phone that checks every page that it is shown, and a watch on the database of its site."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextvars import Context
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from sqlalchemy import Engine, select
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.test import TestResponse

from companion.store.models import Base, db
from companion.web.middleware.device_cookie import Cookie

from .pages import Filled, Page, PageError, attribute, parsed
from .promises import broken_promises, check_headers

Dump = dict[str, list[tuple[object, ...]]]


TABLES = [table for table in Base.metadata.sorted_tables if table.name != "failure"]
EVERY_ROW = [(table.name, str(select(table))) for table in TABLES]


class Site:
    """The app with everybody's phones, and a watch on its database."""

    def __init__(self, app: Flask, engine: Engine) -> None:
        self.app, self.engine = app, engine
        self.seen_ids: dict[str, set[str]] = {}
        self._commits = _second_look(engine)
        self._last: tuple[int, Dump] | None = None

    def phone(self, token: str = "") -> Phone:
        """Unpack a phone that never was here, or take the one with this token."""
        phone = Phone(self)
        if token:
            phone.carry(token)
        return phone

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

    def _rows(self) -> Dump:
        if self._commits:
            rows = {name: self._commits.execute(asked).fetchall() for name, asked in EVERY_ROW}
        else:
            with self.engine.connect() as connection:
                rows = {n: list(connection.exec_driver_sql(asked)) for n, asked in EVERY_ROW}
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
            self.client.set_cookie("device", Cookie(token).write())

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
        """Send a filled form with one of its buttons, and follow where that leads.

        Whoever saves a deal says first of each doubt that it is right.
        """
        while button == "save" and form.page.all("button[name=sure]"):
            sure = form.page.all("[name=sure]")
            answered = [attribute(one, "value") for one in sure if one.tag == "input"]
            doubt = next(attribute(one, "value") for one in sure if one.tag == "button")
            asked = form.data() | {"sure": [*answered, doubt]}
            form = self.post(form.action, asked, 200).form()
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
            broken = [*broken_promises(page), *self._dead_links(page)]
            if broken:
                raise PageError(f"{path}: " + "; ".join(broken))
            _sound.add(seen)
        return page

    def _dead_links(self, page: Page) -> Iterator[str]:
        own = {attribute(one, "id") for one in page.elements} - {""}
        for link in page.links():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                yield f"a link to another site: {link}"
            elif not parts.path:
                if link and parts.fragment not in own:  # an empty one is the page itself
                    yield f"nothing has the id of {link}"
            else:
                yield from self._dead_link(link)
        for form in page.all("form"):
            yield from self._dead_action(attribute(form, "action"), attribute(form, "method"))

    def _dead_link(self, link: str) -> Iterator[str]:
        parts = urlsplit(link)
        try:
            if parts.path not in _leads:
                self.site.app.url_map.bind("localhost").match(parts.path)
                _leads.add(parts.path)
        except Exception:
            yield f"{link} leads nowhere"
            return
        if parts.fragment and parts.fragment not in self._ids(f"{parts.path}?{parts.query}"):
            yield f"{link} leads to no part of its page"

    def _ids(self, path: str) -> set[str]:
        if path not in self.site.seen_ids:
            there = parsed(self.raw(path).text)
            self.site.seen_ids[path] = {attribute(one, "id") for one in there.css("[id]")}
        return self.site.seen_ids[path]

    def _dead_action(self, action: str, method: str) -> Iterator[str]:
        if method.lower() not in ("get", "post"):
            yield f"a form for {action} that neither asks nor posts"
        elif action:
            try:
                self.site.app.url_map.bind("localhost").match(action, method=method.upper())
            except (MethodNotAllowed, LookupError):
                yield f"the form for {action} leads nowhere"


_leads: set[str] = set()
"""The paths that lead somewhere: every app of this run has the same addresses."""
_sound: set[tuple[str, bytes]] = set()
"""The pages of this run that keep their promises: the same bytes need no second look."""
_TOKENS = re.compile(rb'(name="(?:csrf_token|key)" value=")[^"<>]*"')


def _apart_from_tokens(page: Page) -> tuple[str, bytes]:
    """Know a page again by its address and its bytes, whatever its form's token and key are."""
    body = _TOKENS.sub(rb'\1"', page.response.data)
    return page.path, hashlib.sha256(body).digest()
