"""Every address for everybody: a stranger, the owner, another league's owner, a revoked phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import event, update

from companion.league.models import Device
from companion.rules import all_variants

from .pages import Page, Phone, Site, attribute, packed, value_of
from .playing import game_of, score, start

KINGS = {"seat1-cards": "K", "seat2-cards": "K", "seat3-cards": "K"}


@dataclass(frozen=True)
class Row:
    """What an address answers a stranger and its owner; `{game}` is a game of the owner."""

    rule: str
    method: str
    address: str
    stranger: int
    owner: int
    form: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.address}"

    @property
    def is_of_a_game(self) -> bool:
        return "{game}" in self.address


def _get(rule: str, stranger: int, owner: int, address: str = "") -> Row:
    return Row(rule, "GET", address or _example(rule), stranger, owner)


def _post(rule: str, stranger: int, owner: int, address: str = "", **form: str) -> Row:
    return Row(rule, "POST", address or _example(rule), stranger, owner, form)


def _example(rule: str) -> str:
    place = rule.replace("<int:game_id>", "{game}").replace("<key>", "zioncheck")
    return re.sub(r"<int:\w+>", "1", place)


GAME = "/games/<int:game_id>"
ROWS = [
    _get("/", 200, 200),
    _post("/samples", 303, 303),
    _post("/departures", 404, 303),
    _get("/healthz", 200, 200),
    _get("/readyz", 200, 200),
    _get("/static/<path:filename>", 200, 200, "/static/app.css"),
    _get("/rules", 200, 200),
    _get("/rules/<key>", 200, 200),
    _get("/rules/<key>", 200, 200, "/rules/zioncheck?game={game}"),
    _get("/rules/<key>/book", 200, 200),
    _get("/rules/<key>/book", 200, 200, "/rules/zioncheck/book?game={game}"),
    _get("/rules/<key>/contracts", 200, 200),
    _get("/rules/<key>/sheet", 200, 200),
    _get("/rules/<key>/sheet", 200, 200, "/rules/zioncheck/sheet?players=3&game={game}"),
    _get("/rules/<key>/record", 200, 200),
    _get("/rules/<key>/search", 200, 200, "/rules/zioncheck/search?q=joker"),
    _get("/rules/<key>/search", 200, 200, "/rules/zioncheck/search?q=joker&game={game}"),
    _get("/rules/<key>/rule/<rule>", 302, 302, "/rules/zioncheck/rule/values"),
    _get("/house/<key>", 200, 200),
    _post("/house/<key>", 303, 303),
    _get("/house/<key>/new", 200, 200),
    _post("/house/<key>/new", 200, 200, name="Ours"),
    _get("/house/<key>/edit", 404, 404),
    _post("/house/<key>/edit", 404, 404, name="Ours"),
    _post("/house/<key>/drop", 404, 303),
    _get("/house/<key>/file", 200, 200),
    _get("/house/files", 200, 200),
    _post("/house/files", 422, 422, text="name = 7"),
    _get("/rules/<key>/judge", 200, 200, "/rules/zioncheck/judge?deal=2&hand=7H+7S+7D+X"),
    _get("/rules/<key>/book", 200, 200),
    _get("/rules/<key>/book", 200, 200, "/rules/zioncheck/book?game={game}"),
    _get("/rules/<key>/contracts", 200, 200),
    _get("/rules/<key>/search", 200, 200, "/rules/zioncheck/search?q=joker"),
    _get("/rules/<key>/search", 200, 200, "/rules/zioncheck/search?q=joker&game={game}"),
    _get("/rules/<key>/rule/<rule>", 302, 302, "/rules/zioncheck/rule/values"),
    _get("/house/<key>", 200, 200),
    _post("/house/<key>", 303, 303),
    _get("/house/<key>/new", 200, 200),
    _post("/house/<key>/new", 200, 200, name="Ours"),
    _get("/house/<key>/edit", 404, 404),
    _post("/house/<key>/edit", 404, 404, name="Ours"),
    _post("/house/<key>/drop", 404, 303),
    _get("/house/<key>/file", 200, 200),
    _get("/house/files", 200, 200),
    _post("/house/files", 422, 422, text="name = 7"),
    _get("/rules/<key>/judge", 200, 200, "/rules/zip-zilch-zero/judge?hand=6R+6B&pile=4R+5B"),
    _get("/rules/<key>/practice", 200, 200, "/rules/chicago-rummy/practice?hand=one&answer=no"),
    _post("/league/settings/<what>", 404, 303, "/league/settings/judge_during_deal", chosen="0"),
    _post("/league/choices", 404, 303, league="1"),
    _get(f"{GAME}/outlook", 404, 200),
    _get(f"{GAME}/mine", 404, 200),
    _get(f"{GAME}/live", 404, 200),
    _get(f"{GAME}/far", 404, 200),
    _get(f"{GAME}/deals/told", 404, 200),
    _get(f"{GAME}/hands/<int:seat>", 404, 200),
    _post(f"{GAME}/hands/<int:position>/<int:seat>", 404, 422),
    _post(f"{GAME}/hands/<int:position>/<int:seat>/choices", 404, 422, device="1"),
    _post(f"{GAME}/hands/<int:position>/<int:seat>/settled", 404, 303),
    _post(f"{GAME}/hands/<int:position>/<int:seat>/confirmations", 404, 409, device="1", told="1"),
    _post(f"{GAME}/endings", 404, 303, how="out", by="1"),
    _post(f"{GAME}/endings/back", 404, 303),
    _get("/league", 302, 200),
    _get("/league", 302, 200, "/league?season=all"),
    _get("/league/games", 302, 200),
    _get("/league/records", 302, 200),
    _get("/league/rivals", 302, 200),
    _get("/league/evenings", 302, 200),
    _get("/league/evenings/<day>", 404, 404, "/league/evenings/1999-01-01"),
    _get("/league/years/<int:year>", 404, 404, "/league/years/1999"),
    _get("/league/players/<int:person_id>", 404, 200, "/league/players/1"),
    _get("/league/games", 302, 200, "/league/games?who=1&with=2&words=won&status=finished"),
    _get("/league/games", 302, 422, "/league/games?since=yesterday"),
    _get("/league/people", 302, 200),
    _get("/league/people/<int:person_id>", 404, 200),
    _post("/league/people/<int:person_id>/name", 404, 409, name="Zoe", seen="Somebody"),
    _post("/league/people/<int:person_id>/archive", 404, 303, archived="1"),
    _get("/league/people/<int:person_id>/merge", 404, 200, "/league/people/1/merge?other=2"),
    _post("/league/people/<int:person_id>/merge", 404, 422, other="2"),
    _post("/league/people/acts/<int:act_id>/undo", 404, 404),
    _get("/league/seasons", 302, 200),
    _post("/league/seasons", 404, 303, name="Winter", starts="2026-01-01", ends="2026-03-01"),
    _get("/league/seasons/<int:season_id>", 404, 404),
    _post("/league/seasons/<int:season_id>", 404, 409, name="Winter", starts="2026-01-01"),
    _post("/league/seasons/<int:season_id>/drop", 404, 409),
    _post("/league/seasons/acts/<int:act_id>/undo", 404, 404),
    _get("/league/files", 200, 200),
    _get("/league/files/league.json", 302, 200),
    _get("/league/files/tables.zip", 302, 200),
    _get("/league/files/league.html", 302, 200),
    _post("/league/files/looks", 422, 422, text="{}"),
    _post("/league/files/imports", 422, 422, file="0", into="ours"),
    _post("/league/files/undoings", 404, 422, act="1"),
    _get("/j/<token>", 404, 404, "/j/nothing"),
    _post("/j/<token>", 404, 404, "/j/nothing", person="1"),
    _post(f"{GAME}/link", 404, 303),
    _post(f"{GAME}/asks/<int:device_id>", 404, 303, answer="no"),
    _post(f"{GAME}/guests/<int:device_id>", 404, 303),
    _get("/league/devices", 302, 200),
    _post("/league/devices/<int:device_id>", 404, 303, name="Tablet", role="owner"),
    _post("/league/devices/<int:device_id>/departures", 404, 422),
    _post("/league/devices/<int:device_id>/person", 404, 303),
    _post("/league/devices/<int:device_id>/answer", 404, 303, answer="no"),
    _post("/league/links", 404, 303, role="viewer", lasts="", uses=""),
    _get("/league/links/<int:link_id>", 404, 404, "/league/links/999"),
    _post("/league/links/<int:link_id>/departures", 404, 404, "/league/links/999/departures"),
    _get("/claims/<code>", 404, 404, "/claims/nothing"),
    _post("/claims/<code>", 404, 404),
    _get("/return", 200, 200),
    _post("/return", 422, 422, league="Nobody", passphrase="no words at all"),
    _get("/league/passphrase", 302, 200),
    _post("/league/passphrase", 404, 422, passphrase="too short"),
    _get("/league/old-scores", 302, 200),
    _get("/league/old-scores/<key>", 404, 200),
    _get(
        "/league/old-scores/<key>",
        404,
        200,
        "/league/old-scores/zioncheck?names=A,B&day=2020-01-01",
    ),
    _get("/league/old-scores/<key>", 404, 422, "/league/old-scores/zioncheck?names=A&day=2020"),
    _get("/league/old-scores/<key>", 404, 404, "/league/old-scores/canasta"),
    _post("/league/old-scores/<key>", 404, 422, names="A, B", day="2020-01-01"),
    _get("/games/new/<key>", 200, 200),
    _post("/games/new/<key>", 303, 303, names="Ann, Bob"),
    _post(f"{GAME}/rematch", 404, 303),
    _get(GAME, 404, 200),
    _get(f"{GAME}/history", 404, 200),
    _get(f"{GAME}/about", 404, 200),
    _post(f"{GAME}/about", 404, 303, played_on="2026-03-03", note="Snow", counts="0"),
    _get(f"{GAME}/sheet", 404, 200),
    _get(f"{GAME}/seats/<int:seat>", 404, 200),
    _get(f"{GAME}/more/<what>", 404, 200, "/games/{game}/more/throw-in"),
    _get(f"{GAME}/more/<what>", 404, 200, "/games/{game}/more/join"),
    _get(f"{GAME}/more/<what>", 404, 200, "/games/{game}/more/stop"),
    _post(f"{GAME}/voids", 404, 303, after_void="again"),
    _post(f"{GAME}/deals/<int:position>/void", 404, 303),
    _post(f"{GAME}/seats", 404, 303, name="Zoe", start_rule="zero"),
    _post(f"{GAME}/departures", 404, 303, seat="1", placed="0"),
    _post(f"{GAME}/stops", 404, 303, stopped="1"),
    _post(f"{GAME}/dealer", 404, 422, seat="1"),
    _post(f"{GAME}/restorations", 404, 303, version="1"),
    _get(f"{GAME}/deals/new", 404, 200, "/games/{game}/deals/new?how=out&by=0"),
    _post(
        f"{GAME}/deals", 404, 200, how="out", by="0", **{f"seat{n}-cards": "K" for n in (1, 2, 3)}
    ),
    _get(f"{GAME}/deals/<int:position>", 404, 200),
    _get(f"{GAME}/deals/<int:position>/edit", 404, 200),
    _get(f"{GAME}/deals/<int:position>/seats/<int:seat>", 404, 200),
    _post(f"{GAME}/deals/<int:position>", 404, 303, only="2", **{"seat2-cards": "Q"}),
]


def test_every_address_is_in_the_table(house: Site) -> None:
    known = {(row.rule, row.method) for row in ROWS}
    there = {
        (rule.rule, method)
        for rule in house.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert there == known


@pytest.fixture
def sample(house: Site) -> Phone:
    """A phone with the sample family, whose game 2 is running."""
    phone = house.phone()
    phone.press(phone.show("/").form("/samples"))
    return phone


@pytest.fixture
def ours(house: Site) -> Phone:
    """Ann's phone with a league of her own, whose game 1 is running."""
    return _with_a_game(house)


