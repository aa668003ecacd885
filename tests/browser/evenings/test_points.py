"""Games whose deals are points, in a browser: worked games by touch, an evening of four games."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from companion.rules import load_examples, point_games
from companion.rules.examples import WorkedReport
from tests.browser.browsing import (
    SCROLLS,
    SMALL,
    Open,
    digits,
    enter,
    following,
    results,
    save,
    start,
    totals,
)

from .party import link_of, sit_down

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BY_TOUCH = ("hearts", "skyjo", "flip-7")
REST = [game.key for game in point_games() if game.key not in BY_TOUCH]
GAMES = [*BY_TOUCH, *(pytest.param(key, marks=pytest.mark.long) for key in REST)]


def points(page: Page, number: int) -> None:
    """Tap a number, its minus last."""
    digits(page, f"{abs(number)}{'-' if number < 0 else ''}")


def count(page: Page, bonuses: Mapping[str, int]) -> None:
    """Tap the counters of the player whose row is open, each as often as it says."""
    for key, times in bonuses.items():
        for _ in range(0 if key in ("bid", "tricks", "moon") else times):
            panel = page.locator(".hand-fields:not([hidden])")
            row = panel.locator(".counter", has=page.locator(f"[name$='-bonus-{key}']"))
            if row.count():
                row.get_by_role("button", name="One more").tap()
            else:
                name = page.locator(".tab[aria-current] bdi").inner_text()
                chips = page.locator(".whose", has=page.locator(f"[name='bonus-{key}']"))
                chips.locator("label", has_text=name).tap()


def who_won(page: Page, report: WorkedReport, names: tuple[str, ...]) -> None:
    """Tap who won, and type what it was worth."""
    for name in names:
        if report.bonuses.get(name, {}).get("won"):
            page.locator(".pick label", has_text=name).tap()
    points(page, int(report.left[names[0]]))
    page.locator("[data-next]").tap()


def one_after_the_other(page: Page, report: WorkedReport, names: tuple[str, ...]) -> None:
    """Enter a deal as the pad asks for it: tricks of all, or points."""
    by_tab = sorted(names, key=lambda name: name != report.by)
    for name in names if "tricks" in report.bonuses.get(names[0], {}) else ():
        count(page, report.bonuses[name])
        points(page, report.bonuses[name]["tricks"])
        page.locator("[data-next]").tap()
    for name in (name for name in by_tab if name in report.left):
        count(page, report.bonuses.get(name, {}))
        points(page, int(report.left[name]))
        if name in report.met and name != report.by:
            page.locator(".hand-fields:not([hidden]) input[type=checkbox]").tap()
        page.locator("[data-next]").tap()


def play(page: Page, report: WorkedReport, names: tuple[str, ...]) -> None:
    """Play one deal of a worked game from the table to the table."""
    if "bid" in report.bonuses.get(names[0], {}):
        page.get_by_role("link", name="Enter the bids").tap()
        page.wait_for_url("**/bids")
        for _ in names:
            name = page.locator(".tab[aria-current] bdi").inner_text()
            points(page, report.bonuses[name]["bid"])
            page.locator("[data-next]").tap()
        page.wait_for_url(re.compile(r"/games/\d+$"))
    if report.by:
        page.locator(".dock > .names").get_by_role("link", name=report.by).tap()
    else:
        page.get_by_role("link", name=re.compile("^(Enter|Tap who won)")).tap()
    page.wait_for_url("**/deals/new*")
    assert page.evaluate(SCROLLS) == [0, 0]
    moon = next((name for name, had in report.bonuses.items() if "moon" in had), None)
    if any("won" in had for had in report.bonuses.values()):
        who_won(page, report, names)
    elif moon:
        page.locator(".whose label", has_text=moon).tap()
    else:
        one_after_the_other(page, report, names)
    save(page)


@pytest.mark.parametrize("key", GAMES)
def test_a_worked_game_by_touch(phone: Open, key: str) -> None:
    (worked,) = load_examples(key).games
    page = phone(has_touch=True)
    start(page, key, ", ".join(worked.players))
    for report in worked.deals[:-1]:
        play(page, report, worked.players)
        assert dict(zip(worked.players, totals(page), strict=True)) == report.totals
    play(page, worked.deals[-1], worked.players)
    if not page.locator(".podium").count():
        page.goto(f"{page.url.partition('?')[0]}/more/stop")
        page.get_by_role("button", name="End the game here").tap()
    winner = next(name for name, place in worked.places.items() if place == 1)
    expect(page.get_by_role("heading", name=f"{winner} wins")).to_be_visible()
    order = sorted(worked.places, key=lambda name: worked.places[name])
    shown = [f"{worked.totals[name]:,}, {name}".replace("-", "−") for name in order]
    assert results(page) == shown


def test_everybody_is_in_view_and_sums_are_live(phone: Open) -> None:
    page = phone(has_touch=True)
    start(page, "hearts", "Ann, Bob, Cleo, Dev")
    page.get_by_role("link", name="Enter the points").tap()
    page.wait_for_url("**/deals/new*")
    points(page, 4)
    page.locator("[data-next]").tap()
    points(page, 3)
    expect(page.locator("[data-sum]")).to_have_text("19 of 26 left")
    expect(page.locator("[data-after]").nth(1)).to_have_text("0 → 3")
    page.locator("[data-rest]").tap()
    expect(page.locator("[data-sum]")).to_have_text("all in, the others 0")
    expect(page.locator("[data-next]")).to_have_text("Check ›")
    page.locator("[data-next]").tap()
    save(page)
    assert totals(page) == [4, 22, 0, 0]


@pytest.mark.parametrize(
    ("game", "ending", "keys", "terms", "points"),
    [
        ("uno", "out&by=1", "7 20 50", "7 + 20 + 50", 77),
        ("golf", "", "10 -2 0", "10 − 2 + 0", 8),
        ("flip-7", "", "5 7 double 4", "5 + 7 + 12 + 4", 28),
    ],
)
def test_cards_add_up_where_a_game_says_what_they_count(
    phone: Open, game: str, ending: str, keys: str, terms: str, points: int
) -> None:
    page = phone(size=SMALL, has_touch=True)
    start(page, game, "Ann, Bob, Cleo")
    page.goto(f"{page.url}/deals/new?how={ending}")
    page.locator("[data-to=cards]").tap()
    for key in keys.split():
        page.locator(f"[data-plus='{key}']").last.tap()
    page.locator("[data-plus='10'], [data-plus='9']").first.tap()
    page.locator("[data-back]").tap()
    assert page.evaluate(SCROLLS) == [0, 0]
    expect(page.locator("[data-sum]")).to_have_text(terms)
    expect(page.locator(".tab[aria-current] .state")).to_have_text(str(points))
    page.locator("[data-next]").tap()
    expect(page.locator("[data-to=cards]")).to_have_attribute("aria-pressed", "true")
    for _ in range(1 if "by" in ending else 2):
        page.locator("[data-plus='5']").tap()
        page.locator("[data-next]").tap()
    save(page)
    assert totals(page)[:2] == ([0, points + 5] if game == "uno" else [points, 5])


def test_twelve_players_at_320_need_no_scroll(phone: Open) -> None:
    page = phone(size=SMALL, has_touch=True)
    names = ["Ann", "Bob", "Cleo", "Dev", "Eva", "Fay", "Gus", "Hal", "Ian", "Jon", "Kim", "Leo"]
    start(page, "nertz", ", ".join(names))
    page.get_by_role("link", name="Enter the points").tap()
    page.wait_for_url("**/deals/new*")
    assert page.evaluate(SCROLLS) == [0, 0]
    tallies = page.locator(".tallies")
    assert tallies.evaluate("felt => felt.scrollHeight - felt.clientHeight") == 0
    for number in range(12):
        points(page, number + 11)
        page.locator("[data-next]").tap()
    save(page)
    assert totals(page) == list(range(11, 23))


def test_an_evening_of_four_games_with_two_phones(phone: Open) -> None:
    """Skyjo told by phones, Contract Rummy, Hearts, and one that the family names itself."""
    table = phone()
    start(table, "skyjo", "Ann, Bob")
    link = link_of(table)
    ann, bob = (sit_down(phone, link, name) for name in ("Ann", "Bob"))
    ann.get_by_role("button", name="I closed").click()
    for page, hand in ((ann, "60"), (bob, "100")):
        digits(page, hand)
        following(page)
    table.get_by_role("link", name="Check the scores").click()
    save(table)
    expect(table.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(bob.get_by_text("Ann wins")).to_be_visible()

    start(table, "contract-rummy", "Ann, Bob, Cleo")
    table.locator(".dock .names").get_by_role("button", name="Ann").click()
    table.get_by_role("link", name="Enter the missing hands").click()
    enter(table, ["7 7", "K"])
    save(table)
    assert totals(table) == [0, 14, 10]

    start(table, "hearts", "Ann, Bob, Cleo")
    bob.goto(f"{table.url.partition('?')[0]}/mine")
    bob.get_by_role("link", name="Enter my points").click()
    digits(bob, "6")
    following(bob)
    table.get_by_role("button", name="Enter the points").click()
    table.get_by_role("link", name="Enter the missing hands").click()
    for hand in ("9", "11"):
        digits(table, hand)
        following(table)
    save(table)
    assert totals(table) == [9, 6, 11]

    table.goto("/rules")
    table.get_by_role("link", name="Another game").click()
    table.get_by_label("What is it called?").fill("Blitz")
    table.get_by_role("button", name="Who plays?").click()
    table.get_by_label("Players in seating order").fill("Ann, Bob")
    table.get_by_role("button", name="Start").click()
    table.get_by_role("button", name="Enter the points").click()
    table.get_by_role("link", name="Enter the missing hands").click()
    for hand in "53":
        digits(table, hand)
        following(table)
    save(table)
    assert totals(table) == [5, 3]
    table.goto("/league/games")
    for game in ("Skyjo", "Contract Rummy", "Hearts", "Blitz"):
        expect(table.locator("main")).to_contain_text(game)


def test_bids_come_from_phones_and_are_seen_by_all(phone: Open) -> None:
    table = phone()
    start(table, "wizard", "Ann, Bob, Cleo")
    ann = sit_down(phone, link_of(table), "Ann")
    ann.get_by_role("link", name="Enter my bid").click()
    digits(ann, "1")
    following(ann)
    expect(ann.get_by_text("Your bid is in")).to_be_visible()
    expect(table.get_by_role("heading", name="1 bid for 1 trick")).to_be_visible()
    table.get_by_role("link", name="Enter the bids").click()
    table.wait_for_url("**/bids")
    table.locator(".tab", has_text="Bob").click()
    for bid in "01":
        points(table, int(bid))
        following(table)
        if bid == "1":
            break
    expect(ann.get_by_role("heading", name="2 bid for 1 trick")).to_be_visible()
    table.get_by_role("button", name="Enter the tricks").click()
    digits(ann, "1")
    following(ann)
    expect(table.locator("[data-seat-state='0']")).to_contain_text("bid 1, took 1")
    table.get_by_role("link", name="Enter the missing hands").click()
    for took in "00":
        digits(table, took)
        following(table)
    save(table)
    assert totals(table) == [30, 20, -10]


def test_a_bid_waits_on_a_phone_that_is_out_of_reach(phone: Open) -> None:
    table = phone()
    start(table, "wizard", "Ann, Bob, Cleo")
    ann = sit_down(phone, link_of(table), "Ann")
    with ann.expect_request("**/live**"):  # its scripts are there by then
        ann.reload()
    ann.context.set_offline(True)
    ann.get_by_role("link", name="Enter my bid").click()
    digits(ann, "1")
    following(ann)
    expect(ann.get_by_text("Saved on this phone").first).to_be_visible()
    expect(table.get_by_role("heading", name="1 trick to bid for")).to_be_visible()
    ann.context.set_offline(False)
    expect(table.get_by_role("heading", name="1 bid for 1 trick")).to_be_visible()
    expect(table.locator(".board tr", has_text="Ann")).to_contain_text("bid 1")


def test_an_evening_in_which_every_phone_bids_and_tells_its_tricks(phone: Open) -> None:
    table = phone()
    start(table, "oh-hell", "Ann, Bob, Cleo")
    link = link_of(table)
    phones = [sit_down(phone, link, name) for name in ("Ann", "Bob", "Cleo")]
    # One point a trick, ten more for the exact bid.
    rounds = (("100", "100", [11, 10, 10]), ("011", "020", [21, 12, 10]))
    for bids, tricks, after in rounds:
        for page, bid in zip(phones, bids, strict=True):
            page.get_by_role("link", name="Enter my bid").click()
            digits(page, bid)
            following(page)
            expect(page.get_by_text("Your bid is in")).to_be_visible()
        table.get_by_role("button", name="Enter the tricks").click()
        for page, took in zip(phones, tricks, strict=True):
            digits(page, took)
            following(page)
        table.get_by_role("link", name="Check the scores").click()
        save(table)
        assert totals(table) == after
        expect(phones[2].locator(".board .total").first).to_have_text(str(after[0]))


def test_four_names_of_a_game_of_sides_become_two_sides_with_a_tap(phone: Open) -> None:
    page = phone(has_touch=True)
    page.goto("/games/new/spades")
    page.get_by_label("Players in seating order").fill("Ann, Bob, Cleo, Dev")
    page.get_by_role("button", name="Ann with Cleo, Bob with Dev").tap()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/games/*")
    expect(page.locator(".board th bdi")).to_have_text(["Ann and Cleo", "Bob and Dev"])
