"""How soon eight phones a table hear of a save, and what waiting costs the server.

    python -m bench.live [tables …]

A real `flask serve`, phones of one connection each in processes of their own, and one table a
second changed by a commit of another process. Printed: what a quiet table costs (the server's CPU
in an hour, packets of a phone in a minute, acknowledgements among them), then with the saves the
answers a second, the CPU, the time from commit to each phone's answer, and the server's memory.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_urlsafe

from companion import create_app
from companion.games import writer
from companion.games.changes import choose_dealer
from companion.people import leagues
from companion.rules import load
from companion.upkeep import startup
from companion.web.middleware.device_cookie import Cookie
from tests.processes import served

BEGINNING, QUIET, SAVES, PHONES, PROCESSES = 22, 30, 20, 8, 2
SECONDS = BEGINNING + QUIET + SAVES + 3
DEVICE = "the-phone-of-the-bench"
NAMES = ("Ann", "Bob", "Cleo", "Dan")
Heard = list[tuple[int, str, float]]


def follow(port: int, cookie: str, game: int, heard: Heard, over: threading.Event) -> None:
    """Be one phone: ask what is newer, and note when each answer came."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    seen = ""
    while not over.is_set():
        asked = f"/games/{game}/live?stays=1&wait=1&seen={seen}"
        line.request("GET", asked, headers={"Cookie": f"device={cookie}"})
        answer = line.getresponse()
        mark = answer.read().decode()
        if answer.status != 200:  # a page asks again after a moment where it gets no answer
            time.sleep(2)
            continue
        heard.append((game, "" if mark == seen else mark, time.time()))
        seen = mark


def crowd(
    port: int, cookie: str, games: Sequence[int], answers: multiprocessing.Queue[Heard]
) -> None:
    """Be the phones of some tables for a while."""
    heard, over = list[tuple[int, str, float]](), threading.Event()
    for game in games:
        for _ in range(PHONES):
            threading.Thread(
                target=follow, args=(port, cookie, game, heard, over), daemon=True
            ).start()
    time.sleep(SECONDS)
    over.set()
    answers.put(heard[:])


def at_percent(values: Sequence[float], percent: int) -> float:
    """Return the value below which so many of a hundred lie."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def packets() -> int:
    """Return how many packets crossed this machine's own network so far."""
    lines = Path("/proc/net/dev").read_text().splitlines()
    (own,) = (line for line in lines if line.strip().startswith("lo:"))
    return int(own.partition(":")[2].split()[1])


def measure(tables: int) -> str:
    """Play so many tables, and say what it took."""
    folder = tempfile.mkdtemp()
    os.environ["INSTANCE_PATH"] = folder
    app = create_app()
    with app.app_context():
        startup.prepare()
        ann = leagues.open_league("The Harpers", DEVICE)
        games = [
            writer.start_game(ann, token_urlsafe(9), load("contract-rummy"), NAMES).game_id
            for _ in range(tables)
        ]
        threads = str(max(64, tables * PHONES + 16))
        cookie = Cookie(DEVICE).write()
        server = served.start(Path(folder), "--threads", threads)
        answers: multiprocessing.Queue[Heard] = multiprocessing.Queue()
        parts = [games[number::PROCESSES] for number in range(PROCESSES)]
        phones = [
            multiprocessing.Process(target=crowd, args=(server.port, cookie, p, answers))
            for p in parts
        ]
        for one in phones:
            one.start()
        time.sleep(BEGINNING)  # until all phones have asked once
        worked, sent = server.cpu, packets()
        time.sleep(QUIET)
        an_hour = (server.cpu - worked) * 3600 / QUIET / tables
        a_minute = (packets() - sent) * 60 / QUIET / tables / PHONES
        worked, saves = server.cpu, {}
        for turn in range(SAVES):
            game = games[turn % tables]
            saved = writer.change_game(
                ann,
                game,
                1 + turn // tables,
                token_urlsafe(9),
                "dealer chosen",
                lambda record: choose_dealer(record, (record.first_dealer + 1) % len(NAMES)),
                accepted=True,
            )
            saves[game, f"{saved.revision}.0.running"] = time.time()
            time.sleep(1)
        worked = server.cpu - worked
        heard = [each for _ in phones for each in answers.get()]
        took = [
            1000 * (at - saves[game, mark]) for game, mark, at in heard if (game, mark) in saves
        ]
        memory = server.most_memory
        server.kill()
    late = f"{at_percent(took, 50):.0f} | {at_percent(took, 95):.0f} | {at_percent(took, 99):.0f}"
    quiet = f"{an_hour:.1f} s | {a_minute:.0f}"
    return (
        f"{quiet} | {len(heard) / SECONDS:.1f} | {100 * worked / SAVES:.1f} % | {late} | {memory}"
    )


def main() -> None:
    """Print a line for each number of tables."""
    quiet = "CPU of a quiet table-hour | packets a phone-minute"
    print(f"tables of 8 | {quiet} | answers a second | CPU | p50 ms | p95 | p99 | MiB")
    for tables in map(int, sys.argv[1:] or ("1", "10", "50", "100")):
        print(f"{tables} | {measure(tables)}", flush=True)


if __name__ == "__main__":
    main()
