"""The addresses that pages name: each is written once, for a page names sixty of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flask
from flask import Flask, request

MOST = 5_000
"""Those of twenty tables, with their deals and seats."""


def init_app(app: Flask) -> None:
    """Let templates write addresses as `flask.url_for` does, but for those with a host."""
    app.jinja_env.globals["url_for"] = address


def address(endpoint: str, **values: Any) -> str:
    """Return the address of a view of this app, below the folder that it was asked under."""
    if "_external" in values:
        return flask.url_for(endpoint, **values)
    return _written(request.script_root, endpoint, *values.items())


@lru_cache(MOST)
def _written(_root: str, endpoint: str, *values: tuple[str, Any]) -> str:
    return flask.url_for(endpoint, **dict(values))
