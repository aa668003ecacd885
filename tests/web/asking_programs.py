"""Programs that ask a league: let in by its owner, with a token and without cookies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from tests.leagues.kept_story import KeptRows
from tests.visits.browserless import score, start
from tests.visits.pages import value_of
from tests.visits.phones import Phone, Site
from tests.visits.promises import check_headers


@dataclass
class Program:
    """A program with its token, and without cookies."""

    site: Site
    token: str

    def open(self, method: str, path: str, **sent: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        with self.site.app.test_client(use_cookies=False) as client:
            return client.open(path, method=method, headers=headers, buffered=True, **sent)

    def ask(self, path: str, sent: Any = None) -> TestResponse:
        answer = self.open("GET" if sent is None else "POST", f"/api/v1/{path}", json=sent)
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
    reads: Program
    scores: Program


KEPT: list[tuple[KeptRows, str, list[str]]] = []
"""The home as this worker first told it: its rows, Ann's cookie, the tokens of the programs."""


@pytest.fixture
def home(house: Site) -> Home:
    """Told once a worker, and put back after that."""
    ann, file = house.phone(), str(house.engine.url.database)
    if not KEPT:
        table = start(ann, "contract-rummy", league_name="The Harpers")
        score(ann, table, "out", 0, {1: "K", 2: "A"})
        tokens = [let_in(ann, name, role) for name, role in ROLES]
        cookie = ann.client.get_cookie("device")
        assert cookie
        KEPT.append((KeptRows(file), cookie.value, tokens))
    rows, mine, tokens = KEPT[0]
    rows.put_back(file)
    ann.client.set_cookie("device", mine)
    return Home(house, ann, *(Program(house, token) for token in tokens))


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
