"""The server's log: every refusal is a line of JSON, and no line opens a door."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path

import pytest
from flask import Flask, g, request
from sqlalchemy.exc import OperationalError

from companion.store.authors import NotAllowedError
from companion.store.event_log import log_event, log_refusal
from companion.web.middleware.log_lines import MOST_A_MINUTE, LogLines
from tests.processes.served import Browser, Scorer, Server, served
from tests.visits.browserless import entry, review, score, start
from tests.visits.phones import Phone, Site

ELSEWHERE = {"Origin": "http://evil.example"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path / "instance") as running:
        yield running


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What events of the rooms become in the log."""
    written: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler, room = Kept(), logging.getLogger("companion")
    handler.setFormatter(LogLines())
    room.addHandler(handler)
    room.setLevel(logging.INFO)
    yield written
    room.removeHandler(handler)


@pytest.mark.slow
def test_every_refusal_says_when_what_and_who_asked(server: Server) -> None:
    began = datetime.now(UTC)
    scorer = Scorer.start(browser := Browser(server.port))
    stranger = Browser(server.port)
    for path, form, headers, status in (
        (f"{scorer.game}/deals", {"how": "out"}, ELSEWHERE, 403),
        ("/j/a-code-that-is-none", None, {}, 404),
        (f"{scorer.game}", None, {}, 404),
        ("/nothing/here", None, {}, 404),
    ):
        assert stranger.ask(path, form, headers=headers).status_code == status
    browser.ask("/league/passphrase", {"passphrase": "correct horse battery"})
    listed = [line for line in server.events if line["event"] == "refused"]
    assert [(line["status"], line["asked"]["path"]) for line in listed] == [
        (403, f"{scorer.game}/deals"),
        (404, "/j/..."),
        (404, scorer.game),
        (422, "/league/passphrase"),
    ]
    assert {line["level"] for line in listed} == {"warning"}
    assert [line["reason"] for line in listed] == [
        "This came from another site",
        "This code doesn't work",
        "We can't find that page",
        "Please send this again.",
    ]
    assert {line["asked"]["address"] for line in listed} == {"127.0.0.1"}
    assert listed[0]["asked"].keys() == {"method", "path", "address"}
    assert listed[3]["asked"]["league"] == listed[3]["asked"]["phone"] == 1
    assert (listed[3]["asked"]["role"], listed[3]["needs"]) == ("owner", None)
    for line in server.events:
        moment = datetime.fromisoformat(line["at"])
        assert timedelta(0) <= moment - began + timedelta(seconds=1) < timedelta(hours=1)
        assert moment.utcoffset() == timedelta(0)


def test_the_log_says_which_right_a_phone_lacked(app: Flask) -> None:
    with app.test_request_context():
        app.handle_user_exception(NotAllowedError("This phone can enter only its own hand."))
        assert g.refusal == "This phone can enter only its own hand."


def test_the_reason_is_the_sentence_that_the_page_shows(
    house: Site, lone: Phone, lines: list[str]
) -> None:
    new = lone.show("/games/new/contract-rummy").form()
    lone.press(new.fill("names", "Rosalind, Bob"), status=422)
    back = {"league": "The Harpers", "passphrase": "five words nobody ever chose"}
    lone.post("/return", new.data() | back, 422)
    lone.show("/j/no-such-code", 404)
    lone.post(new.action, new.data() | {"csrf_token": "another"}, 422)
    reasons = [line["reason"] for line in map(json.loads, lines) if line["event"] == "refused"]
    assert reasons[0] == "Contract Rummy is for 3 to 8 players, not 2."
    assert reasons[1].startswith("No league here has this name and this passphrase.")
    assert reasons[2] == "This code doesn't work"
    assert reasons[3].endswith("send it again.")


def test_a_stale_save_says_why(lone: Phone, lines: list[str]) -> None:
    table = start(lone, "contract-rummy")
    late = entry(lone, table, "out", 0)
    score(lone, table, "out", 1, {0: "2 2", 2: "3 3"})
    review(lone, late, {1: "K", 2: "A"}, status=409)
    (refused,) = [line for line in map(json.loads, lines) if line["event"] == "refused"]
    assert (refused["status"], refused["reason"]) == (409, "Someone else changed this")


