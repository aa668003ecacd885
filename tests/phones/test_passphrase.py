"""The owner's way back by a passphrase that cannot be guessed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from math import ceil
from time import monotonic

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.people import leagues
from companion.phones import attempts, passphrase
from companion.store.authors import Author, NotAllowedError
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, FailedAttempts, League, db
from tests.leagues.own_phones import own_phone
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site

from .ways_back import WORDS, back

WRONG = "No league here has this name and this passphrase. Check both."


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


@pytest.mark.long
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
        attempts.attempt("guessed")
    wait(app, timedelta(days=-400))  # what happened lies ahead of a clock that was set back
    db.session.rollback()
    attempts.attempt("guessed")
    db.session.rollback()
    assert db.session.execute(select(FailedAttempts.times)).scalars().all() == [1]


def test_many_at_once_are_no_more_than_one_after_the_other(app: Flask) -> None:
    def one(_: int) -> bool:
        with app.app_context():
            try:
                attempts.attempt("guessed")
            except attempts.TooManyError:
                return False
            return True

    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(one, range(24))) == 5


def test_failures_long_over_are_forgotten(app: Flask) -> None:
    attempts.attempt("old")
    wait(app, timedelta(days=2))
    attempts.attempt("new")
    db.session.rollback()
    assert db.session.execute(select(FailedAttempts.about)).scalars().all() == ["new"]


FOUND_BY_TRYING = {
    "four horses": "12 characters at least",
    "a" * 201 + "bcdef": "Keep it to 200 characters",
    "aaaaaaaaaaaabc": "So few different letters",
    "the harpers at home": "first things people try",
    "Passw0rd-2024": "first things people try",
    "ann bob cléo ann": "first things people try",
    "   ": "Enter a passphrase.",
}


def test_a_passphrase_that_is_found_by_trying(lone: Phone) -> None:
    start(lone, "contract-rummy", league_name="The Harpers at home")
    form = lone.show("/league/passphrase").form()
    for words, sentence in FOUND_BY_TRYING.items():
        assert sentence in lone.press(form.fill("pass-phrase", words), status=422).faults


def test_a_passphrase_is_kept_dear_and_can_be_taken_away(
    lone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept() -> str | None:
        with lone.site.app.app_context():
            return db.session.execute(select(League.passphrase)).scalar_one()

    monkeypatch.undo()
    start(lone, "contract-rummy", league_name="The Harpers")
    lone.press(lone.show("/league/passphrase").form().fill("pass-phrase", WORDS))
    assert (kept() or "").startswith("scrypt:131072:8:1$")
    page = lone.show("/league/passphrase")
    lone.press(page.forms()[1], "Remove the passphrase")
    assert kept() is None
    assert passphrase.NOBODY.hashed.startswith("scrypt:131072:8:1$"), "nobody's is as dear"
    back(lone.site.phone(), "The Harpers", WORDS, 422)


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
    own_phone(ann, "Bob", "viewer", "bob")
    passphrase.come_back("The Harpers", WORDS, "bob", "here")
    roles = list(map(tuple, db.session.execute(select(Device.role, Device.revoked_at))))
    assert roles == [("owner", None)] * 2
