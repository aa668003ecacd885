"""Pages of a running game show what is true, or say that they may not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from .evening import (
    FAMILY,
    House,
    Table,
    begin,
    held_back,
    house_of,
    line,
    link_of,
    onward,
    pad_of,
    review,
    save,
    seated,
    shows_deal,
    shows_totals,
    state,
    tap,
    tell,
    wait_for,
    went_out,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lasting(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all tests: each opens a league of its own in it."""
    with house_of(browser, tmp_path_factory.mktemp("house") / "instance") as house:
        yield house


@pytest.fixture
def house(lasting: House) -> Iterator[House]:
    """The house before anybody came."""
    yield lasting
    lasting.part()


@pytest.fixture
def three(house: House) -> Table:
    return seated(house, *FAMILY[:3])


QUESTIONS = """
() => performance.getEntriesByType("resource").filter((one) => one.name.includes("/live")).length
"""
UNSEEN = """
() => {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}
"""
SEEN = """
() => {
  delete document.visibilityState;
  document.dispatchEvent(new Event('visibilitychange'));
}
"""


@pytest.mark.slow
def test_a_hidden_page_asks_nothing_and_is_right_as_soon_as_it_is_seen(three: Table) -> None:
    bob = three.phones["Bob"]
    bob.evaluate(UNSEEN)
    bob.wait_for_timeout(500)
    asked = bob.evaluate(QUESTIONS)
    went_out(three.phones["Ann"])
    expect(state(three, 1)).to_be_visible()
    bob.wait_for_timeout(1500)
    assert bob.evaluate(QUESTIONS) == asked
    assert pad_of(bob).count() == 0
    bob.evaluate(SEEN)
    expect(pad_of(bob)).to_be_visible()


@pytest.mark.slow
def test_a_seen_page_without_news_asks_a_few_times_a_minute(three: Table) -> None:
    bob = three.phones["Bob"]
    before = bob.evaluate(QUESTIONS)
    bob.wait_for_timeout(6000)
    assert bob.evaluate(QUESTIONS) - before <= 1


def enter_for_all(table: Table, cards: str) -> None:
    """One person enters the hands of all, though they have phones."""
    review(table)
    for hand in cards.split("|"):
        tap(table.keeper, hand)
        onward(table.keeper)
    save(table.keeper)


@pytest.mark.slow
def test_a_begun_pad_is_kept_and_names_the_deal_it_goes_to(three: Table) -> None:
    bob = three.phones["Bob"]
    went_out(three.phones["Ann"])
    pad_of(bob).wait_for()
    tap(bob, "7 7")
    bob.locator("header.top [href='#more']").click()
    bob.locator("[data-type]").click()
    expect(bob.locator("[data-field=cards]")).to_have_value("7 7")
    expect(bob.locator("[data-field=cards]")).to_be_focused()
    bob.keyboard.type(" 2")
    enter_for_all(three, "K|Q")
    expect(bob.locator("[data-late]")).to_be_visible()
    expect(bob.locator("[data-late]")).to_contain_text(re.compile("Deal 1 has already been saved"))
    shows_deal(bob, 1)
    assert bob.locator("[data-chips] .card").count() == 2
    went_out(three.phones["Cleo"])
    expect(pad_of(three.phones["Ann"])).to_have_attribute("data-hand", re.compile(r"/2/0$"))
    shows_deal(bob, 1)
    expect(pad_of(bob)).to_have_attribute("data-hand", re.compile(r"/1/1$"))
    bob.locator("[data-late] button").click()
    shows_deal(bob, 2)
    tell(bob, "3")
    expect(state(three, 1)).to_contain_text("3")


@pytest.mark.long
def test_back_from_a_dead_corner_the_hand_is_in_and_can_be_changed(three: Table) -> None:
    """Others enter meanwhile, so that there is something new to show as soon as it is back."""
    bob, cleo = three.phones["Bob"], three.phones["Cleo"]
    went_out(three.phones["Ann"])
    pad_of(bob).wait_for()
    bob.context.set_offline(True)
    tell(bob, "7 7")
    expect(line(bob)).to_contain_text("1")
    tell(cleo, "K")
    bob.context.set_offline(False)
    expect(bob.locator("[data-in] ~ .number")).to_have_text("14")
    expect(pad_of(bob)).to_have_count(0)
    expect(line(bob)).to_be_hidden()
    bob.locator("[data-open-pad]").click()
    tell(bob, "2")
    expect(state(three, 1)).to_contain_text("16")
    expect(bob.locator("[data-in] ~ .number")).to_have_text("16")


def offline_since(page: Page) -> None:
    expect(line(page)).to_contain_text(re.compile(r"As of \d\d:\d\d, "))


@pytest.mark.slow
def test_a_page_that_just_came_is_as_of_now(three: Table) -> None:
    """However long ago this phone last heard of a game, and before it hears of this one."""
    keeper = three.keeper
    keeper.goto("/rules")
    keeper.clock.set_system_time(datetime.now(UTC) + timedelta(hours=3))
    keeper.context.route("**/live?*", lambda route: route.abort())
    keeper.goto(three.game)
    expect(line(keeper)).to_contain_text("this minute")


