"""A server of their own for tests in a browser, and phones that open its pages."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.browsing import PHONE, Open
from tests.browser.evenings.evening import House
from tests.conftest import fresh_app
from tests.support.chromium import PATIENCE

from .thread_server import answering

COUNT_TAPS = """
window.addEventListener('click', (event) => {
  if (event.isTrusted && event.detail) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to an evening that failed what its phones showed."""
    report = yield
    house = item.funcargs.get("house")
    if report.when == "call" and report.failed and isinstance(house, House):
        report.sections.append(("what the phones showed", house.told()))
    return report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its database."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The app behind its own server, as `flask serve` runs it."""
    app: Flask = fresh_app(folder)
    with answering(app) as place:
        yield place


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Open]:
    """Open a page on a device of its own; script errors fail the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(path: str = "/", size: tuple[int, int] = PHONE, **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            base_url=address,
            **({"reduced_motion": "reduce"} | options),
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(COUNT_TAPS)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults
