"""The door for programs in the words of OpenAPI, written from its views and their shapes."""

from __future__ import annotations

import inspect
import re
from typing import Any

import msgspec
from flask import current_app, url_for
from werkzeug.routing import Rule

from companion.web.middleware.plain_request import PLAIN

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
    answers, taken = (
        msgspec.json.schema_components(shapes, ref_template="#/components/schemas/{name}")[1]
        for shapes in (
            [*(view.answer for view in views.values()), Refused],
            [view.takes for view in views.values() if view.takes],
        )
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Card Table Companion", "version": current_app.config["VERSION"]},
        "servers": [{"url": url_for("home.front", _external=True).rstrip("/")}],
        "paths": _paths(blueprint),
        "components": {
            "schemas": answers | _without_control_characters(taken),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _without_control_characters(schema: Any) -> Any:
    """Say of every text in a schema what `sent` refuses, which no type of msgspec can say."""
    if isinstance(schema, list):
        return [_without_control_characters(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    described = {name: _without_control_characters(part) for name, part in schema.items()}
    is_text = "maxLength" in schema and "pattern" not in schema
    return ({"pattern": PLAIN} if is_text else {}) | described


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
    operation: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "parameters": [
            *(
                _parameter(one, "path", {"type": "integer" if one.endswith("_id") else "string"})
                for one in sorted(rule.arguments)
            ),
            *(
                _parameter(one, "query", msgspec.json.schema(kind))
                for one, kind in view.parameters.items()
            ),
        ],
        "responses": {
            "201" if view.takes else "200": _content("what was asked for", view.answer),
            **{code: _content(words, Refused) for code, words in REFUSALS.items()},
        },
    }
    if more:
        operation["description"] = " ".join(more.split())
    if view.takes:
        operation["requestBody"] = {"required": True, **_content("", view.takes)}
    return operation


def _parameter(name: str, where: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": schema}


def _content(words: str, shape: type[msgspec.Struct]) -> dict[str, Any]:
    named = {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}
    return ({"description": words} if words else {}) | {"content": {JSON: named}}