def _with_a_game(site: Site) -> Phone:
    phone = site.phone()
    table = start(phone, "contract-rummy", "Ann", "Bob", "Cleo", "Dev", league_name="The Harpers")
    score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    return phone


def ask(phone: Phone, row: Row, game: int, revision: int, status: int) -> Page:
    """Ask for an address as this phone would, with a form that is whole."""
    address = row.address.format(game=game)
    if row.method == "GET":
        return phone.show(address, status)
    form = {"csrf_token": phone.token(), "revision": str(revision), "key": row.rule[:60]}
    return phone.post(address, form | row.form, status)


READ = [row for row in ROWS if row.method == "GET"]
SENT = [row for row in ROWS if row.method == "POST"]


def test_what_a_stranger_sees(ours: Phone) -> None:
    harpers = ours.site.league(1)
    for row in ROWS:
        status = 200 if "?game" in row.address else row.stranger
        ask(ours.site.phone(), row, 1, 2, status)
    assert ours.site.league(1) == harpers


def test_what_the_owner_of_another_league_sees(ours: Phone) -> None:
    dev = _with_a_game(ours.site)
    harpers = ours.site.league(1)
    for row in (row for row in ROWS if row.is_of_a_game):
        ask(dev, row, 1, 2, 404)
    assert ours.site.league(1) == harpers


