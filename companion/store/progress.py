"""How far something long has come, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Hears how many of how many are done."""


def silent(_done: int, _all: int) -> None:
    """Report no progress."""
