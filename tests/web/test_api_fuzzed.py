"""The door for programs against its description: what fits is taken, what doesn't is refused."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from .asking_programs import FIVE, OUT, Home, Program, check, held, home, report

__all__ = ["home"]
pytestmark = pytest.mark.slow
FUZZED = settings(
    max_examples=60,
    phases=[Phase.generate],
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KNOWN = {"game_id": 1, "key": "zioncheck", "season": "2026"}
DEALS = "/api/v1/games/{game_id}/deals"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def fitting(schema: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Whatever fits a part of the description, `known` are the shapes that it refers to."""
    if "$ref" in schema:
        return fitting(known[schema["$ref"].rpartition("/")[2]], known)
    if "anyOf" in schema:
        return st.one_of(*(fitting(one, known) for one in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    made = {
        "integer": lambda: st.integers(schema.get("minimum"), schema.get("maximum")),
        "string": lambda: text(schema),
        "array": lambda: st.lists(fitting(schema["items"], known), max_size=4),
        "object": lambda: fields(schema, known),
        "boolean": st.booleans,
        "null": st.none,
    }
    return made[schema["type"]]()


def text(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", 80)
    if "pattern" not in schema:
        return st.text(min_size=least, max_size=most)
    matching = st.from_regex(schema["pattern"], fullmatch=True)
    return matching.filter(lambda text: least <= len(text) <= most)


def fields(schema: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    if "properties" not in schema:
        values = fitting(schema["additionalProperties"], known)
        return st.dictionaries(text(schema["propertyNames"]), values, max_size=4)
    parts = {name: fitting(part, known) for name, part in schema["properties"].items()}
    needed = {name: parts.pop(name) for name in schema["required"]}
    return st.fixed_dictionaries(needed, optional=parts)


def described(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = Program(home.site, "").get("openapi.json")
    return found


def fits_description(description: dict[str, Any], sent: str) -> bool:
    """Tell whether a body fits its description."""
    body = description["paths"][DEALS]["post"]["requestBody"]["content"]["application/json"]
    schema = body["schema"] | {"components": description["components"]}
    return Draft202012Validator(schema).is_valid(json.loads(sent))


@seed(7)
@FUZZED
@given(data=st.data())
def test_every_question_that_fits_is_answered_as_described(home: Home, data: Any) -> None:
    description = described(home)
    reading = {path: one["get"] for path, one in description["paths"].items() if "get" in one}
    path = data.draw(st.sampled_from(sorted(reading)))
    asked: dict[str, dict[str, str]] = {"path": {}, "query": {}}
    for one in reading[path]["parameters"]:
        known = [st.just(KNOWN[one["name"]])] if one["name"] in KNOWN else []
        value = data.draw(st.one_of(*known, fitting(one["schema"], {})))
        asked[one["in"]][one["name"]] = str(value)
    parts = {name: quote(value, safe="") for name, value in asked["path"].items()}
    answer = home.scores.open("GET", path.format(**parts), query_string=asked["query"])
    assert answer.status_code in (200, 404), answer.text
    check(description, reading[path]["responses"][str(answer.status_code)], answer.json)


@seed(7)
@FUZZED
@given(data=st.data())
def test_every_deal_that_fits_is_read(home: Home, data: Any) -> None:
    """The rules may forbid it, or the game may have gone on: that is no fault of its shape."""
    description = described(home)
    view = description["paths"][DEALS]["post"]
    shape = view["requestBody"]["content"]["application/json"]["schema"]
    sent = data.draw(fitting(shape, description["components"]["schemas"]))
    sent["revision"] = data.draw(st.sampled_from([sent["revision"], 2, 2.0]))
    answer = home.scores.open("POST", DEALS.format(game_id=1), data=json.dumps(sent))
    assert answer.status_code in (201, 409, 422), answer.text
    assert "can't be read" not in answer.text
    check(description, view["responses"][str(answer.status_code)], answer.json)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@seed(7)
@FUZZED
@given(data=st.data())
def test_no_deal_that_does_not_fit_is_read(home: Home, data: Any) -> None:
    """One part of a good deal is something else, or gone, or too much."""
    description = described(home)
    good = report(2, "mine", seat0=OUT, seat1=held("7 7 K"), seat2=FIVE)
    part = data.draw(st.sampled_from([good, good["lines"], good["lines"]["1"]]))
    name = data.draw(st.sampled_from(sorted(part)) | st.text(max_size=8))
    part[name] = data.draw(ODD)
    sent = json.dumps(good)
    if data.draw(st.booleans()) or name == "revision":
        sent = sent[: data.draw(st.integers(0, len(sent)))]
    try:
        fits = fits_description(description, sent)
    except ValueError:
        fits = False
    answer = home.scores.open("POST", DEALS.format(game_id=1), data=sent)
    assert answer.status_code in ((201, 409, 422) if fits else (422,)), (sent, answer.text)


def test_what_no_method_does_is_refused_with_those_that_do(home: Home) -> None:
    for path, views in described(home)["paths"].items():
        for method in METHODS:
            if method.lower() not in views:
                answer = home.scores.open(method, path.format(**KNOWN))
                assert answer.status_code == 405, (method, path)
                assert {one.upper() for one in views} <= {*answer.headers["Allow"].split(", ")}
