"""What is made once and shown to many: never anything else than what would be made anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import unwrap

from companion.web.middleware.caching.kept import Kept, forget
from tests.visits.browserless import score, start
from tests.visits.pages import attribute, words
from tests.visits.phones import Phone, Site
from tests.visits.roles import harpers_on

TABLE = "/games/3"
PAGES = (
    TABLE,
    f"{TABLE}?saved=2",
    f"{TABLE}/mine",
    f"{TABLE}/mine?pad=1",
    f"{TABLE}/deals/new?how=out&by=1",
    f"{TABLE}/deals/new?how=out&by=2",
    "/rules/contract-rummy?game=3",
    "/rules/contract-rummy/book",
)
TOKENS = re.compile(r'(name="(?:csrf_token|key)" value=")[^"]*"')


def shown(phone: Phone) -> list[str]:
    return [TOKENS.sub(r'\1"', phone.raw(path).text) for path in PAGES]


def evening(owner: Phone) -> Iterator[str]:
    """Do what changes a table, one thing at a time."""
    table = start(owner, "contract-rummy", "Gil", "Hal", "Ida", "Jon")
    yield "as it was"
    table = score(owner, table, "out", 1, {0: "K", 2: "A", 3: "X"})
    yield "a deal"
    owner.press(table.form("/restorations"))
    yield "taken back"
    score(owner, owner.show(TABLE), "out", 2, {0: "5", 1: "5", 3: "5"})
    yield "another deal of the same number"
    owner.press(owner.show(f"{TABLE}/more/join").form("/seats").fill("name", "Eve"))
    yield "a player more"
    names = owner.show("/league/people").all("a")
    gil = owner.show(next(attribute(one, "href") for one in names if "Gil" in words(one)))
    owner.press(gil.form("/name").fill("name", "Gilbert"))
    yield "another name"
    house = owner.show("/house/contract-rummy").form("/contract-rummy")
    owner.press(house.fill("rule-joker", "50"))
    yield "another rule of the house"
    owner.press(owner.show(f"{TABLE}/more/stop").form("/stops"))
    yield "stopped"


def test_what_is_kept_is_what_would_be_made(house: Site) -> None:
    home = harpers_on(house)
    looking = [home.phones[who] for who in ("owner", "player", "viewer", "stranger", "elsewhere")]
    for step in evening(home.phones["owner"]):
        kept = [shown(phone) for phone in looking]
        for phone, pages in zip(looking, kept, strict=True):
            forget(house.app)
            assert pages == shown(phone), step
        assert kept == [shown(phone) for phone in looking], step  # and these meet the next step


def test_a_browser_that_has_a_book_is_not_sent_it_again(lone: Phone) -> None:
    start(lone, "contract-rummy")
    book = lone.raw("/rules/contract-rummy/book")
    assert book.headers["Cache-Control"] == "private, no-cache"
    has = {"If-None-Match": book.headers["ETag"]}
    again = lone.raw("/rules/contract-rummy/book", headers=has)
    assert (again.status_code, again.data) == (304, b"")
    form = lone.show("/house/contract-rummy").form("/contract-rummy")
    lone.press(form.fill("rule-joker", "50"))
    changed = lone.raw("/rules/contract-rummy/book", headers=has)
    assert changed.status_code == 200
    assert changed.data != book.data


def test_a_book_that_all_may_keep_gives_nobody_a_cookie(house: Site) -> None:
    stranger = house.phone()
    book = stranger.raw("/rules/contract-rummy/book", headers={"Accept-Encoding": "gzip"})
    assert book.headers["Cache-Control"] == "public, max-age=600"
    assert "Set-Cookie" not in book.headers
    assert {"Cookie", "Accept-Encoding"} <= set(book.headers["Vary"].split(", "))
    assert stranger.show("/").form("/samples")
    league = house.phone()
    start(league, "contract-rummy")
    assert "public" not in league.raw("/rules/contract-rummy/book").headers["Cache-Control"]


def test_below_a_path_links_lead_below_it(lone: Phone) -> None:
    start(lone, "contract-rummy")
    for root in ("", "/cards", ""):
        environ = {"SCRIPT_NAME": root}
        table = lone.raw("/games/1", environ_overrides=environ).text
        book = lone.raw("/rules/contract-rummy/book", environ_overrides=environ).text
        for page in (table, book):
            assert set(re.findall(r'href="(/.*?)(?:rules|games|static)/', page)) == {f"{root}/"}


def test_no_more_is_kept_than_there_is_room_for() -> None:
    kept, once = Kept(3), unwrap(Kept.once)
    made: list[int] = []

    def make() -> int:
        made.append(key)
        return key

    for key in (1, 2, 3, 1, 4, 1, 2):
        assert once(kept, key, make) == key
    assert made == [1, 2, 3, 4, 2]  # 2 had waited longest when 4 came