@pytest.mark.slow
def test_every_page_says_that_the_server_is_gone_and_stops_when_it_is_back(three: Table) -> None:
    bob = three.phones["Bob"]
    pages = [*three.everyone, three.far()]
    went_out(three.phones["Ann"])
    pad_of(bob).wait_for()
    three.house.kill()
    for page in pages:
        offline_since(page)
    tell(bob, "7 7")
    expect(line(bob).locator("[data-unsent]")).to_contain_text("1")
    three.house.revive()
    for page in pages:
        expect(line(page)).to_be_hidden()
    expect(state(three, 1)).to_contain_text("14")
    expect(bob.locator("[data-in] ~ .number")).to_have_text("14")


@pytest.mark.long
def test_a_page_that_was_cut_off_warns_until_it_shows_what_is_so(three: Table) -> None:
    """The server answers again, but the page itself is still on its way."""
    bob = three.phones["Bob"]
    bob.context.set_offline(True)
    went_out(three.phones["Ann"])
    enter_for_all(three, "K|Q")
    offline_since(bob)
    underway: list[Route] = []
    bob.route("**/mine", lambda route: underway.append(route))  # playwright asks how many it takes
    with bob.expect_request("**/mine"):
        bob.context.set_offline(False)
    shows_deal(bob, 1)
    offline_since(bob)
    for route in underway:
        route.continue_()
    shows_deal(bob, 2)
    expect(line(bob)).to_be_hidden()


@pytest.mark.long
def test_a_page_from_before_a_hand_arrived_never_brings_its_pad_back(three: Table) -> None:
    """On its way while the hand is entered, it comes last: with the pad, which knows its draft."""
    bob = three.phones["Bob"]
    went_out(three.phones["Ann"])
    pad_of(bob).wait_for()
    tap(bob, "7 7")
    came = held_back(bob, "**/mine")
    tell(three.phones["Cleo"], "K")
    wait_for(bob, came)
    with bob.expect_response("**/hands/1/1") as arrived:
        onward(bob)
    assert arrived.value.json()["taken"]
    bob.wait_for_function("() => !localStorage.getItem('outbox').includes('hand')")
    [(route, before)] = came
    assert "data-in=" not in before.text()
    route.fulfill(response=before)
    expect(bob.locator("[data-in] ~ .number")).to_have_text("14")
    review(three)
    save(three.keeper)
    shows_totals(bob, [0, 14, 10])


@pytest.mark.slow
def test_a_second_phone_goes_to_its_page_and_who_answers_stays_on_theirs(three: Table) -> None:
    bob = three.phones["Bob"]
    second = three.house.phone(link_of(three))
    second.get_by_role("button", name="Bob").click()
    second.wait_for_url(re.compile(r"/games/\d+$"))
    bob.locator("[name=answer][value=yes]").click()
    second.wait_for_url("**/mine")
    expect(bob.locator("[name=answer]")).to_have_count(0)
    assert bob.url.endswith("/mine")


@pytest.mark.slow
def test_a_guest_who_is_given_a_seat_lands_on_their_own_page(three: Table) -> None:
    went_out(three.phones["Ann"])
    enter_for_all(three, "K|Q")
    guest = three.house.phone(link_of(three))
    guest.locator("summary").click()
    guest.locator("[name=name]").fill("Zoe")
    guest.locator("[name=name]").press("Enter")
    guest.wait_for_url(re.compile(r"/games/\d+$"))
    seatless = guest.context.new_page()
    seatless.goto(f"{three.game}/mine")
    seatless.get_by_role("heading", name="No seat on this phone").wait_for()
    three.keeper.get_by_role("link", name="Seat Zoe").click()
    three.keeper.get_by_role("button", name="Add to the game").click()
    guest.wait_for_url("**/mine")
    seatless.get_by_role("heading", name="Zoe").wait_for()


UNSAFE = "http://0.0.0.0"
"""The same server at an address that a browser takes for one of a network."""
ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1"


NOTE_LOCKS = """
const { request } = WakeLock.prototype;
WakeLock.prototype.request = function (...kind) {
  [document.on] = kind;
  return request.apply(this, kind);
};
"""


@pytest.mark.long
def test_over_plain_http_a_phone_says_once_that_its_screen_may_sleep(house: House) -> None:
    """On an iPhone until the game is over, on this Android until it is put away."""
    plain = {"base_url": f"{UNSAFE}:{house.server.port}"}
    one = begin(house, *FAMILY[:3], user_agent=IPHONE, **plain).keeper
    note = one.locator("[data-sleeps]")
    expect(note.locator("[data-phone]:visible")).to_contain_text(["Auto-Lock"])
    one.reload()
    expect(note).to_be_visible()
    one.goto("/games/new/zioncheck")
    one.locator("[name=names]").fill("Dan, Eve, Fay")
    one.get_by_role("button", name="Start").click()
    one.wait_for_url(re.compile(r"/games/\d+$"))
    expect(note).to_have_count(0)
    other = begin(house, *FAMILY[:3], user_agent=ANDROID, **plain).keeper
    note = other.locator("[data-sleeps]")
    expect(note.locator("[data-phone]:visible")).to_contain_text(["Screen timeout"])
    note.get_by_role("button", name="OK").click()
    expect(note).to_have_count(0)
    other.reload()
    expect(note).to_have_count(0)
    safe = house.phone("/games/new/contract-rummy", user_agent=ANDROID)
    safe.context.add_init_script(NOTE_LOCKS)
    safe.locator("[name=names]").fill("Ann, Bob, Cleo")
    safe.get_by_role("button", name="Start").click()
    safe.wait_for_url("**/games/*")
    expect(safe.locator("[data-sleeps]")).to_have_count(0)
    assert safe.evaluate("document.on") == "screen", "where it may, the page keeps it on"
