"""Each play screen at the sizes that a phone's browser leaves: all is in reach, no key moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import KEYS, Open, ended, enter, save, start, tap
from tests.support.doses import doses

pytestmark = pytest.mark.browser
SIZES = ((390, 664), (375, 553), (360, 640), (320, 568))
NAMES = ("Ann", "Ben", "Cleo", "Dev", "Rose", "Finn", "Gus", "Hal")
Key = tuple[str, float, float, float, float]
LONG = "Wolfeschlegelsteinhausen"
TOTALS = (-120, 1205, 88, 41, 9, 33, 17, 230)
FIFTEEN = "7 7 7 K K 2 3 4 9 9 Q J A 5 5"
SHOWS = """
(wanted) => {
  const seen = (one) => one.getBoundingClientRect().height;
  const dock = document.querySelector('.dock');
  const above = (one) => dock && !dock.contains(one);
  const edge = (one) => (above(one) ? dock.getBoundingClientRect().top : innerHeight);
  const inside = (one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= edge(one);
  };
  const root = document.scrollingElement;
  const missing = wanted.filter((part) => {
    const found = [...document.querySelectorAll(part)].filter(seen);
    return !found.length || !found.every(inside);
  });
  if (dock && Math.abs(dock.getBoundingClientRect().bottom - innerHeight) > 1) missing.push('edge');
  return [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth, missing];
}
"""
TEXT_SIZES = "cells => cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize))"
ACROSS_THE_ROOM = ((1280, 720), (1920, 1080), *SIZES)
FILLS = """
() => {
  const { bottom, right } = document.querySelector('.felt').getBoundingClientRect();
  const root = document.scrollingElement;
  return [bottom, root.scrollHeight, right, root.scrollWidth].map(Math.round);
}
"""
LEGIBLE = 18
HINT = "one => getComputedStyle(one, '::before').content.length > 6"
TAP = """
(grid, cards) => { for (const card of cards) grid.querySelector(`[data-card="${card}"]`).click(); }
"""
REPORT = """
(told) => {
  const form = document.querySelector('form.entering');
  const hidden = (name, value) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name, value });
  for (const field of form.querySelectorAll('[data-field]')) field.value = '';
  for (const [name, value] of Object.entries({ ...told, step: 'review' })) {
    const field = form.elements[name]?.tagName === 'INPUT' ? form.elements[name] : null;
    if (field) field.value = value;
    else form.append(hidden(name, value));
  }
  form.submit();
}
"""


@doses(
    "tables",
    [("contract-rummy", 5)],
    [
        *(("contract-rummy", count) for count in (3, 5, 8)),
        ("chicago-rummy", 5),
        ("zip-zilch-zero", 4),
    ],
)
def test_what_is_needed_is_on_the_screen_and_no_key_moves(
    phone: Open, tables: list[tuple[str, int]]
) -> None:
    """Names of twenty letters, totals of -120 and 1,205, one of them doubted at the review."""
    found = [fault for game, count in tables for fault in faults_of(phone, game, count)]
    assert not found


def test_a_review_of_five_with_fifteen_cards_and_a_doubt_fits(phone: Open) -> None:
    """Ten kinds of card lie in one row, below the points, and the doubt has both its answers."""
    page = phone("/games/new/contract-rummy")
    page.locator("[name=names]").fill("Ann, Ben, Cleo, Dev, Rose")
    page.locator("form[data-new-game]").evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/games/*")
    page.goto(f"{page.url.partition('?')[0]}/deals/new?how=out&by=0")
    hands = ("7 7 10 Q", FIFTEEN, "K Q", "X 4")
    page.evaluate(REPORT, {f"seat{n}-cards": cards for n, cards in enumerate(hands, start=1)})
    page.locator(".doubt").wait_for()
    wanted = ["ol.review li", ".doubt .button", ".dock .main"]
    assert page.evaluate(SHOWS, wanted) == [0, 0, []]


def test_five_players_an_undo_and_a_deal_that_was_begun_fit(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Ben, Cleo, Dev, Rose")
    ended(page, "Who went out?", "Ann")
    enter(page, ["7 7", "K", "A", "3"])
    save(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Deal 1 taken out again")).to_be_visible()
    expect(page.get_by_text("You've started entering deal 1")).to_be_visible()
    wanted = [".notice", ".board tbody tr", ".story", ".names .button"]
    assert page.evaluate(SHOWS, wanted) == [0, 0, []]


LONGEST_HAND = "AR AB 2 3 4 5 6 7 8 9 10 J Q K X 7"
OUT_OF_SIGHT = """
(tray) => {
  const { bottom } = tray.getBoundingClientRect();
  return [...tray.querySelectorAll('.card')].filter(
    (card) => card.getBoundingClientRect().bottom > bottom).length;
}
"""


def test_the_longest_hand_of_kalooki_is_seen_while_it_is_tapped(phone: Open) -> None:
    """Sixteen cards of all fifteen kinds, the red ace apart from the black, beside a bonus."""
    page = phone()
    start(page, "kalooki-jamaica", "Ann, Ben, Cleo, Dev")
    ended(page, "Who went out?", "Ann")
    tap(page, LONGEST_HAND)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        tray = page.locator(".tray:visible")
        assert tray.locator(".card").count() == 15
        assert tray.evaluate(OUT_OF_SIGHT) == 0, (width, height)
        assert not list(too_small(keys_at(page, (width, height)), (width, height), ""))
    bonus = page.get_by_role("checkbox", name="Down and out")
    expect(bonus).to_be_hidden()
    way_there = page.get_by_role("link", name="Bonuses")
    way_there.click()
    bonus.check()
    page.keyboard.press("Escape")
    expect(bonus).to_be_hidden()
    expect(way_there).to_be_focused()
    assert way_there.evaluate("(link) => getComputedStyle(link, '::before').content") == '"✓"'


def faults_of(phone: Open, game: str, count: int) -> Iterator[tuple[object, ...]]:
    """Play a deal, and name what is out of reach or moves."""
    names = [f"{name} {LONG[: 19 - len(name)]}" for name in NAMES[:count]]
    page = phone(f"/games/new/{game}")
    page.locator("[name=names]").fill(", ".join(names))
    page.locator("[name=names]").blur()
    yield from out_of_reach(page, "new", "[name=names]", "[data-dealers] .chip", ".dock .button")
    page.locator("form[data-new-game]").evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/games/*")
    table = page.url.partition("?")[0]
    yield from out_of_reach(page, f"table of {count}", ".dock > .names .button")
    assert count > 5 or min(page.locator(".board .total").evaluate_all(TEXT_SIZES)) >= 33
    page.goto(f"{table}/deals/new?how={'knock' if 'chicago' in game else 'out'}&by=0")
    yield from keys_that_move(page, game)
    if game != "contract-rummy":
        return
    told = {f"seat{seat}-total": str(TOTALS[seat]) for seat in range(1, count)}
    told |= {"seat0-asks-adjust": "1", "seat0-adjust": str(TOTALS[0]), "seat0-why": "a bet"}
    page.evaluate(REPORT, told)
    page.locator("ol.review").wait_for()
    yield from out_of_reach(page, f"review of {count}", ".dock .main")
    save(page)
    assert page.locator(".board .total").all_inner_texts() == [
        "−120",
        "1,205",
        *(str(total) for total in TOTALS[2:count]),
    ]
    yield from out_of_reach(page, f"saved table of {count}", ".dock > .names .button")
    page.goto(f"{table}/far")
    for width, height in ACROSS_THE_ROOM:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(FILLS) != [height, height, width, width]:
            yield "far view", (width, height), "is not filled"
        if min(page.locator(".board :is(.name, .total)").evaluate_all(TEXT_SIZES)) < LEGIBLE:
            yield "far view", (width, height), "is hard to read"


def keys_that_move(page: Page, game: str) -> Iterator[tuple[object, ...]]:
    """Tap fifteen cards, and compare where each key of each way to enter was before."""
    yield from out_of_reach(page, "pad", "[data-next]", "[data-back]")
    page.locator("button.tab").nth(1).click()
    ways = page.locator("[data-to]:enabled")
    for way in range(ways.count()):
        ways.nth(way).click()
        is_hinted = page.locator("[data-chips]:visible").evaluate(HINT)
        if is_hinted == (ways.nth(way).get_attribute("data-to") == "total"):
            yield game, way, "says what to tap where nothing is tapped, or does not"
        empty = [keys_at(page, size) for size in SIZES]
        for size, keys in zip(SIZES, empty, strict=True):
            yield from too_small(keys, size, game)
        if ways.nth(way).get_attribute("data-to") == "total":
            page.keyboard.type("120+85")
        else:
            page.locator("[data-grid]").evaluate(TAP, FIFTEEN.split())
        full = [keys_at(page, size) for size in SIZES]
        for size, before, after in zip(SIZES, empty, full, strict=True):
            if before != after:
                yield game, way, size, "keys moved"
        yield from out_of_reach(page, f"full pad of {game}", "[data-next]", "[data-back]")


def too_small(keys: list[Key], size: tuple[int, int], game: str) -> Iterator[tuple[object, ...]]:
    """Name keys under which a thumb is lost, or that lie above its reach."""
    shown = [key for key in keys if key[4]]
    assert len(shown) >= 13
    low = 44 if "zip" in game and size[0] < 360 else 48 if size[1] < 600 else 52
    narrow = 44 if "zip" in game else 52
    for name, _, y, width, height in shown:
        if height < low:
            yield name, size, "is low", height
        if width < narrow:
            yield name, size, "is narrow", width
        if y < size[1] * (0.4 if "zip" in game else 0.5):
            yield name, size, "lies high", y


def out_of_reach(page: Page, name: str, *wanted: str) -> Iterator[tuple[object, ...]]:
    """Name each size at which a screen scrolls, or hides what it is for.

    Of eight players the rows may scroll below 664 and beside what was just saved, of five a
    review with a doubt below 664.
    """
    for width, height in SIZES:
        is_full = name.endswith("of 8") and (height < 664 or name != "table of 8")
        page.set_viewport_size({"width": width, "height": height})
        below, beside, missing = page.evaluate(SHOWS, wanted)
        may_scroll = name == "new" or (height < 664 and "review" in name) or is_full
        if missing or beside or (below and not may_scroll):
            yield name, (width, height), below, beside, missing


def keys_at(page: Page, size: tuple[int, int]) -> list[Key]:
    """Measure where the keys lie in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    keys: list[Key] = page.evaluate(KEYS)
    return keys