def test_what_a_revoked_phone_sees(ours: Phone) -> None:
    engine = ours.site.engine.execution_options(writing=True)
    with engine.begin() as connection:
        connection.execute(update(Device).values(revoked_at=Device.created_at))
    harpers = ours.site.league(1)
    for row in (row for row in ROWS if row.is_of_a_game or row.stranger == 302):
        ask(ours, row, 1, 2, 200 if "?game" in row.address else row.stranger)
    assert ours.site.league(1) == harpers


def test_what_the_owner_reads(ours: Phone) -> None:
    assert [ask(ours, row, 1, 2, row.owner).status for row in READ]


def test_what_the_sample_family_reads(sample: Phone) -> None:
    assert [ask(sample, row, 2, 3, row.owner).status for row in READ]


@pytest.mark.parametrize("row", SENT, ids=str)
def test_what_the_owner_sends(ours: Phone, row: Row) -> None:
    page = ask(ours, row, 1, 2, row.owner)
    assert page.status == row.owner


@pytest.mark.parametrize("row", SENT, ids=str)
def test_what_the_sample_family_sends(sample: Phone, row: Row) -> None:
    page = ask(sample, row, 2, 3, row.owner)
    assert page.status == row.owner


WEIRD = [
    *("0", "9" * 9, "9" * 25, "9" * 5000, "-1", "1.5", "1_0", "٣", "abc", "%00", "%F0%9F%83%8F"),
    *("1e3", "%2e%2e", "a" * 3000, "'", "%0d%0a", "{0}", "%25s", "2147483648"),
]
PARTS = re.compile(r"<(?:int:|path:)?(\w+)>")


