"""Whose games the writer changes: those of one's own league, by a role that may."""

import pytest
from msgspec.structs import replace
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from companion.games import opening
from companion.games.locking import NoSuchGameError
from companion.games.reading import load_game
from companion.store import dates
from companion.store.authors import Author, NotAllowedError
from companion.store.database import writing
from companion.store.models import Device, db
from tests.leagues.game_driver import (
    Table,
    scoring,
    told,
    unchanged,
)

pytestmark = pytest.mark.sql


def test_a_key_of_another_league_leaks_nothing(table: Table, dev: Author) -> None:
    table.change(scoring(told(0, 25, 10)), key="tap")
    theirs = Table.start(dev, "Dev", "Eve", "Finn")
    saved = theirs.change(scoring(told(5, 0, 5)), key="tap")
    assert (saved.game_id, saved.revision, saved.repeated) == (theirs.game_id, 2, False)
    assert (theirs.totals, table.totals) == ((5, 0, 5), (0, 25, 10))


def test_dev_sees_and_changes_nothing(table: Table, dev: Author) -> None:
    table.change(scoring(told(0, 25, 10)), key="tap")
    theirs = Table(dev, table.game_id, table.revision)
    for key in ("tap", "new"):
        with unchanged(), pytest.raises(NoSuchGameError):
            theirs.change(scoring(told(0, 5, 5)), key=key)
        with unchanged(), pytest.raises(NoSuchGameError):
            theirs.restore(1, key)
    with pytest.raises(LookupError):
        load_game(db.session(), dev.league_id, table.game_id)
    assert theirs.history == []


@pytest.mark.parametrize("number", [0, -1, 999, 2**31, 2**63, 10**30])
def test_a_game_that_is_not_there(ann: Author, number: int) -> None:
    with unchanged(), pytest.raises(NoSuchGameError):
        Table(ann, number, 1).score(0, 5, 5)
    with pytest.raises(LookupError):
        load_game(db.session(), ann.league_id, number)


def test_a_device_of_another_league_signs_nothing(table: Table, dev: Author) -> None:
    table.author = Author(table.author.league_id, dev.device_id)
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)


def test_the_database_itself_refuses_a_device_of_another_league(
    table: Table, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I16: whatever the program believes, and however it comes to believe it."""
    monkeypatch.setattr(opening, "require", lambda session, author: None)
    table.author = Author(table.author.league_id, dev.device_id)
    with unchanged(), pytest.raises(IntegrityError):
        table.score(0, 5, 5)


@pytest.mark.parametrize("role", ["viewer", "player"])
def test_a_role_taken_away_meanwhile_writes_nothing(table: Table, role: str) -> None:
    """The role is looked at in the transaction that writes, not when the page was asked for."""
    mine = update(Device).where(Device.id == table.author.device_id)
    with writing() as session:
        session.execute(mine.values(role=role))
    table.author = replace(table.author, least="scorekeeper")
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)
    with writing() as session:
        session.execute(mine.values(role="owner", revoked_at=dates.now()))
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)
