"""Every address for everybody: by hand, what each role may, and that every page keeps its word.

A viewer reads; a player enters and corrects their own hand of the running deal; a scorekeeper does
everything in the game; an owner everything in the league. A new address needs a row in `ROWS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from companion.rules import all_variants
from companion.store import authors
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, FailedAttempts
from companion.web.middleware.kept import forget
from tests.conftest import fresh_app
from tests.support.doses import first_in_every_run
from tests.visits.browserless import game_of, score, start
from tests.visits.pages import Page, Phone, Site, attribute, packed, query_of, value_of, watched
from tests.visits.roles import Household, harpers_on, sample_on

KINGS = {"seat1-cards": "K", "seat2-cards": "K", "seat3-cards": "K"}
WINTER: dict[str, Any] = {
    "seen_name": "Winter",
    "seen_starts": "2026-01-01",
    "seen_ends": "2026-03-01",
}


@dataclass(frozen=True)
class Row:
    """What an address answers, and the least role that it answers at all.

    Parts in braces are the Harpers' own: a game, a person, a season, an act, a house. `+` after a
    role: whoever has no league at all as well, since a league of their own is opened with it.
    """

    rule: str
    method: str
    least: str
    owner: int
    address: str
    form: dict[str, str]
    elsewhere: int

    def __str__(self) -> str:
        return f"{self.method} {self.address}"

    def answer(self, who: str) -> int:
        """Tell what somebody is answered, by the rights as they are written down.

        Who may, is answered as the owner. A member who may not: 403. Nobody's phone, or one that
        was taken out: the start for a plain page, else 404. The owner of another league is the
        owner in that one, and nothing of the Harpers' is there.
        """
        least = self.least.rstrip("+")
        if who == "elsewhere" and "{" in self.address:
            return self.elsewhere
        if least == "anybody" or who == "elsewhere":
            return self.owner
        if who in ("stranger", "revoked"):
            plain = self.method == "GET" and "<" not in self.rule
            return self.owner if self.least.endswith("+") else 302 if plain else 404
        return self.owner if authors.may(who, least) else 403  # type: ignore[arg-type]


def _get(rule: str, least: str, owner: int, address: str = "") -> Row:
    return Row(rule, "GET", least, owner, address or _example(rule), {}, 404)


def _post(rule: str, least: str, owner: int, address: str = "", **form: Any) -> Row:
    elsewhere = form.pop("elsewhere", 404)
    return Row(rule, "POST", least, owner, address or _example(rule), form, elsewhere)


def _for_programs(path: str, method: str = "GET") -> Row:
    """An address for programs, which takes no cookie: whose phone asks makes no difference."""
    rule = f"/api/v1/{path}"
    return Row(rule, method, "anybody", 401, _example(rule), {}, 401)


def _example(rule: str) -> str:
    place = re.sub(r"<int:(game|person|season|device)_id>", r"{\1}", rule).replace(
        "<key>", "zioncheck"
    )
    return re.sub(r"<int:\w+>", "1", place)


GAME = "/games/<int:game_id>"
HAND = f"{GAME}/hands/<int:position>/<int:seat>"
TOLD = {"device": "999", "told": "1"}
ROWS = [
    _get("/", "anybody", 200),
    _post("/samples", "anybody", 303),
    _get("/samples", "anybody", 302),
    _post("/departures", "viewer", 303),
    _get("/healthz", "anybody", 200),
    _get("/protection", "anybody", 200),
    _get("/readyz", "anybody", 200),
    _get("/static/<path:filename>", "anybody", 200, "/static/app.css"),
    _get("/rules", "anybody", 200),
    _get("/rules/search", "anybody", 200, "/rules/search?q=joker"),
    _get("/rules/<key>", "anybody", 200),
    _get("/rules/<key>", "anybody", 200, "/rules/zioncheck?game={game}"),
    _get("/rules/<key>/book", "anybody", 200),
    _get("/rules/<key>/book", "anybody", 200, "/rules/zioncheck/book?game={game}"),
    _get("/rules/<key>/contracts", "anybody", 200),
    _get("/rules/<key>/sheet", "anybody", 200),
    _get("/rules/<key>/sheet", "anybody", 200, "/rules/zioncheck/sheet?players=3&game={game}"),
    _get("/rules/<key>/record", "anybody", 200),
    _get("/rules/<key>/search", "anybody", 200, "/rules/zioncheck/search?q=joker"),
    _get("/rules/<key>/search", "anybody", 200, "/rules/zioncheck/search?q=joker&game={game}"),
    _get("/rules/<key>/rule/<rule>", "anybody", 302, "/rules/zioncheck/rule/values"),
    _get("/rules/<key>/judge", "anybody", 200, "/rules/zioncheck/judge?deal=2&hand=7H+7S+7D+X"),
    _get("/rules/<key>/judge", "anybody", 200, "/rules/zip-zilch-zero/judge?hand=6R+6B&pile=4R+5B"),
    _get(
        "/rules/<key>/practice", "anybody", 200, "/rules/chicago-rummy/practice?hand=one&answer=no"
    ),
    _get("/house/<key>", "anybody", 200),
    _post("/house/<key>", "scorekeeper+", 303),
    _get("/house/<key>/new", "scorekeeper+", 200),
    _post("/house/<key>/new", "scorekeeper+", 200, name="Ours"),
    _get("/house/<key>/edit", "scorekeeper", 200, "/house/{house}/edit"),
    _get("/house/<key>/edit", "scorekeeper", 404),
    _post("/house/<key>/edit", "scorekeeper", 422, "/house/{house}/edit", name=""),
    _post("/house/<key>/drop", "scorekeeper", 303),
    _get("/house/<key>/file", "anybody", 200),
    _get("/house/files", "scorekeeper+", 200),
    _post("/house/files", "scorekeeper+", 422, text="name = 7"),
    _get("/return", "anybody", 200),
    _post("/return", "anybody", 422, league="Nobody", passphrase="no words at all"),
    _get("/claims/<code>", "anybody", 404, "/claims/nothing"),
    _post("/claims/<code>", "anybody", 404, "/claims/nothing"),
    _get("/games/new/<key>", "anybody", 200),
    _post("/games/new/<key>", "anybody", 303, names="Ann, Bob"),
    _get("/league", "viewer", 200),
    _get("/league", "viewer", 200, "/league?season=all"),
    _get("/league/settings", "owner", 200),
    _get("/league/name", "owner", 200),
    _post("/league/name", "owner", 303, name="The Harpers again"),
    _get("/league/games", "viewer", 200),
    _get("/league/games", "viewer", 200, "/league/games?who=1&with=2&words=won&status=finished"),
    _get("/league/games", "viewer", 422, "/league/games?since=yesterday"),
    _get("/league/records", "viewer", 200),
    _get("/league/rivals", "viewer", 200),
    _get("/league/evenings", "viewer", 200),
    _get("/league/evenings/<day>", "viewer", 404, "/league/evenings/1999-01-01"),
    _get("/league/years/<int:year>", "viewer", 404, "/league/years/1999"),
    _get("/league/players/<int:person_id>", "viewer", 200),
    _post("/league/choices", "viewer", 303, league="1"),
    _post("/league/settings/<what>", "owner", 303, "/league/settings/show_chances", chosen="0"),
    _post("/league/settings/<what>", "owner", 404, "/league/settings/everything", chosen="0"),
    _get("/league/passphrase", "owner", 200),
    _post("/league/passphrase", "owner", 422, passphrase="too short"),
    _get("/league/people", "viewer", 200),
    _get("/league/people/<int:person_id>", "owner", 200),
    _post("/league/people/<int:person_id>/name", "owner", 303, name="Zoe", seen="Ann"),
    _post("/league/people/<int:person_id>/name", "owner", 409, name="Zoe", seen="Somebody"),
    _post("/league/people/<int:person_id>/archive", "owner", 303, archived="1"),
    _get(
        "/league/people/<int:person_id>/merge",
        "owner",
        200,
        "/league/people/{person}/merge?other=2",
    ),
    _post("/league/people/<int:person_id>/merge", "owner", 422, other="2"),
    _post(
        "/league/people/acts/<int:act_id>/undo", "owner", 303, "/league/people/acts/{renaming}/undo"
    ),
    _get("/league/seasons", "viewer", 200),
    _post("/league/seasons", "owner", 303, name="Spring", starts="2026-04-01", ends="2026-05-01"),
    _get("/league/seasons/<int:season_id>", "owner", 200),
    _post(
        "/league/seasons/<int:season_id>",
        "owner",
        303,
        elsewhere=409,
        **WINTER,
        name="Cold",
        starts="2026-01-01",
    ),
    _post("/league/seasons/<int:season_id>/drop", "owner", 303, elsewhere=409, **WINTER),
    _post(
        "/league/seasons/acts/<int:act_id>/undo",
        "owner",
        303,
        "/league/seasons/acts/{season_made}/undo",
    ),
    _get("/league/files", "owner+", 200),
    _get("/league/files/league.json", "owner", 200),
    _get("/league/files/tables.zip", "owner", 200),
    _get("/league/files/league.html", "owner", 200),
    _post("/league/files/looks", "owner+", 422, text="{}"),
    _post("/league/files/imports", "owner+", 422, file="0", into="ours"),
    _post("/league/files/undoings", "owner", 422, act="1"),
    _get("/league/old-scores", "scorekeeper", 200),
    _get("/league/old-scores/<key>", "scorekeeper", 200),
    _get(
        "/league/old-scores/<key>",
        "scorekeeper",
        200,
        "/league/old-scores/zioncheck?names=A,B&day=2020-01-01",
    ),
    _get(
        "/league/old-scores/<key>",
        "scorekeeper",
        422,
        "/league/old-scores/zioncheck?names=A&day=2020",
    ),
    _get("/league/old-scores/<key>", "scorekeeper", 404, "/league/old-scores/canasta"),
    _post("/league/old-scores/<key>", "scorekeeper", 422, names="A, B", day="2020-01-01"),
    _get("/sw.js", "anybody", 200),
    _get("/offline", "anybody", 200),
    _get("/app.webmanifest", "anybody", 200),
    _get("/j/<token>", "anybody", 404, "/j/nothing"),
    _post("/j/<token>", "anybody", 404, "/j/nothing", person="1"),
    _get("/league/devices", "owner", 200),
    _post("/league/devices/<int:device_id>", "owner", 303, name="Tablet", role="owner"),
    _post("/league/devices/<int:device_id>/departures", "owner", 422),
    _post("/league/devices/<int:device_id>/person", "owner", 303),
    _post("/league/devices/<int:device_id>/answer", "owner", 303, answer="no"),
    _get("/league/departure", "viewer", 200),
    _post("/league/departure", "viewer", 303),
    _post("/league/links", "owner", 303, role="viewer", lasts="", uses=""),
    _post("/league/programs", "owner", 200, program="Screen", role="viewer"),
    _get("/j/<token>/evenings.ics", "anybody", 404, "/j/nothing/evenings.ics"),
    _get("/api/v1/openapi.json", "anybody", 200),
    *(
        _for_programs(path)
        for path in ("league", "players", "games", "table", "standings", "rules")
    ),
    _for_programs("games/<int:game_id>"),
    _for_programs("games/<int:game_id>/deals", "POST"),
    _for_programs("rules/<key>"),
    _get("/league/links/<int:link_id>", "owner", 404, "/league/links/999"),
    _post("/league/links/<int:link_id>/departures", "owner", 404, "/league/links/999/departures"),
    _post(f"{GAME}/link", "scorekeeper", 303),
    _post(f"{GAME}/asks/<int:device_id>", "player", 303, answer="no"),
    _post(f"{GAME}/guests/<int:device_id>", "scorekeeper", 303),
    _get(GAME, "viewer", 200),
    _post(f"{GAME}/put-away", "scorekeeper", 303),
    _get(f"{GAME}/mine", "viewer", 200),
    _get(f"{GAME}/live", "viewer", 200),
    _get(f"{GAME}/far", "viewer", 200),
    _get(f"{GAME}/hands/<int:seat>", "player", 200),
    _get(f"{GAME}/hands/<int:seat>", "scorekeeper", 200, "/games/{game}/hands/2"),
    _post(HAND, "player", 303, "/games/{game}/hands/2/1", **{"seat1-cards": "K"}),
    _post(HAND, "scorekeeper", 303, "/games/{game}/hands/2/2", **{"seat2-cards": "K"}),
    _post(f"{HAND}/confirmations", "player", 409, "/games/{game}/hands/2/0/confirmations", **TOLD),
    _post(f"{HAND}/choices", "scorekeeper", 422, device="1"),
    _post(f"{HAND}/settled", "scorekeeper", 303),
    _post(f"{GAME}/endings", "player", 303, how="out", by="1"),
    _post(f"{GAME}/endings", "scorekeeper", 303, how="out", by="2"),
    _post(f"{GAME}/endings/back", "scorekeeper", 303),
    _get(f"{GAME}/deals/told", "scorekeeper", 200),
    _get(f"{GAME}/outlook", "viewer", 200),
    _get(f"{GAME}/history", "viewer", 200),
    _get(f"{GAME}/sheet", "viewer", 200),
    _get(f"{GAME}/picture", "viewer", 404),
    _get(f"{GAME}/picture/drawing.svg", "viewer", 404),
    _get(f"{GAME}/seats/<int:seat>", "viewer", 200),
    _get(f"{GAME}/deals/<int:position>", "viewer", 200),
    _get(f"{GAME}/deals/<int:position>/seats/<int:seat>", "viewer", 200),
    _post(f"{GAME}/rematch", "scorekeeper", 303),
    _get(f"{GAME}/about", "scorekeeper", 200),
    _get(f"{GAME}/removal", "owner", 200),
    _post(f"{GAME}/removal", "owner", 303),
    _get("/league/games/removed", "owner", 200),
    _post(
        "/league/games/removed/acts/<int:act_id>/undo",
        "owner",
        404,
        "/league/games/removed/acts/999/undo",
    ),
    _post(f"{GAME}/about", "scorekeeper", 303, played_on="2026-03-03", note="Snow", counts="0"),
    _get(f"{GAME}/more/<what>", "scorekeeper", 200, "/games/{game}/more/throw-in"),
    _get(f"{GAME}/more/<what>", "scorekeeper", 200, "/games/{game}/more/join"),
    _get(f"{GAME}/more/<what>", "scorekeeper", 200, "/games/{game}/more/stop"),
    _post(f"{GAME}/voids", "scorekeeper", 303, after_void="again"),
    _post(f"{GAME}/deals/<int:position>/void", "scorekeeper", 303),
    _post(f"{GAME}/seats", "scorekeeper", 303, name="Zoe", start_rule="zero"),
    _post(f"{GAME}/departures", "scorekeeper", 303, seat="1", placed="0"),
    _post(f"{GAME}/stops", "scorekeeper", 303, stopped="1"),
    _post(f"{GAME}/dealer", "scorekeeper", 422, seat="1"),
    _post(f"{GAME}/restorations", "scorekeeper", 303, version="1"),
    _get(f"{GAME}/deals/new", "scorekeeper", 200, "/games/{game}/deals/new?how=out&by=0"),
    _post(f"{GAME}/deals", "scorekeeper", 200, how="out", by="0", **KINGS),
    _get(f"{GAME}/deals/<int:position>/edit", "scorekeeper", 200),
    _get(f"{GAME}/deals/<int:position>/ended", "scorekeeper", 200),
    _get(
        f"{GAME}/deals/<int:position>/seats/<int:seat>/<what>",
        "scorekeeper",
        200,
        "/games/{game}/deals/1/seats/2/cards",
    ),
    _get(
        f"{GAME}/deals/<int:position>/seats/<int:seat>/<what>",
        "scorekeeper",
        404,
        "/games/{game}/deals/1/seats/1/nothing",
    ),
    _get(f"{GAME}/deals/left-over", "viewer", 200, "/games/{game}/deals/left-over?hand=7H+7S+7D"),
    _post(f"{GAME}/deals/<int:position>", "scorekeeper", 303, only="2", **{"seat2-cards": "Q"}),
]
ACTORS = ("player", "elsewhere", "stranger", "revoked", "viewer", "scorekeeper", "owner")


@pytest.fixture(scope="module")
def harpers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """Ann's league with a phone of every role."""
    site = watched(fresh_app(tmp_path_factory.mktemp("harpers")))
    yield harpers_on(site)
    site.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """The sample family with a phone of every role."""
    site = watched(fresh_app(tmp_path_factory.mktemp("sample")))
    yield sample_on(site)
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
        harpers.look_at(who, row.method, row.address, response)
    assert not wrong, "\n".join(wrong)


