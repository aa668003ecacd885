"""Who a phone is: what we made is believed, whoever gains a right is renewed, nothing is lost."""

from __future__ import annotations

import base64
import hashlib
import hmac
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from companion.phones.links import token_of
from companion.store.authors import token_hash
from companion.store.database import writing
from companion.store.keys import earlier_keys, load_or_create_key, replace_key
from companion.store.models import Device, Link, db
from companion.web.middleware import guard
from companion.web.middleware.device_cookie import Cookie
from tests.conftest import fresh_app
from tests.leagues.scanning import scan
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site, watched

PLANTED = "A" * 22


def cookie_of(phone: Phone) -> str:
    kept = phone.client.get_cookie("device")
    assert kept
    return kept.value


def as_of_old(site: Site, phone: Phone) -> str:
    """Give the phone the cookie that version 1.0 gave it."""
    with site.app.app_context():
        cookie = Cookie.read(cookie_of(phone))
    assert cookie
    phone.client.set_cookie("device", cookie.token)
    return cookie.token


def old_form(site: Site, token: str) -> str:
    """Make a form's token as version 1.0 did."""
    with site.app.app_context():
        key = site.app.extensions["keys"][0]
    return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()


def test_a_name_that_somebody_planted_is_no_phone(house: Site) -> None:
    ann, eve = house.phone(), house.phone()
    ann.client.set_cookie("device", PLANTED)
    start(ann, "zioncheck")
    assert PLANTED not in cookie_of(ann).split("~")[0]
    eve.client.set_cookie("device", PLANTED)
    assert eve.show("/").heading == "Rummy night, without the sums."


def test_a_cookie_of_ours_that_was_planted_opens_nothing_once_a_right_is_gained(
    house: Site,
) -> None:
    eve, ann = house.phone(), house.phone()
    eve.show("/")
    ann.client.set_cookie("device", cookie_of(eve))
    start(ann, "zioncheck")
    assert ann.show("/league").heading == "Standings"
    assert eve.show("/").heading == "Rummy night, without the sums."


def test_a_phone_in_a_league_is_renewed_in_all_of_them_when_it_joins_another(house: Site) -> None:
    ann, dev = house.phone(), house.phone()
    start(ann, "zioncheck", league_name="The Harpers")
    table = start(dev, "zioncheck", "Dev", "Eve", "Fay", league_name="Dev's club")
    before = cookie_of(ann)
    form = ann.show(scan(dev, table)).form_with("Your name")
    ann.press(form.fill("name", "Ann"))
    thief = house.phone()
    thief.client.set_cookie("device", before)
    assert thief.show("/").heading == "Rummy night, without the sums."
    assert ann.show(table.path).status == 200
    ann.press(form.fill("name", "Ann"))  # the second of two taps finds itself
    with house.app.app_context():
        mine = select(Device.league_id).where(Device.revoked_at.is_(None))
        assert sorted(db.session.execute(mine).scalars()) == [1, 2, 2]


def test_a_phone_that_cannot_be_renewed_has_joined_all_the_same(
    house: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, dev = house.phone(), house.phone()
    start(ann, "zioncheck", league_name="The Harpers")
    table = start(dev, "zioncheck", "Dev", "Eve", "Fay", league_name="Dev's club")
    form = ann.show(scan(dev, table)).form_with("Your name").fill("name", "Ann")
    busy = OperationalError("UPDATE device", {}, sqlite3.OperationalError("database is locked"))
    with monkeypatch.context() as failing:
        failing.setattr(guard, "rename_phone", Mock(side_effect=busy))
        assert ann.press(form).status == 200
    assert ann.show(table.path).status == 200
    assert ann.show("/games/1").status == 200


def test_a_phone_of_the_version_before_stays_who_it_is(house: Site) -> None:
    ann = house.phone()
    table = start(ann, "zioncheck")
    token = as_of_old(house, ann)
    assert ann.show("/league").heading == "Standings"
    assert cookie_of(ann).startswith(f"{token}.")
    form = ann.show(f"{table.path}/about").form()
    form.typed["csrf_token"] = old_form(house, token)
    ann.press(form.fill("note", "Snow"))
    assert "Snow" in ann.show(f"{table.path}/about").html


def test_a_page_that_a_newcomer_opened_before_the_update_still_works(house: Site) -> None:
    ann = house.phone()
    form = ann.show("/games/new/zioncheck").form().fill("names", "Ann, Bob, Cleo")
    ann.client.set_cookie("device", PLANTED)
    form.typed["csrf_token"] = old_form(house, PLANTED)
    assert ann.press(form).status == 200


def test_a_link_of_the_version_before_is_shown_and_opens(house: Site) -> None:
    ann, bob = house.phone(), house.phone()
    table = start(ann, "zioncheck")
    with house.app.app_context(), writing() as session:
        (nonce,) = session.execute(select(Link.nonce)).scalars()
        old = token_of(house.app.extensions["keys"][0], nonce)
        session.execute(update(Link).values(token_hash=token_hash(old)))
    assert scan(ann, table) == f"/j/{old}"
    assert bob.show(f"/j/{old}").status == 200


def test_a_form_token_is_never_the_address_of_a_link(house: Site) -> None:
    ann, eve = house.phone(), house.phone()
    start(ann, "zioncheck")
    with house.app.app_context():
        (nonce, hashed) = db.session.execute(select(Link.nonce, Link.token_hash)).one()
    eve.client.set_cookie("device", f"link{nonce}")
    proof = bytes.fromhex(eve.token().rpartition(".")[2])
    assert token_hash(base64.urlsafe_b64encode(proof).rstrip(b"=").decode()) != hashed


def test_keys_are_replaced_and_what_they_made_is_still_known(tmp_path: Path) -> None:
    site = watched(fresh_app(tmp_path))
    table = start(ann := site.phone(), "zioncheck")
    code = scan(ann, table)
    form = ann.show(f"{table.path}/about").form().fill("note", "Snow")
    cookie = cookie_of(ann)
    site.close()
    path = tmp_path / "secret_key"
    first = load_or_create_key(path, "")
    replace_key(path)
    replace_key(path)
    assert earlier_keys(path)[-1] == first
    assert load_or_create_key(path, "") not in earlier_keys(path)
    again = watched(fresh_app(tmp_path))
    ann = again.phone()
    ann.client.set_cookie("device", cookie)
    ann.press(form)
    assert cookie_of(ann) != cookie
    assert scan(ann, table) == code
    assert again.phone().show(code)
    again.close()
