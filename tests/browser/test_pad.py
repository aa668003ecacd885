"""The pad takes every card, and drops nothing that is typed on it without a word."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.cards import SUITS, Card
from companion.melds import RANKS
from companion.rules import Variant, card_games
from companion.scoring import endings
from tests.browser.browsing import (
    DESK,
    SMALL,
    Open,
    ended,
    enter,
    review,
    save,
    start,
    tap,
    way,
    zipped,
)
from tests.support.doses import first_in_every_run

pytestmark = pytest.mark.browser
SHOWN_KEYS = """
() => [...document.querySelectorAll('.keys [data-card]')].filter((key) => key.offsetParent)
  .map((key) => [key.dataset.card.replace(/[RB]$/, ''), Math.abs(key.dataset.points)])
"""

SPARE = """
() => {
  const [grid, next] = ['[data-grid]', '[data-next]'].map((one) => document.querySelector(one));
  return grid.getBoundingClientRect().right - next.getBoundingClientRect().right;
}
"""
"""By how much the last key falls short of the end of its row."""


def sum_of(page: Page) -> str:
    return page.locator(".hand-fields output:visible").inner_text()


def felt(page: Page) -> str:
    return page.locator("[data-chips]:visible").inner_text()


def open_pad(page: Page, game: str, names: str, ending: str = "out") -> None:
    start(page, game, names)
    page.goto(f"{page.url.partition('?')[0]}/deals/new?how={ending}&by=0")
    page.locator("form[data-begun]").wait_for()  # what is typed sooner is played back then


NAMES = "Ann, Ben, Cleo, Dev"


def keys_shown(page: Page) -> set[tuple[str, int]]:
    page.locator(".keys").wait_for()
    shown = set(map(tuple, page.evaluate(SHOWN_KEYS)))
    for colour in page.locator(".keys button[data-colour]:visible").all():
        colour.click()
        shown |= set(map(tuple, page.evaluate(SHOWN_KEYS)))
    return shown


def prices(variant: Variant) -> set[tuple[str, int]]:
    return {
        ("X" if name == "joker" else name, abs(variant.melds.value(Card(RANKS[name], suit))))
        for name in variant.ranks
        for suit in ((None,) if name == "joker" else SUITS)
    }


LEFTS = "(keys) => new Set(keys.map((key) => Math.round(key.getBoundingClientRect().left))).size"
"""In how many columns keys begin."""


@pytest.mark.parametrize(
    "every", [pytest.param(8, id="small"), pytest.param(1, id="whole", marks=pytest.mark.slow)]
)
def test_on_the_narrowest_phone_every_price_of_every_rank_has_a_key(
    phone: Open, every: int
) -> None:
    """A red ace of Kalooki is 1 and a black one 15; of Zip a colour is shown at a time.

    Of games with the same ranks and prices one stands for all: their pads have the same keys.

    One phone for all games: a league of its own for each would be more leagues than one
    address may begin in an hour.
    """
    page = phone(size=SMALL)
    with_cards = [one for one in card_games() if one.scoring.entry != "payments"]
    assert len(with_cards) > 20
    unlike = {frozenset(prices(one)): one for one in with_cards}
    for variant in [*unlike.values()][::every]:
        names = [f"Player {n}" for n in range(1, variant.players.min + 1)]
        open_pad(page, variant.key, ", ".join(names), endings(variant)[0])
        assert keys_shown(page) == prices(variant), variant.key
        assert page.evaluate(SPARE) < 1, variant.key
        page.locator("[data-to=total]").click()
        assert page.locator("[data-digit]:visible, [data-next]").evaluate_all(LEFTS) == 4, (
            variant.key
        )


TYPED = {
    "7 7 k x": ("49", 3),
    "77kx": ("49", 3),
    "10j": ("20", 2),
    "a2": ("17", 2),
    "10 7": ("17", 2),
    "12+11": ("23", 0),
}


def test_at_a_desk_cards_typed_into_a_total_become_cards(phone: Open) -> None:
    page = phone(size=DESK)
    for typed, told in TYPED.items():
        open_pad(page, "contract-rummy", NAMES)
        way(page, "Total")
        page.keyboard.type(typed)
        shown = sum_of(page), page.locator("[data-chips]:visible .card").count()
        assert shown == told, typed


def test_words_and_short_forms_stand_as_typed_until_the_server_reads_them(phone: Open) -> None:
    page = phone()
    open_pad(page, "contract-rummy", NAMES)
    page.locator("a[href='#more']").click()
    page.locator("[data-type]").click()
    typed = page.locator("[data-field=cards]:visible")
    for text in ("two sevens, a king and a joker", "2x7 QK"):
        typed.fill(text)
        assert felt(page) == text
        expect(page.locator(".hand-fields output:visible")).to_have_count(0)
        assert page.locator("[data-tab]").first.locator(".state").inner_text() == ""
        edge = page.locator("[data-next]").bounding_box()
        assert edge
        assert edge["width"] > 350
        page.locator("[data-next]").click()
        typed = page.locator("[data-field=cards]:visible")
        assert felt(page) == ""
    typed.fill("A")
    page.locator("[data-next]").click()
    review(page)
    shown = [one.inner_text() for one in page.locator("ol.review .plus").all()]
    assert shown == ["0", "+49", "+34", "+15"]


def test_a_total_that_is_no_number_is_shown_as_typed(phone: Open) -> None:
    page = phone()
    open_pad(page, "contract-rummy", NAMES)
    way(page, "Total")
    page.locator("a[href='#more']").click()
    page.locator("[data-type]").click()
    page.locator("[data-field=total]:visible").fill("twelve")
    assert felt(page) == "twelve"
    expect(page.locator(".hand-fields output:visible")).to_have_count(0)


def test_what_no_card_is_called_is_refused_in_words(phone: Open) -> None:
    page = phone(size=DESK)
    open_pad(page, "contract-rummy", NAMES)
    note = page.locator("[data-unread]:visible")
    page.keyboard.type("7w")
    expect(note).to_contain_text("We don't know “w”")
    page.keyboard.type("1k")
    expect(note).to_contain_text("We don't know “1”")
    assert sum_of(page) == "17"
    page.keyboard.type("10")
    expect(note).to_have_count(0)
    assert sum_of(page) == "27"
    way(page, "Total")
    page.keyboard.type("12k")
    expect(note).to_contain_text("“12 k” isn't a number.")
    assert sum_of(page) == "12"


@pytest.mark.parametrize("names", first_in_every_run(["Ann, Ben, Cleo", f"{NAMES}, Eve"]))
def test_a_corrected_hand_that_raises_a_doubt_can_be_changed_again(phone: Open, names: str) -> None:
    page = phone()
    start(page, "contract-rummy", names)
    table = page.url.partition("?")[0]
    ended(page, "Who went out?", "Ann")
    enter(page, ["7 8 9 K", "5 X", "K", "K"][: names.count(",")])
    save(page)
    page.goto(f"{table}/deals/1/seats/2/cards")
    for _ in range(2):
        page.locator("[data-back]").click()
    tap(page, "7 X X X")
    page.locator("[data-next]").click()
    page.get_by_text("Cleo has 3 jokers").wait_for(timeout=15_000)
    page.get_by_role("button", name="Change cards").click()
    expect(page.locator("h1")).to_have_text("Cleo")
    assert sum_of(page) == "82"
    for _ in range(3):
        page.locator("[data-back]").click()
    page.locator("[data-next]").click()
    page.wait_for_url("**saved=*")
    assert [row.split()[-1] for row in page.locator(".board tr").all_inner_texts()[1:4]] == [
        "0",
        "34",
        "7",
    ]


def test_a_tap_on_a_hand_of_a_saved_deal_leads_to_its_pad(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Ben, Cleo")
    table = page.url.partition("?")[0]
    ended(page, "Who went out?", "Ann")
    enter(page, ["7 8 9 K", "5 X"])
    save(page)
    page.goto(f"{table}/deals/1")
    page.locator(".review li", has_text="Cleo").locator(".card").first.click(force=True)
    page.get_by_role("link", name="Change Cleo's cards").click()
    expect(page.locator("h1")).to_have_text("Cleo")
    tap(page, "7")
    page.locator("[data-next]").click()
    page.wait_for_url("**saved=*")


def test_each_doubt_is_answered_by_itself_before_a_deal_is_saved(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Ben, Cleo")
    ended(page, "Who went out?", "Ann")
    enter(page, ["X X", "2 3 4 5 6 7 8 9 10 J Q K A 2 3 4"])
    main, doubts = page.locator(".dock .main"), page.locator(".doubt")
    assert doubts.count() > 1
    expect(main).to_contain_text(f"{doubts.count()} questions first")
    main.click()
    expect(doubts.first).to_be_focused(timeout=15_000)
    for left in reversed(range(1, doubts.count())):
        doubts.first.get_by_role("button", name="That's right").click()
        expect(doubts).to_have_count(left)
    expect(main).to_contain_text("1 question first")
    doubts.first.get_by_role("button", name="That's right").click()
    expect(main).to_have_text("Save deal 1")
    save(page)


def test_a_knock_over_the_limit_is_refused_at_the_end_or_gets_its_penalty_in_one_tap(
    phone: Open,
) -> None:
    """Said at once, it lets the next hand come."""
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    ended(page, "Who knocked?", "Ann")
    tap(page, "4 K")
    page.get_by_text("14 is over Ann's limit of 9").wait_for()
    page.locator("[data-next]").click()
    page.locator("b[data-title]:visible", has_text="Bob's left-over cards").wait_for()
    for cards in ("K 5", "K 6"):
        tap(page, cards)
        page.locator("[data-next]").click()
    refusal = "Ann can't knock with 14. At 0 points the limit is 9."
    page.get_by_role("link", name=refusal).wait_for()
    tabs = page.locator("[data-tab]").all_inner_texts()
    assert [tab.split() for tab in tabs] == [["Ann", "14"], ["Bob", "15"], ["Cleo", "16"]]
    page.get_by_role("button", name="Ann did knock").click()
    review(page)
    shown = [one.inner_text() for one in page.locator("ol.review .plus").all()]
    assert shown == ["+29", "+15", "+16"]
    assert page.locator(".doubt").count() == 0
    save(page)


def test_where_the_stock_ran_out_the_pad_opens_on_what_is_missing(phone: Open) -> None:
    """Zips were entered and the cards left were not: the way to them is open, and nobody out."""
    page = phone()
    open_pad(page, "zip-zilch-zero", "Ann, Bob, Cleo", "")
    zipped(page, "-5 +5")
    for _ in range(8):  # each hand has its zips and its cards left
        if not page.get_by_role("alert").is_visible():
            page.locator("[data-next]").click()
            page.wait_for_timeout(300)
    expect(page.get_by_role("alert")).to_contain_text("Enter Ann's cards.")
    expect(page.get_by_role("alert")).not_to_contain_text("Only")
    expect(page.locator(".hand-fields:visible [data-title=cards]")).to_be_visible()
