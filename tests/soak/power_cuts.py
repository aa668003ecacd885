"""A disk that loses power: what a server acknowledged is there when it comes back."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread

from tests.processes.served import BEHIND_A_PROXY, Browser, Scorer, Server, another_address, start

from .live_backups import compare

SHUT_DOWN = 0x8004587D
"""ext4's own ioctl for tests; 2: without writing its log, as when the plug is pulled."""
MEGABYTES = 48


def can_cut() -> bool:
    """Return whether this process may mount a disk of its own: only root may."""
    return os.name == "posix" and os.geteuid() == 0 and Path("/dev/loop0").exists()


@dataclass
class Disk:
    """A file that is a disk with a file system of its own."""

    image: Path
    mounted: Path

    def mount(self) -> None:
        subprocess.run(["mount", "-o", "loop", self.image, self.mounted], check=True)

    def unmount(self) -> None:
        subprocess.run(["umount", self.mounted], check=True)

    def cut(self) -> None:
        """Lose power: from now on nothing is written, and what only memory held is gone."""
        folder = os.open(self.mounted, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUT_DOWN, struct.pack("I", 2))
        finally:
            os.close(folder)


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    """Make a disk and mount it; it is gone afterwards."""
    made = Disk(folder / "disk.img", folder / "disk")
    made.mounted.mkdir()
    with made.image.open("wb") as file:
        file.truncate(MEGABYTES * 2**20)
    subprocess.run(["mkfs.ext4", "-q", made.image], check=True)
    made.mount()
    try:
        yield made
    finally:
        made.unmount()
        made.image.unlink()


@dataclass
class Evening:
    """A phone that starts games and scores them until the power goes, and what it was told."""

    server: Server
    chance: Random
    promised: dict[str, int] = field(default_factory=dict)

    def play(self) -> None:
        try:
            browser = Browser(self.server.port, address=another_address())
            while True:
                scorer = Scorer.start(browser)
                self.promised[scorer.game] = 1
                for _ in range(5):
                    self.promised[scorer.game] = scorer.score(self.chance.choice((5, 10, 15)))
        except (OSError, HTTPException, AssertionError):
            return  # the disk is gone: a sentence, or no answer at all


def cut_power(folder: Path, cuts: int, chance: Random) -> None:
    """Cut the power so many times, the first within seconds of the first start, and compare."""
    began, kept = time.monotonic(), 0
    with disk(folder) as home:
        for number in range(cuts):
            instance = home.mounted / f"instance{number // 50}"
            server = start(instance, **BEHIND_A_PROXY)
            evening = Evening(server, chance)
            player = Thread(target=evening.play)
            player.start()
            time.sleep(chance.random() * (0.3 if number % 50 == 0 else 1))
            home.cut()
            player.join()
            server.kill()
            home.unmount()
            home.mount()
            assert (instance / "secret_key").stat().st_size == 32
            kept += _compare(instance, evening.promised)
    took = round(time.monotonic() - began)
    print(f"sqlite: {cuts} power cuts, {kept} games promised in them, none lost, {took} s")


def _compare(instance: Path, promised: dict[str, int]) -> int:
    database = instance / "companion.sqlite"
    if promised:
        compare(database, promised)
    if database.exists():
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return len(promised)
