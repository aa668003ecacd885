"""How much a test takes: a small dose in `make test`, the whole of it before a release."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def doses(name: str, small: object, whole: object) -> pytest.MarkDecorator:
    """Run a test twice, with one argument: small enough for every run, and whole."""
    later = pytest.param(whole, id="whole", marks=pytest.mark.long)
    return pytest.mark.parametrize(name, [pytest.param(small, id="small"), later])


def first_in_every_run(
    values: Iterable[object], most: int = 1, later: pytest.MarkDecorator = pytest.mark.slow
) -> list[object]:
    """Let the first of some cases run every time, and the others in a later tier."""
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else (one,)), marks=() if number < most else later
        )
        for number, one in enumerate(values)
    ]
