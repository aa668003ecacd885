"""The door for programs: what each role gets, a deal scored once, answers as described."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jinja2 import Template
from jsonschema import Draft202012Validator

from companion.store import dates
from tests.processes.proxied import snippet
from tests.visits.browserless import start
from tests.visits.pages import value_of
from tests.visits.phones import Phone

from .asking_programs import FIVE, OUT, ROLES, Home, Program, check, held, home, let_in, report

__all__ = ["home"]
ADDRESSES = (
    *("league", "players", "games", "games?status=finished", "table", "games/1", "standings"),
    *(f"standings?season={dates.today().year}", "rules", "rules/zioncheck"),
)


def calendar_of(owner: Phone) -> str:
    """Make a link to look on, and copy where its evenings are."""
    making = owner.show("/league/devices").forms()
    link = owner.press(next(one for one in making if one.action == "/league/links"))
    return value_of(link.one("#calendar")).removeprefix("http://localhost")


def test_a_program_reads_the_game_on_the_table(home: Home) -> None:
    game = home.reads.get("table")
    assert [(seat["name"], seat["total"]) for seat in game["seats"]] == [
        ("Ann", 0),
        ("Bob", 10),
        ("Cleo", 15),
    ]
    assert game["next"]["contract"] == "One set of three and one run of four"
    assert (game["next"]["position"], game["next"]["dealer"], game["next"]["first"]) == (2, 1, 2)
    assert game["deals"][0]["lines"]["1"]["tally"]["cards"] == "K"
    assert home.reads.get("league")["name"] == "The Harpers"
    assert [player["name"] for player in home.reads.get("players")["players"]] == [
        "Ann",
        "Bob",
        "Cleo",
    ]
    assert home.reads.get("games")["games"][0]["status"] == "running"


def test_a_deal_is_scored_once(home: Home) -> None:
    """The same key twice is one deal; the table shows it at once."""
    sent = report(
        2,
        "mine",
        seat0={"declared": "", "cards": "7 7 K"},
        seat1=OUT,
        seat2={"declared": "", "total": 30},
    )
    first, second = (home.scores.ask("games/1/deals", sent) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json == second.json
    assert [seat["total"] for seat in home.reads.get("games/1")["seats"]] == [24, 10, 45]
    assert home.ann.show("/games/1").text.count("45") >= 1
    assert "Spreadsheet" in home.ann.show("/games/1/history").text


def test_a_key_is_for_one_deal(home: Home) -> None:
    """Under a key of last Saturday nothing is lost in silence: other cards, another game."""
    sent = report(2, "saturday", seat0=OUT, seat1=held("K"), seat2=FIVE)
    assert home.scores.ask("games/1/deals", sent).status_code == 201
    other = report(3, "saturday", seat0=OUT, seat1=held("Q"), seat2=FIVE)
    answer = home.scores.ask("games/1/deals", other)
    assert (answer.status_code, "used for something else" in answer.text) == (409, True)
    start(home.ann, "zioncheck")
    answer = home.scores.ask("games/2/deals", sent | {"revision": 1})
    assert (answer.status_code, "used for something else" in answer.text) == (409, True)
    assert home.reads.get("games/2")["revision"] == 1
    assert home.scores.ask("games/1/deals", sent).status_code == 201
    assert home.reads.get("games/1")["revision"] == 3


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\x85"])
def test_signs_that_nobody_types_are_not_stored(home: Home, sign: str) -> None:
    """No file with them could be read again, and PostgreSQL can't hold them."""
    hand = FIVE | {"adjust": 3, "why": f"late{sign}"}
    for sent in (
        report(2, f"key{sign}", seat0=OUT, seat1=FIVE, seat2=FIVE),
        report(2, seat0=OUT, seat1=hand, seat2=FIVE),
    ):
        answer = home.scores.ask("games/1/deals", sent)
        assert (answer.status_code, "cannot be seen" in answer.text) == (422, True), answer.text
    assert home.reads.get("games/1")["revision"] == 2


