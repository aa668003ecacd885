"""The owner's ways back: a passphrase that cannot be guessed, and a link from the server."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from math import ceil
from time import monotonic

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.people import leagues
from companion.phones import attempts, owner_links, passphrase
from companion.store import authors
from companion.store.authors import Author, NotAllowedError
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, FailedAttempts, League, db
from companion.web.middleware.guard import public
from companion.web.middleware.limits import client
from tests.conftest import fresh_app
from tests.support.command_runner import refused, run
from tests.visits.browserless import start
from tests.visits.pages import Page
from tests.visits.phones import Phone, Site, watched

WORDS = "four horses eat jam"
WRONG = "No league here has this name and this passphrase. Check both."


@pytest.fixture
def ours(house: Site) -> Phone:
    """Ann's phone, which owns the Harpers' league, opened by `WORDS`."""
    phone = house.phone()
    start(phone, "contract-rummy", league_name="The Härpers")
    phone.press(phone.show("/league/passphrase").form().fill("pass-phrase", WORDS))
    return phone


def back(phone: Phone, name: str, words: str, status: int = 303) -> Page:
    form = phone.show("/return").form().fill("league-name", name).fill("pass-phrase", words)
    return phone.press(form, status=status)


def wait(app: Flask, passed: timedelta) -> None:
    """Let time pass for everybody who was refused, as the labels in the database tell it."""
    with app.app_context(), writing() as session:
        for row in session.execute(select(FailedAttempts)).scalars():
            row.since -= passed


def test_a_new_phone_owns_the_league_again(ours: Phone) -> None:
    new = ours.site.phone()
    assert back(new, " the  harpers", "four  horses eat jam ").say(".brand") == "The Härpers"
    assert "has a passphrase" in new.show("/league/passphrase").text
    assert ours.show("/league").say(".brand") == "The Härpers", "the other phone stays"
    assert WORDS not in repr(ours.site.dump())


def test_the_same_sentence_for_every_failure(ours: Phone) -> None:
    start(dev := ours.site.phone(), "contract-rummy", league_name="Dev's club")
    before = ours.site.dump()
    told = {
        back(dev, name, words, 422).faults
        for name, words in (
            ("The Harpers", "Four horses eat jam"),
            ("Nobody", WORDS),
            ("Dev's club", ""),
            ("", WORDS),
        )
    }
    assert len(told) == 1
    assert WRONG in told.pop()
    assert ours.site.dump() == before
    dev.show("/games/1", 404)


@pytest.mark.slow
def test_after_five_failures_nothing_is_tried(ours: Phone) -> None:
    eve = ours.site.phone()
    for _ in range(4):
        back(eve, "The Harpers", "seven horses eat jam", 422)
    began = monotonic()
    back(eve, "The Harpers", "seven horses eat jam", 422)
    page = back(eve, "The Harpers", WORDS, 429)
    left = int(page.response.headers["Retry-After"])
    assert 0 <= 900 - left <= monotonic() - began + 1, "a label of time is a whole second"
    assert f"Wait {ceil(left / 60)} minutes, then try again." in page.text
    back(ours.site.phone(), "the härpers", WORDS, 429)
    wait(eve.site.app, timedelta(minutes=14))
    back(eve, "The Harpers", WORDS, 429)
    wait(eve.site.app, timedelta(minutes=1))
    assert back(eve, "The Harpers", WORDS).say(".brand") == "The Härpers"


@pytest.mark.slow
def test_a_name_that_is_not_here_is_refused_alike(ours: Phone) -> None:
    eve = ours.site.phone()
    for _ in range(5):
        back(eve, "Nobody", WORDS, 422)
    back(eve, "Nobody", WORDS, 429)
    back(eve, "The Harpers", WORDS, 429)  # by now the address is


@pytest.mark.slow
def test_who_was_right_clears_the_name_and_no_other_failure(ours: Phone) -> None:
    eve = ours.site.phone()
    for _ in range(4):
        back(eve, "The Harpers", "seven horses eat jam", 422)
    back(eve, "The Harpers", WORDS)
    with ours.site.app.app_context():
        counted = list(
            map(tuple, db.session.execute(select(FailedAttempts.about, FailedAttempts.times)))
        )
        assert counted == [(attempts.subject_key("address", "127.0.0.1"), 4)]
    back(eve, "Nobody", WORDS, 422)
    back(eve, "The Harpers", WORDS, 429)


def tries(name: str, words: str, address: str, phone: str = "") -> str:
    """What comes of a try at coming back."""
    db.session.rollback()
    try:
        passphrase.come_back(name, words, f"new {address}", address, phone)
    except passphrase.PassphraseError:
        return "wrong"
    except attempts.TooManyError:
        return "wait"
    return "in"


def spent(*leagues: int) -> None:
    """Let the league's tries be used up from many addresses."""
    for league in leagues:
        for _ in range(passphrase.MOST_OF_LEAGUE):
            about = attempts.subject_key("league", str(league))
            attempts.attempt(about, most=passphrase.MOST_OF_LEAGUE)


