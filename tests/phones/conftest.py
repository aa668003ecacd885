"""A table at which everybody has a phone of their own, and a league with a passphrase."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.phones import passphrase
from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import PendingTable, own_phone
from tests.leagues.scanning import APPLE, scan
from tests.visits.browserless import start
from tests.visits.phones import Phone, Site

from .ways_back import WORDS

CHEAP = "scrypt:1024:8:1"


@pytest.fixture(autouse=True)
def cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash at a cost that is not felt; a test of the real one takes this back."""
    hashed = passphrase.NOBODY.hashed.replace(passphrase.COST, CHEAP)
    monkeypatch.setattr(passphrase, "NOBODY", replace(passphrase.NOBODY, hashed=hashed))
    monkeypatch.setattr(passphrase, "COST", CHEAP)


@pytest.fixture
def table(ann: Author) -> PendingTable:
    """Ann, Bob and Cleo at Contract Rummy, nothing dealt yet; Ann keeps the score."""
    return PendingTable(Table.start(ann))


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


@pytest.fixture
def ann_and_bob(site: Site) -> tuple[Phone, Phone]:
    """Ann's phone, which owns the league, and Bob's, which sits in its game 1."""
    ann, bob = site.phone(), site.phone()
    table = start(ann, "contract-rummy", league_name="The Harpers")
    opened = scan(ann, table)
    form = bob.show(opened).form_with("Bob")
    bob.post(opened, form.data() | form.button("Bob"), headers={"User-Agent": APPLE})
    return ann, bob
