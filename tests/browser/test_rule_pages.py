"""Contracts stand whole wherever they are shown; a book opens at the part that is wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.rules import card_games
from tests.browser.browsing import DESK, PHONE, SMALL, Open, pages_of, start

pytestmark = pytest.mark.browser
ACROSS_THE_ROOM = ((1280, 720), (1920, 1080), DESK, PHONE, SMALL)
SQUEEZED = """
() => [...document.querySelectorAll('.contracts li')].filter((row) => {
  const [words, cards] = row.querySelector('.grow').children;
  const lines = document.createRange();
  lines.selectNodeContents(words);
  const high = new Set([...lines.getClientRects()].map(({ top }) => Math.round(top))).size;
  const [above, below] = [words.getBoundingClientRect(), cards?.getBoundingClientRect()];
  const over = cards && below.left < above.right && below.top < above.bottom - 1;
  const wide = row.scrollWidth > row.clientWidth;
  return high > 2 + words.innerText.split(' or ').length || over || wide;
}).map((row) => row.innerText)
"""
LINES = """
(title) => {
  const lines = document.createRange();
  lines.selectNodeContents(title.firstChild);
  return new Set([...lines.getClientRects()].map(({ top }) => Math.round(top))).size;
}
"""
CUT = """
() => [...document.querySelectorAll('.felt > *, .felt .card')].filter((one) => {
  const { right, bottom } = one.getBoundingClientRect();
  const felt = document.querySelector('.felt').getBoundingClientRect();
  return bottom > Math.min(felt.bottom, innerHeight) || right > felt.right;
}).length
"""


def skip(page: Page, table: str) -> None:
    """Go on to the next contract without playing."""
    page.goto(f"{table}/more/throw-in")
    page.get_by_label("Skip to the next contract").check()
    page.get_by_role("button", name="Cancel this deal").click()
    page.wait_for_url("**saved=*")


def test_on_the_narrowest_phone_the_contracts_of_every_game_are_read(phone: Open) -> None:
    """Each way is two lines at most; cards that have no room beside the words are below."""
    page = phone(size=SMALL)
    for variant in (one for one in card_games() if one.has_contracts):
        page.goto(f"/rules/{variant.key}")
        assert page.evaluate(SQUEEZED) == [], variant.key


@pytest.mark.slow
def test_a_contract_of_four_melds_is_whole_on_the_table_and_across_the_room(phone: Open) -> None:
    page = phone(size=SMALL)
    start(page, "kalooki-jamaica", "Ann, Ben, Cleo")
    table = page.url.partition("?")[0]
    for _ in range(8):
        skip(page, table)
        assert page.locator(".deal h2").evaluate(LINES) <= 2
        assert page.evaluate(CUT) == 0
    page.goto(f"{table}/far")
    assert page.locator(".far .felt .meld").count() == 4
    for width, height in ACROSS_THE_ROOM:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == 0, (width, height)


def test_a_book_is_closed_but_for_what_is_asked_most_and_opens_at_each_rule(phone: Open) -> None:
    page = phone("/rules/zioncheck/book")
    height = page.evaluate("document.scrollingElement.scrollHeight")
    assert height <= 10 * PHONE[1], "it was 31,000 pixels"
    expect(page.locator("#questions .rule").first).to_be_visible()
    others = page.locator("details.rules:not(#questions)")
    assert others.count() > 8
    assert others.evaluate_all("parts => parts.filter((part) => part.open).length") == 0
    rule = page.locator("[id='ZC-3.1']")
    expect(rule).to_be_hidden()
    page.evaluate("location.hash = 'ZC-3.1'")
    expect(rule).to_be_in_viewport()
    page.goto("/rules/zioncheck")
    page.goto("/rules/zioncheck/book#scoring")
    expect(page.locator("#scoring .rule").first).to_be_in_viewport()
    expect(rule).to_be_hidden()
    page.locator("#house > summary").click()
    link = page.locator("#house a.rule-id").first
    link.click()
    cited = page.locator(f"[id='{link.inner_text()}']")
    expect(cited).to_be_in_viewport()
    page.locator("details.rules", has=cited).locator("summary").first.click()
    expect(cited).to_be_hidden()
    link.click()
    expect(cited).to_be_in_viewport()


def test_a_book_is_printed_whole_as_a_booklet(phone: Open) -> None:
    page = phone("/rules/zioncheck/book")
    closed = pages_of(page)
    page.locator("details.rules").evaluate_all("parts => parts.map((part) => part.open = true)")
    assert 6 < closed == pages_of(page) <= 16
