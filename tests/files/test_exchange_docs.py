"""The format of a league's file is described field by field: a field without words fails."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.files.exchange import document, export_league, write_document
from companion.games import record
from companion.games.seating import settle_tie, take_places
from companion.people import leagues
from companion.rules import load
from companion.scoring import tally
from companion.store import models
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import LeagueAction, db
from tests.leagues.full_league import live_on
from tests.leagues.game_driver import Table, scoring
from tests.support.reports import total

TEXT = (Path(__file__).parents[2] / "docs" / "exchange.md").read_text(encoding="utf-8")
FREE = {"rules", "chosen", "bonuses", "facts"}
PARTS: dict[str, type[msgspec.Struct]] = {
    "document": document.Document,
    "league": document.LeagueData,
    "devices": document.DeviceData,
    "seasons": document.SeasonData,
    "players": document.PlayerData,
    "houses": document.HouseData,
    "games": document.GameData,
    "seats": record.SeatRecord,
    "deals": record.DealRecord,
    "lines": record.LineRecord,
    "tally": tally.Tally,
    "reasons": tally.Reason,
    "history": document.ChangeData,
    "notes": tally.Note,
    "game": record.GameFacts,
    "acts": document.ActData,
}


STAYS = {
    models.League: {
        *("id", "is_sample", "created_at"),  # each copy's own
        "passphrase",  # no file opens a league
    },
    models.Device: {
        *("id", "league_id", "created_at", "revoked_at"),
        *("token_hash", "name", "player_id", "asks_id", "link_id"),  # whose phone it was
    },
    models.Season: {"id", "league_id"},
    models.Player: {"id", "league_id", "name_key", "last_game", "person_id"},
    models.House: {"league_id"},
    models.Game: {
        *("id", "league_id", "act_id", "hidden", "pulse"),
        *("variant_key", "variant_name", "facts", "revision"),  # in its rules, units and history
        *("counted", "players", "margin"),
    },
    models.Seat: {
        *("game_id", "number", "league_id", "variant_key", "played_on"),
        *("counted", "place", "total", "share", "ahead", "high", "low", "comeback"),
    },
    models.Deal: {"game_id", "position", "league_id", "contract"},
    models.Line: {"game_id", "position", "seat", "league_id", "declared"},
    models.History: {"game_id", "league_id", "device_id"},
    models.LeagueAction: {"id", "league_id", "device_id"},
}
"""What of a league stays where it is; every other column travels."""
TRAVELS: dict[type[models.Base], type[msgspec.Struct]] = {
    models.League: document.LeagueData,
    models.Device: document.DeviceData,
    models.Season: document.SeasonData,
    models.Player: document.PlayerData,
    models.House: document.HouseData,
    models.Game: document.GameData,
    models.Seat: record.SeatRecord,
    models.Deal: record.DealRecord,
    models.Line: record.LineRecord,
    models.History: document.ChangeData,
    models.LeagueAction: document.ActData,
}


@pytest.mark.parametrize("model", TRAVELS)
def test_every_column_travels_or_is_named_as_staying(model: type[models.Base]) -> None:
    columns = {column.key for column in model.__table__.columns}
    fields = {field.name for field in msgspec.structs.fields(TRAVELS[model])}
    assert columns - fields == STAYS[model]


@pytest.mark.parametrize("choice", [*leagues.CHOICES, "standings_variant"])
def test_every_choice_of_a_league_travels(choice: str) -> None:
    assert choice in {field.name for field in msgspec.structs.fields(document.LeagueData)}


def described() -> dict[str, set[str]]:
    """The fields that the page names, by section."""
    found = {}
    for section in re.split(r"^## ", TEXT, flags=re.M)[1:]:
        name, _, text = section.partition("\n")
        rows = re.findall(r"^\* (`.*?): ", text, flags=re.M)
        if rows:
            found[name] = {field for row in rows for field in re.findall(r"`(\w+)`", row)}
    return found


def told(value: Any, place: str) -> Iterator[tuple[str, set[str]]]:
    """Every table of an export with the fields it has."""
    if isinstance(value, list):
        for item in value:
            yield from told(item, place)
    elif isinstance(value, dict) and place in ("before", "after"):
        for name, unit in value.items():
            yield from told(unit, "deals" if name.startswith("deal:") else name)
    elif isinstance(value, dict) and place == "lines" and all(key.isdecimal() for key in value):
        yield from told(list(value.values()), place)
    elif isinstance(value, dict) and place not in FREE:
        yield place, set(value)
        for name, item in value.items():
            yield from told(item, name)


def test_every_field_of_a_real_export_is_described(app: Flask, ann: Author) -> None:
    live_on(ann)
    Table.start(ann, "Pat + Kim", "Lou", variant=load("spades"))
    tied = Table.start(ann, "Ann", "Bob", variant=load("golf"))
    tied.change(scoring({0: total(5), 1: total(5)}), "scored")
    tied.change(lambda record: take_places(record, (0, 1), 0), "seats changed")
    for _ in range(8):
        tied.change(scoring({0: total(5), 1: total(5)}), "scored")
    tied.change(lambda record: settle_tie(record, 1), "tie settled")
    with writing() as session:
        session.add(_merged(ann))
    data = json.loads(b"".join(write_document(export_league(db.session(), ann.league_id))))
    fields: dict[str, set[str]] = {}
    for place, names in told(data, "document"):
        fields.setdefault(place, set()).update(names)
    fields["document"].add("seal")  # only files of earlier versions have one
    assert fields == described()


def _merged(author: Author) -> LeagueAction:
    return LeagueAction(
        league_id=author.league_id,
        key="merged",
        device_id=author.device_id,
        at=datetime.fromisoformat("2026-11-21T20:15:00"),
        kind="merged",
        facts={"entry": 1, "into": 2},
    )


def test_what_is_read_is_what_is_described() -> None:
    read = {name: {field.name for field in msgspec.structs.fields(p)} for name, p in PARTS.items()}
    assert read == described()
