"""Pages of a table that were drawn before: each is what would be drawn now, whatever phones did.

Everything that may change a table between two looks happens once, and every phone looks twice after
each.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import update

from companion.people import leagues
from companion.phones.phone_list import change_phone
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device
from tests.leagues.own_phones import own_phone
from tests.support.reports import ANN, CLEO
from tests.visits.phones import Phone, Site

from .phones_at_table import Party, party

LOOKS = ("", "/mine", "/mine?pad=1", "/deals/new?how=out&by=1", "/deals/new?how=&by=")


def evening(harpers: Party, ann: Author, second: Phone) -> Iterator[str]:
    """Do what changes pages of a table, one thing at a time."""
    yield "nothing yet"
    harpers.tells(harpers.cleo, cards="7")
    yield "a hand before the deal is over"
    harpers.says(harpers.bob, "I went out")
    yield "Bob went out"
    change_phone(ann, 3, "Cleo's old phone", "player")
    yield "a phone is called otherwise"
    harpers.tells(second, cards="K")
    yield "another phone of the same player says otherwise"
    table = harpers.ann.show(harpers.path)
    harpers.ann.press(next(form for form in table.forms() if "/choices" in form.action))
    yield "one of two versions is chosen"
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    yield "all hands are in"
    leagues.choose(ann, "confirm_hands", chosen=True)
    yield "neighbours confirm"
    harpers.save()
    yield "the deal is saved"
    sent = {"seat2-cards": "Q A", "key": "late", "told": "1", "csrf_token": harpers.cleo.token()}
    harpers.cleo.post(f"{harpers.path}/hands/1/{CLEO}", sent)
    yield "a hand comes late"
    change_phone(ann, 3, "Cleo's phone", "player")
    yield "the late hand's phone is called otherwise"
    own_phone(ann, "Ann", token="ann's second")
    yield "Ann has a phone of her own, too"
    with writing() as session:
        session.execute(update(Device).where(Device.id == 4).values(asks_id=2))
    yield "Eve's phone asks to be Bob's"
    leagues.choose(ann, "show_chances", chosen=False)
    yield "no chances"
    change_phone(ann, 2, "Bob's phone", "viewer")
    yield "a phone may only look on"


def test_every_look_is_what_would_be_drawn_now(site: Site, ann: Author) -> None:
    harpers = party(site, ann)
    own_phone(ann, "Cleo", token="cleo's second")
    second = site.phone()
    second.carry("cleo's second")
    looking = (harpers.ann, harpers.bob, harpers.cleo, harpers.eve, second)
    for step in evening(harpers, ann, second):
        shown = [_statuses(phone, harpers.path) for phone in looking]
        assert shown == [_statuses(phone, harpers.path) for phone in looking], step
        assert all(statuses[0] == 200 for statuses in shown), step


def _statuses(phone: Phone, path: str) -> list[int]:
    return [phone.raw(f"{path}{look}").status_code for look in LOOKS]
