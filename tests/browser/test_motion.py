"""What was saved counts up and places move, unless the device asks for less motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Open, ended, enter, save, start, totals

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WATCH = """
const note = (kind, what) => (window[kind] ??= []).push(what);
new MutationObserver((changes) => changes
  .filter(({ target }) => target.parentElement?.closest('.total'))
  .forEach(({ target }) => note('seen', target.data))
).observe(document, { characterData: true, subtree: true });
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const [[from], time] = how;
  if (this.matches('tr')) note('moved', [this.dataset.seat, from.transform, time]);
  else note('grown', time);
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


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_across_the_room_who_passes_another_moves_up(phone: Open, motion: str) -> None:
    """The table keeps its seats, for the deal goes round by them; the far view is by places."""
    page = phone(reduced_motion=motion)
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    own = page.context.storage_state()
    far = phone(f"{page.url.partition('?')[0]}/far", reduced_motion=motion, storage_state=own)
    far.add_init_script(WATCH)
    far.reload()
    for out, hands, places in (
        ("Cleo", ["K", "7"], [("Cleo", "0"), ("Bob", "7"), ("Ann", "10")]),
        ("Ann", ["K Q", "9"], [("Cleo", "9"), ("Ann", "10"), ("Bob", "27")]),
    ):
        ended(page, "Who went out?", out)
        enter(page, hands)
        save(page)
        for part, column in ((".name bdi", 0), (".total", 1)):
            expect(far.locator(f".board {part}")).to_have_text([row[column] for row in places])
    expect(page.locator(".board .total")).to_have_text(["10", "27", "9"])
    moved = far.evaluate("window.moved ?? []")
    if motion == "reduce":
        assert not moved
        return
    up, down = "translateY(100%)", "translateY(-100%)"
    first = [["2", "translateY(200%)", 150], ["0", "translateY(-200%)", 150]]
    assert moved == [*first, ["0", up, 150], ["1", down, 150]]
