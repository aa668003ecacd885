"""Every kind of page, visited one after the other, for what must hold on all of them."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser.browsing import ended, go_on, look_round, review, start, tap

AN_EVENING = 16
"""So many of the pages that `every_page` visits are those of an evening: home, table and pad."""

AND_THE_PAST = 30
"""So many are those and the pages that look back."""


LOOKS_BACK = (
    "/league?season=all&variant=zioncheck",
    "/league/players/1",
    "/league/rivals",
    "/league/records",
    "/games/2/outlook",
    "/league/evenings",
)


def every_look_back(page: Page) -> Iterator[str]:
    """Visit the pages that look back on years of evenings."""
    for path in LOOKS_BACK:
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")
        yield path
    page.locator("main .chip").first.click()
    page.wait_for_url("**/league/years/*")
    yield "a year in review"
    page.locator("main a[href*='/evenings/']").first.click()
    page.wait_for_url("**/league/evenings/*")
    yield "an evening"


def every_page(page: Page) -> Iterator[str]:
    """Visit every kind of page of a family with a finished and a running game."""
    yield "home"
    look_round(page)
    yield "home of a league"
    go_on(page)
    table = page.url
    yield "table"
    for path in ("/deals/1", "/deals/1/seats/0", "/seats/1", "/history", "/sheet"):
        page.goto(table + path)
        yield path
    for path in (
        "/more/correct",
        "/more/join",
        "/more/stop",
        "/more/throw-in",
        "/deals/1/edit",
        "#more",
    ):
        page.goto(table + path)
        yield path
    page.goto(table)
    ended(page, "Who went out?", "Ann")
    yield "entry"
    page.locator("[data-next]").click()
    page.locator("[data-next]").click()
    page.locator("[data-next]").click()
    page.wait_for_selector("[role=alert]")
    yield "entry with faults"
    for name in ("Bob", "Cleo", "Dev"):
        page.locator(".tab", has_text=name).click()
        tap(page, "X X")
    page.locator("[data-next]").click()
    review(page)
    yield "review with a doubt"
    for path in (
        *("/league", "/league/games", "/rules", "/games/new/contract-rummy", "/protection"),
        "/nowhere",
    ):
        page.goto(path)
        yield path
    yield from every_look_back(page)
    for key in ("contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero"):
        page.goto(f"/rules/{key}")
        yield key
        page.goto(f"/rules/{key}/judge")
        yield f"judge of {key}"
    for path in (
        "contract-rummy/judge?deal=2&hand=7H+7S+7D+3C+4C+6C+KD",
        "contract-rummy/judge?deal=1&hand=7H+7S+KC+4D",
        "chicago-rummy/judge?hand=7H+7S+7D+2C+KS+KD+4H",
        "zip-zilch-zero/judge?hand=6R+6B+KB+2R&pile=4R+5B",
        "contract-rummy/judge?hand=7",
        "zioncheck/practice?deal=3&hand=one",
        "zioncheck/practice?deal=3&hand=one&answer=yes",
        "zioncheck/book",
        "chicago-rummy/book",
        "continental",
        "shanghai",
        "shanghai/contracts",
        "carioca-chile/contracts",
        "contract-rummy/sheet",
        "zip-zilch-zero/record",
        "contract-rummy/search?q=stael+joker",
        "contract-rummy/search?q=xyzzy",
    ):
        page.goto(f"/rules/{path}")
        yield path
    for path in ("/rules?known=zioncheck&players=4", "/house/shanghai", "/house/files"):
        page.goto(path)
        yield path
    yield from every_house_page(page)
    yield from every_page_of_people(page)
    page.goto("/league/old-scores/contract-rummy?names=Ann, Bob, Cleo&day=2019-02-03")
    page.get_by_label("Ann, deal 1").fill("x")
    page.get_by_role("button", name="Save this game").click()
    page.wait_for_selector("[role=alert]")
    yield "an old score sheet with a fault"
    page.goto("/league/past")
    yield "old scores to bring"
    page.get_by_label("Or paste the cells").fill("Deal,Ann,Bob\n1,0,5\n2,30,0\nTotal,30,6\n")
    page.get_by_role("button", name="Show me").click()
    page.get_by_role("button", name="Add 1 game").click()
    page.wait_for_selector("[role=alert]")
    yield "old scores with questions open"
    page.goto("/league/games")
    page.locator("main li a").last.click()
    page.get_by_role("button", name="Play again").wait_for()
    yield "a finished game"
    page.get_by_role("link", name="Picture").click()
    page.locator("[data-picture]").wait_for()
    yield "its picture"


def every_page_of_people(page: Page) -> Iterator[str]:
    """Visit what an owner corrects: people, seasons, a game's date and note; and the search."""
    start(page, "zioncheck", "Eve, Finn")
    page.goto(f"{page.url}/about")
    page.get_by_label("Note").fill("Snow outside")
    page.get_by_label("Played on").fill("")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("[role=alert]")
    yield "about a game, with a fault"
    for other in ("Bob", "Eve"):
        page.goto("/league/people")
        page.locator("main").get_by_role("link", name="Ann").click()
        page.get_by_label("Who is the same person?").wait_for()
        yield "a person"
        page.get_by_label("Who is the same person?").select_option(label=other)
        page.get_by_role("button", name="See what would change").click()
        page.wait_for_url("**/merge?**")
        yield f"Ann and {other}"
    page.get_by_role("button", name="Merge as").click()
    page.get_by_role("button", name="Undo").wait_for()
    yield "people"
    page.goto("/league/seasons")
    page.get_by_role("button", name="Add this season").click()
    page.wait_for_selector("[role=alert]")
    yield "seasons with a fault"
    page.get_by_label("Name").fill("Winter")
    page.get_by_label("First day").fill("2025-12-01")
    page.get_by_role("button", name="Add this season").click()
    page.get_by_role("link", name="Winter").click()
    page.get_by_role("button", name="Remove this season").wait_for()
    yield "a season"
    page.goto("/league/games?status=stopped&words=snow")
    yield "a search without an answer"


def every_house_page(page: Page) -> Iterator[str]:
    """Visit the form of a family's own game: empty, with a fault, looked over, and kept."""
    page.goto("/house/shanghai/new")
    for details in page.locator("form > details").all():
        details.evaluate("node => { node.open = true; }")
    yield "house form"
    page.get_by_label("Name of your game").fill("Ours")
    page.locator("#deal\\.1\\.contract").fill("full house")
    page.get_by_role("button", name="Check the rules").click()
    page.wait_for_selector("[role=alert]")
    yield "house form with a fault"
    page.locator("#deal\\.1\\.contract").fill("3 sets of 3")
    page.get_by_role("button", name="Check the rules").click()
    page.get_by_role("button", name="Save these rules").wait_for()
    yield "house form looked over"
    page.get_by_role("button", name="Save these rules").click()
    page.get_by_role("link", name="Play Ours").wait_for()
    yield "our own game"
