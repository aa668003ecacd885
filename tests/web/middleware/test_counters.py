"""What is counted in memory is counted by many threads at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from limits.storage import MemoryStorage

from companion.web.middleware.limits import Counters


def test_many_at_once_are_counted_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    counting: list[str] = []
    together: list[int] = []

    def incr(_: MemoryStorage, key: str, expiry: float, amount: int = 1) -> int:
        counting.append(key)
        time.sleep(0.001)
        together.append(len(counting))
        counting.remove(key)
        return amount

    monkeypatch.setattr(MemoryStorage, "incr", incr)
    counters = Counters()
    with ThreadPoolExecutor(8) as hall:
        list(hall.map(lambda _: counters.incr("the hall", 60), range(40)))
    assert together == [1] * 40
