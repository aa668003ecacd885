"""How much a test takes: a small dose in `make test`, the whole of it in the second tier."""

from __future__ import annotations

import pytest


def doses(name: str, small: object, whole: object) -> pytest.MarkDecorator:
    """Run a test twice, with one argument: small enough for every run, and whole."""
    marks = pytest.mark.slow
    return pytest.mark.parametrize(
        name, [pytest.param(small, id="small"), pytest.param(whole, id="whole", marks=marks)]
    )
