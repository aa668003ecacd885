"""Programs that ask a league: let in by its owner, with a token and without cookies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from tests.visits.browserless import score, start
from tests.visits.pages import Page, value_of
from tests.visits.phones import Phone, Site
from tests.visits.promises import check_headers


@dataclass
class Program:
    """A program with its token, and without cookies."""

    site: Site
    token: str

    def ask(self, path: str, sent: Any = None) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        method = "GET" if sent is None else "POST"
        with self.site.app.test_client(use_cookies=False) as client:
            answer = client.open(
                f"/api/v1/{path}", method=method, json=sent, headers=headers, buffered=True
            )
        check_headers(path, answer)
        return answer

    def get(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status_code == 200, answer.text
        return answer.json


@dataclass
class Home:
    """Ann's phone with a league, its running game, and a program of each role."""

    site: Site
    ann: Phone
    table: Page
    reads: Program
    scores: Program


@pytest.fixture
def home(house: Site) -> Home:
    ann = house.phone()
    table = start(ann, "contract-rummy", "Ann", "Bob", "Cleo", league_name="The Harpers")
    table = score(ann, table, "out", 0, {1: "K", 2: "A"})
    made = [Program(house, let_in(ann, name, role)) for name, role in ROLES]
    return Home(house, ann, table, *made)


ROLES = (("Kitchen screen", "viewer"), ("Spreadsheet", "scorekeeper"))


def let_in(owner: Phone, name: str, role: str) -> str:
    """Let a program in on the page of phones, and copy its token."""
    form = owner.show("/league/devices").form("/programs")
    page = owner.press(form.fill("program", name).fill("may", role), status=200)
    return value_of(page.one("#token"))


def report(revision: int, key: str = "", **lines: Any) -> dict[str, Any]:
    told = {seat.removeprefix("seat"): tally for seat, tally in lines.items()}
    return {"key": key or uuid4().hex, "revision": revision, "lines": told}


def held(cards: str) -> dict[str, Any]:
    return {"declared": "", "cards": cards}


OUT = {"declared": "out"}
FIVE = {"declared": "", "total": 5}


def check(described: dict[str, Any], part: dict[str, Any], value: Any) -> None:
    schema = part["content"]["application/json"]["schema"] | {"components": described["components"]}
    faults = [fault.message for fault in Draft202012Validator(schema).iter_errors(value)]
    assert faults == []
