"""A table at which everybody has a phone of their own, and a league with a passphrase."""

from __future__ import annotations

import pytest

from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import PendingTable, own_phone
from tests.support.reports import THREE
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site

from .ways_back import WORDS


@pytest.fixture
def table(ann: Author) -> PendingTable:
    """Ann, Bob and Cleo at Contract Rummy, nothing dealt yet; Ann keeps the score."""
    return PendingTable(Table.start(ann, *THREE))


@pytest.fixture
def bob(table: PendingTable) -> Author:
    """Bob's own phone."""
    return own_phone(table.table.author, "Bob")


@pytest.fixture
def cleo(table: PendingTable) -> Author:
    """Cleo's own phone."""
    return own_phone(table.table.author, "Cleo")


@pytest.fixture
def eve(table: PendingTable) -> Author:
    """A phone that looks on from home."""
    return own_phone(table.table.author, "Eve", "viewer")


@pytest.fixture
def ours(house: Site) -> Phone:
    """Ann's phone, which owns the Harpers' league, opened by `WORDS`."""
    phone = house.phone()
    start(phone, "contract-rummy", league_name="The Härpers")
    phone.press(phone.show("/league/passphrase").form().fill("pass-phrase", WORDS))
    return phone
