"""Cards, books and sheets of the games fill the paper they are printed on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.rules import card_games
from tests.browser.browsing import Open, pages_of
from tests.support.doses import first_in_every_run

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_contract_card_prints_on_one_sheet(phone: Open) -> None:
    page = phone()
    sheets = {}
    for variant in card_games():
        if variant.has_contracts:
            page.goto(f"/rules/{variant.key}/contracts")
            sheets[variant.key] = pages_of(page)
    assert sheets == dict.fromkeys(sheets, 1)
    assert len(sheets) > 15


@pytest.mark.slow
@pytest.mark.parametrize("paper", first_in_every_run(["A4", "Letter"], later=pytest.mark.long))
def test_paper_to_write_on_prints_on_one_sheet(phone: Open, paper: str) -> None:
    """Of every game the sheet for as many as can play; `make sheets` prints them all."""
    page = phone()
    sheets = {}
    for variant in card_games():
        page.goto(f"/rules/{variant.key}/sheet?players={variant.players.max}")
        sheets[variant.key] = pages_of(page, paper)
    page.goto("/rules/zip-zilch-zero/record")
    assert sheets | {"record": pages_of(page, paper)} == dict.fromkeys([*sheets, "record"], 1)


@pytest.mark.slow
def test_a_score_sheet_prints_on_one_sheet_with_its_chart(phone: Open) -> None:
    page = phone()
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("link", name="Score sheet").first.click()
    page.wait_for_url("**/sheet")
    expect(page.get_by_role("img", name="Ann wins with 75. After deal 7")).to_be_visible()
    assert pages_of(page) == 1