def test_an_outage_has_one_trace_and_then_a_line_for_each_request(
    lone: Phone, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    away = OperationalError("", {}, Exception())
    away.orig = sqlite3.OperationalError("disk I/O error")
    away.orig.sqlite_errorname = "SQLITE_IOERR"
    views = lone.client.application.view_functions

    @wraps(views["rules.index"])
    def fail() -> None:
        raise away

    monkeypatch.setitem(views, "rules.index", fail)
    for _ in range(3):
        lone.show("/rules", 503)
    logged = [json.loads(line) for line in lines]
    assert ["trace" in line for line in logged] == [True, False, False, False]
    assert {line.get("reason", line["event"]) for line in logged} == {
        "The server's disk does not answer."
    }


@pytest.mark.slow
def test_no_line_opens_a_door(server: Server) -> None:
    Scorer.start(browser := Browser(server.port))
    code, words = "the-code-of-an-invitation", "a passphrase that nobody has"
    name = "Grandmother Rosalind"
    for path, form in (
        (f"/j/{code}", {"name": name}),
        (f"/claims/{code}", {}),
        ("/return", {"league": name, "passphrase": words}),
    ):
        browser.ask(path, form)
    new = browser.show("/games/new/zioncheck").form().fill("names", f"{name}, Bob, Cleo")
    spoil(server, "player")
    assert browser.ask(new.action, new.data()).status_code == 500
    written = server.log.read_text()
    assert "no such table" in written
    assert "Traceback" in written
    for secret in (code, words, name, name.casefold(), *browser.cookies.values()):
        assert secret not in written, secret


def test_a_trace_loses_what_the_request_brought(house: Site, lines: list[str]) -> None:
    code, words, token = "code-of-an-invitation", "four words that open", "token-of-a-phone"
    with house.app.test_request_context(
        f"/j/{code}", method="POST", data={"name": words}, headers={"Cookie": f"device={token}"}
    ):
        assert request.form["name"] == words
        try:
            raise RuntimeError(f"neither {code} nor {words} nor {token} was expected")
        except RuntimeError:
            house.app.logger.exception("This went wrong")
    (line,) = lines
    assert "RuntimeError: neither ... nor ... nor ... was expected" in json.loads(line)["trace"]


def spoil(server: Server, table: str) -> None:
    """Take a table away under the running server."""
    path = server.log.with_name("instance") / "companion.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute(f"ALTER TABLE {table} RENAME TO elsewhere")
        connection.commit()


@pytest.mark.slow
def test_nobody_fills_the_disk_by_being_refused(server: Server) -> None:
    stranger = Browser(server.port)
    for _ in range(MOST_A_MINUTE + 20):
        assert stranger.ask("/claims/guess", method="HEAD").status_code == 405
    listed = [line["event"] for line in server.events]
    assert listed.count("refused") == MOST_A_MINUTE - 1
    assert listed[-1] == "more refusals in this minute are not listed"


def test_a_room_writes_an_event_with_its_facts(lines: list[str]) -> None:
    log_event("phone removed", league=3, removed=7)
    log_refusal("wrong passphrase", league=3)
    event, refusal = map(json.loads, lines)
    assert (event["level"], event["event"], event["removed"]) == ("info", "phone removed", 7)
    assert (refusal["level"], refusal["event"], refusal["league"]) == (
        *("warning", "wrong passphrase"),
        3,
    )
    assert event["from"] == refusal["from"] == "companion.store.event_log"


@pytest.mark.parametrize("hostile", ["a\nb", '", "level": "info', "\x1b[2J", "‮", "\u2028"])
def test_no_text_begins_a_line_or_speaks_to_a_terminal(lines: list[str], hostile: str) -> None:
    log_event(hostile, words=hostile)
    (line,) = lines
    assert line.isprintable()
    assert line.isascii()
    assert json.loads(line)["event"] == json.loads(line)["words"] == hostile
