"""The app on a home screen: every page can be put there, and needs no button of a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from companion.web.frame.static_files import sent
from companion.web.joining import offline_pages
from tests.browser.browsing import PHONE, look_round
from tests.support.chromium import FLAGS, PATIENCE, WITH_WINDOWS, chromium_path
from tests.support.page_judge import STATIC
from tests.support.patience import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGES = (
    "/",
    "/games/new/zioncheck",
    "/games/1",
    "/games/1/deals/1",
    "/games/2",
    "/games/2/far",
    "/games/2/more/phones",
    "/games/2/deals/new?how=out&by=0",
    "/rules",
    "/rules/zioncheck",
    "/rules/zioncheck/judge",
    "/league",
    "/league/settings",
    "/return",
    "/offline",
    "/nothing-here",
)
SIZES = """
(icons) => Promise.all(icons.map(async ({ src }) => {
  const image = Object.assign(new Image(), { src });
  await image.decode();
  return `${image.naturalWidth}x${image.naturalHeight}`;
}))
"""


@pytest.fixture
def installed(browser: Browser, address: str, tmp_path: Path) -> Iterator[Page]:
    """Open the app in a window of its own, in a browser that keeps things and so may install."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path,
        executable_path=chromium_path(*WITH_WINDOWS),
        args=[*FLAGS, f"--app={address}"],
        viewport={"width": PHONE[0], "height": PHONE[1]},
        base_url=address,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    yield context.pages[0]
    context.close()


BELOW = """<!doctype html><title>Table</title><p>Cards</p>
<script src="/cards/static/1/table/first.js" data-then="/cards/static/1/table/table.js"></script>"""
NOTED = """navigator.serviceWorker.register = (address) => {
  window.registered = String(address);
  return new Promise(() => {});
}"""


def test_below_a_path_the_worker_is_the_programs_own(browser: Browser) -> None:
    """Another program may have one at the top of the same server."""
    with closing(browser.new_context()) as context:
        context.add_init_script(NOTED)
        context.route("http://localhost:9/**", _below_a_path)
        page = context.new_page()
        page.goto("http://localhost:9/cards/")
        page.wait_for_function("() => window.registered")
        assert page.evaluate("window.registered") == "http://localhost:9/cards/sw.js"


def _below_a_path(route: Route) -> None:
    _, is_file, name = route.request.url.partition("/cards/static/1/")
    if is_file:
        route.fulfill(body=sent(STATIC / name), content_type="text/javascript")
    else:
        route.fulfill(body=BELOW, content_type="text/html")


UPDATED = """async () => {
  const one = await navigator.serviceWorker.ready;
  await one.update();
  for (let tries = 0; one.waiting?.state !== 'installed' && tries < 600; tries += 1) {
    await new Promise((later) => setTimeout(later, 50));
  }
}"""


def test_a_worker_of_a_newer_edition_waits_until_no_page_is_open(
    installed: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that took over in the middle of a game left its next page without an answer."""
    look_round(installed)
    installed.goto("/games/2")
    installed.evaluate("navigator.serviceWorker.ready.then(() => true)")
    installed.reload()  # it is the worker's own from here on
    before = installed.evaluate("caches.keys()")
    monkeypatch.setattr(offline_pages, "assets_version", lambda _: "newer")
    installed.evaluate(UPDATED)
    assert installed.evaluate("caches.keys()") == [*before, "kept-newer"]

    def is_renewed() -> bool:
        # A browser lets the newer one in a moment after the last page is gone.
        installed.goto("about:blank")
        installed.wait_for_timeout(500)
        installed.goto("/games/2")
        keys: list[str] = installed.evaluate("caches.keys()")
        return {*keys} == {"kept-newer", "kept-newer-pages"}

    wait_until(is_renewed, "the newer worker is in charge")


def test_every_kind_of_page_can_be_installed_and_leads_on_by_itself(installed: Page) -> None:
    look_round(installed)
    asked = installed.context.new_cdp_session(installed)
    for address in PAGES:
        installed.goto(address)
        assert installed.evaluate("matchMedia('(display-mode: standalone)').matches"), address
        assert asked.send("Page.getAppManifest")["errors"] == [], address
        assert asked.send("Page.getInstallabilityErrors")["installabilityErrors"] == [], address
        ways = installed.locator("header.top a[href], .nav a[href], main a[href]")
        assert ways.filter(visible=True).count(), f"{address} is a dead end"
        assert installed.locator("a[target]").count() == 0, f"{address} leaves the app"
    manifest = installed.request.get("/app.webmanifest").json()
    pictures = [icon for icon in manifest["icons"] if icon["sizes"] != "any"]
    assert installed.evaluate(SIZES, pictures) == [icon["sizes"] for icon in pictures]
