"""The product in a real browser: whole games, taps counted, axe, small screens."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect
from waitress.server import create_server

from companion.rules import all_variants
from tests.conftest import fresh_app
from tests.support.chromium import PATIENCE
from tests.support.doses import doses

pytestmark = pytest.mark.browser
PHONE, DESK, SMALL = (390, 664), (1280, 800), (320, 568)
AN_EVENING = 16
"""So many of the pages that `every_page` visits are those of an evening: home, table and pad."""
COUNT_TAPS = """
window.addEventListener('click', (event) => {
  if (event.isTrusted && event.detail) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app behind its own server, as `flask serve` runs it."""
    app: Flask = fresh_app(tmp_path_factory.mktemp("server"))
    server: Any = create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    server.task_dispatcher.shutdown()
    thread.join(5)


Open = Callable[..., Page]


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Open]:
    """Open a page on a device of its own; script errors fail the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(path: str = "/", size: tuple[int, int] = PHONE, **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, base_url=address, **options
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(COUNT_TAPS)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


def start(page: Page, game: str, names: str) -> None:
    page.goto(f"/games/new/{game}")
    page.get_by_label("Players in seating order").fill(names)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")


def ended(page: Page, question: str, name: str) -> None:
    """Tap who ended the deal; rarer endings are folded away."""
    names = page.locator(".dock > .names")
    if question not in page.locator("#question").inner_text():
        page.locator(".others summary").click()
        names = page.locator(".others h2", has_text=question).locator(
            "xpath=following-sibling::*[1]"
        )
    names.get_by_role("link", name=name).click()
    page.wait_for_url("**/deals/new*")


def tap(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f"[data-card='{card}']").click()


def following(page: Page) -> None:
    page.locator("[data-next]").click()


def way(page: Page, name: str) -> None:
    """Choose how this hand is entered."""
    page.locator("[data-to]", has_text=name).click()


def save(page: Page) -> None:
    review(page)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**saved=*")


def review(page: Page) -> None:
    """Wait for the review, which a tap or a key leads to."""
    page.wait_for_selector("h1:has-text('Check the scores')")


def look_round(page: Page) -> None:
    """Open the sample family's league, and stay at its start."""
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("heading", name="wins").wait_for()
    page.goto("/")


def go_on(page: Page) -> None:
    """Open the running game of the sample family."""
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/games/*")


def enter(page: Page, hands: list[str]) -> None:
    for cards in hands:
        tap(page, cards)
        following(page)
    review(page)


def totals(page: Page) -> list[int]:
    cells = page.locator(".board .total").all_inner_texts()
    return [int(text.replace("−", "-").replace(",", "")) for text in cells]


def results(page: Page) -> list[str]:
    """The totals of a finished game with their names, in the order of places."""
    return [text.replace("\n", "") for text in page.locator(".podium .number").all_inner_texts()]


def taps(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.taps ?? 0)"))


def forget_taps(page: Page) -> None:
    page.evaluate("sessionStorage.taps = 0")


def test_contract_rummy_by_taps(phone: Open) -> None:
    """Four deals with 19 and 7 points for those not out, three with 25 and 17."""
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    for out in ("Ann", "Bob", "Cleo", "Ann"):
        ended(page, "Who went out?", out)
        enter(page, ["K 9", "7"])
        save(page)
    assert totals(page) == [19 + 19, 19 + 7 + 19, 7 + 7 + 7]
    expect(page.locator(".deal h2")).to_contain_text("Two sets of three and one run of four")
    for out in ("Bob", "Bob", "Bob"):
        ended(page, "Who went out?", out)
        enter(page, ["X", "A 2"])
        save(page)
    expect(page.get_by_role("heading", name="Bob wins")).to_be_visible()
    assert results(page) == ["45, Bob", "72, Cleo", "113, Ann"]


@pytest.mark.slow
def test_zioncheck_by_taps(phone: Open) -> None:
    page = phone()
    start(page, "zioncheck", "Ann, Bob")
    for _ in range(6):
        ended(page, "Who went out?", "Bob")
        enter(page, ["A 10 2"])
        save(page)
    expect(page.get_by_role("heading", name="Bob wins")).to_be_visible()
    assert results(page) == ["0, Bob", "180, Ann"]


def test_chicago_until_one_is_left(phone: Open) -> None:
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    ended(page, "Who knocked?", "Ann")
    enter(page, ["5", "K Q J 10", "3"])
    save(page)
    assert totals(page) == [20, 40, 3]
    ended(page, "Who went out in one go?", "Bob")
    enter(page, ["K Q J 9 8", "K K Q Q J J 10"])
    save(page)
    assert totals(page) == [67, 40, 73]
    ended(page, "Who knocked?", "Bob")
    enter(page, ["9", "K Q J 5", "K Q J K Q J"])
    save(page)
    expect(page.get_by_role("heading", name="Bob wins")).to_be_visible()


def test_zip_with_scores_below_zero(phone: Open) -> None:
    page = phone()
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    for _ in range(4):
        ended(page, "Who went out?", "Ann")
        for typed in ("38", "20-25", "0-10"):
            way(page, "Total")
            page.keyboard.type(typed)
            following(page)
        save(page)
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert results(page) == ["152, Ann", "−20, Bob", "−40, Cleo"]


def test_a_whole_game_without_javascript(phone: Open) -> None:
    page = phone(java_script_enabled=False)
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    for _ in range(4):
        page.get_by_role("link", name="Cleo").click()
        page.wait_for_url("**/deals/new*")
        page.get_by_label("or points zipped").nth(0).fill("12")
        page.get_by_label("Cards left").nth(0).fill("7 7 k")
        page.get_by_label("or total points").nth(1).fill("12+11")
        page.get_by_role("button", name="Check the scores").click()
        save(page)
    expect(page.get_by_role("heading", name="Cleo wins")).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_taps_are_few(phone: Open, capsys: pytest.CaptureFixture[str]) -> None:
    """The numbers to beat of a returning family of four, whole paths with their review."""
    page = phone()
    look_round(page)
    counts = {}

    go_on(page)
    forget_taps(page)
    ended(page, "Who went out?", "Bob")
    enter(page, ["2 3 4 5 6 7", "8 9 10 J Q K", "A X 2 3 4 5"])
    save(page)
    counts["18 cards by taps"] = taps(page)

    forget_taps(page)
    ended(page, "Who went out?", "Ann")
    way(page, "Total")
    for total in ("12", "25", "40"):
        page.keyboard.type(total)
        following(page)
    save(page)
    counts["totals typed"] = taps(page)

    forget_taps(page)
    page.locator(".board .total a").first.click()
    page.locator(".review li").nth(2).locator(".card").first.click()
    page.locator("[data-next]").wait_for()
    tap(page, "9")
    following(page)
    page.wait_for_url("**saved=*")
    counts["correct an old card"] = taps(page)
    expect(page.get_by_role("status")).to_contain_text("Deal 3 corrected: Ann 27 → 34")

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
    assert counts["18 cards by taps"] <= 23
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


def suited(page: Page, suit: str, cards: str) -> None:
    page.locator(f".suits [data-suit='{suit}']").click()
    tap(page, cards)


def test_the_judge_answers_what_is_tapped(phone: Open) -> None:
    page = phone("/rules/contract-rummy/judge?deal=2")
    suited(page, "H", "7 4")
    suited(page, "S", "7")
    suited(page, "D", "7 K")
    suited(page, "C", "3 4 6")
    following(page)
    expect(page.get_by_text("Not yet: 1 card short. These 2 cards help.")).to_be_visible()
    assert page.locator(".helping .card").count() == 2
    tap(page, "X")
    following(page)
    expect(page.get_by_text("Yes, you hold the contract.")).to_be_visible()


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
    ended(page, "Who went out in one go?", "Ann")
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


def zipped(page: Page, cards: str) -> None:
    """Tap red cards with their minus, black ones with their plus."""
    for card in cards.split():
        suit = {"-": "R", "+": "B"}[card[0]]
        page.locator(f"[data-card='{card[1:]}'][data-suit={suit}]").click()


def test_zips_are_told_card_by_card(phone: Open) -> None:
    page = phone()
    start(page, "zip-zilch-zero", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    zipped(page, "+6 -6 +K -2 -3 -8")
    expect(page.locator(".zip:visible")).to_have_count(2)
    following(page)
    for left in ("+9", "-4"):
        way(page, "Cards left")
        zipped(page, left)
        following(page)
    save(page)
    assert totals(page) == [38, -9, -4]


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
        "7, take away",
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
    page.wait_for_url("**saved=*")
    assert totals(page) == [10, 7, 0]


LOOKS_BACK = (
    "/league?season=all&variant=zioncheck",
    "/league/players/1",
    "/league/rivals",
    "/league/records",
    "/games/2/outlook",
    "/league/evenings",
)


def every_look_back(page: Page) -> Iterator[str]:
    """Visit the pages that look back on years of evenings."""
    for path in LOOKS_BACK:
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")
        yield path
    page.locator("main .chip").first.click()
    page.wait_for_url("**/league/years/*")
    yield "a year in review"
    page.locator("main a[href*='/evenings/']").first.click()
    page.wait_for_url("**/league/evenings/*")
    yield "an evening"


def every_page(page: Page) -> Iterator[str]:
    """Visit every kind of page of a family with a finished and a running game."""
    yield "home"
    look_round(page)
    yield "home of a league"
    go_on(page)
    table = page.url
    yield "table"
    for path in ("/deals/1", "/deals/1/seats/0", "/seats/1", "/history", "/sheet"):
        page.goto(table + path)
        yield path
    for path in ("/more/join", "/more/stop", "/more/throw-in", "/deals/1/edit", "#more"):
        page.goto(table + path)
        yield path
    page.goto(table)
    ended(page, "Who went out?", "Ann")
    yield "entry"
    page.locator("[data-next]").click()
    page.locator("[data-next]").click()
    page.locator("[data-next]").click()
    page.wait_for_selector("[role=alert]")
    yield "entry with faults"
    for name in ("Bob", "Cleo", "Dev"):
        page.locator(".tab", has_text=name).click()
        tap(page, "X X")
    page.locator("[data-next]").click()
    review(page)
    yield "review with a doubt"
    for path in (
        *("/league", "/league/games", "/rules", "/games/new/contract-rummy", "/protection"),
        "/nowhere",
    ):
        page.goto(path)
        yield path
    yield from every_look_back(page)
    for key in ("contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero"):
        page.goto(f"/rules/{key}")
        yield key
        page.goto(f"/rules/{key}/judge")
        yield f"judge of {key}"
    for path in (
        "contract-rummy/judge?deal=2&hand=7H+7S+7D+3C+4C+6C+KD",
        "contract-rummy/judge?deal=1&hand=7H+7S+KC+4D",
        "chicago-rummy/judge?hand=7H+7S+7D+2C+KS+KD+4H",
        "zip-zilch-zero/judge?hand=6R+6B+KB+2R&pile=4R+5B",
        "contract-rummy/judge?hand=7",
        "zioncheck/practice?deal=3&hand=one",
        "zioncheck/practice?deal=3&hand=one&answer=yes",
        "zioncheck/book",
        "chicago-rummy/book",
        "continental",
        "shanghai",
        "shanghai/contracts",
        "carioca-chile/contracts",
        "contract-rummy/sheet",
        "zip-zilch-zero/record",
        "contract-rummy/search?q=stael+joker",
        "contract-rummy/search?q=xyzzy",
    ):
        page.goto(f"/rules/{path}")
        yield path
    for path in ("/rules?known=zioncheck&players=4", "/house/shanghai", "/house/files"):
        page.goto(path)
        yield path
    yield from every_house_page(page)
    yield from every_page_of_people(page)
    page.goto("/league/old-scores/contract-rummy?names=Ann, Bob, Cleo&day=2019-02-03")
    page.get_by_label("Ann, deal 1").fill("x")
    page.get_by_role("button", name="Save this game").click()
    page.wait_for_selector("[role=alert]")
    yield "an old score sheet with a fault"
    page.goto("/league/games")
    page.locator("main li a").last.click()
    page.get_by_role("button", name="Play again").wait_for()
    yield "a finished game"


def every_page_of_people(page: Page) -> Iterator[str]:
    """Visit what an owner corrects: people, seasons, a game's date and note; and the search."""
    start(page, "zioncheck", "Eve, Finn")
    page.goto(f"{page.url}/about")
    page.get_by_label("Note").fill("Snow outside")
    page.get_by_label("Played on").fill("")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("[role=alert]")
    yield "about a game, with a fault"
    for other in ("Bob", "Eve"):
        page.goto("/league/people")
        page.locator("main").get_by_role("link", name="Ann").click()
        page.get_by_label("Who is the same person?").wait_for()
        yield "a person"
        page.get_by_label("Who is the same person?").select_option(label=other)
        page.get_by_role("button", name="See what would change").click()
        page.wait_for_url("**/merge?**")
        yield f"Ann and {other}"
    page.get_by_role("button", name="Merge as").click()
    page.get_by_role("button", name="Undo").wait_for()
    yield "people"
    page.goto("/league/seasons")
    page.get_by_role("button", name="Add this season").click()
    page.wait_for_selector("[role=alert]")
    yield "seasons with a fault"
    page.get_by_label("Name").fill("Winter")
    page.get_by_label("First day").fill("2025-12-01")
    page.get_by_role("button", name="Add this season").click()
    page.get_by_role("link", name="Winter").click()
    page.get_by_role("button", name="Remove this season").wait_for()
    yield "a season"
    page.goto("/league/games?status=stopped&words=snow")
    yield "a search without an answer"


def every_house_page(page: Page) -> Iterator[str]:
    """Visit the form of a family's own game: empty, with a fault, looked over, and kept."""
    page.goto("/house/shanghai/new")
    for details in page.locator("form > details").all():
        details.evaluate("node => { node.open = true; }")
    yield "house form"
    page.get_by_label("Name of your game").fill("Ours")
    page.locator("#deal\\.1\\.contract").fill("full house")
    page.get_by_role("button", name="Look it over").click()
    page.wait_for_selector("[role=alert]")
    yield "house form with a fault"
    page.locator("#deal\\.1\\.contract").fill("3 sets of 3")
    page.get_by_role("button", name="Look it over").click()
    page.get_by_role("button", name="Keep these rules").wait_for()
    yield "house form looked over"
    page.get_by_role("button", name="Keep these rules").click()
    page.get_by_role("heading", name="Ours, our house").wait_for()
    yield "our own game"


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
    page.get_by_role("button", name="Look it over").click()
    expect(page.locator("main")).to_contain_text("2 differences")
    page.get_by_role("button", name="Keep these rules").click()
    page.get_by_role("heading", name="Grandma's, our house").wait_for()
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


def test_the_contract_card_prints_on_one_sheet(phone: Open) -> None:
    page = phone()
    sheets = {}
    for variant in all_variants():
        if variant.has_contracts:
            page.goto(f"/rules/{variant.key}/contracts")
            sheets[variant.key] = pages_of(page)
    assert sheets == dict.fromkeys(sheets, 1)
    assert len(sheets) > 15


def test_the_book_prints_as_a_booklet(phone: Open) -> None:
    page = phone()
    page.goto("/rules/zioncheck/book")
    assert 4 <= pages_of(page) <= 16


@pytest.mark.parametrize("paper", ["A4", pytest.param("Letter", marks=pytest.mark.slow)])
def test_paper_to_write_on_prints_on_one_sheet(phone: Open, paper: str) -> None:
    """Of every game the sheet for as many as can play; `make sheets` prints them all."""
    page = phone()
    sheets = {}
    for variant in all_variants():
        page.goto(f"/rules/{variant.key}/sheet?players={variant.players.max}")
        sheets[variant.key] = pages_of(page, paper)
    page.goto("/rules/zip-zilch-zero/record")
    assert sheets | {"record": pages_of(page, paper)} == dict.fromkeys([*sheets, "record"], 1)


def test_a_score_sheet_prints_on_one_sheet_with_its_chart(phone: Open) -> None:
    page = phone()
    page.get_by_role("button", name="See an example evening").click()
    page.get_by_role("link", name="Score sheet").first.click()
    page.wait_for_url("**/sheet")
    expect(page.get_by_role("img", name="Ann wins with 75. After deal 7")).to_be_visible()
    assert pages_of(page) == 1


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
    page.wait_for_url("**/games/*")
    assert page.locator(".scores tfoot td").all_inner_texts() == ["94", "178", "177", "145"]


def test_the_page_to_keep_opens_from_a_disk(phone: Open, tmp_path: Path) -> None:
    """No request leaves it, nothing complains, axe finds nothing, and it prints."""
    page = phone()
    look_round(page)
    page.goto("/league/files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="A page to read without a server").click()
    file = tmp_path / "league.html"
    saved.value.save_as(file)
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("request", lambda request: told.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name="Every game")).to_be_visible()
    page.get_by_role("link", name="Every game").click()
    page.wait_for_load_state("networkidle")
    assert [words for words in told if words.split("#")[0] != file.as_uri()] == []
    assert pages_of(page) > 1
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    archived = page.content().replace("default-src 'none'", "default-src 'unsafe-inline'")
    page.set_content(archived)  # axe is a script, and the page lets none run
    told_by_axe = Axe().run(page, options={"runOnly": AXE_RULES}).response
    assert len(told_by_axe["passes"]) > 10
    assert told_by_axe["violations"] == []


def pages_of(page: Page, paper: str = "A4") -> int:
    """Print a page and count the sheets."""
    printed = page.pdf(format=paper, print_background=True, prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page[^s]", printed))


@pytest.mark.parametrize(
    ("size", "pages"),
    [
        pytest.param(PHONE, AN_EVENING, id="phone-small"),
        pytest.param(PHONE, None, id="phone", marks=pytest.mark.slow),
        pytest.param(DESK, None, id="desk", marks=pytest.mark.slow),
    ],
)
def test_no_page_shuts_anyone_out(phone: Open, size: tuple[int, int], pages: int | None) -> None:
    """Everything in the light; by lamplight the same page may differ in its colours alone."""
    page = phone(size=size)
    names = islice(every_page(page), pages)
    broken = {name: found for name in names if (found := violations(page))}
    assert not broken


def violations(page: Page) -> list[tuple[str, str, list[str]]]:
    """Let axe look at a page in both schemes: what it finds, and where.

    The window is as tall as the page, so that nothing lies half under the bar at its edge.
    """
    found: list[tuple[str, str, list[str]]] = []
    size = page.viewport_size
    assert size
    tall = page.evaluate("document.documentElement.scrollHeight")
    if tall > size["height"]:
        page.set_viewport_size({"width": size["width"], "height": tall + 100})
    for scheme, rules in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        told = Axe().run(page, options={"runOnly": rules}).response
        assert told["passes"], "axe has looked at nothing"
        for one in told["violations"]:
            found.append((scheme, one["id"], [node["html"][:120] for node in one["nodes"][:3]]))
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)
    return found


AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCHEMES: list[tuple[Literal["light", "dark"], Any]] = [
    ("light", AXE_RULES),
    ("dark", {"type": "rule", "values": ["color-contrast"]}),
]


@doses("pages", AN_EVENING, None)
def test_nothing_scrolls_sideways_on_a_small_phone(phone: Open, pages: int | None) -> None:
    page = phone(size=SMALL)
    wide = [
        name
        for name in islice(every_page(page), pages)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ]
    assert not wide


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
def test_the_pad_lies_under_the_thumb(phone: Open, size: tuple[int, int]) -> None:
    page = phone(size=size)
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Ann")
    boxes = [key.bounding_box() for key in page.locator(".keys .key:visible").all()]
    assert len(boxes) == 16
    for box in boxes:
        assert box
        assert box["height"] >= (52 if size[1] > 600 else 48)
        assert box["width"] >= 52
        assert box["y"] + box["height"] <= size[1]
    first = boxes[0]
    assert first
    assert first["y"] >= size[1] * 0.5


def test_five_players_fit_one_screen(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo, Dev, Eve")
    page.locator(".dock a").last.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") == 0
    sizes = page.locator(".board .total").evaluate_all(
        "cells => cells.map(cell => parseFloat(getComputedStyle(cell).fontSize))"
    )
    assert min(sizes) >= 33


def test_controls_of_the_table_are_large_enough(phone: Open) -> None:
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    for control in page.locator(".names .button, .top a").all():
        if control.is_visible():
            box = control.bounding_box()
            assert box
            assert box["height"] >= 48, control.inner_text()


def test_going_back_after_saving_shows_the_review(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    enter(page, ["K", "7"])
    save(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Check the scores")).to_be_visible()
    save(page)
    assert totals(page) == [10, 7, 0]


def test_undoing_a_deal_brings_its_cards_back_to_the_pad(phone: Open) -> None:
    page = phone()
    start(page, "contract-rummy", "Ann, Bob, Cleo")
    ended(page, "Who went out?", "Cleo")
    enter(page, ["K", "7"])
    save(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone")
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


def test_long_names_fit_a_phone(phone: Open) -> None:
    page = phone()
    long = ("Wolfeschlegelsteinhausenbergerdorff the 3", "W" * 40, "Ann", "Bob", "Cleo", "Dan")
    start(page, "contract-rummy", ", ".join(name[:40] for name in long))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ended(page, "Who went out?", "Ann")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
