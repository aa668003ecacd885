"""What waits on a phone to be sent, where the server fails at one of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .evening import House, line, seated, state, tell, went_out

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


def test_a_letter_at_which_the_server_always_fails_steps_aside_and_is_not_lost(
    house: House,
) -> None:
    table = seated(house, "Ann", "Bob", "Cleo")
    keeper = table.keeper
    went_out(table.phones["Ann"])
    keeper.route("**/hands/1/1", lambda route: route.fulfill(status=500, body="Oh"))
    keeper.get_by_role("link", name="Enter Bob's").click()
    tell(keeper, "7 7")
    expect(line(keeper).locator("[data-unsent]")).to_contain_text("1 to send")
    keeper.goto(table.game)
    keeper.get_by_role("link", name="Enter Cleo's").click()
    tell(keeper, "K")
    keeper.wait_for_function(TRIED, arg=10)
    expect(line(keeper)).to_contain_text("the server failed to save this")
    keeper.goto(table.game)
    expect(state(table, 2)).to_contain_text("10")
    expect(state(table, 1)).not_to_contain_text("14")
    expect(line(keeper)).to_contain_text("1 to send")
    keeper.unroute("**/hands/1/1")
    keeper.evaluate(LONG_AGO)
    expect(state(table, 1)).to_contain_text("14")
    expect(line(keeper)).to_be_hidden()
