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


def test_a_button_prints_where_scripts_run(phone: Open) -> None:
    page = phone("/rules/contract-rummy/sheet")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    assert "your browser's menu" not in page.locator("main").inner_text()
