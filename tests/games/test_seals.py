"""The seal over a league's history: what is altered behind the program's back is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask
from flask_migrate import downgrade
from sqlalchemy import Connection, delete, insert, select, text, update

from companion.files.exchange import (
    export_league,
    import_document,
    read_document,
    undo_import,
    write_document,
)
from companion.files.exchange import importing as bringing_module
from companion.games import seals
from companion.games.changes import describe
from companion.games.seals import Head, SealError, head, seal_of
from companion.people import leagues, merging, season_dates
from companion.store import database
from companion.store.authors import Author
from companion.store.database import SettingError, writing
from companion.store.models import Base, Game, History, Seal, db
from companion.upkeep import seal_existing, startup
from tests.conftest import built, fresh_app
from tests.leagues.full_league import live_on, play_with_second_thoughts
from tests.leagues.game_driver import Table
from tests.support.reports import THREE
from tests.support.same_moment import PHONES, at_once
from tests.visits.pages import Site

pytestmark = pytest.mark.sql
WHOLE = "The database is whole.\n"
TABLES: dict[str, Any] = dict(Base.metadata.tables)
HISTORY, SEAL, GAME, LINE = (TABLES[name] for name in ("history", "seal", "game", "line"))


def run(app: Flask, *words: str) -> Result:
    db.session.remove()
    return app.test_cli_runner().invoke(args=list(words))


def doctor(app: Flask, *words: str) -> str:
    """What the doctor says; it never breaks down, and only a whole database is none of its ills."""
    result = run(app, "doctor", *words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == (0 if result.output.endswith(WHOLE) else 1)
    return result.output


def two_games(author: Author) -> tuple[Table, Table]:
    """Two games side by side: seals 1, 3 and 5 are of the first one, 2, 4 and 6 of the other."""
    first, second = Table.start(author, *THREE), Table.start(author, *THREE)
    for points in ((0, 5, 9), (5, 0, 9)):
        first.score(*points)
        second.score(*points)
    return first, second


@contextmanager
def behind_our_back() -> Iterator[Connection]:
    """Somebody at the database itself, with the triggers out of the way."""
    db.session.remove()
    on_sqlite = db.engine.dialect.name == "sqlite"
    with db.engine.execution_options(writing=True).begin() as connection:
        if on_sqlite:
            triggers = connection.execute(text(TRIGGERS)).all()
            for name, _ in triggers:
                connection.execute(text(f"DROP TRIGGER {name}"))
            yield connection
            for _, statement in triggers:
                connection.exec_driver_sql(statement)
        else:
            for table in ("history", "seal"):
                connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
            yield connection
            for table in ("history", "seal"):
                connection.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))


TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


def row_of(connection: Connection, game: int, revision: int) -> dict[str, Any]:
    mine = (HISTORY.c.game_id == game, HISTORY.c.revision == revision)
    return dict(connection.execute(select(HISTORY).where(*mine)).one()._mapping)


def alter(connection: Connection, game: int, revision: int, **facts: Any) -> None:
    mine = (HISTORY.c.game_id == game, HISTORY.c.revision == revision)
    connection.execute(update(HISTORY).where(*mine).values(facts))


def take_out(connection: Connection, game: int, revision: int) -> None:
    for table in (SEAL, HISTORY):
        mine = (table.c.game_id == game, table.c.revision == revision)
        connection.execute(delete(table).where(*mine))


def a_point(connection: Connection) -> None:
    after = row_of(connection, 1, 2)["after"]
    after["deal:1"]["lines"]["2"]["points"] = 8
    alter(connection, 1, 2, after=after)


def another_phone(connection: Connection) -> None:
    facts = {"league_id": 1, "token_hash": "x", "role": "player", "name": "Bob's phone"}
    facts |= {"created_at": datetime.fromisoformat("2026-11-20T20:00:00")}
    phone = connection.execute(insert(TABLES["device"]).values(facts)).inserted_primary_key
    alter(connection, 2, 3, device_id=phone[0] if phone else 0)


def other_rules(connection: Connection) -> None:
    rules = connection.execute(select(GAME.c.rules).where(GAME.c.id == 2)).scalar_one()
    other = rules.replace('"lowest"', '"highest"')
    assert other != rules
    connection.execute(update(GAME).where(GAME.c.id == 2).values(rules=other))


LATER = datetime.fromisoformat("1999-12-31T23:59:00")
ALTERED: list[tuple[Callable[[Connection], None], str, int]] = [
    (a_point, "Game 1: change 2 (scored, deal 1, by phone 1 at ", 3),
    (another_phone, "Game 2: change 3 (scored, deal 2, by Bob's phone at ", 6),
    (other_rules, "Game 2: change 1 (started, by phone 1 at ", 2),
    (lambda c: alter(c, 2, 3, action="corrected"), "Game 2: change 3 (corrected, deal 2, by ", 6),
    (
        lambda c: alter(c, 1, 3, at=LATER),
        "Game 1: change 3 (scored, deal 2, by phone 1 at 1999-12-31 23:59 UTC)",
        5,
    ),
    (lambda c: alter(c, 1, 2, key="another"), "Game 1: change 2 (scored, deal 1, by ", 3),
    (
        lambda c: alter(c, 2, 2, notes=[{"words": "odd", "seats": []}]),
        "Game 2: change 2 (scored, deal 1, by phone 1 at ",
        4,
    ),
    (lambda c: alter(c, 2, 2, before={"deal:1": 0}), "Game 2: change 2 (scored, deal 1, by ", 4),
]


@pytest.mark.parametrize(
    ("alteration", "words", "number"),
    ALTERED,
    ids=["point", "phone", "rules", "action", "time", "key", "note", "before"],
)
def test_one_altered_change_is_told_by_name(
    app: Flask, ann: Author, alteration: Callable[[Connection], None], words: str, number: int
) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        alteration(connection)
    told = doctor(app)
    assert f"League 1: {words}" in told
    assert told.count("is not what was sealed") == 1
    assert f"is not what was sealed as number {number}." in told


def test_two_changes_that_changed_places_are_both_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        one, two = row_of(connection, 1, 2), row_of(connection, 2, 2)
        alter(connection, 1, 2, after=two["after"], key="for a moment")
        alter(connection, 2, 2, after=one["after"], key=one["key"])
        alter(connection, 1, 2, key=two["key"])
    assert [line.split(" (")[0] for line in doctor(app).splitlines()] == [
        "League 1: Game 1: change 2",
        "League 1: Game 2: change 2",
    ]


def test_seals_that_changed_places_are_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        for old, new in ((3, 99), (4, 3), (99, 4)):
            connection.execute(update(SEAL).where(SEAL.c.number == old).values(number=new))
    told = doctor(app)
    assert "League 1: Game 2: change 2 (" in told
    assert "League 1: Game 1: change 2 (" in told


def test_a_change_taken_out_with_its_seal_is_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        take_out(connection, 1, 2)
    assert doctor(app).splitlines() == [
        "League 1: Game 1: change 2 is missing from its history.",
        "League 1: Game 2: change 2: seal 3 is missing before it.",
    ]


def test_a_game_taken_back_to_before_its_last_change_leaves_a_hole(app: Flask, ann: Author) -> None:
    """Everything about the first game fits together again; the chain of the league does not."""
    two_games(ann)
    with behind_our_back() as connection:
        take_back(connection, 1, 3)
    assert doctor(app).splitlines() == [
        "League 1: Game 2: change 3: seal 5 is missing before it.",
    ]


def take_back(connection: Connection, game: int, revision: int) -> None:
    """Take a game's last deal out so that its rows are as if nobody had played it."""
    take_out(connection, game, revision)
    for name in ("line", "deal"):
        table, position = TABLES[name], TABLES[name].c.position
        last = (table.c.game_id == game, position == revision - 1)
        connection.execute(delete(table).where(*last))
    connection.execute(update(GAME).where(GAME.c.id == game).values(revision=revision - 1))


