"""A deal for somebody who hears it: what things are called, what is said, where the focus is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Open, ended, following, review, start, tap

from .party import seated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
QUESTION = "Who went out?"
LISTENS = """
() => sessionStorage.getItem(document.querySelector('script[data-then]').dataset.then)
"""
"""Whether a page's script is there: until then its forms are sent as without one."""
HEARS = """
() => {
  const said = document.querySelector('[aria-live=polite].unseen');
  window.heard = [];
  new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
}
"""
"""Note all that is read aloud from now on: what comes next may take its place at once."""


def said(page: Page, words: str) -> None:
    """Wait until the page has these words read aloud."""
    expect(page.locator("[aria-live=polite].unseen", has_text=words)).to_have_count(1)


def test_a_deal_by_ear(phone: Open) -> None:
    table = phone()
    start(table, "contract-rummy", "Ann, Ben, Cleo")
    focus = table.locator(":focus")
    table.get_by_role("link", name="More").click()
    expect(focus).to_have_accessible_name("More")
    expect(focus).to_have_role("navigation")
    table.keyboard.press("Escape")
    expect(focus).to_have_role("link")
    expect(focus).to_have_accessible_name("More")

    ended(table, QUESTION, "Ann")
    tap(table, "7 7 X")
    expect(table.get_by_role("button", name="2 × 7, take away")).to_be_visible()
    expect(table.get_by_role("button", name="Joker, take away")).to_be_visible()
    following(table)
    said(table, "Cleo's cards")
    following(table)
    expect(focus).to_have_role("alert")
    expect(focus).to_contain_text("Enter Cleo's cards. Only Ann went out.")
    tap(table, "K")
    following(table)
    review(table)
    expect(focus).to_have_accessible_name("Check the scores")
    table.get_by_role("button", name="Save deal 1").click()
    expect(focus).to_have_text("Deal 1 saved. Ann leads.")

    ben = table.get_by_role("row", name="Ben")
    expect(ben.get_by_role("link")).to_have_count(2)
    ben.get_by_role("link", name="Ben, 39 in all: why").click()
    table.get_by_role("link", name="joker, deal 1: take one away").wait_for()
    table.go_back()
    ben.get_by_role("link", name="Ben, +39 in deal 1: why").click()
    table.wait_for_url("**/deals/1/seats/1")


def test_one_s_own_hand_by_ear(phone: Open) -> None:
    _, phones = seated(phone, "Ann", "Ben", "Cleo")
    ben, cleo = phones["Ben"], phones["Cleo"]
    cleo.wait_for_function(LISTENS)
    cleo.get_by_role("button", name="I went out").click()
    expect(cleo.locator(":focus")).to_have_text("Cleo went out")
    said(cleo, "Still to come: Ann and Ben")
    tap(ben, "7 X")
    ben.context.set_offline(True)
    said(ben, "Offline. As of")
    following(ben)
    expect(ben.locator(":focus")).to_have_text("Saved on this phone")
    ben.evaluate(HEARS)
    ben.context.set_offline(False)
    ben.wait_for_function("() => heard.includes('Connected again.')")
    ben.get_by_role("link", name="Change").click()
    tap(ben, "2")
    following(ben)
    expect(ben.locator(":focus")).to_contain_text("Your hand is in")
    expect(ben.locator(":focus")).to_contain_text(re.compile("2.*7.*joker", re.DOTALL))
    ann = phones["Ann"]
    said(ann, "Still to come: Ann")
    cleo.get_by_role("button", name="keep playing").click()
    expect(ann.locator("[aria-live=polite].unseen")).to_have_text("")
