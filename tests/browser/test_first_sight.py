"""What a page of a game shows and takes before what it does has come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.browsing import Open, ended, start

pytestmark = pytest.mark.browser
SCRIPT = "**/entering.js"
SHIFTS = """() => new Promise((told) => {
  let shifted = 0;
  new PerformanceObserver((seen) => {
    for (const entry of seen.getEntries()) shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => told(shifted), 500);
})"""


@pytest.fixture
def entry(phone: Open) -> Page:
    """The pad of a first deal."""
    page = phone(service_workers="block")
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    expect(page.locator("form[data-begun]")).to_be_attached()  # this page's own script has come
    return page


def test_a_key_that_is_tapped_too_soon_is_pressed_later(entry: Page) -> None:
    held: list[Route] = []
    entry.evaluate("sessionStorage.clear()")
    entry.route(SCRIPT, lambda route: held.append(route))
    entry.reload(wait_until="domcontentloaded")
    for key in ("[data-card='K']", "[data-card='7']", "[data-next]", "[data-card='A']"):
        entry.locator(key).click()
    entry.wait_for_timeout(100)
    assert [len(held), entry.locator(".tray:visible .card").count()] == [1, 0]
    held[0].continue_()
    expect(entry.locator("[data-tab='1'] .state")).to_have_text("17")
    expect(entry.locator("[data-tab='2'] .state")).to_have_text("15")


def test_what_is_typed_too_soon_is_pressed_later(entry: Page) -> None:
    """In the order in which it was typed and tapped; shortcuts of the browser are left to it."""
    held: list[Route] = []
    entry.evaluate("sessionStorage.clear()")
    entry.route(SCRIPT, lambda route: held.append(route))
    entry.reload(wait_until="domcontentloaded")
    for key in ("k", "9", "Backspace", "Control+8", "7", "Enter"):
        entry.keyboard.press(key)
    entry.locator("[data-card='A']").click()
    entry.keyboard.press("x")
    assert [len(held), entry.locator(".tray:visible .card").count()] == [1, 0]
    held[0].continue_()
    expect(entry.locator("[data-tab='1'] .state")).to_have_text("17")
    expect(entry.locator("[data-tab='2'] .state")).to_have_text("40")


def test_without_its_script_a_page_has_its_fields(entry: Page) -> None:
    entry.route(SCRIPT, lambda route: route.abort())
    entry.reload()
    for field, cards in enumerate(("K 7", "A")):
        entry.get_by_label("Cards left").nth(field).fill(cards)
    expect(entry.locator(".keys")).to_be_hidden()
    entry.get_by_role("button", name="Check the scores").click()
    expect(entry.locator("main")).to_contain_text("17")


def test_nothing_moves_while_a_pad_comes(entry: Page) -> None:
    assert entry.evaluate(SHIFTS) == 0
