"""Playing a game by its pages alone, as a group without scripts would."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

from tests.visits.pages import Filled, Page, query_of, words
from tests.visits.phones import Phone

FAMILY = ("Ann", "Bob", "Cleo")


def start(phone: Phone, game: str, *names: str, **fields: str) -> Page:
    """Start a game; `fields` are other controls by id, `rule_joker` that of the house rules."""
    house = {name: text for name, text in fields.items() if name.startswith("rule_")}
    if house:
        form = phone.show(f"/house/{game}").form(f"/{game}")
        for name, text in house.items():
            form.fill(name.replace("rule_", "rule-"), text)
        phone.press(form)
    others = {name: text for name, text in fields.items() if name not in house}
    if house and "league_name" in others:
        rename = phone.show("/league/name").form("/name")
        phone.press(rename.fill("name", others.pop("league_name")))
    form = phone.show(f"/games/new/{game}").form()
    form.fill("names", ", ".join(names or FAMILY))
    for name, text in others.items():
        form.fill(name, text)
    return phone.press(form)


def entry(phone: Phone, table: Page, how: str, by: int | None = None) -> Page:
    """Tap how the deal ended and who ended it."""
    wanted = {"how": how} if by is None else {"how": how, "by": str(by)}
    links = [link for link in table.links() if "/deals/new" in link and query_of(link) == wanted]
    assert len(links) == 1, f"{wanted} is offered {len(links)} times on {table.path}"
    return phone.show(links[0])


def review(
    phone: Phone,
    page: Page,
    hands: Mapping[int, str],
    zipped: Mapping[int, str] | None = None,
    status: int = 200,
) -> Page:
    """Type every hand, cards or a total, and look it over."""
    form = page.form()
    for seat, text in hands.items():
        total = re.fullmatch(r"[-+0-9]{2,}|0", text)
        form.fill(f"seat{seat}-{'total' if total else 'cards'}", text)
    for seat, text in (zipped or {}).items():
        form.fill(f"seat{seat}-zipped", text)
    return phone.press(form, "review", status)


def score(
    phone: Phone,
    table: Page,
    how: str,
    by: int | None,
    hands: Mapping[int, str],
    zipped: Mapping[int, str] | None = None,
) -> Page:
    """Score a deal from the first tap to the table after it."""
    looked_over = review(phone, entry(phone, table, how, by), hands, zipped)
    return phone.press(looked_over.form(), "save")


def save(phone: Phone, pad: Filled) -> Page:
    """Look over a deal that was typed, and save it."""
    return phone.press(phone.press(pad, "review", 200).form(), "save")


def bring_in(phone: Phone, file: bytes) -> Page:
    """Look at a league's file, and bring it in."""
    form = phone.show("/league/files").form("/looks").data()
    sent = form | {"file": (io.BytesIO(file), "league.json")}
    looked = phone.post("/league/files/looks", sent, 200, content_type="multipart/form-data")
    return phone.press(looked.form("/imports"))


def table_of(phone: Phone, page: Page) -> Page:
    """Go to the table of the game that a page is about."""
    return phone.show(game_of(page))


def game_of(page: Page) -> str:
    """Give the address of the game that a page is about."""
    found = re.match(r"/games/\d+", page.path)
    assert found, f"{page.path} is about no game"
    return found[0]


def totals(page: Page) -> list[int]:
    """Read the totals in seat order: on the score pad, or under the sheet of a game that ended."""
    cells = page.all("td.total") or page.all("tfoot td")
    return [whole(words(cell)) for cell in cells]


def whole(text: str) -> int:
    """Read a number as the pages print it."""
    return int(text.replace("−", "-").replace("+", "").replace(",", ""))


def dealer(page: Page) -> str:
    """Read who deals next."""
    found = re.search(r"(\w+) deals", page.text)
    assert found, f"nobody deals on {page.path}"
    return found[1]


def places(page: Page) -> list[str]:
    """Read the result that is there to be shared, a player a line, without the heading."""
    return page.typed_text("share").strip().split("\n")[1:]
