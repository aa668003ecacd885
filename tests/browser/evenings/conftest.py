"""Houses for evenings: a server as its own process on either database, and phones around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.conftest import empty_tables

from .evening import House, house_of


@pytest.fixture
def new_house(
    browser: Browser, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[], AbstractContextManager[House]]:
    """Open houses one after the other, each with an empty database; `ON_BOTH` says which kind."""
    folders, kind = count(1), getattr(request, "param", "sqlite")
    app = request.getfixturevalue("on_postgresql") if kind == "postgresql" else None
    url = request.getfixturevalue("postgres_url") if app else ""

    def opened() -> AbstractContextManager[House]:
        if app:
            empty_tables(app)
        settings = {"DATABASE_URL": url} if app else {}
        return house_of(browser, tmp_path / f"instance{next(folders)}", **settings)

    return opened


@pytest.fixture
def house(new_house: Callable[[], AbstractContextManager[House]]) -> Iterator[House]:
    with new_house() as house:
        yield house
