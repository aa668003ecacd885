"""A family at a table with real phones: `flask serve` as its own process, a browser for each.

What is looked for on a page is marked there for scripts, so that words may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Route,
    expect,
)
from sqlalchemy import Engine, create_engine, text

from companion.store import database
from tests.browser.browsing import answer_doubts
from tests.processes import served

PHONE = {"width": 390, "height": 664}
FAMILY = ("Ann", "Bob", "Cleo", "Dan", "Eve")
ON_BOTH = pytest.mark.parametrize(
    "new_house", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
HUMAN = 90
"""Milliseconds between two taps of a quick player."""
REMEMBER = "performance.setResourceTimingBufferSize(100000)"
TOLD = """
() => [
  location.href, document.querySelector('[data-live]')?.dataset.mark,
  location.protocol === 'http:' && localStorage.outbox,
  ...performance.getEntriesByType('resource').slice(-12).map((one) => [
    Math.round(one.startTime), Math.round(one.duration), one.responseStatus, one.name,
  ].join(' ')),
  `now ${Math.round(performance.now())}`, document.body.innerText,
].join('\\n')
"""


@dataclass
class House:
    """A server that may fall over and come back at its address, and the phones that ask it."""

    browser: Browser
    folder: Path
    settings: Mapping[str, str]
    server: served.Server
    contexts: list[BrowserContext] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def kill(self) -> None:
        """End the server as a flat battery does."""
        self.server.kill()

    def revive(self) -> None:
        """Start the server anew at the address that the phones know."""
        port = str(self.server.port)
        self.server = served.start(self.folder, "--port", port, **self.settings)

    def phone(self, path: str = "/", **options: Any) -> Page:
        """Open a page on a phone of its own; a fault of a script fails the evening."""
        context = self.browser.new_context(
            **{
                "viewport": PHONE,
                "base_url": self.address,
                "reduced_motion": "reduce",
                **options,
            }
        )
        context.set_default_timeout(10_000)
        context.add_init_script(REMEMBER)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.goto(path)
        return page

    def engine(self) -> Engine:
        """Connect to the database as the server does, whether or not that is up."""
        url = database.database_url(self.settings.get("DATABASE_URL"), self.folder)
        engine = create_engine(url, **database.engine_options(url))
        database.watch(engine)
        return engine

    def saved(self) -> list[tuple[int, int, int]]:
        """Read what is stored: deal, seat and points."""
        engine = self.engine()
        with engine.begin() as connection:
            rows = connection.execute(text("SELECT position, seat, points FROM line ORDER BY 1, 2"))
            found = [(position, seat, points) for position, seat, points in rows]
        engine.dispose()
        return found

    def part(self) -> None:
        """Let every phone go home; a fault of a script on one of them fails the evening."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()
        faults, self.faults[:] = self.faults[:], []  # the next evening here has none of them
        assert not faults, faults

    def told(self) -> str:
        """Say what every page shows and what it asked last, each with its begin and duration."""
        pages = [page for context in self.contexts for page in context.pages]
        return "\n\n".join(f"--- {_shown_on(page)}" for page in pages)


@contextmanager
def house_of(browser: Browser, folder: Path, **settings: str) -> Iterator[House]:
    """Have a house while a test runs; whatever happens, its server and phones are gone after it."""
    house = House(browser, folder, settings, served.start(folder, **settings))
    try:
        yield house
        house.part()
    finally:
        for context in house.contexts:
            context.close()
        if house.server.process.poll() is None:
            house.server.kill()


@dataclass
class Table:
    """A game with the phone that keeps the score, and phones of the players."""

    house: House
    keeper: Page
    game: str
    names: tuple[str, ...]
    phones: dict[str, Page] = field(default_factory=dict)

    @property
    def everyone(self) -> list[Page]:
        """Every phone, the one that keeps the score first."""
        return [self.keeper, *self.phones.values()]

    def show(self) -> None:
        """Go back to the table on the phone that keeps the score."""
        self.keeper.goto(self.game)

    def far(self) -> Page:
        """Open the view across the room on a screen in the same browser as the keeper's phone."""
        page = self.keeper.context.new_page()
        page.goto(f"{self.game}/far")
        return page


