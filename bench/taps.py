"""How long the judge keeps people waiting: from the tap to the text, in a real browser.

    python -m bench.taps [hands]

A real server in a process of its own and one phone in Chromium. Every game is asked so many hands
of somebody who has just drawn, in any of its deals, and so many hands to practise on.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from random import Random

from playwright.sync_api import Page, sync_playwright

from companion.cards import NATURALS, SUITS, Card, Hand, Rank, write_hand
from companion.rules import Variant, card_games
from companion.upkeep import startup
from tests.browser.browsing import PHONE
from tests.support.chromium import launch

from .live import app_in, at_percent, serve

Wait = tuple[float, float]
"""Milliseconds from the tap until the text is there, and until it is painted."""

ZIP_CARDS = 10
REMEMBER_TAP = """
addEventListener('click', (tap) => {
  if (tap.isTrusted) sessionStorage.tapped = performance.timeOrigin + tap.timeStamp;
}, true);
"""
SINCE_TAP = """
() => new Promise((tell) => new PerformanceObserver((paints, watch) => {
  const first = paints.getEntriesByName('first-contentful-paint')[0];
  if (!first) return;
  watch.disconnect();
  const page = performance.getEntriesByType('navigation')[0];
  const tapped = Number(sessionStorage.tapped) - performance.timeOrigin;
  tell([page.domInteractive - tapped, first.startTime - tapped]);
}).observe({ type: 'paint', buffered: true }))
"""


def waits(page: Page, variant: Variant, rng: Random, hands: int) -> list[Wait]:
    """Return how long each question about a game took to be answered."""
    took = []
    for _ in range(hands):
        step = rng.randint(1, max(1, len(variant.deals)))
        page.goto(f"/rules/{variant.key}/judge?deal={step}&hand=")
        page.evaluate(
            "typed => document.querySelector('[name=hand]').value = typed",
            write_hand(dealt(variant, step, rng)),
        )
        took.append(tap(page, lambda: page.locator("button.main").click()))
        page.goto(f"/rules/{variant.key}/practice?deal={step}")
        took.append(tap(page, lambda: page.get_by_role("link", name="Yes").click()))
    return took


def tap(page: Page, press: Callable[[], None]) -> Wait:
    """Press something and tell how much later the answer was there, and painted."""
    with page.expect_navigation():
        press()
    there, painted = page.evaluate(SINCE_TAP)
    return there, painted


def dealt(variant: Variant, step: int, rng: Random) -> Hand:
    """Deal what somebody holds who has just drawn."""
    pack = variant.pack(max(variant.players.min, min(4, variant.players.max)))
    jokers = pack.jokers if "joker" in variant.meld_rules(step).wilds else 0
    cards = [Card(rank, suit) for rank in NATURALS for suit in SUITS] * pack.decks
    cards += [Card(Rank.JOKER)] * jokers
    size = ZIP_CARDS if variant.scoring.zips else variant.deal(step).dealt + 1
    return tuple(rng.sample(cards, size))


def main() -> None:
    """Ask about every game."""
    folder, hands = tempfile.mkdtemp(), int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with app_in(folder).app_context():
        startup.prepare()
    ready: multiprocessing.Queue[int] = multiprocessing.Queue()
    multiprocessing.Process(target=serve, args=(folder, ready), daemon=True).start()
    address = f"http://127.0.0.1:{ready.get(timeout=30)}"
    every: list[Wait] = []
    print("milliseconds from the tap: until the text is there p50 | p95, until it is painted")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        size = {"width": PHONE[0], "height": PHONE[1]}
        context = browser.new_context(base_url=address, viewport=size)  # type: ignore[arg-type]
        context.add_init_script(REMEMBER_TAP)
        # Hands are typed here, not tapped: the page as it is without its script.
        context.route("**/pad.js*", lambda route: route.abort())
        page = context.new_page()
        for variant in card_games():
            took = waits(page, variant, Random(variant.key), hands)
            every += took
            print(line(variant.name, took), flush=True)
        browser.close()
    print(line("all games", every))


def line(name: str, took: list[Wait]) -> str:
    """Write the figures of one game."""
    parts = [
        f"{at_percent(each, 50):4.0f} | {at_percent(each, 95):4.0f}"
        for each in zip(*took, strict=True)
    ]
    return f"{name:<28} {', '.join(parts)}"


if __name__ == "__main__":
    main()
