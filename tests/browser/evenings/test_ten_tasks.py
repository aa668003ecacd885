"""Ten things a family looks for, from Home by the words it sees: found at once, in so few taps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Open, forget_taps, look_round, taps

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def to(page: Page, *words: str) -> None:
    """Tap links and buttons one after the other, each by the words it shows."""
    for said in words:
        page.get_by_role("link", name=said).or_(page.get_by_role("button", name=said)).first.tap()


def who_won_last_year(page: Page) -> None:
    to(page, "League")
    page.locator(".chips").get_by_role("link", name="2025").tap()
    expect(page.locator(".standings li").first).to_contain_text("Ann")
    expect(page.locator(".standings .number").first).to_have_text("2")


def two_jokers_side_by_side(page: Page) -> None:
    to(page, "Rules")
    page.get_by_label("Ask the rules").tap()
    page.keyboard.type("two jokers side by side")
    page.keyboard.press("Enter")
    expect(page.get_by_text("May wild cards lie side by side?").first).to_be_visible()


def a_backup(page: Page) -> None:
    to(page, "League", "Back up the league")
    with page.expect_download():
        to(page, "Download the backup")


def dark(page: Page) -> None:
    to(page, "Light or dark", "Dark")
    expect(page.locator("html")).to_have_attribute("data-look", "dark")


def a_wrong_score(page: Page) -> None:
    to(page, "Continue", "More", "Correct a score")
    expect(page.get_by_role("heading", name="Correct a score")).to_be_visible()


def an_undo(page: Page) -> None:
    to(page, "Continue", "More", "Undo last change")
    expect(page.get_by_text("Deal 2 taken out again")).to_be_visible()


def a_phone_joins(page: Page) -> None:
    to(page, "Continue", "More", "Join by phone")
    expect(page.get_by_text("QR code")).to_be_visible()


def who_can_still_win(page: Page) -> None:
    to(page, "Continue", "More", "Who can still win")
    expect(page.locator(".prospects li")).to_have_count(4)


def an_own_game(page: Page) -> None:
    to(page, "New game", "Choose another game", "Another game")
    expect(page.get_by_label("What is it called?")).to_be_visible()


def a_record(page: Page) -> None:
    to(page, "League", "Records")
    expect(page.get_by_role("heading", name="Lowest total")).to_be_visible()


TASKS: list[tuple[Callable[[Page], None], int]] = [
    (who_won_last_year, 2),
    (two_jokers_side_by_side, 2),
    (a_backup, 3),
    (dark, 2),
    (a_wrong_score, 3),
    (who_can_still_win, 3),
    (a_phone_joins, 3),
    (an_own_game, 3),
    (a_record, 2),
    (an_undo, 3),
]


def test_each_of_ten_tasks_is_found_from_home(phone: Open) -> None:
    page = phone(has_touch=True)
    look_round(page)
    for task, most in TASKS:
        page.goto("/")
        forget_taps(page)
        task(page)
        assert taps(page) == most, task.__name__
