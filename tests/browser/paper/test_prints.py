"""Standings and the year in review on paper: whole sheets, and nothing on them but the league."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from playwright.sync_api import Browser, Page

from companion.people import leagues
from companion.rules import extend
from companion.store.authors import Author
from tests.browser.browsing import pages_of
from tests.browser.thread_server import answering
from tests.conftest import fresh_app
from tests.leagues.game_driver import Table
from tests.support.doses import first_in_every_run
from tests.support.reports import CONTRACT

pytestmark = pytest.mark.browser
COLUMNS = """
(table) => {
  const sides = (row) => {
    const boxes = [...row.cells].map((cell) => cell.getBoundingClientRect());
    return [boxes[0].left, boxes.at(-1).right, Math.min(...boxes.map((box) => box.width))];
  };
  const ruled = [...table.querySelectorAll('tbody td')].every(
    (cell) => parseFloat(getComputedStyle(cell).borderInlineEndWidth) > 0,
  );
  return [sides(table.tHead.rows[0]), sides(table.tBodies[0].rows[0]), ruled];
}
"""
LINES = """
lines => lines.map((line) => [
  line.getBoundingClientRect().width, parseFloat(getComputedStyle(line).borderBlockEndWidth),
])
"""
AS_DRAWN = """
bars => bars.map((bar) => {
  const { width, height } = bar.getBBox();
  return [width - bar.getAttribute('width'), height - bar.getAttribute('height')];
})
"""
ONE_DEAL = extend(CONTRACT, {"ending": {"deals": 1}})


def play(author: Author, on: date, *names: str) -> None:
    Table.start(author, *names, variant=ONE_DEAL, on=on).score(0, 5, 10)


def play_ten_years(author: Author) -> None:
    """Thirty people in the last of ten years, three of them in each."""
    everyone = [f"Person number {number}" for number in range(1, 31)]
    for year in range(2017, 2026):
        play(author, date(year, 5, 1), *everyone[:3])
    for first in range(0, 30, 3):
        play(author, date(2026, 5, 1 + first), *everyone[first : first + 3])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with three leagues: nothing finished, one game, ten years with thirty people."""
    app = fresh_app(tmp_path_factory.mktemp("prints"))
    with app.app_context():
        Table.start(leagues.open_league("The Newcomers", carried("empty")), "Ann", "Bob", "Cleo")
        once = leagues.open_league("The Harpers", carried("once"))
        play(once, date(2026, 5, 1), "Ann", "Bob", "Cleo")
        years = leagues.open_league("The Old Hands", carried("years"))
        play_ten_years(years)
    with answering(app) as place:
        yield place


def carried(phone: str) -> str:
    """Return the token of a phone, which the server takes for one of an earlier version's."""
    return phone.ljust(22, "-")


def opened(browser: Browser, address: str, device: str, path: str) -> Page:
    context = browser.new_context(base_url=address)
    context.add_cookies([{"name": "device", "value": carried(device), "url": address}])
    page = context.new_page()
    page.goto(path)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("paper", first_in_every_run(["A4", "Letter"], later=pytest.mark.long))
def test_standings_and_years_print_on_whole_sheets(
    browser: Browser, address: str, paper: str
) -> None:
    sheets = {
        (device, path): pages_of(opened(browser, address, device, path), paper)
        for device, path in (
            ("empty", "/league?season=all"),
            ("once", "/league?season=all"),
            ("once", "/league/years/2026"),
            ("years", "/league?season=all"),
            ("years", "/league/years/2026"),
            ("years", "/league/years/2017"),
        )
    }
    assert sheets == {
        ("empty", "/league?season=all"): 1,
        ("once", "/league?season=all"): 1,
        ("once", "/league/years/2026"): 1,
        ("years", "/league?season=all"): 2,
        ("years", "/league/years/2026"): 2,
        ("years", "/league/years/2017"): 1,
    }


def test_only_the_league_is_on_the_paper(browser: Browser, address: str) -> None:
    page = opened(browser, address, "once", "/league?season=all")
    page.emulate_media(media="print")
    shown = page.locator("body").inner_text()
    assert "Ann" in shown
    assert "Standings" in shown
    for words in ("Export", "Results", "Manage", "Another season", "Card Table"):
        assert words not in shown
    assert page.locator("form:visible, nav:visible, button:visible").count() == 0


@pytest.mark.parametrize("form", ["zip-zilch-zero/record", "contract-rummy/sheet?players=8"])
def test_a_blank_sheet_has_columns_and_lines_to_write_on(
    browser: Browser, address: str, form: str
) -> None:
    page = opened(browser, address, "once", f"/rules/{form}")
    page.emulate_media(media="print")
    (left, right, _), (first, last, narrowest), ruled = page.locator("table").evaluate(COLUMNS)
    assert (first, last) == pytest.approx((left, right), abs=1), "the body stands below its head"
    assert narrowest > 20
    assert ruled
    lines = page.locator(".to-write > span").evaluate_all(LINES)
    assert lines
    assert all(width > 90 and thick > 0 for width, thick in lines), lines


def test_bars_are_as_long_as_they_say(browser: Browser, address: str) -> None:
    page = opened(browser, address, "once", "/league")
    page.goto(page.get_by_role("link", name="Bob").first.get_attribute("href") or "")
    drawn = page.locator(".chart rect.average").evaluate_all(AS_DRAWN)
    assert drawn
    assert all(abs(wider) < 0.1 and abs(higher) < 0.1 for wider, higher in drawn), drawn
