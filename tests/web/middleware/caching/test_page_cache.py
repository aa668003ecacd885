"""A page asked for again while nothing was written comes from the cache, as the app answers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.phones.presence import forget_all
from companion.web.middleware.caching.page_cache import CachedAnswer, PageCache
from companion.web.middleware.guard import this_day
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site, watched
from tests.visits.roles import Household, harpers_on

TABLE, OWN, ENTRY = "/games/1", "/games/1/mine", "/games/1/deals/new?how=out&by=0"
BOOK = "/rules/contract-rummy/book"
PAGES = ("/", TABLE, f"{TABLE}?saved=2", ENTRY, "/league", BOOK, f"{BOOK}?game=1")
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
CameEarly = Callable[..., bool]


@pytest.fixture
def harpers(house: Site) -> Household:
    """A league with a phone of every role, whose game 1 has a deal."""
    return harpers_on(house)


@pytest.fixture
def came_early(monkeypatch: pytest.MonkeyPatch) -> CameEarly:
    """Ask for a page, and tell whether the app was not needed."""
    early: list[CachedAnswer] = []
    again = PageCache._from_cache

    @wraps(again)
    def noted(self: PageCache, answer: CachedAnswer, *rest: object) -> list[bytes]:
        early.append(answer)
        return again(self, answer, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(PageCache, "_from_cache", noted)

    def asked(phone: Phone, path: str = TABLE, **more: Any) -> bool:
        before = len(early)
        phone.raw(path, **more)
        return len(early) > before

    return asked


def write(phone: Phone, statement: str = "UPDATE league SET name = name || '.'") -> None:
    with phone.site.engine.begin() as connection:
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize("path", PAGES)
def test_the_second_look_comes_early_until_something_is_written(
    harpers: Household, came_early: CameEarly, path: str
) -> None:
    phone = harpers.phones["scorekeeper"]
    assert [came_early(phone, path) for _ in range(3)] == [False, True, True]
    write(phone)
    assert [came_early(phone, path) for _ in range(2)] == [False, True]


def test_another_program_that_writes_is_noticed(harpers: Household, came_early: CameEarly) -> None:
    phone = harpers.phones["viewer"]
    assert [came_early(phone) for _ in range(2)] == [False, True]
    program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    path = str(phone.site.engine.url.database)
    change = "UPDATE player SET name = 'Annabel' WHERE id = 1"
    subprocess.run([sys.executable, "-c", program, path, change], check=True)
    assert not came_early(phone)
    assert "Annabel" in phone.raw(TABLE).text


def test_another_file_in_its_place_is_noticed(harpers: Household, came_early: CameEarly) -> None:
    """As a backup is put back: by a name that is given to another file."""
    phone = harpers.phones["viewer"]
    path = Path(str(phone.site.engine.url.database))
    shutil.copyfile(path, aside := path.with_suffix(".aside"))
    assert [came_early(phone) for _ in range(2)] == [False, True]
    aside.replace(path)
    assert not came_early(phone)


def test_nobody_gets_the_page_of_another(harpers: Household, came_early: CameEarly) -> None:
    owner = harpers.phones["owner"]
    assert [came_early(owner) for _ in range(2)] == [False, True]
    for who in ("scorekeeper", "player", "viewer", "stranger", "revoked", "elsewhere"):
        assert not came_early(harpers.phones[who]), who
    assert harpers.phones["stranger"].raw(TABLE).status_code == 404


def test_a_phone_that_is_put_out_is_asked_by_the_app(
    harpers: Household, came_early: CameEarly
) -> None:
    phone = harpers.phones["viewer"]
    assert [came_early(phone) for _ in range(2)] == [False, True]
    write(phone, "UPDATE device SET revoked_at = created_at WHERE role = 'viewer'")
    assert not came_early(phone)
    assert phone.raw(TABLE).status_code == 404


def test_its_forms_have_tokens_of_their_own_that_are_taken(
    harpers: Household, came_early: CameEarly
) -> None:
    phone = harpers.phones["scorekeeper"]
    saved = f"{TABLE}?saved=2"
    first, second = (TOKEN.findall(phone.raw(saved).text) for _ in range(2))
    assert first[0] != second[0]
    assert came_early(phone, saved)
    phone.press(phone.show(saved).form("/restorations"))
    assert not came_early(phone, saved)


def test_who_asks_is_here_and_who_went_is_not(
    harpers: Household, came_early: CameEarly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that says who is here is made anew when somebody came, or went."""
    monkeypatch.setattr(PageCache, "__call__", unwrap(PageCache.__call__))  # it alone notes
    keeper, player = harpers.phones["scorekeeper"], harpers.phones["player"]
    instance = Path(harpers.site.app.instance_path)
    player.raw(OWN)
    assert came_early(player, OWN)
    assert [came_early(keeper) for _ in range(2)] == [False, True]
    forget_all(instance)
    assert not came_early(keeper), "the player is not shown as here"
    assert came_early(player, OWN)
    assert not came_early(keeper), "the player's early page noted that their phone is here"


def test_the_next_day_everything_is_made_anew(
    harpers: Household, came_early: CameEarly, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = harpers.phones["viewer"]
    tomorrow = this_day() + 1
    assert [came_early(phone, "/") for _ in range(2)] == [False, True]
    monkeypatch.setattr("companion.web.middleware.caching.page_cache.this_day", lambda: tomorrow)
    assert not came_early(phone, "/")


def test_an_answer_that_renews_a_cookie_is_not_given_from_cache(
    harpers: Household, came_early: CameEarly
) -> None:
    phone = harpers.phones["viewer"]
    for _ in range(2):
        phone.carry("viewer's token")  # of long ago
        assert not came_early(phone)
    assert not came_early(phone), "the cookie is another since"
    assert came_early(phone)


@pytest.mark.parametrize(
    "headers", [{"Range": "bytes=0-5"}, {"Authorization": "Bearer x"}, {"Accept-Encoding": "br"}]
)
def test_who_asks_otherwise_is_answered_by_the_app(
    harpers: Household, came_early: CameEarly, headers: dict[str, str]
) -> None:
    phone = harpers.phones["viewer"]
    assert [came_early(phone) for _ in range(2)] == [False, True]
    assert not came_early(phone, headers=headers)
    assert not came_early(phone, method="HEAD")


def test_a_browser_that_has_a_book_hears_early_that_it_is_so(
    harpers: Household, came_early: CameEarly
) -> None:
    phone = harpers.phones["viewer"]
    has = {"If-None-Match": phone.raw(BOOK).headers["ETag"]}
    assert [came_early(phone, BOOK, headers=has) for _ in range(2)] == [False, True]
    answer = phone.raw(BOOK, headers=has)
    assert (answer.status_code, answer.data) == (304, b"")
    write(phone)
    assert not came_early(phone, BOOK, headers=has)


def test_other_databases_tell_nothing(on_postgresql: Flask, came_early: CameEarly) -> None:
    with on_postgresql.app_context():
        site = watched(on_postgresql)
        phone = site.phone()
        start(phone, "contract-rummy")
        assert not any(came_early(phone) for _ in range(3))
        site.close()
