"""A database as an earlier version left it."""

from __future__ import annotations

import json

from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import text

from companion.games.record import write_rules
from companion.store import database
from companion.store.models import db
from tests.support.reports import CONTRACT

from .game_driver import told


def played_under_0002(app: Flask) -> None:
    """One game of three people in two years' season, as version 0002 stored it."""
    database.load_migrations(app)
    upgrade(directory=str(database.MIGRATIONS), revision="0002")
    rules = write_rules(CONTRACT)
    started = json.dumps({"decks": 2, "jokers": 1, "first_dealer": 0, "stopped": False})
    with db.engine.begin() as connection:
        for statement in (
            "INSERT INTO league VALUES (1, 'The Harpers', false, true, '2025-11-01 20:00:00')",
            "INSERT INTO season VALUES (1, 1, '2025', '2025-11-01')",
            "INSERT INTO player VALUES (1, 1, 'Ann', 'ann'), (2, 1, 'Bob', 'bob')",
            "INSERT INTO player VALUES (3, 1, 'Cleo', 'cleo')",
        ):
            connection.execute(text(statement))
        if connection.dialect.name == "postgresql":
            for table in ("league", "season", "player", "game"):
                after = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 10)"
                connection.execute(text(after))
        connection.execute(
            text(
                "INSERT INTO game VALUES (1, 1, 1, 'contract-rummy', 'Contract Rummy', :rules, "
                ":facts, 'finished', 8, '2026-01-10 19:00:00')"
            ),
            {"rules": rules, "facts": started},
        )
        for seat in range(3):
            connection.execute(
                text(
                    "INSERT INTO seat (game_id, number, league_id, player_id, start, start_rule, "
                    "joined, placed, place) VALUES (1, :seat, 1, :player, 0, '', 1, true, :player)"
                ),
                {"seat": seat, "player": seat + 1},
            )
        for step in range(1, 8):
            connection.execute(
                text("INSERT INTO deal VALUES (1, :step, 1, :step, 0, false, 'again')"),
                {"step": step},
            )
            for seat, tally in told(0, 5, 9).items():
                line = {"declared": tally.declared, "tally": json.dumps(tally.to_data())}
                connection.execute(
                    text(
                        "INSERT INTO line VALUES (1, :step, :seat, 1, :declared, :points, "
                        ":tally, '[]')"
                    ),
                    {**line, "step": step, "seat": seat, "points": tally.total or 0},
                )
