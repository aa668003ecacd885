"""How soon the phones of a table show what happened: print what the slowest of five took.

    python -m bench.phones [deals]

A `flask serve` in a process of its own, Chromium with six phones and the view across the room. What
is timed begins with the tap and ends when the slowest page shows it; taps have a human pace.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.evenings.evening import (
    FAMILY,
    Table,
    house_of,
    onward,
    review,
    save,
    seated,
    tap,
    tell,
    went_out,
)
from tests.support.chromium import launch

from .live import at_percent

DEALS = 7
HANDS = ("7 7", "K", "X", "2")
NOTE_TAP = """
() => document.addEventListener('submit', () => {
  localStorage.tapped = performance.timeOrigin + performance.now();
}, { capture: true, once: true })
"""
WATCH = """
(wanted) => {
  window.seen = 0;
  const look = () => {
    if (document.querySelector(wanted)) window.seen = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  look();
}
"""
PAD = "form.entering[data-hand]"


def took(tapped: Page, watched: Sequence[Page], wanted: str, act: Callable[[], None]) -> float:
    """Return how many milliseconds passed until the slowest of these pages showed something."""
    for page in watched:
        page.evaluate(WATCH, wanted)
    tapped.evaluate(NOTE_TAP)
    act()
    for page in watched:
        page.wait_for_function("() => window.seen")
    at = float(tapped.evaluate("localStorage.tapped"))
    return max(float(page.evaluate("window.seen")) for page in watched) - at


def each_enters(table: Table) -> None:
    """Let everyone enter their own hand."""
    for name, cards in zip(FAMILY[1:], HANDS, strict=True):
        tell(table.phones[name], cards)
    review(table)


def one_enters_for_all(table: Table) -> None:
    """Enter all hands on the phone that keeps the score."""
    review(table)
    for cards in HANDS:
        tap(table.keeper, cards)
        onward(table.keeper)
    table.keeper.locator("button[name=step][value=save]").wait_for()


def evening(table: Table, deals: int, enter: Callable[[Table], None]) -> tuple[list[float], ...]:
    """Play deals, and time how soon pads open and totals are there."""
    ann, keeper, far = table.phones["Ann"], table.keeper, table.far()
    others = [table.phones[name] for name in FAMILY[1:]]
    pads, totals = [], []
    for deal in range(1, deals + 1):
        pads.append(took(ann, others, PAD, partial(went_out, ann)))
        enter(table)
        shown = f"[data-live][data-position='{deal}']"
        totals.append(took(keeper, [*others, ann, far], shown, partial(save, keeper)))
    return pads, totals


def evenings(
    browser: Browser, deals: int, enter: Callable[[Table], None]
) -> tuple[list[float], ...]:
    """Play so many deals, at each table as many as its game has."""
    pads: list[float] = []
    totals: list[float] = []
    while len(pads) < deals:
        with TemporaryDirectory() as folder, house_of(browser, Path(folder) / "instance") as house:
            some = evening(seated(house, *FAMILY), min(DEALS, deals - len(pads)), enter)
        pads += some[0]
        totals += some[1]
    return pads, totals


def main() -> None:
    """Play in each way of entering."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 3 * DEALS
    print("entered by | what | deals | p50 ms | p95 ms | slowest ms | load of the machine")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for who, enter in (("each", each_enters), ("one for all", one_enters_for_all)):
            found = evenings(browser, deals, enter)
            for what, values in zip(("pads open", "totals everywhere"), found, strict=True):
                ms = [*(at_percent(values, percent) for percent in (50, 95)), max(values)]
                shown = " | ".join(f"{one:.0f}" for one in ms)
                print(f"{who} | {what} | {deals} | {shown} | {os.getloadavg()[0]:.1f}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
