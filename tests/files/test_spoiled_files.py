"""Files that went wrong are refused in a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from companion.cards import Refusal
from companion.files.exchange import (
    read_document,
)
from companion.files.exchange.import_check import check_document
from companion.people import leagues
from companion.store.authors import Author
from companion.store.models import History, db
from tests.conftest import fresh_app
from tests.leagues.copies import complaint, copied, exported, finished
from tests.leagues.corrupt import spoiled
from tests.leagues.full_league import play_with_second_thoughts
from tests.leagues.game_driver import unchanged
from tests.support.doses import doses
from tests.visits.phones import Site


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A league of two games, written somewhere else."""
    app = fresh_app(tmp_path_factory.mktemp("elsewhere"))
    with app.app_context():
        author = leagues.open_league("The Harpers", "ann's token")
        play_with_second_thoughts(author)
        finished(author, 0, 5, 9)
        written = exported(author)
        db.session.remove()
        db.engine.dispose()
        return written


@doses("files", 110, 1_100)
def test_a_thousand_spoiled_files_are_refused_in_a_sentence(
    house: Site, text: bytes, files: int
) -> None:
    complaints = [(data, complaint(data)) for data in spoiled(text, files)]
    refused = [data for data, words in complaints if words]
    assert len(refused) > files * 10 // 11
    assert all(len(words) < 500 and words.endswith(".") for _, words in complaints if words)
    with house.app.app_context():
        with unchanged():
            for data in refused[::25]:
                with pytest.raises(Refusal):
                    copied(data)
        for number, data in enumerate(data for data, words in complaints if not words):
            brought = copied(data, f"accepted {number}")
            again = copied(exported(brought), f"again {number}")
            assert exported(again) == exported(brought)


VOID = {"step": 1, "dealer": 0, "void": True, "after_void": "again", "lines": {}}
HOUSE = {"key": "our-game", "revision": 1, "rules": {}, "chosen": {}}
SPOILED = [
    (["version"], 2, "This file is of version 2; versions up to 1 can be read here."),
    (["format"], "other", "This file holds no league."),
    (["league", "name"], "\u200b", "The file has a name that cannot be used: A name needs"),
    (["players", 0, "name"], "ann\u202e", "The file has a name that cannot be used: ann has odd"),
    (
        ["players", 1, "name"],
        "ANN",
        "The file does not hold together: the player ann stands twice.",
    ),
    (["players", 0, "merged_into"], 99, "together: Ann was merged into nobody."),
    (
        ["players", 0, "number"],
        "1",
        "at players[0].number: expected `int`, got `str`.",
    ),
    (["games", 0, "rules"], 7, "The file does not hold together: game 1 has no rules."),
    (["games", 1, "note"], "\x07", "at games: there are signs that cannot be seen."),
    (
        ["games", 0, "seats", 0, "player_id"],
        5,
        "Game 1, of {day}, can't be imported: its history",
    ),
    (
        ["games", 1, "deals", 0, "lines", "0", "points"],
        50,
        "Game 2, of {day}, can't be imported: the reasons of a deal do not add up",
    ),
    (["games", 1, "deals", 0, "lines", "1", "points"], 10**6, "expected `int` <= 99999"),
    (["games", 1, "history", 2, "revision"], 4, "change 3 is missing from its history."),
    (["games", 1, "history", 1, "after", "deal:1", "step"], 0, "step: expected `int` >= 1."),
    (["games", 1, "deals"], [], "its history does not lead to its deals."),
    (
        ["games", 1, "history", 1, "after", "odd"],
        {},
        "its history names odd, which no game has.",
    ),
    (["games", 0, "history", 3, "notes"], [{"words": "{0.x}", "seats": [0]}], "names nobody."),
    (["games", 0, "history", 3, "notes"], [{"words": "{", "seats": [0]}], "stray brackets."),
    (["rules", 0, "deals"], [], "Rules 1 can't be imported: deals"),
    (["rules", 0, "ending", "target"], 10**9, "Rules 1 can't be imported: ending.target"),
    (["rules", 0, "key"], "<script>", "the game's key is <script>."),
    (["odd"], 7, "object contains unknown field `odd`"),
    (["games", 1, "history", 2, "before", "deal:2"], VOID, "change 3 of its history does not"),
    (["games", 1, "deals", 0, "void"], True, "a deal that does not count has points."),
    (["games", 1, "deals", 0, "lines", "1", "tally", "declared"], "out", "two players ended the"),
    (["games", 1, "history", 0, "after", "seats"], [], "it has no seats."),
    (["games", 1, "deals", 0, "lines", "1", "tally", "cards"], "7 ZZ", 'We don\'t know "ZZ"'),
    (["houses"], [HOUSE | {"key": "zioncheck"}], "The house zioncheck is neither"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), SPOILED, ids=lambda it: str(it)[:40])
