"""What a stranger's file may cost: of the processor and memory, by the server's own count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.processes.served import Browser, Server, page_of, served

pytestmark = pytest.mark.slow
SECONDS, MEMORY = 2, 200
"""What one upload may take: of the processor, and MiB."""


def names(many: int) -> bytes:
    return ",".join(f"Guest {number}" for number in range(many)).encode()


HOSTILE = {
    "wide head, short rows": names(298) + b"\n" + b"1,2\n" * 8000,
    "titles above each table": b"".join(b"T%d\n\nAnn,Ben\n1,2\n\n" % n for n in range(8000)),
    "titles and games": b"".join(b"T%d\n" % n for n in range(9000))
    + b"Date,Ann,Ben\n"
    + b"2024-01-01,1,2\n" * 9000,
    "long titles": (b"1 may 2 " * 40 + b"\n\nAnn,Ben\n1,2\n\n") * 600,
    "one wide row": b"," * 298 + b"x\n" + b"1\n" * 110_000,
    "numbers everywhere": (names(290) + b"\n" + (b"%b\n" % b",".join([b"12"] * 290)) * 650),
    "sums everywhere": b"Ann,Ben\n1,1\n1,1\n" + b"2,2\n" * 30_000,
    "a foot below each table": b"".join(
        b"Date,Ann,Ben\n2024-01-01,%d,2\n2024-01-02,1,2\nTotal,5,5\n\n" % n for n in range(2500)
    ),
    "days everywhere": b"Date,Ann,Ben\n"
    + b"".join(b"%d May %d,%d,%d\n" % (1 + n % 28, 1990 + n % 30, n, n) for n in range(60_000)),
    "games of many names": b"Date,Game,Ann,Ben\n"
    + b"".join(b"2024-01-01,Game of %d,%d,%d\n" % (n, n, n) for n in range(4000)),
    "games of as many names as may be": b"Date,Game,Ann,Ben\n"
    + b"".join(b"2024-01-01,Game of %d,%d,%d\n" % (n % 300, n, n) for n in range(8000)),
    "games of hundreds of deals": b"".join(
        b"2024-01-%02d Hearts\n\nAnn,Ben,Cy,Di\n" % (n + 1) + b"5,0,7,1\n0,9,2,3\n" * 450 + b"\n"
        for n in range(8)
    ),
    "people of many names": b"Player,1,2\n" + b"".join(b"P%d,1,2\n" % n for n in range(60_000)),
    "empty lines": b"\n" * 10_000_000,
    "quotes": b'"' * 9_999_999,
    "commas": b"," * 9_999_999,
    "one long line": b"Ann,Ben\n" + b"9" * 9_000_000 + b",1\n",
    "objects in objects": b'{"games":' + b'[{"a":' * 50_000,
    "plays of nobody": b'{"games":[],"players":[],"plays":['
    + b",".join([b'{"playDate":"2024-01-01","gameRefId":1,"playerScores":[]}'] * 100_000)
    + b"]}",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("hostile")) as server:
        yield server


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_upload_takes_more_than_two_seconds_and_200_mib(server: Server, kind: str) -> None:
    stranger = Browser(server.port)
    form = page_of(stranger.ask("/league/past")).form("/past/looks").data()
    stranger.ask("/league/past")
    memory, cpu = server.most_memory, server.cpu
    answer = stranger.send("/league/past/looks", form, HOSTILE[kind])
    assert answer.status_code in (200, 422), answer.text[:500]
    assert server.cpu - cpu < SECONDS
    assert server.most_memory - memory < MEMORY
