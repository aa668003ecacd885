"""Real servers on either kind of database."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine

from companion.store.database import database_url
from tests.conftest import empty


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> dict[str, str]:
    """The setting for each kind of database in turn."""
    if request.param == "sqlite":
        return {}
    url = request.getfixturevalue("postgres_url")
    engine = create_engine(database_url(url, Path()))
    empty(engine)
    engine.dispose()
    return {"DATABASE_URL": url}
