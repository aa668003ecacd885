"""The product in a real browser: whole games, taps counted, axe, small screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import (
    Open,
    ended,
    enter,
    following,
    forget_taps,
    go_on,
    look_round,
    review,
    save,
    start,
    suited,
    tap,
    taps,
    totals,
    way,
    zipped,
)

pytestmark = pytest.mark.browser


WATCH_FAULTS = """
new MutationObserver(() => {
  for (const one of document.querySelectorAll('.limit, .fault, [role=alert]')) {
    if (one.checkVisibility()) sessionStorage.faults = one.textContent;
  }
}).observe(document.body, { subtree: true, childList: true, attributes: true });
"""


def test_a_deal_without_javascript(phone: Open) -> None:
    """Cleo zips 12, Ann is left with 7 + 7 + 13 and Bob with 12 + 11."""
    page = phone(java_script_enabled=False)
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    page.get_by_role("link", name="Cleo", exact=True).click()
    page.wait_for_url("**/deals/new*")
    page.get_by_label("Points zipped").nth(0).fill("12")
    page.get_by_label("Cards left").nth(0).fill("7 7 k")
    page.get_by_label("Total points").nth(1).fill("12+11")
    page.get_by_role("button", name="Check the scores").click()
    save(page)
    assert totals(page) == [-27, -23, 12]


@pytest.mark.slow
def test_taps_are_few(phone: Open, capsys: pytest.CaptureFixture[str]) -> None:
    """The numbers to beat of a returning family of four, whole paths with their review."""
    page = phone()
    look_round(page)
    counts = {}

    go_on(page)
    forget_taps(page)
    ended(page, "Who went out?", "Bob")
    enter(page, ["2", "8 9 10 J Q K 2 3 4 5", "A"])
    save(page)
    counts["12 cards by taps"] = taps(page)

    forget_taps(page)
    ended(page, "Who went out?", "Ann")
    way(page, "Total")
    for total in ("12", "25", "40"):
        page.keyboard.type(total)
        following(page)
    save(page)
    counts["totals typed"] = taps(page)

    forget_taps(page)
    page.locator(".board tbody tr").first.click(position={"x": 60, "y": 20})
    page.locator(".review li").nth(2).locator(".card").first.click()
    page.locator("[data-next]").wait_for()
    tap(page, "9")
    following(page)
    page.wait_for_url("**saved=*")
    counts["correct an old card"] = taps(page)
    expect(page.get_by_role("status")).to_contain_text("Deal 3 corrected: Ann 2 → 9")

    page.goto("/")
    go_on(page)
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="End the game").click()
    page.wait_for_url("**/more/stop")
    page.get_by_role("button", name="End the game").click()
    page.wait_for_url("**/games/*")
    page.goto("/")
    forget_taps(page)
    page.get_by_role("button", name="again").click()
    expect(page.get_by_role("heading", name="Two sets of three")).to_be_visible()
    counts["play again"] = taps(page)
    with capsys.disabled():
        print(f"\nTaps: {counts}")
    assert counts["12 cards by taps"] <= 23 - 6, "18 cards in 23 taps, and no doubt"
    assert counts["totals typed"] <= 11
    assert counts["correct an old card"] <= 4
    assert counts["play again"] <= 1


def test_the_first_game_ever_takes_three_taps(phone: Open) -> None:
    page = phone()
    page.get_by_role("link", name="Start a game").click()
    page.get_by_label("Players in seating order").click()
    page.keyboard.type("Ann, Bob, Cleo, Dev")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Two sets of three")).to_be_visible()
    assert taps(page) == 3


@pytest.mark.slow
def test_a_whole_hand_of_chicago_is_proved(phone: Open) -> None:
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob")
    ended(page, "Who knocked?", "Ann")
    way(page, "Whole hand")
    for suit, cards in (("H", "7 4"), ("S", "7 K"), ("D", "7 K"), ("C", "2 5")):
        suited(page, suit, cards)
    following(page)
    for suit, cards in (("H", "9 10 J K"), ("C", "3 4 6")):
        suited(page, suit, cards)
    following(page)
    save(page)
    assert totals(page) == [9, 10 + 3 + 4 + 6]
    page.locator(".board td a").first.click()
    expect(page.get_by_role("region", name="Melds")).to_be_visible()


def test_a_hand_is_told_in_one_way(phone: Open) -> None:
    """Bob begins with cards, then types his total; Cleo begins with a whole hand, then taps."""
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went rummy?", "Ann")
    tap(page, "K K")
    way(page, "Total")
    page.keyboard.type("12")
    following(page)
    way(page, "Whole hand")
    suited(page, "S", "9 9")
    way(page, "Left over")
    tap(page, "5")
    following(page)
    save(page)
    assert totals(page) == [0, 12, 5]


SAMPLES = [
    ("-6 +6 +K -2 -3 -8", "+7 -3", "38 zipped − 10 left", "+28", 2),
    ("-7 +2 +5 -3 +2 +A", "-K +Q", "20 zipped − 25 left", "−5", 2),
]
"""Both sample hands of the rules sheet: zips, cards left, and what the pad then says."""


@pytest.mark.slow
def test_zips_are_told_card_by_card(phone: Open) -> None:
    """By what the screen says alone, one tap a card, and no error shown on the way."""
    page = phone()
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    for zips, left, parts, points, trays in SAMPLES:
        ended(page, "Who went out?", "Ann")
        page.evaluate(WATCH_FAULTS)
        zipped(page, "+9 -9")
        following(page)
        forget_taps(page)
        zipped(page, zips)
        expect(page.locator(".zip:visible:not(.open)")).to_have_count(trays)
        expect(page.locator("[data-next]")).to_have_text("Left ›")
        following(page)
        zipped(page, left)
        assert taps(page) == len(f"{zips} {left}".split()) + 1
        expect(page.locator(".tray:visible [data-parts]")).to_have_text(parts)
        expect(page.locator(".tray:visible output")).to_have_text(points)
        following(page)
        following(page)
        zipped(page, "+4")
        assert page.evaluate("sessionStorage.faults ?? ''") == ""
        following(page)
        review(page)
        expect(page.locator(".doubt, [role=alert]")).to_have_count(0)
        save(page)
    assert totals(page) == [36, 23, -8]


def test_each_hand_begins_with_its_zips(phone: Open) -> None:
    """So it does after *Cards left* was chosen for the one before, and in the next deal."""
    page = phone()
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    zipped(page, "+9 -9")
    following(page)
    zipped(page, "+4 -4")
    way(page, "Cards left")
    zipped(page, "+K")
    following(page)
    zipped(page, "-7 +7")
    following(page)
    zipped(page, "+2")
    following(page)
    review(page)
    save(page)
    assert totals(page) == [18, 8 - 13, 14 - 2]
    ended(page, "Who went out?", "Bob")
    zipped(page, "+3 -3")
    expect(page.locator(".tray:visible [data-parts]")).to_have_text("6 zipped − 0 left")


def test_the_end_is_a_picture_to_share(phone: Open) -> None:
    """Made on the device, as large as networks show it, and small enough for any message."""
    page = phone()
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("link", name="Picture").click()
    picture = page.locator("img[src^='data:image/png']")
    picture.wait_for()
    assert picture.evaluate("one => [one.naturalWidth, one.naturalHeight]") == [1080, 1350]
    assert (
        picture.get_attribute("alt") == "Ann wins. 1. Ann 75, 2. Dev 122, 3. Cleo 134, 4. Bob 145"
    )
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save picture").click()
    assert saved.value.suggested_filename.endswith(".png")
    assert 10_000 < saved.value.path().stat().st_size < 200_000


def test_an_example_says_that_it_is_made_and_of_whom(phone: Open) -> None:
    page = phone()
    expect(page.get_by_text("An example family, with made-up scores")).to_be_in_viewport()
    page.evaluate(
        """() => {
          window.prevented = [];
          document.querySelector('form[data-working]').addEventListener('submit', (event) => {
            window.prevented.push(event.defaultPrevented);
            event.preventDefault();
          });
        }"""
    )
    page.get_by_role("button", name="See an example evening").click()
    working = page.get_by_role("button", name="Inventing example people")
    working.dispatch_event("click")
    assert page.evaluate("prevented") == [False, True], "tapped twice it is sent once"
    page.reload()
    page.get_by_role("button", name="See an example evening").click()
    expect(page.get_by_text("these are made-up people")).to_be_visible()


def test_seven_deals_of_four_are_typed_in_by_keyboard_alone(phone: Open) -> None:
    """Row by row as they stand on the paper; a dash or a nothing is one key like the rest."""
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    page.goto("/league/old-scores/contract-rummy?names=Ann, Bob, Cleo, Dora&day=2019-02-03")
    page.get_by_label("Ann, deal 1").focus()
    rows = "0 25 40 10/30 0 15 20/12 8 25 0/0 35 50 5/45 20 0 60/7 0 33 28/- 90 14 22"
    for row in rows.split("/"):
        for points in row.split():
            page.keyboard.type(points)
            page.keyboard.press("Tab")
        page.keyboard.press("Tab")
    for total in ("94", "178", "177", "145"):
        page.keyboard.type(total)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="See it").click()
    page.locator("main a[href^='/games/']").click()
    page.wait_for_url("**/games/*")
    assert page.locator(".scores tfoot td").all_inner_texts() == ["94", "178", "177", "145"]
