"""Seals of a league in use: many who write, files, older histories, lost keys, prints."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_migrate import downgrade
from sqlalchemy import delete, inspect, select, text

from companion.files.exchange import (
    export_league,
    import_document,
    read_document,
    undo_import,
    write_document,
)
from companion.files.exchange import importing as bringing_module
from companion.games.changes import describe
from companion.games.seals import add_seals, head
from companion.people import leagues, merging, season_dates
from companion.store import database
from companion.store.authors import Author
from companion.store.database import SettingError, writing
from companion.store.models import History, Seal, db
from companion.upkeep import seal_chain, startup
from tests.conftest import built, fresh_app
from tests.leagues.full_league import live_on, play_with_second_thoughts
from tests.leagues.game_driver import Table
from tests.leagues.sealed import SEAL, WHOLE, behind_our_back, doctor, two_games
from tests.support.command_runner import run
from tests.support.reports import THREE
from tests.support.same_moment import PHONES, at_once
from tests.visits.phones import Site

pytestmark = pytest.mark.sql


def test_an_evening_with_second_thoughts_is_one_chain(
    app: Flask, ann: Author, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Corrections, voids, restores, a file brought in, undone and brought in, people made one."""
    monkeypatch.setattr(bringing_module, "AT_ONCE", 2)
    live_on(ann)
    two_games(ann)
    play_with_second_thoughts(dev)
    text = b"".join(write_document(export_league(db.session(), ann.league_id)))
    brought = import_document(read_document(text), "once", author=dev)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    import_document(read_document(text), "again", author=dev)
    import_document(read_document(text), "new", token="bob's token")
    tables = [Table.start(dev, name, "Bob", "Cleo") for name in ("Uma", "Eve")]
    numbers = [table.record.seats[0].player_id for table in tables]
    merging.merge(dev, "one", *numbers)
    with writing() as session:
        changes = session.query(History).count()
        assert session.query(Seal).count() == changes > 60
    assert doctor(app) == WHOLE


def test_a_file_says_where_the_chain_stands_and_is_read_without(app: Flask, ann: Author) -> None:
    two_games(ann)
    document = export_league(db.session(), ann.league_id)
    mine = head(db.session(), ann.league_id)
    assert mine
    assert document["seal"] == mine.typed
    assert mine.number == 6
    brought = import_document(read_document(b"".join(write_document(document))), "once", token="t")
    theirs = head(db.session(), brought.league_id)
    assert theirs
    assert (theirs.number, theirs.code == mine.code) == (6, False)
    old = {key: value for key, value in document.items() if key != "seal"}
    assert read_document(b"".join(write_document(old))).seal is None
    odd = b"".join(write_document(document | {"seal": "6 nonsense"}))
    with pytest.raises(Exception, match="The file cannot be read at seal"):
        read_document(odd)
    assert doctor(app) == WHOLE


def test_many_who_write_at_once_leave_one_chain(app: Flask, ann: Author, dev: Author) -> None:
    """Tables of one league, each on its own thread, while its seasons change; and one elsewhere."""

    def play(author: Author, phone: int) -> object:
        table = Table.start(author, *THREE, on=date(2026, 2, 2))
        for number in range(5):
            table.score(0, 5 + number, 5)
        day = date(2025 + phone % 2, 12, 25)
        table.change(lambda record: describe(record, day, "", counts=True))
        return "played"

    def divide() -> object:
        for turn in range(4):
            stretch = season_dates.SeasonDates(
                f"W{turn}", date(2025, 12, turn + 1), date(2026, 3, 1)
            )
            season_dates.make_season(ann, f"season{turn}", stretch)
            made = text("SELECT max(id) FROM act")
            db.session.rollback()
            season_dates.undo(ann, db.session.execute(made).scalar_one())
        return "divided"

    authors = [dev, *[ann] * (PHONES - 2)]
    actions = [lambda a=a, n=n: play(a, n) for n, a in enumerate(authors)]
    assert at_once(app, [*actions, divide]) == [*["played"] * (PHONES - 1), "divided"]
    last = head(db.session(), ann.league_id)
    assert last
    assert last.number == 7 * (PHONES - 2)
    assert doctor(app) == WHOLE


