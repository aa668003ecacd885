"""How many phones one server keeps up to date: print how long the question of a live page takes.

    python -m bench.live [phones]

A real server in a process of its own, and phones in others, each asking every three seconds.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence

from flask import Flask

from companion import create_app
from companion.games import writer
from companion.people import leagues
from companion.rules import load
from companion.upkeep import startup

SECONDS, PACE, PROCESSES = 20, 3.0, 2
DEVICE = "the-phone-of-the-bench"


def serve(folder: str, ready: multiprocessing.Queue[int]) -> None:
    """Serve a league with one running game, as `flask serve` does."""
    from waitress.server import create_server

    server = create_server(app_in(folder), host="127.0.0.1", port=0, threads=8)
    ready.put(server.effective_port)
    server.run()


def app_in(folder: str) -> Flask:
    """Make the product on a folder of its own."""
    os.environ["INSTANCE_PATH"] = folder
    return create_app()


def ask(port: int, phones: int, pace: float, told: multiprocessing.Queue[list[float]]) -> None:
    """Be so many phones, and tell how many milliseconds each answer took."""
    due = sorted(random.random() * pace for _ in range(phones))
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Cookie": f"device={DEVICE}"}
    took: list[float] = []
    begun, turn = time.perf_counter(), 0
    while (at := due[turn % phones] + pace * (turn // phones)) < SECONDS:
        if (early := begun + at - time.perf_counter()) > 0:
            time.sleep(early)
        asked = time.perf_counter()
        connection.request("GET", "/games/1/live", headers=headers)
        answer = connection.getresponse()
        answer.read()
        headers["If-None-Match"] = answer.headers["ETag"]
        took.append(1000 * (time.perf_counter() - asked))
        turn += 1
    told.put(took)


def at_percent(values: Sequence[float], percent: int) -> float:
    """Give the value below which so many of a hundred lie."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def main() -> None:
    """Ask with more and more phones."""
    folder = tempfile.mkdtemp()
    with app_in(folder).app_context():
        startup.prepare()
        ann = leagues.open_league("The Harpers", DEVICE)
        writer.start_game(ann, "begun", load("contract-rummy"), ["Ann", "Bob", "Cleo", "Dan"])
    ready: multiprocessing.Queue[int] = multiprocessing.Queue()
    multiprocessing.Process(target=serve, args=(folder, ready), daemon=True).start()
    port = ready.get(timeout=30)
    print("phones | questions a second | p50 ms | p95 ms | p99 ms")
    for phones in map(int, sys.argv[1:] or ("100", "300", "600", "1200")):
        told: multiprocessing.Queue[list[float]] = multiprocessing.Queue()
        asking = (port, phones // PROCESSES, PACE, told)
        crowd = [multiprocessing.Process(target=ask, args=asking) for _ in range(PROCESSES)]
        begun = time.perf_counter()
        for one in crowd:
            one.start()
        took = [each for _ in crowd for each in told.get()]
        rate = len(took) / (time.perf_counter() - begun)
        shown = " | ".join(f"{at_percent(took, percent):.1f}" for percent in (50, 95, 99))
        print(f"{phones} | {rate:.0f} | {shown}")


if __name__ == "__main__":
    main()
