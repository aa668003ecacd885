"""Hands that phones reported under the version before, when they were stored as form fields."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from flask_migrate import downgrade
from sqlalchemy import text

from companion.phones.pending_deal import ReportedHand, pending_deal
from companion.rules import find_variant
from companion.store import database
from companion.store.authors import Author
from companion.store.models import db
from companion.upkeep import startup
from companion.web.table.hand_form import TypedHand
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import own_phone
from tests.support.reports import ANN, BOB, CLEO
from tests.visits.browserless import totals
from tests.visits.phones import Site
from tests.web.table.phones_at_table import Party, party

pytestmark = pytest.mark.sql
Fields = dict[str, str]


def back_to_0009(app: Flask) -> None:
    db.session.remove()
    database.load_migrations(app)
    downgrade(directory=str(database.MIGRATIONS), revision="0009")
    db.engine.dispose()


def tell(table: Table, device: int, position: int, seat: int, fields: Fields) -> None:
    """Store a hand as version 0009 did."""
    row = {"game": table.game_id, "position": position, "seat": seat, "device": device}
    with db.engine.execution_options(writing=True).begin() as connection:
        connection.execute(
            text(
                "INSERT INTO report (game_id, position, seat, device_id, league_id, revision, key, "
                "told, at, confirmed_by, chosen) VALUES (:game, :position, :seat, :device, 1, 1, "
                ":key, :told, '2026-11-20 20:00:00', NULL, false)"
            ),
            {
                **row,
                "key": f"{table.game_id} {position} {seat} {device}",
                "told": json.dumps(fields),
            },
        )


def test_a_deal_that_was_being_told_goes_on_and_a_late_hand_is_shown(
    site: Site, ann: Author
) -> None:
    harpers = party(site, ann)
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.save()
    harpers.says(harpers.bob, "I went out")
    back_to_0009(site.app)
    tell(harpers.table, 3, 1, CLEO, {"asks-met": "1", "cards": "Q A"})
    tell(harpers.table, 3, 2, CLEO, {"asks-met": "1", "cards": "k a"})
    tell(harpers.table, 1, 2, CLEO, {"asks-met": "1", "cards": "K A"})
    tell(harpers.table, 1, 2, ANN, {"asks-met": "1", "total": "5+4"})
    startup.prepare(is_backed_up=True)
    _finish(harpers)


def _finish(harpers: Party) -> None:
    table = harpers.ann.show(harpers.path)
    assert "Cleo's phone sent Q A after 10 had been saved" in table.text
    assert "entered in two ways" not in table.text, "small letters are the same cards"
    pad = harpers.ann.show(f"{harpers.path}/hands/{ANN}")
    assert pad.one("#seat0-total").attrs["value"] == "5+4", "a sum is shown as it was typed"
    assert totals(harpers.save()) == [18, 0, 35]
    table = harpers.ann.show(harpers.path)
    after = harpers.ann.press(table.form("/deals/1"), "Change it")
    assert totals(after) == [18, 0, 50]


CASES: list[tuple[str, Fields]] = [
    ("contract rummy", {"asks-met": "1", "cards": "10 7H X QB", "met": "1"}),
    ("contract rummy", {"asks-met": "1", "cards": "two kings and a joker"}),
    ("contract rummy", {"asks-met": "1", "cards": "2x7, k"}),
    ("contract rummy", {"asks-met": "1", "total": "7 K"}),
    ("contract rummy", {"asks-met": "1", "total": "0"}),
    ("chicago", {"hand": "7H 8H 9H 4C KD QS 3D"}),
    ("chicago", {"hand": "seven of hearts", "total": "− 5 + 12"}),
    ("zip", {"zips": "6R 6B / KB 2R 3R 8R", "cards": "K 2"}),
    ("zip", {"zips": "6R 6B / KB 2R"}),
    ("zip", {"zips": "6r 6b", "zipped": "20"}),
    ("zip", {"zips": "6R 6B / "}),
    ("zip", {"zipped": "0", "cards": "3"}),
    ("continental", {"bonus-jokers": "2"}),
    ("shanghai", {"cards": "K", "group-blind": "out_blind"}),
    ("liverpool-seven", {"cards": "K", "one-cut": "1"}),
    ("any-game", {"total": "-12"}),
    ("oh-hell", {"bid": "0", "tricks": "3"}),
    ("contract rummy", {}),
]


def check_as_typed(report: ReportedHand, fields: Fields) -> None:
    hand = TypedHand()
    hand.show(report.tally, report.typed)
    names = ("cards", "total", "hand", "zips", "zipped", "bid", "tricks")
    assert {name: text for name, text in hand.typed.items() if text} == {
        name: fields[name] for name in names if name in fields
    }
    assert report.tally.met == ("met" in fields), fields
    assert [bonus for bonus in report.tally.bonuses if bonus not in names] == [
        text if name.startswith("group-") else name.partition("-")[2]
        for name, text in fields.items()
        if name.startswith(("bonus-", "group-", "one-"))
    ]


def test_every_field_says_the_same_as_before(site: Site, ann: Author) -> None:
    own_phone(ann, "Bob")
    tables = [Table.start(ann, variant=find_variant(game)) for game, _ in CASES]
    back_to_0009(site.app)
    for table, (_, fields) in zip(tables, CASES, strict=True):
        tell(table, 2, 1, BOB, fields)
    startup.prepare(is_backed_up=True)
    for table, (_, fields) in zip(tables, CASES, strict=True):
        report = pending_deal(db.session(), 1, table.game_id, 1, 1).reports[BOB][0]
        check_as_typed(report, fields)
    db.session.remove()
    back_to_0009(site.app)
    with db.engine.connect() as connection:
        rows = connection.execute(text("SELECT told FROM report ORDER BY game_id")).scalars()
        again = [row if isinstance(row, dict) else json.loads(row) for row in rows]
    assert again == [{"asks-met": "1", **fields} for _, fields in CASES]
    startup.prepare(is_backed_up=True)
