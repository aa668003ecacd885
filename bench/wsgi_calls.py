"""Straight WSGI calls and what they cost."""

from __future__ import annotations

import io
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Cost = Callable[[Any, str, dict[str, str], int], float]


@dataclass
class Answer:
    """What came back: its status, headers and bytes."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(app: Wsgi, address: str, headers: dict[str, str]) -> Answer:
    """Make one straight WSGI call."""
    path, _, query = address.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
    came: list[Any] = []

    def respond(status: str, found: list[tuple[str, str]], _: object = None) -> None:
        came.extend((status, found))

    parts = app(environ, respond)
    body = b"".join(parts)
    if close := getattr(parts, "close", None):
        close()
    return Answer(int(came[0][:3]), dict(came[1]), body)


def cost(app: Wsgi, address: str, headers: dict[str, str], calls: int) -> float:
    """Return the CPU of one call, in milliseconds; ends the program where a page is refused."""
    begun = time.process_time()
    statuses = {ask(app, address, headers).status for _ in range(calls)}
    taken = 1000 * (time.process_time() - begun) / calls
    if not statuses <= {200, 304}:
        sys.exit(f"{address} answers {statuses}")
    return taken


def after(change: Callable[[], None]) -> Cost:
    """Return what measures the CPU of the first call after each of some changes."""

    def taken(app: Any, address: str, headers: dict[str, str], calls: int) -> float:
        each = []
        for _ in range(calls):
            change()
            each.append(cost(app, address, headers, 1))
        return statistics.median(each)

    return taken
