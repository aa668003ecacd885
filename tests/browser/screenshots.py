"""Draw the pictures of the README from the running product: `make screenshots`."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.browsing import DESK, PHONE, ended, following, review, start, tap, zipped
from tests.browser.evenings.party import FAMILY, link_of, sit_down, tell
from tests.conftest import fresh_app
from tests.support.chromium import launch

from .thread_server import answering

BESIDE = (
    "body { margin: 24px; display: flex; gap: 24px; background: #d8d2c4 } "
    "img { width: 390px; border-radius: 24px }"
)
BY_LAMPLIGHT = ("front", "end", "table", "entry", "zip", "league")
FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"


def main() -> None:
    """Serve a sample family, walk through an evening and take a picture of each place."""
    FOLDER.mkdir(exist_ok=True)
    app = fresh_app(Path(tempfile.mkdtemp()))
    with answering(app) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": PHONE[0], "height": PHONE[1]},
                base_url=address,
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            walk(context.new_page(), scheme)
            context.close()
        desk = browser.new_context(
            viewport={"width": DESK[0], "height": DESK[1]},
            base_url=address,
            reduced_motion="reduce",
        )
        at_a_desk(desk.new_page())
        desk.close()
        side_by_side(browser, address)


def walk(page: Page, suffix: str) -> None:
    """Visit the places a family sees in an evening."""

    def picture(name: str) -> None:
        if suffix == "dark" and name not in BY_LAMPLIGHT:
            return
        page.wait_for_timeout(150)
        page.screenshot(path=FOLDER / f"{name}-{suffix}.png")
        print(f"{name}-{suffix}.png")

    page.goto("/")
    picture("front")
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("heading", name="wins").wait_for()
    picture("end")
    page.goto("/")
    picture("home")
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/games/*")
    picture("table")
    page.goto(f"{page.url}#more")
    picture("menu")
    page.goto(page.url.partition("#")[0])
    ended(page, "Who went out?", "Bob")
    tap(page, "K 7 7 X")
    picture("entry")
    for cards in ("2 2 9", "A"):
        following(page)
        tap(page, cards)
    following(page)
    review(page)
    picture("review")
    page.goto("/rules/contract-rummy/search?q=stael+joker")
    picture("ask")
    page.goto("/rules/shanghai")
    picture("card")
    page.goto("/league")
    picture("league")
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    zipped(page, "-7 +3 +4 +K -2 -3 -8 -6 +5")
    picture("zip")


def at_a_desk(page: Page) -> None:
    """Look at table, league and pad on a wide screen, and at the table across the room."""
    page.goto("/")
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("heading", name="wins").wait_for()
    page.goto("/")
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/games/*")
    table = page.url
    for name, path in (("table", table), ("far", f"{table}/far"), ("league", "/league")):
        page.goto(path)
        page.screenshot(path=FOLDER / f"desk-{name}.png")
        print(f"desk-{name}.png")
    page.goto(table)
    ended(page, "Who went out?", "Bob")
    tap(page, "K 7 7 X")
    page.screenshot(path=FOLDER / "desk-entry.png")
    print("desk-entry.png")


def side_by_side(browser: Browser, address: str) -> None:
    """Sit five people down with phones of their own, and take one picture of table and phones."""

    def phone(path: str) -> Page:
        page = browser.new_context(
            viewport={"width": PHONE[0], "height": PHONE[1]},
            base_url=address,
            reduced_motion="reduce",
        ).new_page()
        page.goto(path)
        return page

    table = phone("/")
    start(table, "contract-rummy", ", ".join(FAMILY))
    link = link_of(table)
    phones = [sit_down(phone, link, name) for name in FAMILY]
    phones[0].get_by_role("button", name="I went out").click()
    for page, cards in ((phones[1], "7 7 K"), (phones[3], "2 J")):
        tell(page, cards)
    phones[2].locator("[data-next]").wait_for()
    tap(phones[2], "A Q 9")
    table.goto(table.url.partition("?")[0])
    table.locator("[data-seat-state] .number", has_text="12").wait_for()
    pictures = [page.screenshot() for page in (table, *phones)]
    sheet = phone("about:blank")
    sheet.set_viewport_size({"width": 6 * 414 + 24, "height": PHONE[1] + 48})
    images = "".join(
        f'<img src="data:image/png;base64,{b64encode(one).decode()}">' for one in pictures
    )
    sheet.set_content(f"<style>{BESIDE}</style>{images}")
    sheet.screenshot(path=FOLDER / "phones-light.png")
    print("phones-light.png")


if __name__ == "__main__":
    main()
