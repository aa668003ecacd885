"""Going back shows a page as it was, at once, and a table then what came meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import ended, enter, save, start
from tests.support.chromium import FLAGS, PATIENCE, WITH_WINDOWS, chromium_path

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NOTE = "window.addEventListener('pageshow', ({ persisted }) => { window.cameBack = persisted; });"
WHY_NOT = "JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A browser that keeps pages as people's do: neither one that is driven nor one without
    windows does.
    """
    with closing(
        browser.browser_type.launch(
            executable_path=chromium_path(*WITH_WINDOWS),
            headless=False,
            args=[*FLAGS, "--headless=new"],
            ignore_default_args=["--disable-back-forward-cache"],
        )
    ) as other:
        context = other.new_context(base_url=address)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(NOTE)
        yield context.new_page()


def test_going_back_is_instant_and_the_table_goes_on(page: Page) -> None:
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    # A worker that claims its pages drops the kept ones: once, on a phone's first visit.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    table = page.url
    for address in (table, f"{table}/deals/new?how=out&by=0", "/league", "/", table):
        page.goto(address)
        page.goto("/rules")
        page.go_back(wait_until="commit")
        page.wait_for_function("() => window.cameBack !== undefined")
        assert page.evaluate("window.cameBack"), (address, page.evaluate(WHY_NOT))
    page.goto("/rules")
    other = page.context.new_page()
    other.goto(table)
    ended(other, "Who went out?", "Ann")
    enter(other, ["K", "7"])
    save(other)
    page.go_back(wait_until="commit")
    expect(page.locator(".board .total", has_text="10")).to_have_count(1)