def test_a_change_put_in_is_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        more = row_of(connection, 1, 3) | {"revision": 4, "key": "more"}
        connection.execute(insert(HISTORY).values(more))
        connection.execute(update(GAME).where(GAME.c.id == 1).values(revision=4))
    (told,) = doctor(app).splitlines()
    assert told.startswith("League 1: Game 1: change 4 (scored, deal 2, by phone 1 at ")
    assert told.endswith(" was never sealed.")
    with behind_our_back() as connection:
        last = connection.execute(select(SEAL).where(SEAL.c.number == 6)).one()._mapping
        forged = dict(last) | {"number": 7, "game_id": 1, "revision": 4}
        connection.execute(insert(SEAL).values(forged))
    (told,) = doctor(app).splitlines()
    assert told.endswith(" is not what was sealed as number 7.")


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_seal_without_its_change_is_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    db.session.remove()
    db.engine.dispose()
    with closing(sqlite3.connect(database.sqlite_path(), isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER history_no_delete")
        raw.execute("DELETE FROM history WHERE game_id = 2 AND revision = 3")
    assert "League 1: Game 2: change 3, sealed as number 6, is gone.\n" in doctor(app)


def forged_chain(connection: Connection, key: bytes, ending: str) -> None:
    """Make all seals anew with a key; `ending` is put where a seal names its key, if given."""
    before = seals.beginning(1)
    for seal in connection.execute(select(SEAL).order_by(SEAL.c.number)).all():
        change = row_of(connection, seal.game_id, seal.revision)
        rules = connection.execute(select(GAME.c.rules).where(GAME.c.id == seal.game_id))
        first = {"rules": rules.scalar_one() if seal.revision == 1 else ""}
        before = seal_of(key, before, change | first)
        before = before[: seals.MADE] + (ending or before[seals.MADE :])
        mine = update(SEAL).where(SEAL.c.number == seal.number)
        connection.execute(mine.values(seal=before))


def test_a_chain_made_anew_with_another_key_is_told(app: Flask, ann: Author) -> None:
    two_games(ann)
    ours = seals.name_of(app.config["SEAL_KEY"])
    with behind_our_back() as connection:
        a_point(connection)
        forged_chain(connection, b"no key of this server's", "")
    assert (
        "League 1: Seals 1 to 6, from change 1 of game 1 to change 3 of game 2, were made with "
        "another key than this server's seal_key, and cannot be checked." in doctor(app)
    )
    with behind_our_back() as connection:
        forged_chain(connection, b"no key of this server's", ours)
    told = doctor(app)
    assert told.count("is not what was sealed as number") == 6


def test_what_was_cut_off_is_found_by_an_older_print(app: Flask, ann: Author) -> None:
    two_games(ann)
    early = head(db.session(), ann.league_id)
    Table.start(ann, *THREE).score(0, 5, 9)
    late = head(db.session(), ann.league_id)
    assert early
    assert late
    assert (
        doctor(app, "--seal", late.typed)
        .splitlines()[0]
        .endswith(
            "is in the chain of league 1, The Harpers: change 2 of game 3, "
            f"{told_game(3)}. 0 changes were sealed since."
        )
    )
    with behind_our_back() as connection:
        take_back(connection, 3, 2)
    assert doctor(app) == WHOLE
    assert f"{late} is in no chain here." in doctor(app, "--seal", late.typed)
    assert "1 change was sealed since.\n" in doctor(app, "--seal", f"Seal {early.typed.lower()}")
    with behind_our_back() as connection:
        forged_chain(connection, app.config["SEAL_KEY"] + b"?", "")
    assert f"{early} is in no chain here." in doctor(app, "--seal", str(early))


def told_game(number: int) -> str:
    db.session.rollback()
    game = db.session.get_one(Game, number)
    return f"{game.variant_name} of {game.played_on.day} {game.played_on:%B %Y}"


@pytest.mark.parametrize(
    "typed", ["412", "412 3F9A", "3F9A-77C2-01BE-5D20", "x 1", "1 " + "G" * 16]
)
def test_what_is_no_seal_is_said(app: Flask, typed: str) -> None:
    with pytest.raises(SealError, match="is no seal: write it like 412 3F9A-77C2-01BE-5D20"):
        Head.read(typed)
    assert f"{typed} is no seal" in run(app, "doctor", "--seal", typed).output


def test_a_line_altered_beside_its_history_is_told_as_before(app: Flask, ann: Author) -> None:
    two_games(ann)
    with behind_our_back() as connection:
        mine = (LINE.c.game_id == 2, LINE.c.position == 1, LINE.c.seat == 1)
        connection.execute(update(LINE).where(*mine).values(points=4))
    assert "Game 2: what is stored is not what its history says." in doctor(app)


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
    monkeypatch.setattr(seal_existing, "BATCH", 4)
    two_games(ann)
    play_with_second_thoughts(dev)
    db.session.remove()
    downgrade(directory=str(database.MIGRATIONS), revision="0003")
    db.engine.dispose()
    with monkeypatch.context() as broken:
        broken.setattr(seal_existing, "_seal_some", flat_battery(after=1))
        with pytest.raises(OSError, match="flat battery"):
            startup.prepare()
    assert "Game 2: change 3 (scored, deal 2, by phone 1 at " in doctor(app)
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


def test_no_note_file_makes_the_server_seal_what_was_altered(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_games(ann)
    noted = Path(app.instance_path) / seal_existing.NOTE
    seal_existing.note_unsealed()
    ours = noted.read_bytes()
    with behind_our_back() as connection:
        connection.execute(update(HISTORY).where(HISTORY.c.revision == 2).values(action="voided"))
        connection.execute(delete(SEAL).where(SEAL.c.league_id == 1))
    with monkeypatch.context() as elsewhere:
        elsewhere.setitem(app.config, "SEAL_KEY", b"a key of their own, of 32 bytes.")
        seal_existing.note_unsealed()
    for note in (ours, noted.read_bytes(), b"", b"{}", b"null", b"\xff"):
        noted.write_bytes(note)
        startup.prepare()
        assert doctor(app).count("was never sealed") == 6, note
        assert not noted.exists()


def flat_battery(after: int) -> Callable[..., object]:
    """Seal some parts, then no more."""
    seal_some, left = seal_existing._seal_some, [None] * after

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
    assert last.typed in phone.raw("/league/files/league.json").get_data(as_text=True)


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