@pytest.mark.slow
def test_a_league_of_the_same_name_resets_no_guesses(app: Flask, ann: Author) -> None:
    eve = leagues.open_league("The Harpers", "eve's token")
    passphrase.set_passphrase(ann, WORDS)
    passphrase.set_passphrase(eve, "eve's own words here")
    found = [tries("The Harpers", "eve's own words here", f"a{n}") for n in range(20)]
    assert found == ["in"] * 20
    assert tries("The Harpers", WORDS, "b") == "wrong", "each was a guess at Ann's too"
    assert tries("The Harpers", "eve's own words here", "c") == "in"


@pytest.mark.slow
def test_one_address_shuts_nobody_out(app: Flask, ann: Author) -> None:
    passphrase.set_passphrase(ann, WORDS)
    found = [tries("The Harpers", "seven horses eat jam", "eve's") for _ in range(12)]
    assert found == ["wrong"] * 5 + ["wait"] * 7
    assert tries("The Harpers", WORDS, "ann's") == "in"


@pytest.mark.slow
def test_a_phone_that_owned_the_league_waits_for_no_guesses_of_others(
    app: Flask, ann: Author
) -> None:
    passphrase.set_passphrase(ann, WORDS)
    with writing() as session:
        session.execute(update(Device).values(revoked_at=now()))
    spent(ann.league_id)
    assert tries("The Harpers", WORDS, "eve's") == "wait"
    assert tries("The Harpers", WORDS, "home", "bob's token") == "wait"
    found = [tries("The Harpers", "not these words", f"h{n}", "ann's token") for n in range(4)]
    assert found == ["wrong"] * 4
    assert tries("The Harpers", WORDS, "home", "ann's token") == "in"


def test_a_clock_set_back_refuses_nobody_for_ever(app: Flask) -> None:
    for _ in range(5):
        attempts.attempt("guessed")
    with pytest.raises(attempts.TooManyError):
        attempts.refuse_if_too_many(db.session(), "guessed")
    wait(app, timedelta(days=-400))  # what happened lies ahead of a clock that was set back
    db.session.rollback()
    attempts.refuse_if_too_many(db.session(), "guessed")
    attempts.attempt("guessed")
    db.session.rollback()
    assert db.session.execute(select(FailedAttempts.times)).scalars().all() == [1]


def test_many_at_once_are_no_more_than_one_after_the_other(app: Flask) -> None:
    def one(_: int) -> bool:
        with app.app_context():
            try:
                attempts.attempt("guessed", "by eve")
            except attempts.TooManyError:
                return False
            return True

    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(one, range(24))) == 5


def test_failures_long_over_are_forgotten(app: Flask) -> None:
    attempts.note_failure("old")
    wait(app, timedelta(days=2))
    attempts.note_failure("new")
    db.session.rollback()
    assert db.session.execute(select(FailedAttempts.about)).scalars().all() == ["new"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("four horses", "12 characters at least"),
        ("a" * 201 + "bcdef", "200 characters are enough"),
        ("aaaaaaaaaaaabc", "So few different letters"),
        ("the harpers at home", "first things people try"),
        ("Passw0rd-2024", "first things people try"),
        ("ann bob cléo ann", "first things people try"),
        ("   ", "Enter a passphrase."),
    ],
)
def test_a_passphrase_that_is_found_by_trying(lone: Phone, words: str, sentence: str) -> None:
    start(lone, "contract-rummy", league_name="The Harpers at home")
    form = lone.show("/league/passphrase").form().fill("pass-phrase", words)
    assert sentence in lone.press(form, status=422).faults


