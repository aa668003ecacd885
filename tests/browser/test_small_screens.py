"""What is tapped lies under the thumb, also on small phones and with long names."""

from __future__ import annotations

import pytest

from tests.browser.browsing import PHONE, SMALL, Open, ended, start

pytestmark = pytest.mark.browser


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


def test_long_names_fit_a_phone(phone: Open) -> None:
    page = phone()
    long = ("Wolfeschlegelsteinhausenbergerdorff the 3", "W" * 40, "Ann", "Bob", "Cleo", "Dan")
    start(page, "contract-rummy", ", ".join(name[:40] for name in long))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ended(page, "Who went out?", "Ann")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
