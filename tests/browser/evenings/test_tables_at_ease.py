"""What happens at a table besides a deal: a closed tab, a double tap, a question, a step back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import (
    PHONE,
    Open,
    digits,
    ended,
    enter,
    following,
    forget_taps,
    review,
    save,
    start,
    tap,
    taps,
    totals,
    way,
)

pytestmark = pytest.mark.browser


def test_a_deal_being_entered_survives_a_closed_tab(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    tap(page, "K 7 7 X")
    address, context = page.url, page.context
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator("output").first).to_have_text("49")
    held = again.locator("[data-chips]:visible .card")
    assert held.evaluate_all("cards => cards.map(card => card.ariaLabel)") == [
        "2 × 7, take away",
        "K, take away",
        "Joker, take away",
    ]
    assert held.nth(0).inner_text().split() == ["7", "×2"]


def test_a_double_tap_saves_once(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    enter(page, ["K", "7"])
    page.get_by_role("button", name="Save").dblclick()
    expect(page).to_have_url(re.compile("saved="))  # the second tap may break off the first answer
    assert totals(page) == [10, 7, 0]


def test_a_question_from_the_table_is_two_taps_and_typing(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    forget_taps(page)
    page.get_by_role("link", name="More").click()
    page.get_by_label("Ask the rules").click()
    page.get_by_label("Ask the rules").press_sequentially("can i buy out of turn")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?**")
    expect(page.locator("main article").first).to_contain_text("not my turn")
    assert taps(page) <= 2


def test_a_family_makes_a_game_of_its_own_in_a_few_taps(phone: Open) -> None:
    """From the nearest game: a name, a contract, what a joker costs; nothing else is asked."""
    page = phone("/house/contract-rummy")
    forget_taps(page)
    page.get_by_role("link", name="Make a game of our own").click()
    page.get_by_label("Name of your game").fill("Grandma's")
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * PHONE[1]
    page.get_by_text("Deals and contracts").click()
    page.locator("#deal\\.1\\.contract").fill("3 sets of 3")
    page.get_by_text("What cards count").click()
    page.locator("#value\\.joker").fill("50")
    page.get_by_role("button", name="Check the rules").click()
    expect(page.locator("main")).to_contain_text("2 differences")
    page.get_by_role("button", name="Save these rules").click()
    page.get_by_role("heading", name="Grandma's").wait_for()
    assert taps(page) <= 5


def test_the_card_for_the_table_begins_with_asking_and_this_deal(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    game = page.url.rpartition("/")[2]
    page.goto(f"/rules/contract-rummy?game={game}")
    for part in ("form[role=search]", ".felt.deal", ".values-card"):
        box = page.locator(f"main {part}").bounding_box()
        assert box, part
        assert box["y"] + box["height"] <= PHONE[1] - 56, "above the bar on the lower edge"


def test_going_back_after_saving_shows_what_was_saved(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    enter(page, ["K", "7"])
    save(page)
    page.go_back()
    expect(page.locator(".board .total")).to_have_text(["10", "7", "0"])
    expect(page.locator("header.top [data-deal]")).to_have_attribute("data-deal", "2")


def test_undoing_a_deal_brings_its_cards_back_to_the_pad(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    enter(page, ["K", "7"])
    save(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Deal 1 taken out again")
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
    assert totals(page) == [0, 0, 0]
    ended(page, "Who went out?", "Cleo")
    expect(page.locator("output").first).to_have_text("10")


def test_a_total_given_up_for_cards_is_not_shown(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    way(page, "Total")
    page.keyboard.type("12")
    way(page, "Cards")
    tap(page, "7 7")
    expect(page.locator("output").first).to_have_text("14")
    page.reload()
    expect(page.locator("output").first).to_have_text("14")


def test_a_tap_on_a_row_of_the_review_changes_that_hand(phone: Open) -> None:
    """The whole row, and nothing else is lost; who went out has nothing to change."""
    page = phone("/")
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    enter(page, ["7", "K"])
    rows = page.locator("ol.review li")
    assert rows.nth(0).get_by_role("button").count() == 0
    rows.filter(has_text="Cleo").locator(".total").click(force=True)
    expect(page.locator(".tab[aria-current]")).to_contain_text("Cleo")
    expect(page.locator("[data-next]")).to_have_text("Check ›")
    tap(page, "2")
    following(page)
    review(page)
    expect(page.locator("ol.review .total")).to_have_text(["0", "7", "12"])
    save(page)
    assert totals(page) == [0, 7, 12]


@pytest.mark.slow
def test_an_owner_is_reminded_of_a_copy_once_a_month(phone: Open) -> None:
    """Not before a month, not after *Later*, and not once one was made."""
    page = phone()
    start(page, "cribbage", "Ann, Bob")
    page.get_by_role("link", name="Enter the points").click()
    for points in ("121", "9"):
        digits(page, points)
        following(page)
    save(page)
    reminder = page.get_by_role("link", name="Keep a copy of your league")
    page.goto("/")
    expect(reminder).to_be_hidden()
    name = page.locator("[data-copy]").get_attribute("data-copy")
    assert page.evaluate(f"localStorage.getItem('{name}') !== null")
    a_month_ago = f"localStorage.setItem('{name}', Date.now() - 31 * 86400000)"
    page.evaluate(a_month_ago)
    page.goto("/")
    expect(reminder).to_be_visible()
    page.get_by_role("button", name="Later").click()
    expect(reminder).to_be_hidden()
    page.evaluate(a_month_ago)
    page.goto("/")
    reminder.click()
    with page.expect_download():
        page.get_by_role("link", name="Download the backup").click()
    page.goto("/")
    page.wait_for_load_state("load")
    expect(reminder).to_be_hidden()
