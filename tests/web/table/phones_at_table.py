"""A table with a phone for everybody, by its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.people import leagues
from companion.rules import Variant, find_variant
from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import own_phone
from tests.visits.pages import Page
from tests.visits.phones import Phone, Site

DATA = {"Accept": "application/json"}


@dataclass
class Party:
    """A game with a phone for everybody: Ann keeps the score, Eve looks on, Dev is elsewhere."""

    table: Table
    ann: Phone
    bob: Phone
    cleo: Phone
    eve: Phone
    dev: Phone

    @property
    def path(self) -> str:
        return f"/games/{self.table.game_id}"

    def mine(self, phone: Phone) -> Page:
        """Somebody's own page."""
        return phone.show(f"{self.path}/mine")

    def says(self, phone: Phone, tapped: str) -> Page:
        """Tap on one's own page how the deal ended."""
        return phone.press(self.mine(phone).form_with(tapped))

    def tells(self, phone: Phone, status: int = 303, seat: int | None = None, **typed: str) -> Page:
        """Type a hand into one's own pad, or, for whoever keeps the score, into a seat's."""
        page = self.mine(phone) if seat is None else phone.show(f"{self.path}/hands/{seat}")
        if not [form for form in page.forms() if "/hands/" in form.action]:
            page = phone.show(f"{self.path}/mine?pad=1")
        form = page.form_with("/hands/")
        number = form.action.rpartition("/")[2]
        for name, text in typed.items():
            form.fill(f"seat{number}-{name.replace('_', '-')}", text)
        return phone.press(form, "Done", status)

    def review(self, phone: Phone | None = None) -> Page:
        return (phone or self.ann).show(f"{self.path}/deals/told")

    def save(self) -> Page:
        """Look over what was told, and save it."""
        return self.ann.press(self.review().form(), "save")

    def sends(self, phone: Phone, path: str, status: int, **form: Any) -> Mapping[str, Any]:
        """Send a letter of an outbox, and read its answer."""
        sent = {"csrf_token": phone.token(), **{n.replace("__", "-"): t for n, t in form.items()}}
        answer = phone.send(f"{self.path}{path}", "POST", data=sent, headers=DATA)
        assert answer.status_code == status, answer.text
        assert answer.mimetype == "application/json", answer.text[:200]
        assert answer.json
        return dict(answer.json)


def party(site: Site, ann: Author, game: str | Variant = "contract rummy") -> Party:
    variant = find_variant(game) if isinstance(game, str) else game
    table = Table.start(ann, variant=variant)
    own_phone(ann, "Bob")
    own_phone(ann, "Cleo")
    own_phone(ann, "Eve", "viewer")
    leagues.open_league("Dev's club", "dev's token")
    names = ("ann", "bob", "cleo", "eve", "dev")
    return Party(table, *(site.phone(f"{name}'s token") for name in names))