QUESTIONS = [
    "/rules/zioncheck?game=",
    "/rules/zioncheck/sheet?players=",
    "/league/games?before=",
    "/league/games?after=",
    "/league/games?who=1&with=",
    "/league/games?variant=",
    "/league/games?words=",
    "/league/games?status=",
    "/league/games?before=2026-03-03.",
    "/league?season=",
    "/games/1?saved=",
    "/games/1/deals/new?how=out&by=",
    "/games/1/deals/new?by=0&how=",
    "/games/1/deals/1/edit?how=out&by=",
    "/games/1/deals/1/edit?by=0&how=",
]


def test_weird_addresses_are_nowhere(ours: Phone) -> None:
    for address, method in _weird_addresses(ours.site):
        answer = ours.send(address, method, data={"revision": "2"})
        assert answer.status_code < 500, address[:80]


def _weird_addresses(site: Site) -> Iterator[tuple[str, str]]:
    for rule in site.app.url_map.iter_rules():
        for part in PARTS.findall(rule.rule):
            pieces = {"game_id": "1", "position": "1", "seat": "1", "key": "zioncheck"}
            pieces |= {
                "person_id": "1",
                "season_id": "1",
                "act_id": "1",
                "device_id": "1",
                "link_id": "1",
                "token": "nothing",
                "what": "join",
                "filename": "app.css",
                "rule": "ZC-1.1",
            }
            for weird in WEIRD:
                address = rule.rule
                for name, value in (pieces | {part: weird}).items():
                    for kind in ("int:", "path:", ""):
                        address = address.replace(f"<{kind}{name}>", value)
                yield from ((address, m) for m in (rule.methods or set()) & {"GET", "POST"})


def test_weird_questions_are_answered(ours: Phone) -> None:
    for address in (question + weird for question in QUESTIONS for weird in WEIRD):
        status = ours.raw(address).status_code
        assert status in (200, 404), address[:80]
    assert ours.show("/games/1/deals/new?how=out&by=%00").heading


