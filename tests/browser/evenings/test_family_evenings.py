"""Whole evenings of six phones: whatever way hands come in, every page shows what is stored."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import SCROLLS
from tests.support.doses import first_in_every_run

from .evening import (
    FAMILY,
    ON_BOTH,
    House,
    Table,
    line,
    onward,
    pad_of,
    review,
    save,
    seated,
    shows_deal,
    shows_totals,
    tap,
    tell,
    went_out,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OTHERS = FAMILY[1:]
DEALS = (
    (("7 7", 14), ("K", 10), ("X", 25), ("2", 2)),
    (("A", 15), ("Q J", 20), ("3 3", 6), ("10", 10)),
    (("5", 5), ("X", 25), ("K Q", 20), ("4", 4)),
)
"""What the others hold when Ann goes out, and what the book says it costs."""


CHICAGO = (
    (("3", 3), (("7 7", 14), ("K", 10), ("9", 9), ("6", 6))),
    (("2", 2), (("8", 8), ("Q J", 20), ("5", 5), ("10", 10))),
)
"""What Ann knocks with and the others are left with: in short, more than she in each deal."""


def stored(house: House) -> list[int]:
    """Add up what the database holds, by seat."""
    found = house.saved()
    return [sum(points for _, seat, points in found if seat == one) for one in range(len(FAMILY))]


def told(page: Page, cards: str) -> None:
    """Enter a hand, and wait until the server has it: who reviews sooner misses it."""
    tell(page, cards)
    expect(page.locator("[data-in]")).to_be_visible()


def each_enters(table: Table, deal: int) -> None:
    for name, (cards, _) in zip(OTHERS, DEALS[deal], strict=True):
        told(table.phones[name], cards)
    review(table)


def one_enters_for_all(table: Table, deal: int) -> None:
    """The phones only look on, each with its empty pad."""
    for name in OTHERS:
        pad_of(table.phones[name]).wait_for()
    review(table)
    for cards, _ in DEALS[deal]:
        tap(table.keeper, cards)
        onward(table.keeper)


def some_are_away(table: Table, deal: int) -> None:
    """Dan is in a dead corner for two deals, and Eve's phone is closed after the first."""
    hands = dict(zip(OTHERS, DEALS[deal], strict=True))
    dan = table.phones["Dan"]
    if deal == 0:
        pad_of(dan).wait_for()
        dan.context.set_offline(True)
        tell(dan, hands["Dan"][0])
    if deal == 1:
        table.phones.pop("Eve").close()
    away = ["Dan"] if deal < 2 else []
    away += [] if "Eve" in table.phones else ["Eve"]
    for name in OTHERS:
        if name not in away:
            told(table.phones[name], hands[name][0])
    review(table)
    for name in away:
        table.keeper.locator(f"[data-tab='{FAMILY.index(name)}']").click()
        tap(table.keeper, hands[name][0])
    if away:
        table.keeper.locator("[data-tab='4']").click()
        onward(table.keeper)


@ON_BOTH
@pytest.mark.parametrize(
    "enter",
    first_in_every_run([each_enters, one_enters_for_all, some_are_away], later=pytest.mark.long),
)
def test_every_page_shows_what_is_stored(house: House, enter: Callable[[Table, int], None]) -> None:
    table = seated(house, *FAMILY)
    far = table.far()
    connected = table.keeper.locator(".board [data-phones]:visible")
    expect(connected).to_have_count(len(FAMILY))
    course = zip(*([points for _, points in deal] for deal in DEALS), strict=True)
    totals = [[0, *sums] for sums in zip(*map(accumulate, course), strict=True)]
    for deal, after in enumerate(totals):
        went_out(table.phones["Ann"])
        enter(table, deal)
        save(table.keeper)
        assert stored(house) == after
        if deal == 1:
            table.phones["Dan"].context.set_offline(False)
        reached = [page for page in table.everyone if not page.evaluate("!navigator.onLine")]
        shows_totals(far, sorted(after))
        for page in reached:
            shows_totals(page, after)
            shows_deal(page, deal + 2)
            expect(line(page)).to_be_hidden()
            expect(pad_of(page)).to_have_count(0)
        for page in (page for page in table.phones.values() if page in reached):
            assert page.evaluate(SCROLLS) == [0, 0]
            expect(page.get_by_role("link", name="Who can still win")).to_be_in_viewport(ratio=1)
    expect(table.keeper.locator(".doubt")).to_have_count(0)


def test_an_evening_of_chicago_while_two_look_at_another_game(house: House) -> None:
    table = seated(house, *FAMILY, game="chicago-rummy")
    keeper, elsewhere = table.keeper, [table.phones[name] for name in ("Dan", "Eve")]
    keeper.goto("/games/new/contract-rummy")
    keeper.locator("[name=names]").fill(", ".join(FAMILY))
    keeper.locator("form[data-new-game]").evaluate("form => form.requestSubmit()")
    keeper.wait_for_url("**/games/*")
    other = keeper.url.partition("?")[0]
    table.show()
    connected = keeper.locator(".board [data-phones]:visible")
    after = [0] * len(FAMILY)
    for deal, (knocked, hands) in enumerate(CHICAGO):
        everyone = (knocked, *hands)
        for page in elsewhere:
            page.goto(other)
        expect(connected).to_have_count(len(FAMILY) - len(elsewhere))
        went_out(table.phones["Ann"])
        expect(keeper.locator("[data-seat-state].waited-for")).to_have_count(len(FAMILY))
        for page in elsewhere:
            page.goto(other)
            expect(page.get_by_text("Your hand is awaited at another table")).to_be_visible()
            page.get_by_role("link", name="Go there").click()
        for name, (cards, _) in zip(FAMILY, everyone, strict=True):
            told(table.phones[name], cards)
        review(table)
        save(keeper)
        after = [total + points for total, (_, points) in zip(after, everyone, strict=True)]
        assert stored(house) == after
        for page in table.everyone:
            shows_totals(page, after)
            shows_deal(page, deal + 2)
