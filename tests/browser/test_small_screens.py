"""What is tapped is large enough, long names fit a phone, and styles are read as written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browsing import (
    SMALL,
    Open,
    digits,
    ended,
    look_round,
    save,
    start,
    tap,
)
from tests.support.page_judge import STATIC

pytestmark = pytest.mark.browser


LINES = """
(key) => {
  const words = document.createRange();
  words.selectNodeContents(key);
  return new Set([...words.getClientRects()].map(({ top }) => top)).size;
}
"""
HIDDEN = "(scores) => scores.scrollWidth - scores.clientWidth"


def test_long_names_fit_a_phone(phone: Open) -> None:
    page = phone()
    long = ("Wolfeschlegelsteinhausenbergerdorff the 3", "W" * 40, "Ann", "Bob", "Cleo", "Dan")
    start(page, "contract-rummy", ", ".join(name[:40] for name in long))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    table = page.url
    page.goto(f"{table}/sheet")
    assert page.locator(".scores").first.evaluate(HIDDEN) == 0
    page.goto(table)
    ended(page, "Who went out?", "Ann")
    assert page.locator("[data-next]").evaluate(LINES) == 1
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.slow
def test_six_columns_fit_a_phone_and_more_show_that_there_are_more(phone: Open) -> None:
    page = phone()
    for names, more in (("Ann, Bob, Cleo, Dan, Eve, Finn", 0), ("A, B, C, D, E, F, G, H", 1)):
        start(page, "contract-rummy", names)
        table = page.url
        ended(page, "Who went out?", names.split(", ")[0])
        for _ in names.split(", ")[1:]:
            tap(page, "K")
            page.locator("[data-next]").click()
        save(page)
        page.goto(f"{table}/more/stop")
        page.locator("form[action$='/stops'] button").click()
        sheet = page.locator("#sheet .scores")
        sheet.scroll_into_view_if_needed()
        assert (sheet.evaluate(HIDDEN) > 0) == bool(more)
        shown = _edge(page, sheet)
        sheet.evaluate("(scores) => scores.scrollTo(scores.scrollWidth, 0)")
        assert (_edge(page, sheet) != shown) == bool(more)
        page.goto(f"{table}/sheet")
        assert (page.locator(".scores").first.evaluate(HIDDEN) > 0) == bool(more)


def _edge(page: Page, part: Locator) -> bytes:
    """Take a picture of a part's right edge, above its first line."""
    box = part.bounding_box()
    assert box
    right, top = box["x"] + box["width"], box["y"]
    return page.screenshot(clip={"x": right - 3, "y": top + 2, "width": 2, "height": 2})


def test_a_title_is_whole_on_the_smallest_phone_with_its_deal_below(phone: Open) -> None:
    page = phone(size=SMALL)
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    assert page.locator(".top h1").evaluate(HIDDEN) == 0
    for part in page.locator(".top, .top .title > span").all():
        box = part.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 48


def test_rarer_endings_keep_their_questions(phone: Open) -> None:
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    page.get_by_text("Other endings").click()
    asked = page.locator(".others h2")
    assert [one.inner_text() for one in asked.all() if one.is_visible()] == [
        "Who went rummy?",
        "Who has seven twos?",
    ]
    assert not page.get_by_role("heading", name="Who knocked?").is_visible()


