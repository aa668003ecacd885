"""A league in which one person sat down under two names."""

import pytest

from companion.store.authors import Author
from tests.leagues.kept_story import kept

from .people_in_short import APRIL, MARCH, played


@pytest.fixture
@kept
def harpers(ann: Author) -> Author:
    """Cleo was entered as Chloe one evening: Ann wins against her, then she against Ann and Bob."""
    played(ann, "Ann", "Chloe", on=MARCH)
    played(ann, "Cleo", "Ann", "Bob", on=APRIL)
    return ann
