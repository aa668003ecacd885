"""One phone keeps the score for all, and its server falls over at every step."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.browsing import JUDGE_KEPT, tap_hand

from .evening import (
    ON_BOTH,
    Held,
    House,
    Table,
    begin,
    held_back,
    line,
    onward,
    shows_deal,
    shows_totals,
    tap,
    wait_for,
)

pytestmark = pytest.mark.browser
FAR_EAST = timedelta(hours=14)
FETCHED = """
(address) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(address))
"""


WORKING = """
async () => {
  const { active } = await navigator.serviceWorker.ready;
  const pads = [...document.querySelectorAll('a[data-ahead]')].map((link) => link.href);
  const kept = () => Promise.all(pads.map((one) => caches.match(one)));
  while ((await kept()).some((one) => !one)) await new Promise((done) => { setTimeout(done, 50); });
}
"""


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


def with_a_worker(house: House) -> Page:
    """Begin as over https: a worker keeps the table and a pad for each ending."""
    page = begin(house, "Ann", "Bob", "Cleo").keeper
    fetched(page, "by=2")
    page.evaluate(WORKING)
    return page


def ended(page: Page, name: str) -> None:
    """Tap who went out."""
    page.locator(".dock .names").get_by_role("link", name=name).click()


def enter(page: Page, cards: str) -> None:
    """Enter the hands of all others, to the review."""
    for hand in cards.split("|"):
        tap(page, hand)
        onward(page)


def lost(page: Page) -> None:
    expect(line(page)).to_contain_text("As of")


@ON_BOTH
@pytest.mark.long
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
    assert not house.saved()
    house.revive()
    shows_totals(page, [0, 24, 31])
    expect(line(page)).to_be_hidden()
    assert house.saved() == [(1, 0, 0), (1, 1, 24), (1, 2, 31)]
    page.goto(f"{table.game}/history")
    last = page.locator("summary").first
    expect(last).to_contain_text("Deal 1 saved")
    expect(last).to_contain_text("Ann 0 · Bob 24 · Cleo 31")
    told = datetime.fromisoformat(last.locator("time").get_attribute("datetime") or "")
    expect(last.locator("time")).to_have_text(f"{told + FAR_EAST:%H:%M}")


@pytest.mark.long
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
        says(page, "Deal 1 is kept on this phone.")
        lost(page)
        page.locator("[data-begun-deal]").get_by_role("link", name="Check the scores").click()
    expect(page.locator("[data-alone]")).to_be_visible()
    page.locator("[data-keep-deal]").click()
    house.revive()
    expect(line(page)).to_be_hidden()
    page.locator("[data-begun-deal]").get_by_role("link", name="Check the scores").click()
    doubt = page.locator(".doubt")
    expect(doubt).to_contain_text("Bob")
    assert not house.saved()
    doubt.get_by_role("button", name="That's right").click()
    expect(doubt).to_have_count(0)
    page.route("**/deals", lost_answer, times=1)
    page.locator("button[value=save]").click()
    shows_totals(page, [17, 50, 0])
    shows_deal(page, 2)
    expect(page.locator("[data-begun-deal]")).to_be_hidden()
    assert house.saved() == [(1, 0, 17), (1, 1, 50), (1, 2, 0)]


def lost_answer(route: Route) -> None:
    """Let the server take what is sent, and lose what it says."""
    assert route.fetch(max_redirects=0).status == 303
    route.abort()


def waiting(page: Page) -> Locator:
    """Return what the table says of deals that wait on this phone."""
    return page.locator("[data-begun-deal]")


def says(page: Page, words: str) -> None:
    """Wait until the table says this of deals that wait."""
    expect(waiting(page).locator("p")).to_have_text(words, use_inner_text=True)


def keep(page: Page) -> None:
    """Keep a deal that the page itself looked over."""
    page.locator("[data-keep-deal]").click()
    waiting(page).wait_for()


def check(page: Page) -> None:
    """Have the server look at the deal that waits."""
    waiting(page).get_by_role("link", name="Check the scores").click()


def renewed_late(page: Page) -> Held:
    """Have a page ask for itself as it is now, and hold the answer back."""
    came = held_back(page, "**/deals/new?*")
    page.evaluate("document.dispatchEvent(new Event('outbox:sent'))")
    wait_for(page, came)
    return came


def save(page: Page) -> None:
    page.locator("button[value=save]").click()


@pytest.mark.slow
def test_the_next_deal_is_entered_before_the_server_has_checked_the_first(
    house: House, table: Table
) -> None:
    """A doubt in the first holds back the second; each hand goes to the deal of its heading."""
    page = table.keeper
    house.kill()
    lost(page)
    ended(page, "Ann")
    enter(page, "X X|K 7")
    keep(page)
    expect(page.locator(".dock")).to_be_hidden()
    waiting(page).get_by_role("button", name="Enter Deal 2").click()
    shows_deal(page, 2)
    expect(page.locator("[data-words]")).to_contain_text("Deal 2: ")
    expect(page.locator(".board, [data-next-deal]:visible")).to_have_count(0)
    ended(page, "Cleo")
    shows_deal(page, 2)
    enter(page, "A|2 2")
    expect(page.locator("[data-alone]")).to_contain_text(
        "Scores come when Deal 1 has been checked."
    )
    shows_deal(page, 2)
    keep(page)
    shows_deal(page, 1)
    says(page, "Deal 1 is kept on this phone. Deal 2 is kept too.")
    expect(page.locator("[data-next-deal]")).to_have_text("Enter Deal 3")
    house.revive()
    expect(line(page)).to_be_hidden()
    check(page)
    expect(page.locator(".doubt")).to_contain_text("Bob")
    assert not house.saved()
    page.locator(".doubt").get_by_role("button", name="That's right").click()
    save(page)
    shows_totals(page, [0, 50, 17])
    says(page, "Deal 2 is kept on this phone.")
    assert len(house.saved()) == 3
    check(page)
    shows_deal(page, 2)
    expect(page.locator(".reviewing .total")).to_have_text(["17", "15", "54"])
    save(page)
    shows_totals(page, [15, 54, 17])
    expect(waiting(page)).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    says(page, "You've started entering deal 2.")
    expect(page.locator(".dock")).to_be_visible()


@pytest.mark.long
def test_the_last_deal_undone_is_begun_and_waits_no_more(house: House) -> None:
    """The page at the end names no deal that waits, so it cannot be left to the table."""
    page = begin(house, "Ann", "Bob", game="chicago-rummy", service_workers="block").keeper
    high = "K Q J 10 9 8 7"
    fetched(page, "how=knock&by=1")
    ended(page, "Ann")
    enter(page, f"3|{high}")
    page.evaluate("performance.clearResourceTimings()")
    save(page)
    shows_totals(page, [3, 64])
    fetched(page, "how=knock&by=1")
    house.kill()
    lost(page)
    ended(page, "Ann")
    enter(page, f"4|{high}")
    keep(page)
    house.revive()
    expect(line(page)).to_be_hidden()
    check(page)
    save(page)
    page.get_by_role("heading", name="Ann wins").wait_for()
    page.get_by_role("link", name="More").click()
    page.get_by_role("button", name="Undo last change").click()
    says(page, "You've started entering round 2.")
    expect(page.locator(".dock")).to_be_visible()


@pytest.mark.long
def test_a_deal_on_its_way_is_saved_below_the_open_pad_of_the_next(
    house: House, table: Table
) -> None:
    page = table.keeper
    ended(page, "Ann")
    fetched(page, "by=0")
    [(renewal, before)] = renewed_late(page)
    enter(page, "7|K")
    page.locator("button[value=save]").wait_for()
    renewal.fulfill(response=before)
    shows_deal(page, 1)
    house.kill()
    lost(page)
    save(page)
    page.get_by_role("link", name="Go on").click()
    says(page, "Deal 1 is saved on this phone, and sent later.")
    expect(waiting(page).locator("a:visible")).to_have_count(0)
    waiting(page).get_by_role("button", name="Enter Deal 2").click()
    ended(page, "Bob")
    tap(page, "3 3")
    house.revive()
    expect(line(page)).to_be_hidden()
    assert house.saved() == [(1, 0, 0), (1, 1, 7), (1, 2, 10)]
    shows_deal(page, 2)
    onward(page)
    tap(page, "4")
    onward(page)
    keep(page)
    check(page)
    expect(page.locator(".reviewing .total")).to_have_text(["7", "6", "14"])
    save(page)
    shows_totals(page, [6, 7, 14])
    assert house.saved()[3:] == [(2, 0, 6), (2, 1, 0), (2, 2, 4)]


@pytest.mark.long
def test_with_a_worker_a_closed_page_goes_on_with_the_next_deal(house: House) -> None:
    """The table and its pads open again though nothing answers."""
    page = with_a_worker(house)
    house.kill()
    lost(page)
    ended(page, "Ann")
    enter(page, "7|K")
    keep(page)
    page.reload()
    says(page, "Deal 1 is kept on this phone.")
    waiting(page).get_by_role("button", name="Enter Deal 2").click()
    ended(page, "Bob")
    shows_deal(page, 2)
    enter(page, "3 3|4")
    expect(page.locator("[data-sum]")).to_have_text(["", "6", "4"])


EVENING = [
    ("two sets of three", "Ann", "7|K", [0, 7, 10]),
    ("one set of three and one run of four", "Bob", "3 3|4", [6, 0, 4]),
    ("two runs of four", "Cleo", "X|9 2", [25, 11, 0]),
    ("three sets of three", "Ann", "5 5|A", [0, 10, 15]),
    ("two sets of three and one run of four", "Bob", "Q J|8", [20, 0, 8]),
    ("one set of three and two runs of four", "Cleo", "6|7 7", [6, 14, 0]),
    ("three runs of four", "Ann", "K K|2", [0, 20, 2]),
]
"""An evening: what each deal asks for, who goes out, what the others hold, what all add."""


@pytest.mark.long
def test_a_whole_evening_in_flight_mode_after_one_look_at_the_table(house: House) -> None:
    page = with_a_worker(house)
    page.evaluate(JUDGE_KEPT)
    page.context.set_offline(True)
    lost(page)
    for deal, (contract, out, cards, _) in enumerate(EVENING, 1):
        if deal > 1:
            waiting(page).get_by_role("button", name=f"Enter Deal {deal}").click()
        asked = re.compile(contract, re.IGNORECASE)
        expect(page.locator("main")).to_contain_text(asked, use_inner_text=True)
        ended(page, out)
        enter(page, cards)
        keep(page)
        if deal == 1:
            looks_things_up(page)
    assert not house.saved()
    page.context.set_offline(False)
    expect(line(page)).to_be_hidden()
    for _ in EVENING:
        check(page)
        save(page)
        page.locator("button[value=save]").wait_for(state="detached")
    page.get_by_role("heading", name="Cleo wins").wait_for()
    assert [points for *_, points in house.saved()] == [p for *_, row in EVENING for p in row]


def looks_things_up(page: Page) -> None:
    """Ask the judge, read the card of rules, and come back to a table that was closed."""
    table = page.url
    page.get_by_role("link", name="Can I go down?").click()
    tap_hand(page, "7S 7H 7D KS KH KD")
    expect(page.locator("[data-told] [data-part=answer]")).to_have_text("Yes, you can go down.")
    page.goto(table)
    page.get_by_role("link", name="More").click()
    page.locator("#more").get_by_role("link", name="Rules", exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("When the stock runs out")
    page.goto(table)
    says(page, "Deal 1 is kept on this phone.")
