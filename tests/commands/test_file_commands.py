"""Keeping the scores safe from a terminal: files and checks; each refusal is one sentence."""

import gzip
import json
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import update

from companion.people import leagues
from companion.phones import owner_links
from companion.statistics.standings import standings
from companion.store import authors, database
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Game, Line, Rating, Seat, db
from tests.leagues.copies import finished
from tests.leagues.full_league import play_with_second_thoughts
from tests.leagues.game_driver import unchanged
from tests.processes.commands import flask
from tests.support.command_runner import refused, run

from .altered import alter


def test_a_league_goes_out_and_comes_in(app: Flask, ann: Author, tmp_path: Path) -> None:
    play_with_second_thoughts(ann)
    finished(ann, 0, 5, 9)
    file, again = tmp_path / "harpers.json.gz", tmp_path / "again.json.gz"
    assert run(app, "export", "the harpers", str(file)).stdout == (
        f"The Harpers: 2 games in {file}.\n"
    )
    assert "exists already" in refused(app, "export", "1", str(file))
    with unchanged():
        dry = run(app, "import", str(file), "--dry-run")
    assert dry.stdout.splitlines()[:2] == ["A new league, The Harpers.", "2 games are new."]
    assert dry.output.endswith("Nothing was changed.\n")
    told = run(app, "import", str(file)).output
    assert "Imported into league 2.\n" in told
    assert owner_links.claimed_league(db.session(), told.split("/")[-1].strip()) == (
        2,
        "The Harpers",
    )
    assert run(app, "export", "2", str(again)).exit_code == 0
    first, second = (gzip.decompress(one.read_bytes()) for one in (file, again))
    assert first == second
    into = run(app, "import", str(file), "--into", "1")
    assert into.stdout.startswith("2 games are here already.\n")
    assert into.output.endswith("There is nothing new in this file.\n")


def test_what_cannot_be_brought_in_is_said(app: Flask, ann: Author, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    assert "There are: 1 The Harpers." in refused(app, "export", "7", str(file))
    assert "No such file" in refused(app, "import", str(file))
    file.write_text("{}")
    assert "This file holds no league." in refused(app, "import", str(file))
    file.write_text('{"format')
    assert "This isn't one of our export files" in refused(app, "import", str(file), "--into", "1")


def test_commands_ask_for_tables_first(tmp_path: Path) -> None:
    table = "CREATE TABLE alembic_version (version_num VARCHAR(32))"
    alter(tmp_path / "companion.sqlite", table, "INSERT INTO alembic_version VALUES ('0001')")
    for words in (
        ["export", "1", "x"],
        ["archive", "1", "x"],
        ["import", "README.md"],
        ["recount"],
        ["doctor"],
    ):
        told = flask(tmp_path, *words)
        assert told.returncode == 1
        assert told.stderr.endswith("Error: The database is not ready: run flask prepare first.\n")


def test_recount_finds_what_is_out_of_date_and_mends_it(app: Flask, ann: Author) -> None:
    finished(ann, 0, 5, 9)
    first = run(app, "recount")
    assert first.stdout == "Everything is as it should be.\n", "right after a game"
    assert first.exit_code == 0
    with writing() as session:
        everywhere = {"synchronize_session": False}
        session.execute(update(Rating).values(streak=9), execution_options=everywhere)
        session.execute(update(Seat).where(Seat.number == 1).values(place=3))
    told = run(app, "recount", "--league", "The Harpers")
    assert told.exit_code == 1
    assert "League 1: The rating of player 1 is out of date." in told.output
    assert "the result of Bob is out of date." in told.output
    assert run(app, "recount", "--mend").exit_code == 0
    assert run(app, "recount").stdout == "Everything is as it should be.\n"


def test_games_taken_out_are_looked_over_like_the_rest_and_count_nowhere(
    app: Flask, ann: Author
) -> None:
    table = finished(ann, 0, 5, 9)
    with writing() as session:
        session.execute(update(Game).where(Game.id == table.game_id).values(hidden=True))
    assert "what it came to is out of date" in run(app, "recount").output
    assert run(app, "recount", "--mend").exit_code == 0
    assert run(app, "doctor").stdout == "The database is whole.\n"
    assert standings(db.session(), ann.league_id) == []


def test_recount_tells_posted_points_and_never_changes_them(app: Flask, ann: Author) -> None:
    table = finished(ann, 0, 5, 9)
    assert run(app, "recount", "--mend").exit_code == 0
    with writing() as session:
        mine = (Line.game_id == table.game_id, Line.position == 2, Line.seat == 1)
        session.execute(update(Line).where(*mine).values(points=7))
    told = run(app, "recount", "--mend")
    assert told.exit_code == 1
    assert "deal 2: Bob has 7 posted, the rules give 5." in told.output
    assert table.record.deals[1].lines[1].points == 7
    again = run(app, "recount")
    assert again.stdout.count("\n") == 1
    assert again.exit_code == 1


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            "UPDATE line SET points = 12 WHERE position = 3 AND seat = 1",
            "is not what its history says.",
        ),
        ("UPDATE deal SET step = 3 WHERE position = 2", "is not what its history says."),
        ("DELETE FROM line WHERE position = 2", "Game 1: deal 2 has no points."),
        ("UPDATE line SET points = 12.5 WHERE position = 2", "points is not a whole number."),
        (
            "UPDATE seat SET joined = 9 WHERE number = 1",
            "has points for a player who was not there.",
        ),
        ("UPDATE line SET league_id = 2 WHERE seat = 1", "than their game."),
        ("UPDATE game SET rules = '{}'", "Game 1 cannot be read: "),
        ("UPDATE game SET revision = 99", " is missing from its history."),
        ("UPDATE game SET revision = 1", "its history goes on after its latest change, 1."),
        ("UPDATE seat SET start = 50", "is not what its history says."),
        ("UPDATE deal SET void = 1 WHERE position = 2", "deal 2 is cancelled but has points."),
        (
            "UPDATE player SET person_id = 1 WHERE id = 2",
            "Game 1: one person has two seats, under two names.",
        ),
        (
            "DELETE FROM line WHERE position = 3; DELETE FROM deal WHERE position = 3",
            "Game 1: a deal is missing.",
        ),
    ],
)
def test_the_doctor_says_what_is_broken(here: Flask, statements: str, words: str) -> None:
    leagues.open_league("Dev's club", "dev's token")
    db.session.remove()
    db.engine.dispose()
    alter(database.sqlite_path(), *statements.split(";"))
    told = run(here, "doctor")
    assert told.exit_code == 1
    assert words in told.output
    assert "Traceback" not in told.output


def test_export_names_no_token(here: Flask, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    run(here, "export", "1", str(file))
    text = gzip.decompress(file.read_bytes()).decode()
    assert authors.token_hash("ann's token") not in text
    assert json.loads(text)["devices"] == [{"number": 1, "role": "owner"}]
