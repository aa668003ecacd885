"""Every page keeps its word: links lead somewhere, what is offered is not refused, all is light."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from companion.rules import card_games
from companion.store.models import Device
from tests.conftest import fresh_app
from tests.support.query_plans import scans
from tests.support.statements import statements
from tests.visits.browserless import game_of, score, start
from tests.visits.pages import Page, attribute, packed, query_of, value_of
from tests.visits.phones import Phone, Site, watched
from tests.visits.roles import Household, sample_on

from .addresses import READ, ROWS


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """The sample family with a phone of every role."""
    site = watched(fresh_app(tmp_path_factory.mktemp("sample")))
    yield sample_on(site)
    site.close()


def test_what_the_sample_family_reads(sample: Household) -> None:
    for row in (row for row in READ if not MADE & set(re.findall(r"{(\w+)}", row.address))):
        assert sample.phones["owner"].show(sample.fill(row.address), row.owner).status


@pytest.mark.slow
def test_what_the_sample_family_sends(sample: Household) -> None:
    for row in SENT:
        if not MADE & set(re.findall(r"{(\w+)}", row.address)):
            response = sample.ask("owner", row.method, row.address, row.form)
            assert response.status_code == row.owner, str(row)


SENT = [row for row in ROWS if row.method == "POST"]
MADE = {"season", "renaming", "season_made", "house"}


@pytest.mark.slow
def test_every_link_of_every_page_leads_somewhere(sample: Household) -> None:
    seen, waiting, alike = {"/"}, ["/"], Counter[str]()
    while waiting:
        page = sample.phones["owner"].show(waiting.pop())
        for link in page.links() if page.document else ():
            place = link.partition("#")[0]
            if place and place not in seen and not _is_of_a_variation(place):
                seen.add(place)
                alike[kind := _kind(sample.site, place, "GET")[0]] += 1
                waiting += [place] * (alike[kind] <= MOST_ALIKE)
    assert len(seen) > 80


MOST_ALIKE = 8


@pytest.mark.parametrize(
    "who",
    [
        "stranger",
        *(
            pytest.param(who, marks=pytest.mark.slow)
            for who in ("viewer", "player", "scorekeeper", "owner")
        ),
    ],
)
def test_no_page_offers_what_is_refused(sample: Household, who: str) -> None:
    phone, seen, waiting, offered = sample.phones[who], set(), ["/"], 0
    while waiting:
        page = phone.check(address := waiting.pop(), phone.raw(address), 200)
        for link in page.links() if page.document else ():
            place = link.partition("#")[0] or address
            kind = _kind(sample.site, place, "GET")
            if kind not in seen and not _is_of_a_variation(place):
                seen.add(kind)
                response = phone.raw(place)
                assert response.status_code in (200, 302), f"{who}: {place} on {address}"
                waiting += [place] * (response.status_code == 200)
        for form in page.forms() if page.document else ():
            method = attribute(form.element, "method").upper() or "GET"
            if (kind := _kind(sample.site, form.action, method)) not in seen:
                seen.add(kind)
                sent = {name: text for name, text in form.data().items() if name}
                refused = sample.ask(who, method, form.action, sent).status_code in (403, 404)
                assert not refused, f"{who}: {method} {form.action} on {address}"
                offered += method == "POST"
    assert (len(seen), offered) >= LEAST_OFFERED[who]


LEAST_OFFERED = {
    "viewer": (40, 1),
    "player": (40, 1),
    "scorekeeper": (50, 12),
    "owner": (60, 18),
    "stranger": (25, 3),
}


def _kind(site: Site, place: str, method: str) -> tuple[str, str, str]:
    """Tell what kind of page an address leads to: of many alike a test opens two or three."""
    parts = urlsplit(place)
    endpoint, args = site.app.url_map.bind("localhost").match(parts.path, method=method)
    asked = ",".join(sorted(query_of(place)))
    return endpoint, method, f"{asked} {args.get('game_id') == 2} {args.get('position') == 1}"


SHELVED = {variant.key for variant in card_games() if variant.extends}


def _is_of_a_variation(place: str) -> bool:
    """Tell the pages of variations, which are those of the games they extend, with other numbers.

    Of the forms to edit a game, which are long, one stands for all.
    """
    parts = urlsplit(place).path.split("/")
    edited = parts[1:2] == ["house"] and parts[-1] == "new" and "contract-rummy" not in parts
    return bool(SHELVED & set(parts)) or edited


def test_a_form_keeps_its_fields_apart_by_their_labels(house: Site) -> None:
    form = house.phone().show("/games/new/contract-rummy").form()
    by_label = form.control("Players in seating order")
    assert attribute(by_label, "id") == "names"
    assert value_of(by_label) == ""


def test_the_cookie_is_for_the_server_only(house: Site) -> None:
    answer = house.phone().send("/")
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" in house.phone().send("/", base_url="https://localhost").headers["Set-Cookie"]


MOST_QUERIES = {
    "/": 14,
    "/games/1": 8,
    "/games/1/history": 6,
    "/games/1/sheet": 6,
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
    phone = house.phone()
    table = start(phone, "contract-rummy", "Ann", "Bob", "Cleo", "Dev")
    score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    few = _questions(phone)
    table = phone.show("/games/1")
    for _ in range(5):
        table = score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    token = phone.token()
    for number in range(12):
        phone.post(f"{game_of(table)}/rematch", {"csrf_token": token, "key": f"again{number}"})
    score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    many = _questions(phone)
    assert many.pop("/games/1") <= 10, "it is over now, and asks how many wins in a row this was"
    assert {address: min(asked, few[address]) for address, asked in many.items()} == many
    assert all(few[address] <= most for address, most in MOST_QUERIES.items()), few


def _questions(phone: Phone) -> dict[str, int]:
    found = {}
    phone.raw("/league")  # whoever looks first brings the ratings up to date
    for address in MOST_QUERIES:
        with statements(phone.site.engine) as asked:
            phone.raw(address)
        found[address] = len(asked)
    return found


def test_no_page_reads_through_the_tables_of_all_leagues(sample: Household) -> None:
    with scans(sample.site.engine) as found:
        for row in (row for row in READ if not MADE & set(re.findall(r"{(\w+)}", row.address))):
            sample.phones["owner"].raw(sample.fill(row.address))
        assert not found
        with sample.site.engine.connect() as connection:  # such a one would be noticed
            connection.execute(select(Device.id).where(Device.player_id == 1))
    assert list(found.values()) == ["SCAN device"]


@pytest.mark.parametrize("address", ["/games/2", "/games/2/deals/new?how=out&by=0", "/"])
def test_pages_are_light(sample: Household, address: str) -> None:
    page = sample.phones["owner"].show(address)
    files = _files(page)
    assert 1 + len(files) <= 5, files
    loaded = {name: sample.phones["owner"].raw(name).data for name in files}
    scripts = [data for name, data in loaded.items() if ".js" in name]
    assert packed(page, *loaded.values()) <= 30 * 1024
    assert packed(page, *scripts) - packed(page) <= 12 * 1024


def _files(page: Page) -> list[str]:
    sources = [attribute(node, "src") for node in page.all("[src]")]
    seen = [node for node in page.all("link") if attribute(node, "rel") in ("stylesheet", "icon")]
    sources += [attribute(node, "href") for node in seen]
    return [source for source in sources if not source.startswith("data:")]
