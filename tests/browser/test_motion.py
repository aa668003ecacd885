"""What was saved counts up, unless the device asks for less motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Open, ended, enter, start, totals

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WATCH = """
const note = (kind, what) => (window[kind] ??= []).push(what);
new MutationObserver((changes) => changes
  .filter(({ target }) => target.parentElement?.closest('.total'))
  .forEach(({ target }) => note('seen', target.data))
).observe(document, { characterData: true, subtree: true });
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  note('grown', how[1]);
  return animate.apply(this, how);
};
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_totals_count_up_to_what_was_saved(phone: Open, motion: str) -> None:
    page = phone(reduced_motion=motion)
    page.add_init_script(WATCH)
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    enter(page, ["K Q J", "7"])
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**saved=*")
    expect(page.locator(".board .total")).to_have_text(["0", "30", "7"])
    seen, grown = page.evaluate("[window.seen ?? [], window.grown ?? []]")
    if motion == "reduce":
        assert not seen
        assert not grown
        return
    assert seen[:2] == ["0", "0"], "Bob's and Cleo's start from what was there"
    assert {"30", "7"} <= set(seen)
    assert grown == [150, 150]
    page.reload()
    assert totals(page) == [0, 30, 7]
    assert not page.evaluate("window.seen"), "nothing moves where nothing changed"
