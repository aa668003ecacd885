"""Phones that scan a code, and what of them is stored."""

from __future__ import annotations

from urllib.parse import urlsplit

from sqlalchemy import select

from companion.games.memberships import memberships
from companion.phones import links
from companion.phones.joining import Joined, Phone, join_by_link
from companion.phones.links import LinkRole
from companion.store.authors import Author, token_hash
from companion.store.models import Device, db
from tests.visits import pages, phones
from tests.visits.pages import attribute, words

APPLE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit Mobile Safari"
KEY = b"the server's own key"


def link_to(author: Author, role: LinkRole = "player", game: int | None = None) -> str:
    """Make a link and give its token."""
    if game is not None:
        links.make_game_link(author, KEY, game)
        found = links.game_link(db.session(), author.league_id, game)
        assert found
        return found.token(KEY)
    return token(author, links.make_link(author, KEY, role))


def join(token: str, phone: str, name: str = "", person: int | None = None) -> Joined:
    return join_by_link(token, Phone(phone, "iPhone"), f"by {phone}", person=person, name=name)


def role(author: Author, phone: str) -> str:
    """What a phone may do in the author's league; nothing where it is not in it."""
    db.session.rollback()
    mine = memberships(db.session(), token_hash(phone))
    return next((one.role for one in mine if one.league_id == author.league_id), "")


def row(phone: str) -> Device:
    db.session.rollback()
    wanted = select(Device).where(Device.token_hash == token_hash(phone))
    return db.session().execute(wanted).scalar_one()


def scan(phone: phones.Phone, table: pages.Page) -> str:
    """Where the code of a table leads."""
    return code_on(phone.show(table.link("/more/phones")))


def code_on(page: pages.Page) -> str:
    """Where the code that a page shows leads."""
    return urlsplit(attribute(page.one("#join-link"), "value")).path


def tap(phone: phones.Phone, page: pages.Page, name: str) -> pages.Page:
    """Tap a name on the page behind the code."""
    form = page.form_with(name)
    button = next(one for one in page.all("button") if name in words(one).split())
    return phone.press(form, words(button))


def token(author: Author, number: int) -> str:
    db.session.rollback()
    return links.find_in_league(db.session(), author.league_id, number).token(KEY)