def test_a_typed_sum_and_the_new_total_stand_on_lines_of_their_own(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    page.get_by_role("button", name="Total").click()
    digits(page, "12+11")
    told = page.locator("[data-chips]:visible")
    assert told.inner_text() == "12 + 11 = 23\n0 + 23 = 23 in all"


def test_a_total_that_counts_double_says_so(phone: Open) -> None:
    """KJ-6.1: Ann went down and out in one turn."""
    page = phone()
    start(page, "kalooki-jamaica", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    page.get_by_role("button", name="Total").click()
    digits(page, "12+11")
    page.get_by_role("link", name="Bonuses").click()
    page.get_by_role("checkbox", name="Down and out").check()
    told = page.locator("[data-chips]:visible")
    assert told.inner_text() == "12 + 11 = 23\n2 × 23 = 46\n0 + 46 = 46 in all"


def test_a_narrow_key_to_the_next_hand_shows_its_name(phone: Open) -> None:
    page = phone()
    start(page, "zip-zilch-zero", "Rose, Cleo, Tim")
    ended(page, "Who went out?", "Rose")
    key = page.locator("[data-next]", has_text="Cleo")
    key.wait_for()
    assert key.inner_text().split() == ["Cleo", "›"]
    assert key.evaluate("(key) => key.scrollWidth <= key.clientWidth")


def test_names_typed_for_a_game_wait_while_its_house_rules_are_read(phone: Open) -> None:
    page = phone("/games/new/zip-zilch-zero")
    names = page.get_by_label("Players in seating order")
    names.fill("Ann, Bob, Cleo, Dev, Eve")
    expect(page.get_by_text("is for 4 players at most")).to_be_visible()
    page.get_by_label("Your family or club").fill("The Harpers")
    page.get_by_role("link", name="House rules").click()
    page.wait_for_url("**/house/*")
    page.goto("/games/new/zip-zilch-zero")
    expect(names).to_have_value("Ann, Bob, Cleo, Dev, Eve")
    expect(page.get_by_label("Your family or club")).to_have_value("The Harpers")
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    page.goto("/games/new/zip-zilch-zero")
    expect(names).to_have_value("")


def test_two_at_the_end_of_a_list_can_be_one_player(phone: Open) -> None:
    page = phone("/games/new/skyjo")
    names = page.get_by_label("Players in seating order")
    names.fill("Ann, Ben, Mum and Dad")
    seats = page.locator("[data-seats] li")
    expect(seats).to_have_count(4)
    page.get_by_role("button", name="Mum and Dad are one player").click()
    expect(seats).to_have_count(3)
    expect(page.get_by_text("are one player")).to_be_hidden()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    expect(page.get_by_role("rowheader", name="Mum and Dad")).to_be_visible()


def test_a_no_hides_what_only_matters_with_a_yes(phone: Open) -> None:
    page = phone("/house/contract-rummy/new")
    page.get_by_text("Taking discards out of turn").click()
    limit = page.get_by_label("Who may take a discard out of turn")
    assert limit.is_visible()
    page.get_by_label("A discard may be taken out of turn").select_option("no")
    limit.wait_for(state="hidden")
    page.get_by_text("What cards count, and which are wild").click()
    joker = page.get_by_label("joker", exact=True)
    joker.click()
    page.keyboard.type("50")
    assert joker.input_value() == "50", "the number before it is replaced"
    page.get_by_text("Deals and contracts").click()
    page.get_by_label("How many deals").click()
    page.keyboard.type("4")
    shown = [
        one.inner_text() for one in page.locator("[data-deal] legend").all() if one.is_visible()
    ]
    assert shown == ["Deal 1", "Deal 2", "Deal 3", "Deal 4"]


def test_after_a_mended_fault_what_was_checked_is_in_sight(phone: Open) -> None:
    """The link to a fault puts its field into the address; the form must not take that along."""
    page = phone("/house/contract-rummy/new")
    page.get_by_label("Name of your game").fill("Ours")
    page.get_by_text("What cards count, and which are wild").click()
    wilds = page.locator("[name='f.melds.wilds']")
    wilds.fill("jokers and smileys")
    page.get_by_role("button", name="Check the rules").click()
    page.get_by_role("link", name="“smileys” is no rank").click()
    wilds.fill("jokers and threes")
    page.get_by_role("button", name="Check the rules").click()
    save = page.get_by_role("button", name="Save these rules")
    save.wait_for()
    assert page.evaluate("scrollY") == 0
    assert "1 difference from the book" in page.locator("main").inner_text()


def test_a_button_prints_where_scripts_run(phone: Open) -> None:
    page = phone("/rules/contract-rummy/sheet")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    assert "your browser's menu" not in page.locator("main").inner_text()


RULES = """
([written, sent]) => {
  const read = (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const rules = [...sheet.cssRules].map((rule) => rule.cssText).join('\\n');
    const plain = rules.replace(/\\s+/g, ' ').replace(/ *([,/*(]) */g, '$1');
    return plain.replaceAll('} ', '}\\n').split('\\n');
  };
  const [one, other] = [read(written), read(sent)];
  return [one.length, one.map((line, place) => [line, other[place]]).filter(([a, b]) => a !== b)];
}
"""


SHEETS = ["app", "game", "points", "judge", "far", "print", "sheets", "blank"]


def test_a_browser_reads_the_same_styles_as_are_written(phone: Open) -> None:
    page = phone()
    styles = STATIC / "styles"
    shared = (styles / "shared.css").read_text("utf-8")
    for name in SHEETS:
        sent = page.request.get(f"/static/{name}.css").text()
        written = (
            (STATIC / "styles" / f"{name}.css")
            .read_text("utf-8")
            .replace("@import './shared.css';\n", shared)
        )
        assert len(sent) < len(written), name
        many, others = page.evaluate(RULES, [written, sent])
        assert others == [], name
        assert many > 3, name


MISSED = """
() => [...document.querySelectorAll('main :is(a, button, summary)')].filter((one) => {
  if (!one.checkVisibility() || one.closest('p, dd, small, .rule, .question')) return false;
  one.scrollIntoView({ block: 'center' });
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const [across, middle] = [(left + right) / 2, (top + bottom) / 2];
  const hit = (y) =>
    one.contains(document.elementFromPoint(across, y)?.closest('a, button, summary') ?? null);
  return Array.from({ length: 89 }, (_, n) => middle - 44 + n).filter(hit).length < 43;
}).map((one) => one.innerText)
"""


def test_what_is_tapped_on_lists_and_sheets_is_a_thumb_high(phone: Open) -> None:
    """A link may be a line high where its row is tapped too."""
    page = phone(size=SMALL)
    look_round(page)
    for path in ("/rules", "/league", "/league/rivals", "/games/1/sheet", "/games/1/deals/1"):
        page.goto(path)
        assert page.evaluate(MISSED) == [], path


def test_home_shows_who_leads_by_bars_of_one_end_and_the_way_out_of_the_example(
    phone: Open,
) -> None:
    page = phone("/")
    look_round(page)
    bars = [bar.bounding_box() for bar in page.locator(".standings .bar").all()]
    ends = {(round(box["x"]), round(box["x"] + box["width"])) for box in bars if box}
    assert [len(bars), len(ends)] == [3, 1]
    dock = page.locator("nav").last.bounding_box()
    leave = page.get_by_role("button", name="Leave it and start your own").bounding_box()
    assert dock
    assert leave
    assert leave["y"] + leave["height"] <= dock["y"]
