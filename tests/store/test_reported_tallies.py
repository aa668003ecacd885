"""Hands that phones reported under the version before, when they were stored as form fields."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from flask_migrate import downgrade
from sqlalchemy import text

from companion.store import database
from companion.store.authors import Author
from companion.store.models import db
from companion.upkeep import startup
from tests.leagues.game_driver import Table
from tests.support.reports import ANN, CLEO
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
