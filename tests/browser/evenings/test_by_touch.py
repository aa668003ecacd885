"""An evening of each game by touch, on a phone whose lower edge belongs to the system."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.browsing import Open, totals

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EDGE = 34
"""Pixels at the lower edge that a phone's own gestures take."""
PLACE = """
(edge) => {
  const root = document.scrollingElement;
  const low = (one) => one.getBoundingClientRect().bottom > innerHeight - edge;
  const shown = (one) => one.checkVisibility();
  const main = [...document.querySelectorAll('.dock .names .button, .dock .main, [data-next]')];
  const found = main.filter(shown);
  return {
    scrolls: [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth],
    controls: found.length > 0,
    under: found.filter(low).map((one) => one.textContent.trim()),
  };
}
"""
IN_PLACE = {"scrolls": [0, 0], "controls": True, "under": []}
EVENINGS = [
    (
        "contract-rummy",
        "Ann Bob Cleo Dev Rose",
        (("7 K", "A", "X", "2 2 3"), ("K", "Q", "J", "10")),
        [0, 17 + 10, 15 + 10, 25 + 10, 7 + 10],
    ),
    ("zioncheck", "Ann Bob Cleo", (("7 K", "2"), ("3", "4")), [0, 15 + 5, 5 + 5]),
    (
        "shanghai",
        "Ann Bob Cleo Dev",
        (("7 K", "2", "3"), ("3", "4", "X")),
        [0, 15 + 5, 5 + 5, 5 + 25],
    ),
    (
        "chicago-rummy",
        "Ann Bob Cleo",
        (("3", "K", "Q 5"), ("2", "9", "7")),
        [3 + 2, 10 + 9, 15 + 7],
    ),
    (
        "zip-zilch-zero",
        "Ann Bob Cleo",
        (("-7 +3 +4", "-5 +5", "+K", "", "-2"), ("-9 +9", "", "-A", "-6 +6", "+3")),
        [14 + 18, 10 - 13 - 1, -2 + 12 - 3],
    ),
]
"""Taps on each pad in turn, at Zip what is left on one more, and the totals by the rules."""


@pytest.mark.parametrize(
    ("game", "names", "deals", "after"), EVENINGS, ids=[row[0] for row in EVENINGS]
)
def test_nothing_scrolls_and_all_is_in_reach_of_a_thumb(
    phone: Open, game: str, names: str, deals: tuple[tuple[str, ...], ...], after: list[int]
) -> None:
    page = phone(f"/games/new/{game}", has_touch=True, is_mobile=True)
    keep_the_edge(page)
    page.locator("[name=names]").fill(names)
    page.locator("[name=names]").blur()
    touch(page, ".dock .button")
    page.wait_for_url("**/games/*")
    for hands in deals:
        in_place(page)
        touch(page, ".dock .names .button")
        page.wait_for_url("**/deals/new*")
        for cards in hands:
            in_place(page)
            for card in cards.split():
                touch(page, key_of(card))
            in_place(page)
            touch(page, "[data-next]")
        page.locator("ol.review").wait_for()
        in_place(page)
        touch(page, ".dock .main")
        page.wait_for_url("**saved=*")
    in_place(page)
    assert totals(page) == after
    touch(page, ".top a[href='#more']")
    touch(page, ".menu a[href$='/more/stop']")
    touch(page, "form[action$='/stops'] .main")
    page.get_by_role("button", name="Play again").wait_for()
    assert page.evaluate(PLACE, EDGE)["under"] == []


def keep_the_edge(page: Page) -> None:
    """Let the system have the lower edge, as phones without a home button do."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": EDGE}})


def in_place(page: Page) -> None:
    assert page.evaluate(PLACE, EDGE) == IN_PLACE


def touch(page: Page, what: str) -> None:
    page.locator(what).locator("visible=true").first.tap()


def key_of(card: str) -> str:
    """Find the key of a card; at Zip a red one has a minus, a black one a plus."""
    suit = {"-": "[data-suit=R]", "+": "[data-suit=B]"}.get(card[0], "")
    return f"[data-card='{card.lstrip('+-')}']{suit}"
