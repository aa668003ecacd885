"""Twenty years of scores in one evening: by touch on a phone, and by the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import SCROLLS, Open

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SAMPLES = Path(__file__).parents[2] / "files" / "past" / "samples"


def test_a_spreadsheet_by_touch(phone: Open) -> None:
    """From the first page of a stranger to the standings, and back again."""
    page = phone(has_touch=True)
    page.get_by_role("link", name="Bring them").tap()
    with page.expect_file_chooser() as chooser:
        page.get_by_label("A spreadsheet or a CSV file").tap()
    chooser.value.set_files(SAMPLES / "nights.xlsx")
    page.get_by_role("button", name="Show me").tap()
    expect(page.get_by_role("heading", name="6 games, 2024")).to_be_visible()
    assert page.evaluate(SCROLLS)[1] == 0
    page.get_by_role("button", name="Add 6 games").tap()
    page.get_by_role("link", name="See them").tap()
    expect(page.locator("main")).to_contain_text("Abe")
    expect(page.locator("main li")).to_have_count(6)
    page.goto("/league/past")
    page.get_by_role("button", name="Undo this import").tap()
    expect(page.locator("#imports")).to_contain_text("(undone)")


def test_pasted_cells_by_keyboard(phone: Open) -> None:
    """What the sheet does not say is asked, and what was answered stays when it is shown again."""
    page = phone("/league/past")
    page.get_by_label("Or paste the cells").focus()
    page.keyboard.insert_text((SAMPLES / "wrong-total.csv").read_text())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("The total of Vic: 10 more than the deals")).to_be_visible()
    page.get_by_label("Which game").focus()
    page.keyboard.type("Contract Rummy")
    page.get_by_label("Which day").fill("1999-12-31")
    page.get_by_role("button", name="Update").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("31 December 1999 · Contract Rummy")).to_be_visible()
    page.get_by_role("button", name="Add 1 game").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/league/past?landed=1")
    page.goto("/league/games")
    page.locator("main li a").first.click()
    expect(page.get_by_role("heading", name="Vic wins")).to_be_visible()
