"""Twenty tables with six phones each on one server: what a save and a look take all the while."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

from tests.processes.served import BEHIND_A_PROXY, Browser, Scorer, Server, another_address, served
from tests.support.patience import HANGS, wait_until

TABLES, PHONES = 20, 5
LOOK, DEAL = 0.5, 6.0
"""Seconds between two looks of a phone, and between two deals of a table."""


@dataclass
class Table:
    """A table: one phone that keeps the score, and others that follow it."""

    server: Server
    over: Event
    saves: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    game: str = ""

    @property
    def plays(self) -> bool:
        """Whether a deal was saved, and another phone has looked."""
        return bool(self.saves and self.looks)

    def keep_score(self) -> None:
        browser = Browser(self.server.port, address=another_address())
        while not self.over.is_set():
            scorer = Scorer.start(browser)
            self.game, self.cookie = scorer.game, f"device={browser.cookies['device']}"
            for deal in range(5):
                began = time.monotonic()
                assert scorer.score(10) == deal + 2
                self.saves.append(time.monotonic() - began)
                self.over.wait(DEAL)

    def follow(self) -> None:
        line, mark = HTTPConnection("127.0.0.1", self.server.port, timeout=HANGS), ""
        while not self.over.wait(LOOK):
            if not self.game:
                continue
            began = time.monotonic()
            asked = f"{self.game}/live?stays=1&seen={mark}"
            line.request("GET", asked, headers={"Cookie": self.cookie})
            answer = line.getresponse()
            mark = answer.read().decode()
            assert answer.status == 200, answer.status
            self.looks.append(time.monotonic() - began)
        line.close()


def play(folder: Path, seconds: float) -> None:
    """Play so long once all have begun, and print how long saves and looks took."""
    over = Event()
    with (
        served(folder / "instance", **BEHIND_A_PROXY) as server,
        ThreadPoolExecutor(TABLES * (PHONES + 1)) as pool,
    ):
        tables = [Table(server, over) for _ in range(TABLES)]
        work: list[Callable[[], None]] = []
        for table in tables:
            work += [table.keep_score, *[table.follow] * PHONES]
        running = [pool.submit(one) for one in work]
        try:
            wait_until(lambda: all(table.plays for table in tables), "every table plays", LOOK)
            over.wait(seconds)
        finally:
            over.set()
        for one in running:
            one.result()
        pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
        memory = pages * os.sysconf("SC_PAGE_SIZE") // 2**20
    saves = [took for table in tables for took in table.saves]
    looks = [took for table in tables for took in table.looks]
    print(
        f"sqlite: {seconds / 60:.0f} minutes of {TABLES} tables: {len(saves)} saves of a deal "
        f"{_times(saves)}, {len(looks)} looks {_times(looks)}, {memory} MiB"
    )


def _times(took: list[float]) -> str:
    parts = statistics.quantiles(took, n=100)
    return f"p50 {1000 * parts[49]:.0f} ms, p99 {1000 * parts[98]:.0f} ms"
