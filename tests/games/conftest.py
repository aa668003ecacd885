"""Tables that most tests of games begin with."""

import pytest

from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.support.reports import CHICAGO, THREE


@pytest.fixture
def table(ann: Author) -> Table:
    """Ann, Bob and Cleo at Contract Rummy, nothing dealt yet."""
    return Table.start(ann, *THREE)


@pytest.fixture
def chicago(ann: Author) -> Table:
    """Ann, Bob and Cleo at Chicago, nothing dealt yet."""
    return Table.start(ann, *THREE, variant=CHICAGO)
