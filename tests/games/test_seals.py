"""The seal over a league's history: what is altered behind the program's back is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, delete, insert, select, update

from companion.games import seals
from companion.games.seals import Head, SealError, head, seal_of
from companion.store import database
from companion.store.authors import Author
from companion.store.models import Game, db
from tests.leagues.game_driver import Table
from tests.leagues.sealed import (
    GAME,
    HISTORY,
    LINE,
    SEAL,
    TABLES,
    WHOLE,
    behind_our_back,
    doctor,
    two_games,
)
from tests.support.command_runner import run
from tests.support.reports import THREE

pytestmark = pytest.mark.sql


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
