"""The Harpers at a table, each with a phone."""

from __future__ import annotations

import pytest

from companion.store.authors import Author
from tests.visits.phones import Site

from .phones_at_table import Party, party


@pytest.fixture
def harpers(site: Site, ann: Author) -> Party:
    """Ann, Bob and Cleo at Contract Rummy."""
    return party(site, ann)