def test_what_is_wrong_is_said(text: bytes, path: list[Any], value: object, sentence: str) -> None:
    data = json.loads(text)
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    with pytest.raises(Refusal) as refused:
        check_document(read_document(json.dumps(data).encode()))
    day = data["games"][0]["played_on"]
    assert sentence.replace("{day}", day) in str(refused.value)


def season(name: str, starts_on: str, ends_on: str | None, *, own: bool = True) -> dict[str, Any]:
    return {"name": name, "starts_on": starts_on, "ends_on": ends_on, "own": own}


@pytest.mark.parametrize(
    ("seasons", "words"),
    [
        (
            [season("Winter", "2023-12-01", "2024-03-01"), season("Spring", "2024-03-01", None)],
            "the seasons Winter and Spring overlap.",
        ),
        (
            [season("Spring", "2024-03-01", "2024-05-31"), season("On", "2023-01-01", None)],
            "the seasons On and Spring overlap.",
        ),
        (
            [season("2024", "2024-01-01", "2024-12-30", own=False)],
            "the season 2024 is neither a year nor the league's own.",
        ),
        (
            [season("2024", "2024-01-01", None, own=False)],
            "the season 2024 is neither a year nor the league's own.",
        ),
        (
            [
                season("2024", "2024-01-01", "2024-12-31", own=False),
                season("Year 2024", "2024-01-01", "2024-12-31", own=False),
            ],
            "the seasons 2024 and Year 2024 overlap.",
        ),
        (
            [
                season("Winter", "2023-12-01", "2024-02-29"),
                season("Spring", "2024-03-01", None),
                season("2024", "2024-01-01", "2024-12-31", own=False),
                season("2023", "2023-01-01", "2023-12-31", own=False),
            ],
            "",
        ),
    ],
)
def test_seasons_of_a_file_are_such_as_a_league_has(
    text: bytes, seasons: list[dict[str, Any]], words: str
) -> None:
    told = complaint(json.dumps(json.loads(text) | {"seasons": seasons}).encode())
    assert told == (f"The file does not hold together: {words}" if words else "")


@pytest.mark.parametrize("other", [b"2", b"9"])
def test_nobody_sits_twice_and_everybody_is_somebody(text: bytes, other: bytes) -> None:
    spoiled_seats = text.replace(b'"player_id":3', b'"player_id":' + other)
    assert "someone sits in two seats, or is nobody" in complaint(spoiled_seats)


def test_a_history_older_than_dates_is_brought_in(app: Flask, ann: Author) -> None:
    finished(ann, 0, 5, 9)
    data = json.loads(exported(ann))
    first = data["games"][0]["history"][0]["after"]["game"]
    for name in ("played_on", "note", "counts"):
        del first[name]
    text = json.dumps(data).encode()
    brought = copied(text)
    assert json.loads(exported(brought)) == data
    rows = select(History.after).where(History.league_id == brought.league_id)
    stored = db.session.execute(rows.where(History.revision == 1)).scalar_one()
    game: Any = stored["game"]
    assert "note" not in game
