"""How soon a server answers, and what it holds: ours beside one that imports the same libraries.

    python -m bench.start [rounds] [python of a place where I Hate Money is installed]

From the start of the process to the first 200, wall and CPU; resident memory after twenty pages.
The other servers import every library that ours had imported by then, and return one line; one
makes our tables known to SQLAlchemy besides, below which no app with these tables can come. All
begin with a database that is there already, in turn, and the median of each is printed.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.ihatemoney_page import settings_in

PAGES = 20
SERVE = ("serve", "--host", "127.0.0.1")
IMPORTED = """
import sys
from companion import create_app
import waitress.server
client = create_app().test_client()
client.get("/")
print(*sorted({name for name in sys.modules if not name.startswith(("companion", "__main__"))}))
"""
SAME = """
import contextlib, importlib, sys
for name in sys.argv[2:]:
    with contextlib.suppress(Exception):
        importlib.import_module(name)
from flask import Flask
from waitress import serve
app = Flask("same")
app.get("/")(lambda: "one line")
serve(app, host="127.0.0.1", port=int(sys.argv[1]))
"""
TABLES = """
import sqlalchemy.orm
from companion.store import models
sqlalchemy.orm.configure_mappers()
"""
IHATEMONEY = """
import sys
from ihatemoney.run import create_app
from waitress import serve
serve(create_app(), host="127.0.0.1", port=int(sys.argv[1]))
"""


class Server(NamedTuple):
    """A server to be started: its name, its command without the port, what it is run in."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    after_port: Sequence[str] = ()


class Taken(NamedTuple):
    """Seconds to the first answer, by the clock and of a processor; MiB after some pages."""

    wall: float
    cpu: float
    memory: float


def start(server: Server) -> Taken:
    """Start a server, ask it until it answers, then some pages more, and stop it."""
    port = _free_port()
    command = [*server.command, str(port), *server.after_port]
    begun = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command, env=server.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while _status(port) != 200:
            if process.poll() is not None:
                sys.exit(f"{server.name} ended by itself.")
            time.sleep(0.002)
        wall = time.perf_counter() - begun
        cpu = _cpu(process.pid)
        for _ in range(PAGES):
            _status(port)
        return Taken(wall, cpu, _memory(process.pid))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _status(port: int) -> int | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
    except OSError:
        return None
    finally:
        connection.close()
    return answer.status


def _cpu(pid: int) -> float:
    """Return the seconds of a processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """Return what a process holds in memory, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def servers(folder: Path, other_python: str | None) -> list[Server]:
    """List the servers to compare, ours first."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    plain = {**kept, "INSTANCE_PATH": str(folder / "instance")}
    names = subprocess.run(  # noqa: S603
        [sys.executable, "-c", IMPORTED], env=plain, capture_output=True, text=True, check=True
    ).stdout.split()
    found = [
        Server("Card Table", [sys.executable, "-m", "companion", *SERVE, "--port"], plain),
        Server("the same libraries", [sys.executable, "-c", SAME], plain, names),
        Server("  and our tables", [sys.executable, "-c", TABLES + SAME], plain, names),
    ]
    if other_python:
        there = kept | settings_in(folder)
        found.append(Server("I Hate Money", [other_python, "-c", IHATEMONEY], there))
    return found


def main() -> None:
    """Print what each takes, and ours as a share of it."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 7
    with tempfile.TemporaryDirectory() as temporary:
        compared = servers(Path(temporary), sys.argv[2] if sys.argv[2:] else None)
        for server in compared:
            start(server)
        taken = [[start(server) for server in compared] for _ in range(rounds)]
    print("                     first 200: s    CPU: s    memory: MiB   ours is: s   CPU   memory")
    ours = _median([row[0] for row in taken])
    for server, rows in zip(compared, zip(*taken, strict=True), strict=True):
        middle = _median(rows)
        shares = "   ".join(f"{a / b:5.2f}" for a, b in zip(ours, middle, strict=True))
        wall, cpu, memory = middle
        print(f"{server.name:20} {wall:12.2f} {cpu:9.2f} {memory:14.0f}       {shares}")


def _median(rows: Sequence[Taken]) -> Taken:
    return Taken(*map(statistics.median, zip(*rows, strict=True)))


if __name__ == "__main__":
    main()
