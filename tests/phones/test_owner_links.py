"""The owner's way back by a link from the server, and whose guesses are counted."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.commands.file_commands import find_league
from companion.people import leagues
from companion.phones import owner_links
from companion.store import authors
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, FailedAttempts, db
from companion.web.middleware.guard import public
from companion.web.middleware.limits import client
from tests.conftest import fresh_app
from tests.support.command_runner import refused, run
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site

from .ways_back import WORDS, back


def link(app: Flask) -> str:
    told = run(app, "league", "owner-link", "The Harpers").stdout
    assert "can own The Harpers, once, within an hour" in told
    return told.split("\n")[1]


@pytest.fixture
def lost(site: Site) -> Site:
    """The Harpers' league, whose only phone was lost."""
    start(site.phone(), "contract-rummy", league_name="The Harpers")
    with writing() as session:
        session.execute(update(Device).values(revoked_at=Device.created_at))
    return site


def test_a_link_from_the_server_lets_one_phone_own_the_league(lost: Site) -> None:
    address = link(lost.app)
    page = (bob := lost.phone()).show(address)
    assert "The Harpers is waiting for its owner's phone" in page.text
    bob.press(page.form())
    assert bob.show("/league/passphrase").form()
    eve = lost.phone()
    eve.show(address, 404)
    eve.post(address, {"csrf_token": eve.token()}, 404)


def test_the_code_of_a_league_from_the_command_line_ends_after_a_week(app: Flask) -> None:
    told = run(app, "league", "new", "The Harpers").stdout
    code = told.split("/claims/")[1].strip()
    assert owner_links.claimed_league(db.session(), code)[1] == "The Harpers"
    with writing() as session:
        waiting = session.execute(select(Device)).scalar_one()
        waiting.created_at -= owner_links.LIFE_OF_IMPORT
    with pytest.raises(LookupError):
        owner_links.claimed_league(db.session(), code)
    with writing() as session:
        waiting = session.execute(select(Device)).scalar_one()
        waiting.created_at = now() + timedelta(hours=2)  # before the clock was set back
    with pytest.raises(LookupError):
        owner_links.claimed_league(db.session(), code)


def test_a_link_from_the_server_ends_after_an_hour(lost: Site) -> None:
    address = link(lost.app)
    with writing() as session:
        hour = owner_links.LIFE
        waiting = select(Device).where(Device.revoked_at > Device.created_at)
        device = session.execute(waiting).scalar_one()
        device.created_at -= hour
        assert device.revoked_at
        device.revoked_at -= hour
    lost.phone().show(address, 404)


def test_no_code_works_as_a_cookie_and_no_lost_phone_as_a_code(lost: Site) -> None:
    code = link(lost.app).split("/")[-1]
    eve = lost.phone()
    eve.client.set_cookie("device", code)
    eve.show("/games/1", 404)
    eve.client.set_cookie("device", f"owner-link {code}")
    eve.show("/games/1", 404)
    with writing() as session:
        ahead = now() + timedelta(hours=2)  # revoked before the clock was set back
        session.add(
            Device(
                league_id=1,
                token_hash=authors.token_hash("revoked"),
                role="owner",
                created_at=now(),
                revoked_at=ahead,
            )
        )
    eve.show("/claims/revoked", 404)


def test_a_league_may_be_called_a_number(app: Flask, ann: Author) -> None:
    leagues.open_league("1", "zoe's token")
    with app.app_context():
        found = find_league(db.session(), "1").name, find_league(db.session(), "2").name
    assert found == ("1", "1"), "by its name first, then by its number"
    assert run(app, "league", "list").stdout.startswith("1 The Harpers")


def test_the_leagues_of_a_server_are_listed(app: Flask, ann: Author, dev: Author) -> None:
    assert run(app, "league", "list").stdout == (
        "1 The Harpers: 0 games, 1 phone\n2 Dev's club: 0 games, 1 phone\n"
    )
    assert "There are: 1 The Harpers, 2 Dev's club." in refused(app, "league", "owner-link", "X")


@pytest.mark.parametrize(
    ("hops", "seen"),
    [
        ("0", {"198.51.100.7": "127.0.0.1"}),
        (
            "1",
            {
                "198.51.100.7": "198.51.100.7",
                "203.0.113.9, 198.51.100.7": "198.51.100.7",
                "::ffff:198.51.100.7": "198.51.100.7",
                "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
            },
        ),
        ("2", {"203.0.113.9, 198.51.100.7": "203.0.113.9"}),
    ],
)
def test_only_proxies_of_ours_are_believed(tmp_path: Path, hops: str, seen: dict[str, str]) -> None:
    app = fresh_app(tmp_path, settings={"PROXY_HOPS": hops})
    app.add_url_rule("/who", "who", public(client))
    for forwarded, address in seen.items():
        answer = app.test_client().get("/who", headers={"X-Forwarded-For": forwarded})
        assert answer.text == address


@pytest.mark.slow
def test_a_forged_address_evades_nothing(house: Site) -> None:
    eve = house.phone()
    form = {"csrf_token": eve.token(), "league": "The Harpers", "passphrase": WORDS}
    statuses = [
        eve.raw(
            "/return",
            "POST",
            data=form | {"league": f"Guess {number}"},
            headers={"X-Forwarded-For": f"198.51.100.{number}", "Forwarded": f"for=1.1.1.{number}"},
        ).status_code
        for number in range(6)
    ]
    assert statuses == [422] * 5 + [429]


def test_each_process_slows_down_what_is_tried_again_and_again(house: Site) -> None:
    eve = house.phone()
    tried = [eve.raw(f"/claims/{number}").status_code for number in range(21)]
    assert tried == [404] * 20 + [429]
    page = eve.show("/claims/again", 429)
    assert page.response.headers["Retry-After"] == "60"
    assert page.text.endswith(
        "Nothing was changed. Wait a minute, then try again. Try again Go to start"
    )
    assert eve.show("/return").heading, "what is not limited goes on"


def test_an_address_is_not_written_down(ours: Phone) -> None:
    back(ours.site.phone(), "Nobody", WORDS, 422)
    with ours.site.app.app_context():
        told = db.session.execute(select(FailedAttempts.about)).scalars().all()
    assert len(told) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", about) for about in told)
