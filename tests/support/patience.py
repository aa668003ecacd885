"""How long a test waits for what hangs; nothing that only takes its time is ever cut off."""

from __future__ import annotations

import time
from collections.abc import Callable

HANGS = 300
"""Seconds after which anything is taken to hang, however busy the machine is."""


def wait_until(ready: Callable[[], bool], what: str, pause: float = 0.1) -> None:
    """Look again after each pause of so many seconds; fail, naming what never came, if it hangs."""
    last = time.monotonic() + HANGS
    while not ready():
        assert time.monotonic() < last, f"waited in vain until {what}"
        time.sleep(pause)
