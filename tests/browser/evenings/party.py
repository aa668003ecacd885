"""A table whose players each have a phone of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.browsing import Open, start, tap

Party = tuple[Page, dict[str, Page]]


FAMILY = ("Ann", "Bob", "Cleo", "Dan", "Eve")


def link_of(table: Page) -> str:
    """Read the address below the table's code."""
    game = table.url
    table.goto(f"{game}/more/phones")
    link = table.get_by_label("Or open this link").input_value()
    table.goto(game)
    return link


def sit_down(phone: Open, link: str, name: str) -> Page:
    """Open the link, as a camera does, and tap one's name: the second tap is the last."""
    page = phone(link)
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url("**/mine")
    return page


def seated(phone: Open, *names: str) -> Party:
    """Each with a phone of their own, and the phone that keeps the score."""
    table = phone()
    start(table, "contract-rummy", ", ".join(names))
    link = link_of(table)
    return table, {name: sit_down(phone, link, name) for name in names}


def tell(page: Page, cards: str) -> None:
    tap(page, cards)
    page.locator("[data-next]").click()


def shows(page: Page, name: str, total: int) -> None:
    mine = page.locator(".board tbody tr", has_text=name)
    expect(mine.locator(".total")).to_have_text(str(total))


def is_in(table: Page, points: int) -> None:
    """Hold that the table shows a hand of so many points as in."""
    row = table.locator("[data-seat-state]", has_text="✓ in")
    expect(row.locator(".number", has_text=re.compile(f"^{points}$"))).to_be_visible()
