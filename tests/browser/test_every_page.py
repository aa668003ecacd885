"""Every kind of page: nobody is shut out, and nothing scrolls sideways."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.axe import AXE_RULES, violations
from tests.browser.browsing import DESK, PHONE, SMALL, Open, look_round, pages_of
from tests.browser.every_page import AN_EVENING, AND_THE_PAST, every_page

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_page_to_keep_opens_from_a_disk(phone: Open, tmp_path: Path) -> None:
    """No request leaves it, nothing complains, axe finds nothing, and it prints."""
    page = phone()
    look_round(page)
    page.goto("/league/files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Offline copy (HTML)").click()
    file = tmp_path / "league.html"
    saved.value.save_as(file)
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("request", lambda request: told.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name="All games", exact=True)).to_be_visible()
    page.get_by_role("link", name="All games").click()
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "pages"),
    [
        pytest.param(PHONE, AND_THE_PAST, id="phone-small"),
        pytest.param(PHONE, None, id="phone", marks=pytest.mark.long),
        pytest.param(DESK, None, id="desk", marks=pytest.mark.long),
    ],
)
def test_no_page_shuts_anyone_out(phone: Open, size: tuple[int, int], pages: int | None) -> None:
    """Everything in the light; by lamplight the same page may differ in its colours alone."""
    page = phone(size=size)
    looked_at = islice(every_page(page), pages)
    broken = {name: found for name in looked_at if (found := violations(page))}
    assert not broken


ZOOMED = (195, 332)
"""What a phone of 390 by 664 has room for where its reader reads everything at 200 %."""


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(AN_EVENING, id="small", marks=pytest.mark.slow),
        pytest.param(None, id="whole", marks=pytest.mark.long),
    ],
)
def test_nothing_scrolls_sideways_on_a_small_phone(phone: Open, pages: int | None) -> None:
    """Nor where everything is read at twice its size."""
    page = phone(size=SMALL)
    wide = [
        (name, size)
        for name in islice(every_page(page), pages)
        for size in (ZOOMED, SMALL)
        if is_wide(page, size)
    ]
    assert not wide


def is_wide(page: Page, size: tuple[int, int]) -> bool:
    """Return whether a page scrolls sideways in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return found