def test_wrong_methods(ours: Phone) -> None:
    adapter = ours.site.app.url_map.bind("localhost")
    for address in {row.address.format(game=1).partition("?")[0] for row in ROWS}:
        for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - set(
            adapter.allowed_methods(address)
        ):
            assert ours.show(address, 405, method=method).heading


def test_every_link_of_every_page_leads_somewhere(sample: Phone) -> None:
    seen, waiting = {"/"}, ["/"]
    while waiting:
        page = sample.show(waiting.pop())
        for link in page.links() if page.document else ():
            place = link.partition("#")[0]
            if place and place not in seen and not _is_of_a_variation(place):
                seen.add(place)
                waiting.append(place)
    assert len(seen) > 80


SHELVED = {variant.key for variant in all_variants() if variant.extends}


def _is_of_a_variation(place: str) -> bool:
    """Tell the pages of variations, which are those of the games they extend, with other numbers.

    Of the forms to edit a game, which are long, one stands for all.
    """
    parts = urlsplit(place).path.split("/")
    edited = parts[1:2] == ["house"] and parts[-1] == "new" and "contract-rummy" not in parts
    return bool(SHELVED & set(parts)) or edited


def test_a_form_keeps_its_fields_apart_by_their_labels(house: Site) -> None:
    form = house.phone().show("/games/new/contract-rummy").form()
    by_label = form.control("Players in seat order")
    assert attribute(by_label, "id") == "names"
    assert value_of(by_label) == ""


def test_the_cookie_is_for_the_server_only(house: Site) -> None:
    answer = house.phone().send("/")
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" in house.phone().send("/", base_url="https://localhost").headers["Set-Cookie"]


@contextmanager
def counted(site: Site) -> Iterator[list[str]]:
    """Gather the questions that are asked of the database."""
    asked: list[str] = []

    def listen(_c: object, _k: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            asked.append(statement)

    event.listen(site.engine, "before_cursor_execute", listen)
    try:
        yield asked
    finally:
        event.remove(site.engine, "before_cursor_execute", listen)


MOST_QUERIES = {
    "/": 8,
    "/games/1": 8,
    "/games/1/history": 6,
    "/games/1/sheet": 5,
    "/league": 10,
    "/league/players/1": 16,
    "/league/records": 8,
    "/league/rivals": 6,
    "/league/evenings": 4,
    "/league/games": 6,
    "/league/games?who=1&with=2&words=won": 7,
    "/league/people": 3,
    "/league/seasons": 3,
    "/games/1/about": 5,
}


def test_questions_do_not_grow_with_the_games(house: Site) -> None:
    phone = _with_a_game(house)
    few = _questions(phone)
    table = phone.show("/games/1")
    for _ in range(5):
        table = score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    token = phone.token()
    for number in range(12):
        phone.post(f"{game_of(table)}/rematch", {"csrf_token": token, "key": f"again{number}"})
    score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    many = _questions(phone)
    assert all(many[address] <= few[address] for address in MOST_QUERIES), (few, many)
    assert all(few[address] <= most for address, most in MOST_QUERIES.items()), few


def _questions(phone: Phone) -> dict[str, int]:
    found = {}
    phone.raw("/league")  # whoever looks first brings the ratings up to date
    for address in MOST_QUERIES:
        with counted(phone.site) as asked:
            phone.raw(address)
        found[address] = len(asked)
    return found


@pytest.mark.parametrize("address", ["/games/2", "/games/2/deals/new?how=out&by=0", "/"])
def test_pages_are_light(sample: Phone, address: str) -> None:
    page = sample.show(address)
    files = _files(page)
    assert 1 + len(files) <= 5, files
    folder = Path(sample.site.app.static_folder or "")
    loaded = {name: (folder / Path(name.partition("?")[0]).name).read_bytes() for name in files}
    scripts = [data for name, data in loaded.items() if ".js" in name]
    assert packed(page, *loaded.values()) <= 30 * 1024
    assert packed(page, *scripts) - packed(page) <= 12 * 1024


def _files(page: Page) -> list[str]:
    sources = [attribute(node, "src") for node in page.all("[src]")]
    sources += [attribute(node, "href") for node in page.all("link")]
    return [source for source in sources if not source.startswith("data:")]
