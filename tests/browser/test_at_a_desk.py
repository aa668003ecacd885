"""A whole evening at a desk by keyboard alone, the table beside the pad."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import DESK, KEYS, SCROLLS, Open, results

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = ("Ann", "Bob", "Cleo", "Dev", "Rose")
HANDS = ("7 7 K", "A", "Q X", "2 3 4 5", "9 0", "J J 6")
COSTS = (24, 15, 35, 14, 19, 26)
"""What a hand counts by CR-6.2; a key of its own for each card, 0 for a ten."""
DEALS = 7
DOUBTS = ".doubt [name=sure]"
MOST_TABS = 14
LOW = 450


def test_an_evening_by_keyboard_alone(phone: Open) -> None:
    page = phone("/games/new/contract-rummy", size=DESK)
    tab_to(page, "[name=names]")
    page.keyboard.type(", ".join(NAMES))
    tab_to(page, ".dock .button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*")
    totals, keys = [0] * len(NAMES), None
    for deal in range(DEALS):
        assert page.evaluate(SCROLLS) == [0, 0] or deal > 5
        out = deal % len(NAMES)
        tab_to(page, f".dock .names .button:nth-child({out + 1})")
        page.keyboard.press("Enter")
        page.wait_for_url("**/deals/new*")
        shows_beside(page, deal, totals)
        fits_a_low_window(page)
        others = [seat for seat in range(len(NAMES)) if seat != out]
        for place, seat in enumerate(others):
            hand = (deal + place) % len(HANDS)
            for card in HANDS[hand].split():
                page.keyboard.press(card)
            totals[seat] += COSTS[hand]
            assert page.evaluate(SCROLLS) == [0, 0]
            keys = keys or page.evaluate(KEYS)
            assert page.evaluate(KEYS) == keys
            page.keyboard.press("Enter")
        page.locator("ol.review").wait_for()
        for left in reversed(range(page.locator(DOUBTS).count())):
            tab_to(page, DOUBTS)
            page.keyboard.press("Enter")
            expect(page.locator(DOUBTS)).to_have_count(left)
        tab_to(page, "[name=step][value=save]")
        page.keyboard.press("Enter")
        page.wait_for_url("**saved=*")
        if deal + 1 < DEALS:
            expect(page.locator("#saved")).to_be_focused()
    by_place = sorted(zip(totals, NAMES, strict=True))
    assert results(page) == [f"{total}, {name}" for total, name in by_place]
    expect(page.get_by_role("button", name="Play again")).to_be_in_viewport()


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the focus is there; nobody presses it all evening."""
    control = page.locator(wanted).first
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if control.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"{wanted} is more than {MOST_TABS} tabs away")


def shows_beside(page: Page, deal: int, totals: list[int]) -> None:
    """Wait for the table beside the pad, with every deal so far."""
    beside = page.locator(".beside")
    expect(beside.locator(".total")).to_have_text([str(total) for total in totals])
    expect(beside.locator(".scores tbody tr")).to_have_count(deal)
    pad = page.locator(".entering").bounding_box()
    table = beside.bounding_box()
    assert pad
    assert table
    assert table["x"] + table["width"] <= pad["x"]


def fits_a_low_window(page: Page) -> None:
    """See that the cards keep their room where the table has none, and that it comes back."""
    page.set_viewport_size({"width": DESK[0], "height": LOW})
    expect(page.locator(".beside")).to_be_hidden()
    tray = page.locator(".tray:visible").bounding_box()
    assert tray
    assert tray["height"] > LOW / 3
    assert page.evaluate(SCROLLS) == [0, 0]
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(page.locator(".beside .total").first).to_be_visible()