def test_what_the_owner_reads(harpers: Household) -> None:
    for row in READ:
        assert harpers.phones["owner"].show(harpers.fill(row.address), row.owner).status


def test_what_the_sample_family_reads(sample: Household) -> None:
    for row in (row for row in READ if not MADE & set(re.findall(r"{(\w+)}", row.address))):
        assert sample.phones["owner"].show(sample.fill(row.address), row.owner).status


@pytest.mark.slow
def test_what_the_sample_family_sends(sample: Household) -> None:
    for row in SENT:
        if not MADE & set(re.findall(r"{(\w+)}", row.address)):
            response = sample.ask("owner", row.method, row.address, row.form)
            assert response.status_code == row.owner, str(row)


READ = [row for row in ROWS if row.method == "GET"]
SENT = [row for row in ROWS if row.method == "POST"]
MADE = {"season", "renaming", "season_made", "house"}


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
                "filename": "app.css",
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
            assert phone.raw(address, method).status_code == 405, address
    assert phone.show("/league/choices", 405).heading
    assert harpers.site.dump() == harpers.before


@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_who_asks_only_for_the_headers_changes_nothing(harpers: Household, who: str) -> None:
    """Nor by a form in the body: a view of two methods once took everything but GET for a post."""
    phone = harpers.phones[who]
    hidden = {"csrf_token": harpers.tokens[who], "revision": str(harpers.revision)}
    counted = guesses(harpers)
    for row in ROWS:
        form = {**hidden, "key": row.address[:60], **row.form}
        phone.raw(harpers.fill(row.address), "HEAD", data=form)
        phone.raw(harpers.fill(row.address), "HEAD")
    assert harpers.site.dump() == harpers.before
    assert guesses(harpers) == counted


def guesses(home: Household) -> list[Any]:
    """What was guessed at, and how often."""
    with home.site.engine.connect() as connection:
        return list(connection.execute(select(FailedAttempts)).all())


@pytest.mark.parametrize("address", ["/j/0123456789abcdef", "/claims/0123456789abcdef"])
def test_nobody_guesses_at_a_secret_by_asking_for_headers(house: Site, address: str) -> None:
    assert house.phone().raw(address, "HEAD").status_code == 405


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


def test_a_member_of_another_league_finds_no_game_of_ours(harpers: Household) -> None:
    phone = harpers.site.phone()
    phone.carry("eve's token")
    facts = {"token_hash": authors.token_hash("eve's token"), "created_at": now()}
    with harpers.site.app.app_context(), writing() as session:
        session.add(Device(league_id=2, role="viewer", **facts))
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
    bob = harpers.site.phone()
    bob.carry("viewer's token")
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
        forget(phone.site.app)
        with phone.site.asked() as asked:
            phone.raw(address)
        found[address] = len(asked)
    return found


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
