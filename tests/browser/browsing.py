"""A browser as people hold it: sizes, and the taps of a deal."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

PHONE = (390, 664)


DESK = (1280, 800)


SMALL = (320, 568)


SCROLLS = """
() => {
  const root = document.scrollingElement;
  return [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth];
}
"""
"""By how much a page is higher and wider than its window."""


KEYS = """
() => [...document.querySelectorAll('.keys .key')].map((key) => {
  const { x, y, width, height } = key.getBoundingClientRect();
  return [key.dataset.card ?? key.dataset.digit ?? key.className, x, y, width, height];
})
"""
"""Where the keys of a pad lie."""


JUDGE_KEPT = """async () => {
  const { src } = document.querySelector('script[data-then]');
  const scripts = ['table/first', 'judge/judging', 'judge/judge', 'judge/judge-contract'];
  const needed = scripts.map((name) => new URL(`../${name}.js`, src));
  for (const { href } of document.querySelectorAll('a[data-keep]')) needed.push(href);
  while (!(await Promise.all(needed.map((one) => caches.match(one)))).every(Boolean)) {
    await new Promise((later) => setTimeout(later, 50));
  }
}"""
"""Ends when the browser keeps what the judge's page needs."""


Open = Callable[..., Page]


def start(page: Page, game: str, names: str) -> None:
    page.goto(f"/games/new/{game}")
    page.get_by_label("Players in seating order").fill(names)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")


def ended(page: Page, question: str, name: str) -> None:
    """Tap who ended the deal; rarer endings are folded away."""
    names = page.locator(".dock > .names")
    if question not in page.locator("#question").inner_text():
        page.locator(".others summary").click()
        names = page.locator(".others h2", has_text=question).locator(
            "xpath=following-sibling::*[1]"
        )
    names.get_by_role("link", name=name).click()
    page.wait_for_url("**/deals/new*")


def tap(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f"[data-card='{card}']").click()


def digits(page: Page, number: str) -> None:
    for digit in number:
        page.locator(f"[data-digit='{digit}']").click()


def following(page: Page) -> None:
    page.locator("[data-next]").click()


def way(page: Page, name: str) -> None:
    """Choose how this hand is entered."""
    page.locator("[data-to]", has_text=name).click()


def save(page: Page) -> None:
    review(page)
    answer_doubts(page)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**saved=*")


def answer_doubts(page: Page) -> None:
    """Say of each doubt that it is right."""
    doubts = page.locator("button[name=sure]")
    for left in reversed(range(doubts.count())):
        doubts.first.click()
        expect(doubts).to_have_count(left)


def review(page: Page) -> None:
    """Wait for the review, which a tap or a key leads to."""
    page.wait_for_selector("h1:has-text('Check the scores')")


def look_round(page: Page) -> None:
    """Open the sample family's league, and stay at its start."""
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("heading", name="wins").wait_for()
    page.goto("/")


def go_on(page: Page) -> None:
    """Open the running game of the sample family."""
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/games/*")


def enter(page: Page, hands: list[str]) -> None:
    for cards in hands:
        tap(page, cards)
        following(page)
    review(page)


def totals(page: Page) -> list[int]:
    cells = page.locator(".board .total").all_inner_texts()
    return [int(text.replace("−", "-").replace(",", "")) for text in cells]


def results(page: Page) -> list[str]:
    """The totals of a finished game with their names, in the order of places."""
    return [text.replace("\n", "") for text in page.locator(".podium .number").all_inner_texts()]


def taps(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.taps ?? 0)"))


def forget_taps(page: Page) -> None:
    page.evaluate("sessionStorage.taps = 0")


def suited(page: Page, suit: str, cards: str) -> None:
    page.locator(f".suits [data-suit='{suit}']").click()
    tap(page, cards)


def zipped(page: Page, cards: str) -> None:
    """Tap red cards with their minus, black ones with their plus."""
    for card in cards.split():
        suit = {"-": "R", "+": "B"}[card[0]]
        page.locator(f"[data-card='{card[1:]}'][data-suit={suit}]").click()


def pages_of(page: Page, paper: str = "A4") -> int:
    """Print a page and count the sheets."""
    printed = page.pdf(format=paper, print_background=True, prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page[^s]", printed))


def tap_hand(page: Page, cards: str) -> None:
    """Choose a suit, in Zip a colour, and tap the card."""
    in_colours = page.locator("button[data-colour]").count() > 0
    for card in cards.split():
        rank, suit = (card, "") if card == "X" else (card[:-1], card[-1])
        if in_colours:
            colour = {"D": "R", "H": "R", "C": "B", "S": "B"}.get(suit, suit)
            if page.locator(f"button[data-colour={colour}]").is_visible():
                page.locator(f"button[data-colour={colour}]").click()
            page.locator(f"[data-card='{rank}'][data-suit={colour}]").click()
            continue
        if suit:
            page.locator(f".suits [data-suit={suit}]").click()
        page.locator(f"[data-card='{rank}']").click()