def test_a_passphrase_is_kept_dear_and_can_be_taken_away(ours: Phone) -> None:
    def kept() -> str | None:
        with ours.site.app.app_context():
            return db.session.execute(select(League.passphrase)).scalar_one()

    assert (kept() or "").startswith("scrypt:131072:8:1$")
    page = ours.show("/league/passphrase")
    ours.press(page.forms()[1], "Remove the passphrase")
    assert kept() is None
    back(ours.site.phone(), "The Harpers", WORDS, 422)


def test_only_owners_set_it_as_it_is_looked_at_again(app: Flask, ann: Author, dev: Author) -> None:
    passphrase.set_passphrase(ann, WORDS)
    with pytest.raises(NotAllowedError):
        passphrase.set_passphrase(Author(ann.league_id, dev.device_id, "owner"), "")
    assert passphrase.has_passphrase(db.session(), ann.league_id)
    assert not passphrase.has_passphrase(db.session(), dev.league_id)


@pytest.mark.slow
def test_leagues_of_one_name_are_told_apart_by_their_words(house: Site) -> None:
    with house.app.app_context():
        for number in range(4):
            author = leagues.open_league("Smith", f"token {number}")
            if number < 3:
                passphrase.set_passphrase(author, f"{WORDS} {number}")
        with pytest.raises(passphrase.PassphraseError, match="Too many leagues here have this"):
            passphrase.set_passphrase(author, WORDS)
        assert passphrase.come_back("smith", f"{WORDS} 2", "ann", "here") == 3


def test_a_phone_that_looked_on_owns_with_the_passphrase(app: Flask, ann: Author) -> None:
    passphrase.set_passphrase(ann, WORDS)
    with writing() as session:
        facts = {"token_hash": authors.token_hash("bob"), "created_at": now()}
        session.add(Device(league_id=ann.league_id, role="viewer", **facts))
    passphrase.come_back("The Harpers", WORDS, "bob", "here")
    roles = list(map(tuple, db.session.execute(select(Device.role, Device.revoked_at))))
    assert roles == [("owner", None)] * 2


def link(app: Flask) -> str:
    told = run(app, "league", "owner-link", "the Harpers".replace("the", "The")).output
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
    told = run(app, "league", "new", "The Harpers").output
    code = told.split("/claims/")[1].strip()
    assert owner_links.claimed_league(db.session(), code)[1] == "The Harpers"
    with writing() as session:
        waiting = session.execute(select(Device)).scalar_one()
        waiting.created_at -= owner_links.LIFE_OF_IMPORT
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


def test_the_leagues_of_a_server_are_listed(app: Flask, ann: Author, dev: Author) -> None:
    assert run(app, "league", "list").output == (
        "1 The Harpers: 0 games, 1 phone\n2 Dev's club: 0 games, 1 phone\n"
    )
    assert "There are: 1 The Harpers, 2 Dev's club." in refused(app, "league", "owner-link", "X")


def proxied(tmp_path_factory: pytest.TempPathFactory, hops: str) -> Site:
    app = fresh_app(tmp_path_factory.mktemp("proxied"), settings={"PROXY_HOPS": hops})
    return watched(app)


@pytest.mark.parametrize(
    ("hops", "forwarded", "seen"),
    [
        ("0", "198.51.100.7", "127.0.0.1"),
        ("1", "198.51.100.7", "198.51.100.7"),
        ("1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("2", "203.0.113.9, 198.51.100.7", "203.0.113.9"),
        ("1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_only_proxies_of_ours_are_believed(
    tmp_path_factory: pytest.TempPathFactory, hops: str, forwarded: str, seen: str
) -> None:
    site = proxied(tmp_path_factory, hops)
    site.app.add_url_rule("/who", "who", public(client))
    answer = site.phone().raw("/who", headers={"X-Forwarded-For": forwarded})
    assert answer.text == seen
    site.close()


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
    assert page.text.endswith("Nothing was changed. Wait a minute, then try again. To the start")
    assert eve.show("/return").heading, "what is not limited goes on"


def test_an_address_is_not_written_down(ours: Phone) -> None:
    back(ours.site.phone(), "Nobody", WORDS, 422)
    with ours.site.app.app_context():
        told = db.session.execute(select(FailedAttempts.about)).scalars().all()
    assert len(told) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", about) for about in told)
