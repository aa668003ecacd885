"""A clock that is wrong: a small computer without a battery for it, after a power cut."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from companion.phones import presence
from companion.store import dates
from companion.store.authors import Author
from companion.store.models import Game, db
from companion.web.middleware.limits import Counters
from tests.leagues.game_driver import Table
from tests.leagues.scanning import link_to
from tests.phones.test_identity import cookie_of
from tests.support.doses import first_in_every_run
from tests.support.reports import ANN
from tests.visits.browserless import start, totals
from tests.visits.phones import Site
from tests.web.table.phones_at_table import Party, party

YEARS = timedelta(days=3860)
"""From November 2026 to April 2016."""


class Clock:
    """The server's clock, which a power cut sets back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off = timedelta()
        clock, right = self, time.time

        class Shifted(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return datetime.now(tz) + clock.off

        monkeypatch.setattr(dates, "datetime", Shifted)
        monkeypatch.setattr(time, "time", lambda: right() + self.off.total_seconds())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def deal(harpers: Party) -> list[int]:
    """Play a deal in which Bob goes out, told by three phones."""
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.cleo, cards="K")
    return totals(harpers.save())


@pytest.mark.parametrize("years", first_in_every_run((-10.6, -50, 10)))
def test_an_evening_goes_on_through_a_jump_of_the_clock_and_back(
    site: Site, ann: Author, clock: Clock, years: float
) -> None:
    harpers = party(site, ann)
    five = [harpers.ann, harpers.bob, harpers.cleo, harpers.eve, harpers.dev]
    assert deal(harpers) == [9, 0, 10]
    joined = []
    for off in (timedelta(days=365 * years), timedelta()):
        clock.off = off
        before = {phone: cookie_of(phone) for phone in five}
        for phone in five:
            phone.show("/")
        assert all(cookie_of(phone) != before[phone] for phone in five), "every label is renewed"
        # Whoever comes in meanwhile is known afterwards, and nobody became somebody else.
        joined.append(fay := site.phone())
        page = fay.show(f"/j/{link_to(ann, 'viewer')}")
        fay.press(page.form_with("Watch"))
        earlier = totals(harpers.ann.show(harpers.path))
        later = deal(harpers)
        assert [end - start for start, end in zip(earlier, later, strict=True)] == [9, 0, 10]
        for phone in (harpers.eve, *joined):
            assert totals(phone.show(harpers.path)) == later
        harpers.dev.show(harpers.path, 404)


def test_a_clock_that_cannot_be_right_is_said_to_the_owner(
    site: Site, ann: Author, clock: Clock
) -> None:
    harpers = party(site, ann)
    wrong = "The server's clock says"
    assert wrong not in harpers.ann.show("/").text
    for off in (-YEARS, timedelta(days=-3)):
        clock.off = off
        assert wrong in harpers.ann.show("/").text
        assert wrong not in harpers.bob.show("/").text
    clock.off = timedelta(days=400)
    assert wrong not in harpers.ann.show("/").text


def test_a_clock_that_cannot_be_right_is_said_at_the_start(
    app: Flask, ann: Author, clock: Clock
) -> None:
    Table.start(ann)
    assert "Warning" not in app.test_cli_runner().invoke(args=["prepare"]).output
    clock.off = timedelta(days=-3)
    warned = app.test_cli_runner().invoke(args=["prepare"]).output
    assert "Warning: The server's clock says" in warned


def test_a_clock_set_back_leaves_nobody_counted_for_years(clock: Clock) -> None:
    counters = Counters()
    assert [counters.incr("phone", 60) for _ in range(3)] == [1, 2, 3]
    clock.off = -YEARS
    assert [counters.incr("phone", 60) for _ in range(2)] == [1, 2]
    clock.off = timedelta()
    assert counters.incr("phone", 60) == 1


def test_a_phone_seen_before_the_clock_was_set_back_is_not_here(
    tmp_path: Path, clock: Clock
) -> None:
    presence.note_presence(tmp_path, Author(1, 2), 7)
    assert presence.present_phones(tmp_path, 1, 7, [2, 3]) == [2]
    clock.off = -YEARS
    assert presence.present_phones(tmp_path, 1, 7, [2, 3]) == []


@pytest.mark.parametrize(
    ("minutes", "evening", "hour"),
    [
        ("-480", date(2026, 11, 20), "21:30"),  # Seattle: a game begun after nine
        ("840", date(2026, 11, 21), "19:30"),  # Kiritimati
        ("0", date(2026, 11, 21), "05:30"),
    ],
)
def test_an_evening_is_dated_where_it_is_played(
    house: Site, clock: Clock, minutes: str, evening: date, hour: str
) -> None:
    clock.off = datetime(2026, 11, 21, 5, 30, tzinfo=UTC) - datetime.now(UTC)
    phone = house.phone()
    phone.client.set_cookie("zone", minutes)
    table = start(phone, "zioncheck", "Ann", "Bob")
    with house.app.app_context():
        assert db.session.execute(select(Game.played_on)).scalars().all() == [evening]
    history = phone.show(table.link("/history"))
    assert hour in history.said("time")


@pytest.mark.parametrize("text", ["", "x", "9999", "-841", "841", "1e3", "\u0661"])
def test_a_zone_that_is_none_is_that_of_the_server(text: str) -> None:
    assert dates.read_zone(text) is None
