"""Everyone's own phone in a real browser: scan, sit down, enter, save; and without a connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.axe import violations
from tests.browser.browsing import (
    DESK,
    PHONE,
    SMALL,
    Open,
    forget_taps,
    save,
    start,
    tap,
    taps,
)

from .party import FAMILY, Party, is_in, link_of, seated, shows, sit_down, tell

pytestmark = pytest.mark.browser


@pytest.fixture
def three(phone: Open) -> Party:
    """A table of three."""
    return seated(phone, *FAMILY[:3])


@pytest.mark.slow
def test_taps_are_few_on_phones_of_their_own(phone: Open) -> None:
    """A seat is the code and one's name; six cards of one's own are eight taps at the most."""
    table = phone()
    start(table, "contract-rummy", "Ann, Bob, Cleo")
    link = link_of(table)
    ann, bob = (sit_down(phone, link, name) for name in ("Ann", "Bob"))
    assert taps(bob) == 1
    ann.get_by_role("button", name="I went out").click()
    forget_taps(bob)
    tell(bob, "2 3 4 5 6 7")
    expect(bob.locator("[data-in]")).to_be_visible()
    assert taps(bob) <= 8
    is_in(table, 27)


@pytest.mark.slow
def test_a_hand_of_one_s_own_on_the_table_s_phone_is_no_deal_begun(phone: Open) -> None:
    """Whoever keeps the score has a seat as well: the way back is the table, with nothing to do."""
    table = phone()
    start(table, "contract-rummy", "Ann, Bob, Cleo")
    address = table.url
    table.goto(link_of(table))
    table.get_by_role("button", name="Bob", exact=True).click()
    table.get_by_role("link", name="Enter my hand").click()
    tell(table, "9 9")
    expect(table.locator("[data-in]")).to_be_visible()
    table.goto(address)
    table.locator("[data-begun-deal]").wait_for(state="attached")
    assert table.locator("[data-begun-deal]").count() == 1
    expect(table.locator("[data-begun-deal]")).to_be_hidden()


@pytest.mark.slow
def test_a_phone_without_connection_for_two_deals_loses_and_doubles_nothing(
    three: Party,
) -> None:
    table, phones = three
    bob = phones["Bob"]
    bob.context.set_offline(True)
    bob.get_by_role("link", name="Enter my hand").click()
    tell(bob, "7 7 K")
    expect(bob.get_by_role("heading", name="Saved on this phone")).to_be_visible()
    expect(bob.get_by_text("Saved on this phone, 1 to send")).to_be_visible()
    bob.get_by_role("button", name="Go on with Deal 2").click()
    tell(bob, "Q A")
    expect(bob.get_by_text("Saved on this phone, 2 to send")).to_be_visible()
    for out, cards in (("Ann", "7 7 K"), ("Cleo", "Q Q")):
        phones[out].get_by_role("button", name="I went out").click()
        for name in phones:
            if name not in (out, "Bob"):
                tell(phones[name], "2")
        table.get_by_role("link", name="Enter Bob's").click()
        tell(table, cards)
        table.get_by_role("link", name="Check the scores").click()
        save(table)
    bob.context.set_offline(False)
    shows(bob, "Bob", 44)
    expect(bob.locator("[data-line]")).to_be_hidden()
    expect(table.get_by_text("sent Q A (25) after 20 had been saved")).to_be_visible()
    expect(table.locator(".doubt")).to_have_count(1)
    table.get_by_role("button", name="Change it to 25").click()
    expect(table.locator(".doubt")).to_have_count(0)
    assert table.locator(".board .total").nth(1).inner_text() == "49"
    shows(bob, "Bob", 49)


@pytest.mark.slow
def test_a_hand_that_waits_for_its_deal_holds_up_no_correction(
    three: Party,
) -> None:
    table, phones = three
    bob = phones["Bob"]
    bob.context.set_offline(True)
    bob.get_by_role("link", name="Enter my hand").click()
    tell(bob, "7 7 K")
    bob.get_by_role("button", name="Go on with Deal 2").click()
    tap(bob, "Q")
    phones["Ann"].get_by_role("button", name="I went out").click()
    bob.context.set_offline(False)
    is_in(table, 24)
    expect(bob.locator("[data-line]")).to_be_hidden()
    expect(bob.locator("header.top [data-deal]")).to_have_attribute("data-deal", "2")
    tell(bob, "A")
    expect(bob.get_by_text("Saved on this phone, 1 to send")).to_be_visible()
    bob.goto(f"{bob.url.partition('?')[0]}?pad=1")
    bob.locator("[data-back]").click()
    tell(bob, "A")
    is_in(table, 29)
    expect(bob.get_by_text("Saved on this phone, 1 to send")).to_be_visible()


@pytest.mark.slow
def test_a_hand_is_told_once_though_the_answer_was_lost(
    three: Party,
) -> None:
    """The server takes the hand, its answer never comes, and the hand is corrected meanwhile."""
    table, phones = three
    cleo = phones["Cleo"]
    phones["Ann"].get_by_role("button", name="I went out").click()
    lost = []

    def lose(route: object) -> None:
        lost.append(route.fetch().status)  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    cleo.route("**/hands/1/2", lose, times=1)
    tell(cleo, "K")
    expect(cleo.get_by_role("heading", name="Saved on this phone")).to_be_visible()
    is_in(table, 10)
    assert lost == [200]
    expect(cleo.get_by_text("Your hand is in")).to_be_visible()
    expect(cleo.locator("[data-line]")).to_be_hidden()


KEPT = """
async () => {
  const links = [...document.querySelectorAll('[data-keep]')].map((link) => link.href);
  const kept = await Promise.all([location.href, ...links].map((one) => caches.match(one)));
  return kept.every(Boolean);
}
"""


OLD = "kept-0123456789"
OLDER = f"""
async () => {{
  await caches.open('{OLD}');
  await (await navigator.serviceWorker.getRegistration()).unregister();
}}
"""


@pytest.mark.slow
def test_pages_open_without_a_network_once_they_were_open(
    three: Party,
) -> None:
    """This machine counts as safe, so a service worker may keep pages, as over https."""
    cleo = three[1]["Cleo"]
    cleo.wait_for_function("() => navigator.serviceWorker.controller !== null")
    cleo.wait_for_function(KEPT)
    cleo.evaluate(OLDER)  # as after an update: another worker comes, and drops what was kept before
    cleo.reload()
    cleo.wait_for_function(f"async () => !(await caches.keys()).includes('{OLD}')")
    cleo.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    cleo.wait_for_function(KEPT)
    cleo.context.set_offline(True)
    cleo.reload()
    expect(cleo.get_by_text("Can I go down?")).to_be_visible()
    cleo.get_by_role("link", name="More").click()
    cleo.get_by_role("link", name="Rules").click()
    expect(cleo.get_by_role("heading", name="Contract Rummy")).to_be_visible()
    cleo.goto("/league")
    expect(cleo).to_have_title(re.compile("Standings"))
    cleo.goto("/rules/zioncheck/book")
    expect(cleo.get_by_role("heading", name="You're offline")).to_be_visible()


KEPT_PAGES = """async () => {
  const cached = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const found = await Promise.all(cached.map((cache) => cache.keys()));
  return found.flat().map((request) => request.url);
}
"""


@pytest.mark.slow
def test_a_phone_that_was_put_out_keeps_no_page(three: Party) -> None:
    table, phones = three
    cleo = phones["Cleo"]
    cleo.wait_for_function("() => navigator.serviceWorker.controller !== null")
    cleo.wait_for_function(KEPT)
    table.goto(urljoin(table.url, "/league/devices"))
    hers = table.locator("#phones > li").filter(has_text="Cleo's")
    hers.get_by_text("Change").click()
    hers.get_by_role("button", name="Remove this phone").click()
    expect(table.locator("#phones > li")).to_have_count(3)
    expect(table.get_by_text("removed Cleo's")).to_have_count(1)
    expect(cleo.get_by_role("heading", name="no longer in this league")).to_be_visible()
    ours = ("/static/", "/offline")
    assert [one for one in cleo.evaluate(KEPT_PAGES) if not any(of in one for of in ours)] == []
    kept = cleo.evaluate("Object.keys(localStorage)")
    assert set(kept) <= {"answered"}, "that the server answered just now is no secret"
    cleo.context.set_offline(True)
    with suppress(Error):
        cleo.reload()
    expect(cleo.get_by_text("Can I go down?")).to_have_count(0)


@pytest.mark.slow
def test_a_form_under_the_fingers_stays(three: Party) -> None:
    """Others enter and save meanwhile: cards tapped here stay, and focus stays where it was."""
    table, phones = three
    phones["Ann"].get_by_role("button", name="I went out").click()
    cleo = phones["Cleo"]
    tap(cleo, "7 7")
    seen = cleo.locator("[data-live]").get_attribute("data-mark")
    tell(phones["Bob"], "2")
    expect(cleo.locator("[data-live]")).not_to_have_attribute("data-mark", str(seen))
    assert cleo.locator("[data-chips] .card em").all_inner_texts() == ["×2"]
    assert cleo.evaluate("document.activeElement.dataset.card") == "7"
    table.get_by_role("link", name="Enter Cleo's").click()
    tell(table, "7 7")
    table.get_by_role("link", name="Check the scores").click()
    save(table)
    expect(cleo.get_by_text("Deal 1 has already been saved.")).to_be_visible()
    assert cleo.locator("[data-chips] .card em").all_inner_texts() == ["×2"]


def every_page_of_phones(phone: Open, size: tuple[int, int]) -> Iterator[tuple[str, Page]]:
    """Visit every kind of page that phones bring, each on the phone that sees it."""
    table = phone(size=size)
    start(table, "contract-rummy", ", ".join(FAMILY))
    link = link_of(table)
    yield "the code on the table", table
    bob, cleo = phone(link, size=size), phone(link, size=size)
    yield "the page behind a code", bob
    for page, name in ((bob, "Bob"), (cleo, "Cleo")):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_url("**/mine")
    yield "one's own page", bob
    second = phone(link, size=size)
    second.get_by_role("button", name="Cleo").click()
    second.wait_for_url("**/games/*")
    yield "a second phone that waits", second
    cleo.reload()
    yield "somebody asks to be the same", cleo
    cleo.get_by_role("button", name="I went out").click()
    bob.locator("[data-next]").wait_for()
    yield "one's own pad", bob
    tap(bob, "7 7")
    bob.locator("[data-next]").click()
    bob.get_by_text("Your hand is in").wait_for()
    yield "one's own hand told", bob
    table.get_by_role("link", name="Change Bob").click()
    table.wait_for_url("**/hands/*")
    yield "the pad for somebody else", table
    tap(table, "8")
    table.locator("[data-next]").click()
    table.get_by_text("entered in two ways").wait_for()
    yield "a hand told in two ways", table
    game = table.url.partition("?")[0]
    for path in (f"{game}/far", "/league/devices", "/return", "/league/passphrase", f"{game}/mine"):
        table.goto(path)
        yield path, table
    table.goto(f"{game}/deals/told")
    yield "the hands to complete", table
    table.goto("/j/nothing")
    yield "a dead link", table


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_of_phones_shuts_anyone_out(phone: Open, size: tuple[int, int]) -> None:
    pages = every_page_of_phones(phone, size)
    assert not {name: found for name, page in pages if (found := violations(page))}


@pytest.mark.slow
def test_pages_of_phones_fit_small_ones(phone: Open) -> None:
    pages = every_page_of_phones(phone, SMALL)
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not [name for name, page in pages if page.evaluate(wide)]
