"""What is tapped is large enough, and long names fit a phone."""

from __future__ import annotations

import pytest

from tests.browser.browsing import Open, ended, start

pytestmark = pytest.mark.browser


def test_controls_of_the_table_are_large_enough(phone: Open) -> None:
    page = phone()
    start(page, "chicago-rummy", "Ann, Bob, Cleo")
    for control in page.locator(".names .button, .top a").all():
        if control.is_visible():
            box = control.bounding_box()
            assert box
            assert box["height"] >= 48, control.inner_text()


def test_long_names_fit_a_phone(phone: Open) -> None:
    page = phone()
    long = ("Wolfeschlegelsteinhausenbergerdorff the 3", "W" * 40, "Ann", "Bob", "Cleo", "Dan")
    start(page, "contract-rummy", ", ".join(name[:40] for name in long))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ended(page, "Who went out?", "Ann")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