def test_half_a_sign_is_no_text(home: Home) -> None:
    """Python's own reader lets a lone surrogate pass, and no database can store it."""
    answer = home.scores.ask(
        "games/1/deals", report(2, "\ud800", seat0=OUT, seat1=FIVE, seat2=FIVE)
    )
    assert answer.status_code in {400, 422}, answer.text
    assert home.reads.get("games/1")["revision"] == 2


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "nothing", 404),
        ("GET", "games/abc", 404),
        ("PUT", "games/1/deals", 405),
        ("DELETE", "games/1", 405),
        ("GET", "rules/a%00b", 404),
    ],
)
def test_where_nothing_is_a_program_is_told_as_a_program(
    home: Home, method: str, path: str, status: int
) -> None:
    answer = home.reads.open(method, f"/api/v1/{path}")
    assert (answer.status_code, answer.mimetype) == (status, "application/json")
    assert answer.json
    assert answer.json["words"]


def test_a_page_that_cannot_be_is_no_first_page(home: Home) -> None:
    answer = home.reads.ask("games?older=x")
    assert (answer.status_code, "no such page" in answer.text) == (404, True)


def test_a_program_that_was_removed_gets_nothing_and_takes_no_link_with_it(home: Home) -> None:
    """It came by none: an owner let it in."""
    calendar = calendar_of(home.ann)
    late = let_in(home.ann, "Late", "viewer")
    page = home.ann.show("/league/devices")
    assert page.text.count("Remove this program") == len(ROLES) + 1
    assert "Kitchen screen" in page.text
    home.ann.press(page.form("/devices/4/departures"))
    assert Program(home.site, late).ask("league").status_code == 401
    assert home.scores.ask("league").status_code == 200
    assert home.site.phone().raw(calendar).status_code == 200


def test_what_cannot_be_is_refused_in_a_sentence(home: Home) -> None:
    two_out = report(2, seat0=OUT, seat1=OUT, seat2=FIVE)
    odd = report(
        2,
        seat0=OUT,
        seat1=held("X X X X X X X"),
        seat2=FIVE,
    )
    for sent, status, words in (
        (two_out, 422, "The rules forbid"),
        (odd, 422, "This is odd"),
        (report(1, seat0=OUT), 409, "Someone else has changed"),
        (report(2, seat0=held("what")), 422, "We don't know"),
        ({"key": "x"}, 422, "missing required field"),
        ([], 422, "can't be read"),
    ):
        answer = home.scores.ask("games/1/deals", sent)
        assert (answer.status_code, words in answer.text) == (status, True), answer.text
    refused: Any = home.scores.ask("games/1/deals", two_out).json
    assert refused["faults"]
    assert set(refused["faults"][0]["seats"]) <= {0, 1}
    assert "Ann" in refused["faults"][0]["words"]
    doubts: Any = home.scores.ask("games/1/deals", odd).json["doubts"]  # type: ignore[index]
    assert any("Bob" in doubt["words"] for doubt in doubts)
    asked = home.reads.ask("games?status=lost")
    assert (asked.status_code, "running or stopped" in asked.text) == (422, True)
    assert home.reads.get("games/1")["revision"] == 2
    assert home.scores.ask("games/1/deals", odd | {"sure": True}).status_code == 201


def test_a_program_may_begin_with_the_mark_of_utf_8(home: Home) -> None:
    """Programs that write files on Windows do."""
    sent = "\ufeff" + json.dumps(report(2, seat0=OUT, seat1=FIVE, seat2=FIVE))
    answer = home.scores.open("POST", "/api/v1/games/1/deals", data=sent.encode())
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("path", ADDRESSES)
def test_who_has_no_token_gets_nothing(home: Home, path: str) -> None:
    for token in ("", "x" * 43):
        answer = Program(home.site, token).ask(path)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "Harper" not in answer.text


def test_a_browser_s_cookie_opens_nothing_here(home: Home) -> None:
    assert home.ann.raw("/api/v1/league").status_code == 401


def test_a_token_is_no_cookie(home: Home) -> None:
    phone = home.site.phone()
    phone.client.set_cookie("device", home.scores.token)
    assert phone.raw("/league").status_code == 302


