"""What a first visit brings over the wire: in so few requests, and no heavier than it was."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request

from tests.browser.browsing import Open, ended, enter, save, start

pytestmark = [pytest.mark.browser, pytest.mark.slow]
KB = 1024
ICON = 536
"""Bytes that a browser with a window fetches as well; one without any does not."""
STYLE, SCRIPT, PRINTED = 8.5 * KB, 3 * KB, 1.2 * KB
MOST_REQUESTS = 4
"""A page, a style sheet, a script and an icon; what is printed has a sheet of its own."""
LIGHT, BOOK = 14 * KB, 30 * KB
"""Everything that a page names: what it needs to be seen, no more than one round trip brings."""
AHEAD = 47 * KB
"""What comes after it: what the page does beyond links and forms, and a pad for each ending for the
time when the server is gone."""
NAMED = """() => {
  const files = document.querySelectorAll('link[rel=stylesheet], script[src]');
  return [location.href, ...[...files].map((one) => one.href || one.src)];
}"""

AT_REST = """
() => {
  const all = performance.getEntriesByType('resource');
  const came = all.filter((one) => !one.name.includes('/live'));
  return performance.now() - Math.max(0, ...came.map((one) => one.responseEnd)) > 1000;
}
"""
"""Nothing was fetched for a second, but for the question that waits for news."""


def fetched(page: Page, path: str) -> tuple[dict[str, list[int]], int]:
    """Open a page in a browser that was never here.

    Return the bytes of each kind of file that it names, and of what its scripts fetch after it.
    """
    came: list[Request] = []

    def note(request: Request) -> None:
        came.append(request)

    page.on("requestfinished", note)
    page.goto(path)
    page.wait_for_function(AT_REST)
    page.remove_listener("requestfinished", note)
    names = page.evaluate(NAMED)
    found: dict[str, list[int]] = {}
    later = 0
    for request in came:
        size = request.sizes()["responseBodySize"]
        kind = request.resource_type
        if request.url in names and kind != "fetch":
            found.setdefault(kind, []).append(size)
        elif kind in ("script", "fetch"):
            later += size
    return found, later


@pytest.fixture
def table(phone: Open) -> Page:
    """A game of five after a deal, on the phone that keeps the score."""
    plain_http = {"Accept-Encoding": "gzip, deflate"}  # where browsers offer no better
    page = phone(service_workers="block", extra_http_headers=plain_http)
    start(page, "contract-rummy", "Ann, Bob, Cleo, Dev, Eve")
    ended(page, "Who went out?", "Ann")
    enter(page, ["K Q J", "7", "7 7", "A"])
    save(page)
    return page


def test_a_first_visit_is_light(table: Page) -> None:
    game = table.url.partition("?")[0]
    most = {
        "/": LIGHT,
        "/league": LIGHT,
        "/rules/contract-rummy": LIGHT,
        game: LIGHT,
        f"{game}/deals/new?how=out&by=0": LIGHT,
        f"{game}/hands/1": LIGHT,
        f"{game}/mine": LIGHT,
        "/rules/shanghai/book": BOOK,
    }
    network = table.context.new_cdp_session(table)
    for path, limit in most.items():
        network.send("Network.clearBrowserCache")
        found, later = fetched(table, path)
        style, *printed = sorted(found["stylesheet"], reverse=True)
        assert len(found["document"]) == 1, path
        assert sum(map(len, found.values())) - len(printed) + 1 <= MOST_REQUESTS, (path, found)
        assert style <= STYLE, path
        assert sum(found.get("script", ())) <= SCRIPT, path
        assert sum(printed) <= PRINTED, path
        assert sum(map(sum, found.values())) + ICON <= limit, (path, found)
        assert later <= AHEAD, path
