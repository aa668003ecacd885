"""What waits on a phone to be sent, where the server fails at one of it or refuses it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .evening import House, Table, line, seated, state, tell, went_out

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TRIED = """(failures) => {
  document.dispatchEvent(new CustomEvent('connection:found'));
  const [first] = JSON.parse(localStorage.outbox);
  return first.failures >= failures;
}"""
LONG_AGO = """() => {
  const letters = JSON.parse(localStorage.outbox);
  localStorage.outbox = JSON.stringify(letters.map((letter) => ({ ...letter, tried: 0 })));
  document.dispatchEvent(new CustomEvent('connection:found'));
}"""


ADDRESS = "**/hands/1/1"


def enter_bobs(table: Table) -> None:
    """The keeper enters Bob's hand and goes back to the table."""
    went_out(table.phones["Ann"])
    table.keeper.get_by_role("link", name="Enter Bob's").click()
    tell(table.keeper, "7 7")
    expect(line(table.keeper).locator("[data-unsent]")).to_contain_text("1 to send")
    table.keeper.goto(table.game)


def is_discarded(table: Table) -> None:
    """What it held is said before and after, and it comes no more."""
    keeper = table.keeper
    expect(line(keeper)).to_contain_text("It holds 7 7.")
    keeper.get_by_role("button", name="Discard").click()
    expect(line(keeper).locator("[data-unsent]")).to_have_text("Discarded: Bob, deal 1, 7 7.")
    assert keeper.evaluate("localStorage.outbox") == "[]"
    expect(state(table, 1)).not_to_contain_text("14")


def test_a_letter_at_which_the_server_always_fails_steps_aside_and_is_not_lost(
    house: House,
) -> None:
    table = seated(house, "Ann", "Bob", "Cleo")
    keeper = table.keeper
    keeper.route(ADDRESS, lambda route: route.fulfill(status=500, body="Oh"))
    enter_bobs(table)
    keeper.get_by_role("link", name="Enter Cleo's").click()
    tell(keeper, "K")
    keeper.wait_for_function(TRIED, arg=10)
    expect(line(keeper)).to_contain_text("the server failed to save this")
    keeper.goto(table.game)
    expect(state(table, 2)).to_contain_text("10")
    expect(state(table, 1)).not_to_contain_text("14")
    expect(line(keeper)).to_contain_text("1 to send")
    keeper.unroute(ADDRESS)
    keeper.evaluate(LONG_AGO)
    expect(state(table, 1)).to_contain_text("14")
    expect(line(keeper)).to_be_hidden()


def test_a_letter_at_which_the_server_always_fails_can_be_discarded(house: House) -> None:
    table = seated(house, "Ann", "Bob", "Cleo")
    table.keeper.route(ADDRESS, lambda route: route.fulfill(status=500, body="Oh"))
    enter_bobs(table)
    table.keeper.wait_for_function(TRIED, arg=10)
    expect(line(table.keeper)).to_contain_text("1 to send. Bob, deal 1: the server failed")
    is_discarded(table)


def test_a_letter_that_is_refused_away_from_its_pad_stays_until_it_is_discarded(
    house: House,
) -> None:
    table = seated(house, "Ann", "Bob", "Cleo")
    keeper = table.keeper
    ends: list[dict[str, Any]] = [{"status": 503}]
    keeper.route(ADDRESS, lambda route: route.fulfill(**ends[-1]))
    enter_bobs(table)
    answer = {"taken": False, "words": "Bob left the game.", "early": False}
    ends.append({"status": 409, "json": answer})
    refused = "Bob, deal 1: Bob left the game. It holds 7 7."
    for _ in range(2):
        keeper.goto(table.game)
        expect(line(keeper)).to_contain_text(refused)
        expect(line(keeper)).not_to_contain_text("to send")
    is_discarded(table)
