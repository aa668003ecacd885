"""Where one request ends and the next begins: a real server and a socket of our own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.served import Server, served
from tests.support.patience import HANGS

pytestmark = pytest.mark.slow  # it asks a server of its own
HOST = "Host: localhost\r\nConnection: close\r\n"
HIDDEN = "GET /rules HTTP/1.1\r\n" + HOST + "\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(Path(tmp_path_factory.mktemp("requests"))) as running:
        yield running


def answers(server: Server, sent: str) -> list[str]:
    """Send bytes and list the first line of every answer until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS) as line:
        line.sendall(sent.encode("latin-1"))
        heard = b"".join(iter(lambda: line.recv(65536), b""))
    return [row[9:12] for row in heard.decode().splitlines() if row.startswith("HTTP/1.")]


@pytest.mark.parametrize(
    ("headers", "body", "said"),
    [
        ("", "", ["200"]),
        # Both lengths: the chunks count, and what follows them is a request of its own or nothing.
        ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", ["200"]),
        (f"Content-Length: {len(HIDDEN)}\r\n", HIDDEN, ["200"]),
        ("Content-Length: 3\r\nContent-Length: 0\r\n", "abc", ["400"]),
        ("Content-Length: +3\r\n", "abc", ["400"]),
        ("Content-Length: 3, 3\r\n", "abc", ["400"]),
        ("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n", ["501"]),
        ("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n", ["501"]),
        ("Transfer-Encoding: chunked\r\n", "zz\r\nabc\r\n0\r\n\r\n", ["400"]),
        ("Bad Header: 1\r\n", "", ["400"]),
    ],
)
def test_no_request_hides_in_another(
    server: Server, headers: str, body: str, said: list[str]
) -> None:
    assert answers(server, f"GET /healthz HTTP/1.1\r\n{HOST}{headers}\r\n{body}") == said
