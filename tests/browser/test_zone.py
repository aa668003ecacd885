"""The days of a family are those of its phones, wherever the server stands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Open

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("place", "minutes"), [("Asia/Kolkata", "330"), ("Etc/GMT+8", "-480"), ("UTC", "0")]
)
def test_a_phone_tells_its_zone_before_a_game_is_begun(
    phone: Open, place: str, minutes: str
) -> None:
    page = phone("/games/new/zioncheck", timezone_id=place)
    page.get_by_label("Players in seating order").fill("Ann, Bob")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/games/\d+$"))
    kept = {cookie.get("name"): cookie.get("value") for cookie in page.context.cookies()}
    assert kept["zone"] == minutes
