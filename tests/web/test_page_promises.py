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
from tests.visits.pages import Page, attribute, packed, query_of
from tests.visits.phones import Site, watched
from tests.visits.roles import Household, sample_on

from .addresses import ROWS


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """The sample family with a phone of every role."""
    site = watched(fresh_app(tmp_path_factory.mktemp("sample")))
    yield sample_on(site)
    site.close()


def test_what_the_sample_family_reads(sample: Household) -> None:
    """No page reads through the tables of all leagues."""
    with scans(sample.site.engine) as found:
        for row in HAS:
            if row.method == "GET":
                assert sample.phones["owner"].show(sample.fill(row.address), row.owner).status
        assert not found
        with sample.site.engine.connect() as connection:  # such a one would be noticed
            connection.execute(select(Device.id).where(Device.player_id == 1))
    assert list(found.values()) == ["SCAN device"]


@pytest.mark.slow
def test_what_the_sample_family_sends(sample: Household) -> None:
    for row in HAS:
        if row.method == "POST":
            response = sample.ask("owner", row.method, row.address, row.form)
            assert response.status_code == row.owner, str(row)


MADE = re.compile("{(season|renaming|season_made|house)}")
HAS = [row for row in ROWS if not MADE.search(row.address)]
"""The addresses of what the sample family has: it made no season and no house of its own."""


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
