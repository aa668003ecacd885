"""What goes wrong at real tables, by touch: each game with its totals worked out by hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Open, digits, following, results, save, start, totals

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def named(page: Page) -> dict[str, int]:
    """The totals on the table by name."""
    return dict(zip(page.locator(".board th bdi").all_inner_texts(), totals(page), strict=True))


def enter(page: Page, numbers: str, counted: str = "") -> None:
    """Tap a number for each row in turn, and once a counter of the first that has it."""
    for number in numbers.split():
        for name in re.findall(r"[A-Z][a-z ]+", counted):
            panel = page.locator(".hand-fields:not([hidden])")
            row = panel.locator(".counter", has_text=re.compile(rf"{name} [+\u2212]"))
            if row.count():
                row.get_by_role("button", name="One more").tap()
        digits(page, number)
        following(page)


def deal(page: Page, numbers: str, by: str = "", counted: str = "", bids: str = "") -> None:
    """Play one deal from the table to the table, its bids first."""
    if bids:
        page.get_by_role("link", name="Enter the bids").tap()
        page.wait_for_url("**/bids")
        enter(page, bids)
        page.get_by_role("link", name="Enter the tricks").wait_for()
    if by:
        page.locator(".dock > .names").get_by_role("link", name=by).tap()
    else:
        page.get_by_role("link", name=re.compile("^Enter the")).tap()
    page.wait_for_url("**/deals/new*")
    enter(page, numbers, counted)
    save(page)


def correct(page: Page, position: int, row: str, number: str) -> None:
    """Change one number of an earlier deal, as far as its review or the table."""
    page.goto(f"{page.url.partition('?')[0]}/deals/{position}/edit")
    page.locator(".tab", has_text=row).tap()
    tricks = page.locator("[data-to=tricks]")
    if tricks.count():
        tricks.tap()
    typed = page.locator(".tab[aria-current] .state").inner_text()
    for _ in typed:
        page.locator("[data-back]").tap()
    digits(page, number)


def test_a_moon_of_who_was_behind_and_a_tie_that_the_table_settles(phone: Open) -> None:
    page = phone(has_touch=True)
    start(page, "hearts", "Ann, Bob, Cleo")
    deal(page, "20 3 3")
    page.get_by_role("link", name="Enter the points").tap()
    page.wait_for_url("**/deals/new*")
    page.locator(".whose label", has_text="Ann").tap()
    save(page)
    assert named(page) == {"Ann": 20, "Bob": 29, "Cleo": 29}
    for numbers in ("25 1", "25 0 1", "24 1 1", "20 3 3"):
        deal(page, numbers)
    expect(page.get_by_role("heading", name="Bob and Cleo share the win")).to_be_visible()
    page.get_by_role("button", name="Cleo").tap()
    expect(page.get_by_role("heading", name="Cleo wins")).to_be_visible()
    expect(page.locator(".podium li").first).to_contain_text("by the tie-break")
    page.goto(f"{page.url.partition('?')[0]}#more")
    page.get_by_role("button", name="Undo last change").tap()
    expect(page.get_by_role("heading", name="Who won the tie?")).to_be_visible()


def test_nils_and_ten_bags_across_a_correction(phone: Open) -> None:
    page = phone(has_touch=True)
    start(page, "spades", "Ann + Cleo, Bob + Dev")
    # Bob, Cleo, Dev, Ann bid in turn; the next hand begins with Cleo.
    deal(page, "9 4", bids="3 2 0 4", counted="Nil made")
    assert named(page) == {"Ann and Cleo": 63, "Bob and Dev": 131}
    deal(page, "10 2", bids="2 0 3 2", counted="Nil broken, Tricks of a broken nil")
    assert named(page) == {"Ann and Cleo": 118, "Bob and Dev": 52}
    deal(page, "8 5", bids="2 4 2 3")
    assert named(page) == {"Ann and Cleo": 189, "Bob and Dev": 93}
    expect(page.locator(".board tr", has_text="Ann and Cleo")).to_contain_text("bags 9")
    correct(page, 1, "Ann and Cleo", "10")
    page.locator(".tab", has_text="Bob and Dev").tap()
    page.locator("[data-back]").tap()
    digits(page, "3")
    following(page)
    page.wait_for_url("**saved=*")
    assert named(page) == {"Ann and Cleo": 90, "Bob and Dev": 92}, "the tenth bag came in hand 3"


def test_a_correction_that_ends_the_game_early(phone: Open) -> None:
    page = phone(has_touch=True)
    start(page, "skyjo", "Ann, Bob")
    deal(page, "5 40", by="Ann")
    deal(page, "10 20", by="Ann")
    assert named(page) == {"Ann": 15, "Bob": 60}
    correct(page, 1, "Bob", "100")
    following(page)
    page.get_by_label("Cancel these deals").check()
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert results(page) == ["5, Ann", "100, Bob"]


def test_a_late_joiner_and_changed_seats_where_bids_go_round(phone: Open) -> None:
    page = phone(has_touch=True)
    start(page, "wizard", "Ann, Bob, Cleo")
    deal(page, "0 1 0", bids="1 0 0")  # Bob bids first, then Cleo and Ann
    game = page.url.partition("?")[0]
    page.goto(f"{game}/more/join")
    page.locator("[name=name]").fill("Dev")
    page.locator("main form button.main").tap()
    page.wait_for_url("**saved=*")
    assert named(page) == {"Ann": 20, "Bob": 30, "Cleo": 20, "Dev": 20}
    page.goto(f"{game}/more/seats")
    for name in ("Ann", "Bob"):
        page.locator(".pick").first.locator("label", has_text=name).tap()
    page.get_by_role("button", name="Change seats").tap()
    page.wait_for_url("**saved=*")
    assert list(named(page)) == ["Bob", "Ann", "Cleo", "Dev"]
    expect(page.locator(".board tr", has_text="Cleo")).to_contain_text("deals")
    page.get_by_role("link", name="Enter the bids").tap()
    page.wait_for_url("**/bids")
    rows = page.locator(".tallies .tab bdi")
    expect(rows).to_have_text(["Dev", "Bob", "Ann", "Cleo"])
    enter(page, "1 0 1 0")
    page.get_by_role("link", name="Enter the tricks").tap()
    page.wait_for_url("**/deals/new*")
    took = {"Ann": "0", "Bob": "0", "Cleo": "1", "Dev": "1"}
    for _ in took:
        digits(page, took[page.locator(".tab[aria-current] bdi").inner_text()])
        following(page)
    save(page)
    assert named(page) == {"Bob": 50, "Ann": 10, "Cleo": 10, "Dev": 50}