def _shown_on(page: Page) -> object:
    try:
        return page.evaluate(TOLD)
    except Error as fault:  # it may be on its way to another page
        return fault


def begin(house: House, *names: str, game: str = "contract-rummy", **options: Any) -> Table:
    """Start a game on one phone."""
    keeper = house.phone(f"/games/new/{game}", **options)
    keeper.locator("[name=names]").fill(", ".join(names))
    keeper.locator("form[data-new-game]").evaluate("form => form.requestSubmit()")
    keeper.wait_for_url("**/games/*")
    return Table(house, keeper, keeper.url.partition("?")[0], names)


def seated(house: House, *names: str, game: str = "contract-rummy") -> Table:
    """Begin a game in which each player has a phone of their own."""
    table = begin(house, *names, game=game)
    join = link_of(table)
    for name in names:
        table.phones[name] = sit_down(house, join, name)
    return table


def link_of(table: Table) -> str:
    """Read the address that lets phones in."""
    table.keeper.goto(f"{table.game}/more/phones")
    link = table.keeper.locator("#join-link").get_attribute("value") or ""
    table.show()
    return link


def sit_down(house: House, link: str, name: str) -> Page:
    """Scan the code and tap one's name."""
    page = house.phone(link)
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url("**/mine")
    return page


def went_out(page: Page) -> None:
    """Tap *I went out* on one's own phone."""
    page.locator("form[action$='/endings'] button.main").click()


def pad_of(page: Page) -> Locator:
    """Return the pad on which one hand is entered."""
    return page.locator("form.entering[data-hand]")


def tap(page: Page, cards: str) -> None:
    """Tap cards as a person does."""
    for card in cards.split():
        page.wait_for_timeout(HUMAN)
        page.locator(f"[data-card='{card}']").first.click()


def onward(page: Page) -> None:
    """Tap the last key of the pad: the next player, or what ends the entry."""
    page.wait_for_timeout(HUMAN)
    page.locator("[data-next]").click()


def tell(page: Page, cards: str) -> None:
    """Enter one's own hand."""
    page.locator("[data-next]").wait_for()
    tap(page, cards)
    onward(page)


def review(table: Table) -> None:
    """Open the review of what the phones entered."""
    table.keeper.locator("a[href$='/deals/told']").click()
    table.keeper.wait_for_url("**/deals/told")


def save(page: Page) -> None:
    """Save the deal that the review shows; every doubt is right."""
    page.locator("ol.review").wait_for()
    answer_doubts(page)
    page.locator("button[name=step][value=save]").click()
    page.wait_for_url("**saved=*")


def shows_deal(page: Page, number: int) -> None:
    """Wait until the header of a page names this deal."""
    expect(page.locator("header.top [data-deal]")).to_have_attribute("data-deal", str(number))


def shows_totals(page: Page, totals: list[int]) -> None:
    """Wait until a page shows these totals: by seats, across the room by places."""
    expect(page.locator(".board .total")).to_have_text([written(total) for total in totals])


def written(total: int) -> str:
    return str(total).replace("-", "−")


Held = list[tuple[Route, APIResponse]]


def held_back(page: Page, address: str) -> Held:
    """Hold the next answer from an address back once the server has given it."""
    came: Held = []
    page.route(address, lambda route: came.append((route, route.fetch())), times=1)
    return came


def wait_for(page: Page, came: Held) -> None:
    """Let a page live until an answer is held back."""
    while not came:
        page.wait_for_timeout(50)


def state(table: Table, seat: int) -> Locator:
    """Return what the table says of one hand."""
    return table.keeper.locator(f"[data-seat-state='{seat}']")


def line(page: Page) -> Locator:
    """Return the line at the lower edge that says how things stand with the server."""
    return page.locator("[data-line]")
