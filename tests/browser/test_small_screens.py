"""What is tapped is large enough, long names fit a phone, and styles are read as written."""

from __future__ import annotations

import pytest

from tests.browser.browsing import Open, ended, start
from tests.support.page_judge import STATIC

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


RULES = """
([written, sent]) => {
  const read = (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const rules = [...sheet.cssRules].map((rule) => rule.cssText).join('\\n');
    return rules.replace(/ *([,/*(]) */g, '$1').split('\\n');
  };
  const [one, other] = [read(written), read(sent)];
  return [one.length, one.map((line, place) => [line, other[place]]).filter(([a, b]) => a !== b)];
}
"""


@pytest.mark.parametrize("name", ["app.css", "game.css", "far.css", "print.css", "sheets.css"])
def test_a_browser_reads_the_same_styles_as_are_written(phone: Open, name: str) -> None:
    page = phone()
    sent = page.request.get(f"/static/{name}").text()
    shared = (STATIC / "shared.css").read_text("utf-8")
    written = (STATIC / name).read_text("utf-8").replace("@import './shared.css';\n", shared)
    assert len(sent) < len(written)
    many, others = page.evaluate(RULES, [written, sent])
    assert others == []
    assert many > 10
