"""How much one connection may ask of the server: waitress' own settings are for trusted ones.

Waitress takes a hundred connections and then no more until some end, so a hundred that send half a
request stop everybody. Here the one that has kept the server waiting longest makes room: whoever
sends whole requests is never that one.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.utilities import RequestEntityTooLarge

PAGE = (
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
    "<title>That is too much</title><h1>That is too much</h1>"
    "<p>Nothing was changed. Send less at once.</p>"
)
"""Sent by the server itself, which refuses such a request before the application sees it."""
MEGABYTE = 2**20
LARGEST_FILE = 40 * MEGABYTE
LARGEST_FORM = MEGABYTE
"""More than any form may have; what is between has a page of its own that says so."""
TAKES_FILES = ("/league/files/looks", "/league/past/looks")
# Without poll there is select, which takes 512 sockets on Windows.
MOST_CONNECTIONS = 800 if hasattr(select, "poll") else 300
MOST_FILES = 8
"""The most files that come in at once; each lies in a file on the server's disk meanwhile."""
# Systems allow 256 or 1,024 unless asked, too few for so many connections.
OPEN_FILES = 4096
BOUNDS: dict[str, Any] = {
    # Whoever hangs up is noticed while the answer is made, so that dear work can be left.
    "channel_request_lookahead": 1,
    "asyncore_use_poll": hasattr(select, "poll"),
    "channel_timeout": 60,
    "max_request_header_size": 32 * 1024,
    "max_request_body_size": LARGEST_FILE,
    "inbuf_overflow": 64 * 1024,
    # A large file comes in few pieces: between two of them others are served.
    "recv_bytes": 64 * 1024,
}
"""What `waitress.create_server` is called with, beside where to listen and for how many."""


def most_connections(threads: int) -> int:
    """Return how many connections a server of so many threads keeps: a waiting page has one."""
    return max(MOST_CONNECTIONS, 2 * threads if hasattr(select, "poll") else 0)


def bound(servers: Iterable[Any], threads: int) -> None:
    """Let everything in waitress' map that listens keep to these bounds, and open enough files."""
    for server in servers:
        if isinstance(server, BaseWSGIServer):
            server.channel_class = BoundConnection
    # On the class, for waitress makes the connections itself.
    BoundConnection.most = most_connections(threads)
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        enough = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, enough), hard))


class FormTooLarge(RequestEntityTooLarge):
    """What is too large to be read, answered by a page and not by the server's plain words."""

    def to_response(  # type: ignore[override]  # the stubs say text; it is sent as it is
        self, ident: str | None = None
    ) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and page."""
        headers = [("Content-Type", "text/html; charset=utf-8")]
        return f"{self.code} {self.reason}", headers, PAGE.encode()


class BoundRequest(HTTPRequestParser):
    """A request that is refused before its body is read where nothing so large is taken."""

    path: str

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head of a request."""
        super().parse_header(header_plus)
        if self.content_length > LARGEST_FORM and not self.path.endswith(TAKES_FILES):
            self.error = RequestEntityTooLarge("")
            self.completed = True

    def received(self, data: bytes) -> int:
        """Take what arrived, and return how much of it."""
        taken = super().received(data)  # waitress refuses by itself what is larger than any file
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = FormTooLarge("")
        return taken


class BoundConnection(HTTPChannel):
    """A connection that makes room for others by how long the server waits for it."""

    parser_class = BoundRequest
    most = MOST_CONNECTIONS
    waited_since = 0.0
    brings_file = False

    def __init__(self, *opened: Any, **more: Any) -> None:
        super().__init__(*opened, **more)
        self.waited_since = time.monotonic()
        _make_room(self._others(), self.most)

    def received(self, data: bytes) -> bool:
        """Take what arrived; whoever has sent a whole request is waited for no longer."""
        taken = super().received(data)
        if self.request is None:
            self.waited_since, self.brings_file = time.monotonic(), False
        elif not self.brings_file and self.request.body_bytes_received > LARGEST_FORM:
            self.brings_file = True
            _make_room([one for one in self._others() if one.brings_file], MOST_FILES)
        return bool(taken)

    def _others(self) -> list[BoundConnection]:
        channels: Any = self.server.active_channels
        return list(channels.values())


def _make_room(connections: list[BoundConnection], most: int) -> None:
    """Close the connections that keep the server waiting longest, where there are too many."""
    waited_for = [one for one in connections if not (one.requests or one.total_outbufs_len)]
    waited_for.sort(key=lambda one: one.waited_since)
    for one in waited_for[: max(0, len(connections) - most)]:
        one.will_close = True