def test_a_program_that_reads_writes_nothing(home: Home) -> None:
    sent = report(2, seat0=OUT, seat1=FIVE, seat2=FIVE)
    assert home.reads.ask("games/1/deals", sent).status_code == 403
    assert home.reads.get("games/1")["revision"] == 2


def test_another_league_s_game_is_nowhere(home: Home) -> None:
    dev = home.site.phone()
    start(dev, "zioncheck", "Dev", "Eve", league_name="Dev's club")
    assert home.scores.ask("games/2").status_code == 404
    theirs = Program(home.site, let_in(dev, "His", "scorekeeper"))
    assert theirs.ask("games/1").status_code == 404
    assert theirs.ask("games/1/deals", report(2, seat0=OUT)).status_code == 404


def test_the_page_for_programs_says_what_works(home: Home) -> None:
    """The deal is taken as it stands there; what the recipes read is in the answers."""
    deal = json.loads(snippet("json deal", "api"))
    assert home.scores.ask("games/1/deals", deal).status_code == 201
    table, recipe = home.reads.get("table"), snippet("yaml home assistant", "api")
    (template,) = re.findall(r'value_template: "(.*)"', recipe)
    assert Template(template).render(value_json=table) == "Ann, Bob, Cleo"
    shown = re.findall(r"^ {10}- (\w+)$", recipe, re.MULTILINE)
    assert shown
    assert set(shown) <= set(table)
    columns = re.findall(r"row\.(\w+)", snippet("js spreadsheet", "api"))
    described = home.reads.get("openapi.json")["components"]["schemas"]["PersonAnswer"]
    assert len(columns) == 4
    assert set(columns) <= set(described["properties"])


def test_every_answer_is_as_it_is_described(home: Home) -> None:
    described = Program(home.site, "").get("openapi.json")
    Draft202012Validator.check_schema({"$defs": described["components"]["schemas"]})
    for path in ADDRESSES:
        place = re.sub(r"/1$", "/{game_id}", path.partition("?")[0])
        place = place.replace("rules/zioncheck", "rules/{key}")
        view = described["paths"][f"/api/v1/{place}"]["get"]
        check(described, view["responses"]["200"], home.reads.get(path))
    deals = described["paths"]["/api/v1/games/{game_id}/deals"]["post"]
    sent = report(2, seat0=OUT, seat1=held("K"), seat2=FIVE)
    check(described, deals["requestBody"], sent)
    check(described, deals["responses"]["201"], home.scores.ask("games/1/deals", sent).json)
    check(described, deals["responses"]["409"], home.scores.ask("games/1/deals", report(1)).json)
    assert len(described["paths"]) == 9


def test_a_calendar_without_an_evening_is_one_all_the_same(home: Home) -> None:
    lines = home.site.phone().raw(calendar_of(home.ann)).text.split("\r\n")
    assert (lines[0], lines[-2]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert [line for line in lines if line.startswith(("BEGIN", "END"))][1:-1] == [
        *("BEGIN:VTIMEZONE", "BEGIN:STANDARD", "END:STANDARD", "END:VTIMEZONE")
    ]


def test_the_evenings_are_a_calendar_behind_a_link_to_look_on(home: Home) -> None:
    for deal in range(6):
        sent = report(2 + deal, seat0=OUT, seat1=FIVE, seat2=FIVE)
        home.scores.ask("games/1/deals", sent | {"sure": True})
    address = calendar_of(home.ann)
    answer = home.site.phone().raw(address)
    assert answer.content_type == "text/calendar; charset=utf-8"
    lines = answer.text.split("\r\n")
    assert (lines[0], lines[-2]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert "SUMMARY:The Harpers: 1 game" in lines
    assert "DESCRIPTION:Contract Rummy: Ann wins" in lines
    assert all(len(line.encode()) <= 75 for line in lines)
    for other in ("nothing", address.split("/")[2][:-1]):
        assert home.site.phone().raw(f"/j/{other}/evenings.ics").status_code == 404


def test_a_game_of_points_has_rules_and_no_book(home: Home) -> None:
    answer = home.reads.get("rules/skyjo")
    assert answer["rules"]["scoring"]["points"]["ended"] == "doubled"
    assert answer["book"] == []
