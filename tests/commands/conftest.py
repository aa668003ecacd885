"""Folders of servers, with a league in them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.people import leagues
from companion.store.models import db
from tests.conftest import fresh_app
from tests.leagues.copies import finished


@pytest.fixture(scope="module")
def harpers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folder with the Harpers' league, one game finished."""
    folder = tmp_path_factory.mktemp("harpers")
    with fresh_app(folder).app_context():
        finished(leagues.open_league("The Harpers", "ann's token"), 0, 5, 9)
        db.session.remove()
        db.engine.dispose()
    return folder


@pytest.fixture
def here(harpers: Path, tmp_path: Path) -> Iterator[Flask]:
    """The app on a copy of their folder, which is this test's own."""
    shutil.copytree(harpers, tmp_path, dirs_exist_ok=True)
    app = fresh_app(tmp_path)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
