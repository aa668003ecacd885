"""What is counted in memory is counted by many threads at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.web.middleware.limits import Counters


@pytest.fixture
def hasty() -> Iterator[None]:
    """Have threads change places after every few steps."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty")
def test_many_at_once_are_all_counted() -> None:
    counters = Counters()
    with ThreadPoolExecutor(8) as hall:
        list(hall.map(lambda _: counters.incr("the hall", 60), range(4000)))
    assert counters.get("the hall") == 4000
