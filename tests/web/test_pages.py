"""Every address for everybody: by hand, what each role may, and nonsense leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from companion.store.authors import Author
from companion.store.models import FailedAttempts
from tests.conftest import fresh_app
from tests.leagues.own_phones import own_phone
from tests.support.doses import first_in_every_run
from tests.visits.phones import Site, watched
from tests.visits.roles import Household, harpers_on

from .addresses import READ, ROWS

DENIED = {
    "owner": "Only the owner can change this",
    "scorekeeper": "Only the scorekeeper can do this",
    "player": "This phone is just watching",
}
OWN_HAND = (DENIED["player"], "This phone can enter only its own hand.")
"""Said where whoever keeps the score may what a player may of a hand of their own."""
ACTORS = ("player", "elsewhere", "stranger", "revoked", "viewer", "scorekeeper", "owner")


@pytest.fixture(scope="module")
def harpers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """Ann's league with a phone of every role."""
    site = watched(fresh_app(tmp_path_factory.mktemp("harpers")))
    yield harpers_on(site)
    site.close()


def test_every_address_is_in_the_table(house: Site) -> None:
    known = {(row.rule, row.method) for row in ROWS}
    there = {
        (rule.rule, method)
        for rule in house.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert there == known
    assert len({(row.method, row.address, *row.form.items()) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("who", first_in_every_run(ACTORS, 2))
def test_everybody_may_what_is_written_down_and_no_more(harpers: Household, who: str) -> None:
    wrong = []
    for row in ROWS:
        response = harpers.ask(who, row.method, row.address, row.form)
        if response.status_code != row.answer(who):
            wrong.append(f"{row} answers {response.status_code}, not {row.answer(who)}")
        elif response.status_code == 403 and not any(
            words in response.text for words in (DENIED[row.least.rstrip("+")], *OWN_HAND)
        ):
            wrong.append(f"{row} does not say who may")
        harpers.look_at(who, row.method, row.address, response)
    assert not wrong, "\n".join(wrong)


def test_what_the_owner_reads(harpers: Household) -> None:
    for row in READ:
        assert harpers.phones["owner"].show(harpers.fill(row.address), row.owner).status


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


@pytest.mark.slow
def test_weird_addresses_are_nowhere(harpers: Household) -> None:
    phone = harpers.phones["owner"]
    for address, method in _weird_addresses(harpers.site):
        answer = phone.raw(address, method, data={"revision": "2"})
        assert answer.status_code < 500, address[:80]
    assert harpers.site.dump() == harpers.before


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
                "filename": "styles/app.css",
                "rule": "ZC-1.1",
            }
            for weird in WEIRD:
                address = rule.rule
                for name, value in (pieces | {part: weird}).items():
                    for kind in ("int:", "path:", ""):
                        address = address.replace(f"<{kind}{name}>", value)
                yield from ((address, m) for m in (rule.methods or set()) & {"GET", "POST"})


def test_weird_questions_are_answered(harpers: Household) -> None:
    phone = harpers.phones["owner"]
    for address in (question + weird for question in QUESTIONS for weird in WEIRD):
        status = phone.raw(address).status_code
        assert status in (200, 404), address[:80]
    assert phone.show("/games/1/deals/new?how=out&by=%00").heading


def test_wrong_methods(harpers: Household) -> None:
    phone = harpers.phones["owner"]
    adapter = harpers.site.app.url_map.bind("localhost")
    for address in {harpers.fill(row.address).partition("?")[0] for row in ROWS}:
        for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"} - set(
            adapter.allowed_methods(address)
        ):
            answer = phone.raw(address, method)
            allowed = set(answer.headers.get("Allow", "").split(", "))
            assert (answer.status_code, allowed) == (405, set(adapter.allowed_methods(address)))
    assert phone.show("/league/choices", 405).heading
    assert harpers.site.dump() == harpers.before


@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_who_asks_only_for_the_headers_changes_nothing(harpers: Household, who: str) -> None:
    """Nor by a form in the body: a view of two methods once took everything but GET for a post."""
    phone = harpers.phones[who]
    counted = guesses(harpers)
    for row in ROWS:
        form = harpers.form(who, row.address, row.form)
        phone.raw(harpers.fill(row.address), "HEAD", data=form)
        phone.raw(harpers.fill(row.address), "HEAD")
    assert harpers.site.dump() == harpers.before
    assert guesses(harpers) == counted


def test_a_form_without_the_token_of_its_phone_changes_nothing(harpers: Household) -> None:
    """Whoever sends it is asked to send it again: another site may have made it up."""
    phone = harpers.phones["owner"]
    for row in (row for row in ROWS if row.method == "POST" and row.owner in (200, 303, 409, 422)):
        form = harpers.form("stranger", row.address, row.form)
        answer = phone.raw(harpers.fill(row.address), "POST", data=form)
        assert harpers.site.dump() == harpers.before, str(row)
        asked = re.search("(send (this|it)|choose the file) again", answer.text)
        assert (answer.status_code, bool(asked)) in ((303, False), (422, True)), str(row)


def guesses(home: Household) -> list[Any]:
    """What was guessed at, and how often."""
    with home.site.engine.connect() as connection:
        return list(connection.execute(select(FailedAttempts)).all())


def test_nobody_guesses_at_a_claim_by_asking_for_headers(house: Site) -> None:
    assert house.phone().raw("/claims/0123456789abcdef", "HEAD").status_code == 405


def test_a_member_of_another_league_finds_no_game_of_ours(harpers: Household) -> None:
    phone = harpers.site.phone("eve's token")
    with harpers.site.app.app_context():
        own_phone(Author(2, 0), "Eve", "viewer")
    rows = [row for row in ROWS if "{game}" in row.address and row.least != "anybody"]
    form = {"csrf_token": phone.token(), "revision": "2", "key": "eve"}
    for row in rows:
        place = harpers.fill(row.address)
        assert phone.raw(place, row.method, data=form | row.form).status_code == 404, str(row)
        own = place.replace("/games/1", "/games/2")
        answer = row.answer("viewer")
        assert answer < 400 or phone.raw(own, row.method).status_code == answer, str(row)
    harpers.put_back()


def test_who_only_looks_on_is_told_where_a_new_game_goes(harpers: Household) -> None:
    bob = harpers.site.phone("viewer's token")
    ann = harpers.phones["owner"]
    ann.press(ann.show("/games/1/more/stop").form())
    assert ann.show("/games/1").form("/rematch")
    assert not bob.show("/").forms()
    assert not [form for form in bob.show("/games/1").forms() if "/games/" in form.action]
    told = "The scorekeeper of The Harpers starts its games. A game you start here is kept in"
    assert told in bob.show("/").text
    page = bob.show("/games/new/contract-rummy")
    assert "The scorekeeper of The Harpers starts its games. This one opens a league" in page.text
    form = page.form().fill("names", "Bob, Eve, Fay").fill("league_name", "Bob's")
    assert bob.press(form).path == "/games/3"
    choice = bob.show("/league").form("/league/choices")
    bob.press(choice, "The Harpers")
    page = bob.show("/games/new/contract-rummy")
    assert "This one is kept in Bob's." in page.text
    assert "Cleo" not in page.text, "nobody of the Harpers is offered"
    harpers.put_back()
