"""A disk that is full at any level: a save is whole or refused in a sentence."""

from __future__ import annotations

import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.processes.served import BEHIND_A_PROXY, Browser, Scorer, another_address, served

MEGABYTES = 24
STEP = 2048


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    place = folder / "small"
    place.mkdir()
    options = f"size={MEGABYTES}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def fill_up(folder: Path, levels: int) -> None:
    """Save with so many different amounts of room left, and compare promises with scores."""
    began, answers = time.monotonic(), Counter[str]()
    with small_disk(folder) as place, served(place / "instance", **BEHIND_A_PROXY) as server:
        browser = Browser(server.port, address=another_address())
        for level in range(levels):
            scorer = Scorer.start(browser)
            ballast = place / "ballast"
            _fill(ballast, level * STEP)
            review = scorer.review(10)
            saved = browser.ask(review.action, review.data() | review.button("save"))
            assert saved.status_code in (303, 503), saved.text[:300]
            if saved.status_code == 503:
                assert "disk is full" in saved.text
                assert saved.headers["Retry-After"]
            answers[str(saved.status_code)] += 1
            assert browser.ask(scorer.game).status_code == 200
            ballast.unlink()
            if saved.status_code == 503:
                saved = browser.ask(review.action, review.data() | review.button("save"))
                assert saved.status_code == 303, saved.text[:300]
            assert re.search(r"saved=2\b", saved.headers["Location"])
    took = round(time.monotonic() - began)
    print(f"sqlite: full at {levels} levels, answers {dict(answers)}, none lost, {took} s")


def _fill(ballast: Path, left: int) -> None:
    """Take all room but so many bytes."""
    with ballast.open("wb", buffering=0) as file:
        with suppress(OSError):
            while file.write(bytes(65536)):
                pass
        file.truncate(max(file.tell() - left, 0))
