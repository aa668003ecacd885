"""Addresses that are written late are those that Werkzeug writes at once."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import BuildError, Map, Rule

from companion.web.frame.plain_flask import LateRule

RULES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("/games/<int:game>", "show", {}),
    ("/games/<int:game>/seats/<int:seat>", "seat", {}),
    ("/rules/<key>", "book", {}),
    ("/league", "league", {"part": "all"}),
)
WRITTEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("show", {"game": 7}),
    ("show", {"game": 7, "saved": 3, "back": None}),
    ("seat", {"game": 7, "seat": 0}),
    ("book", {"key": "zip & zilch"}),
    ("league", {"part": "all"}),
    ("league", {}),
)


@pytest.mark.parametrize(("endpoint", "values"), WRITTEN)
def test_an_address_is_written_as_before(endpoint: str, values: dict[str, Any]) -> None:
    late, early = (
        Map([kind(rule, endpoint=name, defaults=more) for rule, name, more in RULES]).bind("x")
        for kind in (LateRule, Rule)
    )
    assert late.build(endpoint, values) == early.build(endpoint, values)
    assert late.build(endpoint, values) == early.build(endpoint, values), "and once more"
    with pytest.raises(BuildError):
        late.build("seat", {"game": 7})


def test_the_app_reads_no_session_cookie(on_sqlite: Flask) -> None:
    answer = on_sqlite.test_client().get("/", headers={"Cookie": "session=anything"})
    assert answer.status_code == 200
    assert not [one for one in answer.headers.getlist("Set-Cookie") if one.startswith("session=")]
