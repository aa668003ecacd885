"""The door for programs in the words of OpenAPI, written from its views and their shapes."""

from __future__ import annotations

import inspect
import re
from typing import Any

import msgspec
from flask import current_app, url_for
from werkzeug.routing import Rule

from .json_answers import JSON, Described, views
from .shapes import Refused

PART = re.compile(r"<(?:\w+:)?(\w+)>")
"""A part of an address as Flask has it; OpenAPI writes `{game_id}`."""
REFUSALS = {
    "401": "no program of a league",
    "403": "more than the program may do",
    "404": "nothing is here for this program",
    "409": "the game was changed since",
    "422": "what was sent can't be",
}


def describe(blueprint: str) -> dict[str, Any]:
    """Return the description of every view that is marked with its shape."""
    shapes = [shape for view in views.values() for shape in (view.answer, view.takes) if shape]
    _, components = msgspec.json.schema_components(
        [*shapes, Refused], ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Card Table Companion", "version": current_app.config["VERSION"]},
        "servers": [{"url": url_for("home.front", _external=True).rstrip("/")}],
        "paths": _paths(blueprint),
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _paths(blueprint: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for rule in current_app.url_map.iter_rules():
        room, _, name = rule.endpoint.partition(".")
        if room == blueprint and name in views:
            path = PART.sub(r"{\1}", rule.rule)
            method = "post" if views[name].takes else "get"
            found.setdefault(path, {})[method] = _operation(rule, name, views[name])
    return dict(sorted(found.items()))


def _operation(rule: Rule, name: str, view: Described) -> dict[str, Any]:
    words = inspect.getdoc(current_app.view_functions[rule.endpoint]) or ""
    summary, _, more = words.partition("\n\n")
    asked: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "parameters": [
            *(_parameter(one, "path", kind) for one, kind in _asked_in_path(rule)),
            *(
                _parameter(one, "query", "string") | {"description": words}
                for one, words in view.asks.items()
            ),
        ],
        "responses": {
            "201" if view.takes else "200": _content("what was asked for", view.answer),
            **{code: _content(words, Refused) for code, words in REFUSALS.items()},
        },
    }
    if more:
        asked["description"] = " ".join(more.split())
    if view.takes:
        asked["requestBody"] = {"required": True, **_content("", view.takes)}
    return asked


def _asked_in_path(rule: Rule) -> list[tuple[str, str]]:
    names = sorted(rule.arguments)
    return [(name, "integer" if name.endswith("_id") else "string") for name in names]


def _parameter(name: str, where: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": {"type": kind}}


def _content(words: str, shape: type[msgspec.Struct]) -> dict[str, Any]:
    named = {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}
    return ({"description": words} if words else {}) | {"content": {JSON: named}}