def test_what_was_there_before_seals_is_sealed_once(
    app: Flask, ann: Author, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal_chain, "BATCH", 4)
    two_games(ann)
    play_with_second_thoughts(dev, beside=None)
    db.session.remove()
    database.load_migrations(app)
    downgrade(directory=str(database.MIGRATIONS), revision="0003")
    db.engine.dispose()
    with monkeypatch.context() as broken:
        broken.setattr(seal_chain, "add_seals", flat_battery(after=1))
        with pytest.raises(OSError, match="flat battery"):
            startup.prepare()
    assert not inspect(db.engine).has_table("seal"), "all of it or nothing"
    db.engine.dispose()
    startup.prepare()
    assert doctor(app) == WHOLE
    with db.engine.connect() as connection:
        mine = select(SEAL.c.number, SEAL.c.game_id, SEAL.c.revision).where(SEAL.c.league_id == 1)
        found = [tuple(row) for row in connection.execute(mine.order_by(SEAL.c.number))]
    assert found == [(1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, 1), (5, 2, 2), (6, 2, 3)]
    with behind_our_back() as connection:
        connection.execute(delete(SEAL).where(SEAL.c.league_id == 1))
    startup.prepare()
    assert doctor(app).count("was never sealed") == 6


def flat_battery(after: int) -> Callable[..., object]:
    """Seal some parts, then no more."""
    seal_some, left = add_seals, [None] * after

    def seal(*words: Any) -> object:
        if not left:
            raise OSError("flat battery")
        left.pop()
        return seal_some(*words)

    return seal


def test_a_server_that_lost_its_key_goes_on_and_the_doctor_says_so(tmp_path: Path) -> None:
    app = fresh_app(tmp_path)
    path = tmp_path / "seal_key"
    assert path.stat().st_mode & 0o777 == 0o600
    with app.app_context():
        ann = leagues.open_league("The Harpers", "ann's token")
        first, _ = two_games(ann)
        db.session.remove()
        db.engine.dispose()
    key = path.read_bytes()
    path.unlink()
    with built(tmp_path, None).app_context():
        startup.prepare()
        Table(ann, first.game_id, first.revision).score(0, 5, 9)
        db.session.remove()
        db.engine.dispose()
    again = built(tmp_path, None)
    with again.app_context():
        (told,) = doctor(again).splitlines()
        assert told.startswith("League 1: Seals 1 to 6, from change 1 of game 1 to change 3 of ")
        db.engine.dispose()
    path.write_bytes(key)
    back = built(tmp_path, None)
    with back.app_context():
        (told,) = doctor(back).splitlines()
        assert told.startswith("League 1: Seal 7, of change 4 of game 1, was made with another key")
        db.engine.dispose()
    path.write_bytes(key[:31])
    with pytest.raises(SettingError, match="seal_key is damaged"):
        built(tmp_path, None)


def test_the_seal_is_printed_where_it_can_be_compared(site: Site, app: Flask, ann: Author) -> None:
    two_games(ann)
    last = head(db.session(), ann.league_id)
    phone = site.phone()
    phone.carry("ann's token")
    assert last
    for page in ("/games/1/sheet", "/league/files", "/league/files/league.html"):
        assert str(last) in phone.raw(page).get_data(as_text=True), page
    assert f'doctor --seal "{last.typed}"' in site_text(phone.raw("/league/files"))
    file = gzip.decompress(phone.raw("/league/files/league.json").get_data())
    assert last.typed in file.decode()


def site_text(answer: Any) -> str:
    return str(answer.get_data(as_text=True)).replace("&#34;", '"')


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_backup_says_where_each_chain_stands(
    app: Flask, ann: Author, dev: Author, tmp_path: Path
) -> None:
    two_games(ann)
    last = head(db.session(), ann.league_id)
    told = run(app, "backup", str(tmp_path / "copy.sqlite")).output.splitlines()
    assert told[1:] == [f"League 1, The Harpers: {last}."]
