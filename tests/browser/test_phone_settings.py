"""A phone is light or dark as it chose, from the first paint and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Open, ended, enter, save, start

pytestmark = pytest.mark.browser
DAY, NIGHT = "rgb(246, 240, 228)", "rgb(14, 21, 18)"


def choose(page: Page, name: str) -> None:
    page.goto("/league/settings")
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("device", "chosen", "paper"), [("light", "Dark", NIGHT), ("dark", "Light", DAY)]
)
def test_a_phone_is_as_it_chose_without_scripts_too(
    phone: Open, device: str, chosen: str, paper: str
) -> None:
    page = phone("/games/new/contract-rummy", color_scheme=device, java_script_enabled=False)
    page.get_by_label("Players in seating order").fill("Ann, Bob, Cleo")
    page.get_by_role("button", name="Start").click()
    table = page.url
    body = page.locator("html")
    other = DAY if device == "light" else NIGHT
    expect(body).to_have_css("background-color", other)
    choose(page, chosen)
    for path in (table, "/rules/shanghai/book", "/"):
        page.goto(path)
        expect(body).to_have_css("background-color", paper)
    choose(page, "As the device")
    expect(body).to_have_css("background-color", other)


@pytest.mark.slow
def test_rows_by_standing_stay_so_while_a_table_follows_its_game(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    table = page.url.partition("?")[0]
    choose(page, "By standing")
    page.goto(table)
    names = page.locator(".board tbody bdi")
    expect(names).to_have_text(["Ann", "Bob", "Cleo"])
    other = page.context.new_page()
    other.goto(table)
    ended(other, "Who went out?", "Cleo")
    enter(other, ["K K", "7"])
    save(other)
    expect(names).to_have_text(["Cleo", "Bob", "Ann"])
