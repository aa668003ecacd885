"""What a phone shows where no server answers: the newest that it had, and as of when that is."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.patience import HANGS

from .evening import (
    House,
    Table,
    begin,
    line,
    onward,
    review,
    save,
    seated,
    shows_deal,
    shows_totals,
    tap,
    went_out,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DEALS = (("K 7", "Q"), ("5", "X"), ("2 2", "A"), ("7", "3"))
TOTALS = [0, 23, 53]
KEPT_AS_OF_NOW = """async () => {
  const shown = [...document.querySelectorAll('.board .total')].map((cell) => cell.textContent);
  for (;;) {
    const page = await caches.match(location.origin + location.pathname);
    const text = page ? await page.text() : '';
    const kept = new DOMParser().parseFromString(text, 'text/html');
    const totals = [...kept.querySelectorAll('.board .total')].map((cell) => cell.textContent);
    if (String(totals) === String(shown)) return;
    await new Promise((later) => setTimeout(later, 50));
  }
}"""
KEPT = """async () => {
  const cached = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const found = await Promise.all(cached.map((cache) => cache.keys()));
  return found.flat().map((request) => new URL(request.url).pathname);
}"""


def in_charge(page: Page) -> None:
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def four_deals_and_a_correction(table: Table) -> None:
    """All entered on the keeper's phone; Bob's first hand had no king."""
    for number, hands in enumerate(DEALS, 1):
        if table.phones:
            went_out(table.phones["Ann"])
            review(table)
        else:
            table.keeper.locator(".dock .names").get_by_role("link", name="Ann").click()
        for cards in hands:
            tap(table.keeper, cards)
            onward(table.keeper)
        save(table.keeper)
        shows_deal(table.keeper, number + 1)
    shows_totals(table.keeper, [0, 33, 53])
    table.keeper.goto(f"{table.game}/seats/1")
    table.keeper.get_by_role("link", name="king, deal 1: take one away").click()
    table.keeper.locator("[data-next]").wait_for()
    onward(table.keeper)
    table.keeper.wait_for_url("**saved=*")
    shows_totals(table.keeper, TOTALS)


def server_falls(house: House, page: Page) -> str:
    house.kill()
    return "The server is away."


def network_goes(house: House, page: Page) -> str:
    page.context.set_offline(True)
    return "Offline."


def server_hangs(house: House, page: Page) -> str:
    """The worker waits six seconds for it and then shows what it has."""
    house.server.process.send_signal(signal.SIGSTOP)
    return "The server is away."


@pytest.mark.parametrize("trouble", [server_falls, server_hangs, network_goes])
def test_a_table_opened_without_a_server_shows_the_last_scores_and_how_old_they_are(
    house: House, trouble: Callable[[House, Page], str]
) -> None:
    table = begin(house, "Ann", "Bob", "Cleo")
    in_charge(table.keeper)
    four_deals_and_a_correction(table)
    why = trouble(house, table.keeper)
    for address in (table.game, f"{table.game}?saved=2"):
        table.keeper.goto(address, timeout=1000 * HANGS)
        shows_totals(table.keeper, TOTALS)
        shows_deal(table.keeper, 5)
        as_of = rf"{re.escape(why)} As of \d\d:\d\d, (this minute|1 minute ago|\d minutes ago)\."
        expect(line(table.keeper)).to_have_text(re.compile(as_of))


def test_an_own_page_is_kept_anew_with_each_deal_that_others_save(house: House) -> None:
    table = seated(house, "Ann", "Bob", "Cleo")
    bob = table.phones["Bob"]
    in_charge(bob)
    four_deals_and_a_correction(table)
    shows_totals(bob, TOTALS)
    bob.evaluate(KEPT_AS_OF_NOW)
    bob.context.set_offline(True)
    bob.reload()
    shows_totals(bob, TOTALS)
    expect(line(bob)).to_contain_text("As of")
    bob.context.set_offline(False)
    expect(line(bob)).to_be_hidden()


def test_every_page_from_the_phone_says_its_age_and_comes_back_by_itself(house: House) -> None:
    """A page that is kept, one that never was, and what a proxy says while the server is away."""
    table = begin(house, "Ann", "Bob", "Cleo")
    in_charge(table.keeper)
    page = table.keeper
    page.goto("/rules")
    house.kill()
    page.reload()
    expect(page.get_by_role("heading", name="Rules")).to_be_visible()
    expect(line(page)).to_contain_text("The server is away. As of")
    page.goto("/rules/zip-zilch-zero")
    expect(page.get_by_role("heading", name="The server is away")).to_be_visible()
    house.revive()
    expect(page.get_by_role("heading", name="Zip, Zilch, Zero").first).to_be_visible()
    page.goto("/rules")
    expect(line(page)).to_have_count(0)


def test_a_phone_keeps_a_bounded_number_of_pages(house: House) -> None:
    page = begin(house, "Ann", "Bob", "Cleo").keeper
    in_charge(page)
    page.evaluate(
        """async () => {
          const headers = { 'Content-Type': 'text/html' };
          for (let number = 1; number <= 120; number += 1) {
            const address = `${location.origin}/rules/zioncheck/judge?deal=${number}`;
            const page = { address, text: '<main>', headers: Object.entries(headers), at: number };
            navigator.serviceWorker.controller.postMessage({ page });
          }
        }"""
    )
    page.wait_for_function("() => caches.match('/rules/zioncheck/judge?deal=120')")
    page.goto("/rules")
    # The table may have its next pad kept at the same moment: what is over goes a moment later.
    pages = f"async () => (await ({KEPT})()).filter((path) => !/^.(static.|offline$)/.test(path))"
    page.wait_for_function(f"async () => (await ({pages})()).length === 80")
    page.wait_for_function("() => caches.match('/rules')")
