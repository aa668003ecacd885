"""The judge's page on a phone: an answer after each tap without a request, and in flight mode."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.browsing import JUDGE_KEPT, Open, start, tap_hand
from tests.support.doses import first_in_every_run

pytestmark = pytest.mark.browser

HANDS = [
    ("contract-rummy", "deal=1", "7H 7S 7D KC KD 2S 9C"),
    ("contract-rummy", "deal=1", "7H 7S KC 4D"),
    ("contract-rummy", "deal=1", "7H 7S 7D KC KD KH 9C"),
    ("contract-rummy", "deal=3", "5C 6C X 8C 9D 10D JD 2S QH QS"),
    ("crummy", "deal=7", "3C 4C 5C 6C 8D 9D 10D JD QS KS AS JS 2H"),
    ("chicago-rummy", "", "7H 8H 9H 4C 4D KS QS"),
    ("chicago-rummy", "", "7H 8H 9H 4C 4D 4S AS 2H"),
    ("three-thirteen", "deal=2", "4C 7H 8H KS"),
    ("zip-zilch-zero", "", "6B 6R KS 2D 3H 8D 7C"),
]
INSIDE = """
(told) => told.getBoundingClientRect().bottom
  < told.closest('.tray').getBoundingClientRect().bottom
"""
SAME = ("answer", "notes", "helping", "free")
"""Parts of an answer that no two judges may tell differently; melds may be others."""


def parts(page: Page, names: tuple[str, ...] = SAME) -> dict[str, list[str]]:
    return {
        name: [
            re.sub(r"\s+", " ", text)
            for text in page.locator(f"[data-told] [data-part={name}]").all_inner_texts()
        ]
        for name in names
    }


@pytest.mark.slow
@pytest.mark.parametrize(("game", "deal", "hand"), HANDS)
def test_the_page_says_what_the_server_would(phone: Open, game: str, deal: str, hand: str) -> None:
    page = phone(f"/rules/{game}/judge?{deal}")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    tap_hand(page, hand)
    expect(page.locator("[data-told] [data-part=answer]")).to_be_visible()
    held = page.locator("[name=hand]").input_value()
    page.wait_for_function("() => document.querySelector('[data-told]').innerText.length > 20")
    told, melds = parts(page), parts(page, ("groups", "zips", "draw", "loose"))
    assert all("/static/" in request.url for request in asked), [one.url for one in asked]
    page.goto(f"/rules/{game}/judge?{deal}&hand={held.replace(' ', '+')}")
    assert told == parts(page)
    served = parts(page, tuple(melds))
    assert {name: len(texts) for name, texts in melds.items()} == {
        name: len(texts) for name, texts in served.items()
    }


def test_what_the_page_cannot_judge_the_button_still_asks_of_the_server(phone: Open) -> None:
    page = phone("/rules/contract-rummy/judge?deal=1")
    tap_hand(page, "7H 7H 7H")
    expect(page.locator("[data-told]")).to_be_empty()
    page.locator("[data-next]").click()
    expect(page.get_by_text("Of the 7 of hearts there are only 2 in play.").first).to_be_visible()


def test_the_judge_answers_in_flight_mode_after_one_look_at_the_table(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    page.evaluate(JUDGE_KEPT)
    page.context.set_offline(True)
    page.locator("a[href*='/judge']").first.click()
    tap_hand(page, "7H 7S 7D KC KD KH 9C")
    told = page.locator("[data-told] [data-part=answer]")
    expect(told).to_have_text("Yes, you can go down.")


@pytest.mark.parametrize("size", first_in_every_run([((320, 568),), ((390, 664),)]))
def test_the_answer_is_in_sight_however_many_cards_are_held(
    phone: Open, size: tuple[int, int]
) -> None:
    page = phone("/rules/contract-rummy/judge?deal=7", size)
    tap_hand(page, "2C 3C 4C 9C 3S 4S 5S 6S 7H 8H 9H 10H KD")
    told = page.locator("[data-told] [data-part=answer]")
    expect(told).to_have_text("Not yet: 1 card short. These 3 cards help.")
    assert told.evaluate(INSIDE)
