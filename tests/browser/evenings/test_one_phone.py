"""One phone keeps the score for all, and its server falls over at every step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from .evening import (
    House,
    Table,
    begin,
    house_of,
    line,
    onward,
    shows_deal,
    shows_totals,
    tap,
)

pytestmark = pytest.mark.browser
FAR_EAST = timedelta(hours=14)
FETCHED = """
(address) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(address))
"""


@pytest.fixture
def house(browser: Browser, tmp_path: Path) -> Iterator[House]:
    with house_of(browser, tmp_path / "instance") as house:
        yield house


@pytest.fixture
def table(house: House) -> Table:
    """Ann, Bob and Cleo, as over plain http; the phone has what it needs of the deal to come."""
    plain = {"service_workers": "block", "timezone_id": "Pacific/Kiritimati"}
    table = begin(house, "Ann", "Bob", "Cleo", **plain)
    fetched(table.keeper, "by=2")
    return table


def fetched(page: Page, address: str) -> None:
    """Wait until a page has fetched ahead what ends with this address."""
    page.wait_for_function(FETCHED, arg=address)


def ended(page: Page, name: str) -> None:
    """Tap who went out."""
    page.locator(".dock .names").get_by_role("link", name=name).click()


def enter(page: Page, cards: str) -> None:
    """Enter the hands of all others, to the review."""
    for hand in cards.split("|"):
        tap(page, hand)
        onward(page)


def stored(house: House) -> list[tuple[int, int, int]]:
    """Read what is saved: deal, seat and points."""
    with closing(sqlite3.connect(house.folder / "companion.sqlite")) as database:
        rows = database.execute("SELECT position, seat, points FROM line ORDER BY 1, 2")
        return list(rows)


def lost(page: Page) -> None:
    expect(line(page)).to_contain_text("Offline since")


@pytest.mark.slow
def test_a_deal_is_entered_checked_and_saved_though_the_server_falls_over_each_time(
    house: House, table: Table
) -> None:
    page = table.keeper
    house.kill()
    lost(page)
    ended(page, "Ann")
    enter(page, "7 7 K|X 4")
    expect(page.locator("[data-alone]")).to_contain_text("Scores come when the server is back")
    expect(page.locator("[data-sum]")).to_have_text(["", "24", "29"])
    page.locator("[data-edit]").click()
    tap(page, "2")
    onward(page)
    expect(page.locator("[data-sum]")).to_have_text(["", "24", "31"])
    cards = page.locator("[data-row='2'] [role=img]")
    assert cards.evaluate_all("all => all.map((one) => one.ariaLabel)") == ["2", "4", "Joker"]
    house.revive()
    expect(page.locator(".reviewing .total")).to_have_text(["0", "24", "31"])
    expect(line(page)).to_be_hidden()
    house.kill()
    page.locator("button[value=save]").click()
    expect(page.get_by_role("heading", name="Saved on this phone")).to_be_visible()
    expect(line(page).locator("[data-unsent]")).to_contain_text("1")
    assert not stored(house)
    house.revive()
    shows_totals(page, [0, 24, 31])
    expect(line(page)).to_be_hidden()
    assert stored(house) == [(1, 0, 0), (1, 1, 24), (1, 2, 31)]
    page.goto(f"{table.game}/history")
    last = page.locator("summary").first
    expect(last).to_contain_text("Deal 1 saved")
    expect(last).to_contain_text("Ann 0 · Bob 24 · Cleo 31")
    told = datetime.fromisoformat(last.locator("time").get_attribute("datetime") or "")
    expect(last.locator("time")).to_have_text(f"{told + FAR_EAST:%H:%M}")


@pytest.mark.slow
def test_a_deal_that_was_begun_goes_on_in_one_tap_and_no_doubt_is_saved_unseen(
    house: House, table: Table
) -> None:
    page = table.keeper
    ended(page, "Cleo")
    tap(page, "K 7")
    house.kill()
    page.close()
    house.revive()
    page = table.keeper.context.new_page()
    page.goto(table.game)
    page.locator("[data-begun-deal]").get_by_role("link", name="Go on").click()
    expect(page.locator("output").first).to_have_text("17")
    onward(page)
    tap(page, "X X")
    fetched(page, "by=2")
    house.kill()
    lost(page)
    onward(page)
    for _ in range(2):
        page.locator("[data-keep-deal]").click()
        expect(page.locator("[data-begun-deal]")).to_contain_text("Deal 1 is kept on this phone")
        lost(page)
        page.locator("[data-begun-deal]").get_by_role("link", name="Check the scores").click()
    expect(page.locator("[data-alone]")).to_be_visible()
    page.locator("[data-keep-deal]").click()
    house.revive()
    expect(line(page)).to_be_hidden()
    page.locator("[data-begun-deal]").get_by_role("link", name="Check the scores").click()
    doubt = page.locator(".doubt")
    expect(doubt).to_contain_text("Bob")
    assert not stored(house)
    doubt.get_by_role("button", name="That's right").click()
    expect(doubt).to_have_count(0)
    page.route("**/deals", lost_answer, times=1)
    page.locator("button[value=save]").click()
    shows_totals(page, [17, 50, 0])
    shows_deal(page, 2)
    expect(page.locator("[data-begun-deal]")).to_be_hidden()
    assert stored(house) == [(1, 0, 17), (1, 1, 50), (1, 2, 0)]


def lost_answer(route: Route) -> None:
    """Let the server take what is sent, and lose what it says."""
    assert route.fetch(max_redirects=0).status == 303
    route.abort()
