"""People of a file: nobody sits twice by two names, whoever they are elsewhere."""

from __future__ import annotations

import json
from datetime import date

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.files.exchange import (
    ExchangeError,
    import_document,
    preview_import,
    read_document,
    undo_import,
)
from companion.files.exchange import importing as bringing_module
from companion.people import leagues, merging, roster
from companion.people.actions import league_actions
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Player, TeamMember, db
from tests.leagues.copies import complaint, exported, finished, games
from tests.leagues.full_league import live_on
from tests.leagues.game_driver import Table, unchanged


def test_people_merged_there_are_merged_here(app: Flask, ann: Author, dev: Author) -> None:
    live_on(ann)
    import_document(read_document(exported(ann)), "once", author=dev)
    mine = select(Player.name, Player.id, Player.person_id, Player.archived)
    rows = db.session.execute(mine.where(Player.league_id == dev.league_id)).all()
    found = {row.name: row for row in rows}
    assert found["Annie"].person_id == found["Ann"].id
    assert found["Annie"].archived


def met_under_two_names(dev: Author) -> tuple[bytes, int, int]:
    """Annie is Ann in Dev's league; in the file both sit at one table."""
    ann = leagues.open_league("The Harpers", "ann's token")
    Table.start(ann, "Ann", "Annie", "Cleo", on=date(2026, 4, 4))
    text = exported(ann)
    Table.start(dev, "Ann", "Bob", "Cleo")
    Table.start(dev, "Annie", "Bob", "Cleo")
    return text, numbered(dev, "Ann"), numbered(dev, "Annie")


def numbered(author: Author, name: str) -> int:
    db.session.rollback()
    mine = select(Player.id).where(Player.league_id == author.league_id, Player.name == name)
    return db.session.execute(mine).scalar_one()


TWICE = "Ann would sit twice at one table in Contract Rummy on 4 April 2026: two of its names"


def test_nobody_sits_twice_by_two_names(app: Flask, dev: Author) -> None:
    text, first, second = met_under_two_names(dev)
    merging.merge(dev, "one", first, second)
    document = read_document(text)
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        preview_import(db.session(), dev.league_id, document)
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        import_document(document, "once", author=dev)
    merging.undo(dev, league_actions(db.session(), dev.league_id, merging.UNDOING)[0].act_id)
    import_document(document, "once", author=dev)
    assert len(games(dev)) == 3


def test_who_met_in_a_game_that_was_taken_out_are_two_people(app: Flask, dev: Author) -> None:
    text, first, second = met_under_two_names(dev)
    brought = import_document(read_document(text), "once", author=dev)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    words = "in Contract Rummy on 4 April 2026, which was taken out: they are two people"
    with unchanged(), pytest.raises(roster.PeopleError, match=words):
        merging.merge(dev, "one", first, second)
    # A league from before this rule has them merged, and the game may not come back.
    with writing() as session:
        theirs = update(Player).where(Player.id == second)
        session.execute(theirs.values(person_id=first))
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        import_document(read_document(text), "again", author=dev)


def test_two_made_one_while_their_game_comes_in_part_by_part(
    app: Flask, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    ann = leagues.open_league("The Harpers", "ann's token")
    finished(ann, 0, 5, 9)
    Table.start(ann, "Ann", "Annie", "Cleo", on=date(2026, 4, 4))
    Table.start(dev, "Ann", "Bob", "Cleo")
    Table.start(dev, "Annie", "Bob", "Cleo")
    first, second = numbered(dev, "Ann"), numbered(dev, "Annie")

    def meanwhile(done: int, _: int) -> None:
        if done == 1:
            merging.merge(dev, "one", first, second)

    before = games(dev)
    with pytest.raises(ExchangeError, match=TWICE):
        import_document(read_document(exported(ann)), "once", author=dev, progress=meanwhile)
    assert games(dev) == before


def test_the_latest_evening_is_that_of_the_person(app: Flask, ann: Author, dev: Author) -> None:
    finished(ann, 0, 5, 9)
    Table.start(dev, "Bob", "Ann", "Cleo")
    latest = Table.start(dev, "Bob", "Annie", "Zoe")
    first, second = numbered(dev, "Ann"), numbered(dev, "Annie")
    merging.merge(dev, "one", first, second)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    db.session.rollback()
    last = select(Player.last_game).where(Player.id.in_([first, second]))
    assert db.session.execute(last).scalars().all() == [latest.game_id, latest.game_id]


def test_a_file_seats_nobody_by_two_names_of_theirs(app: Flask, ann: Author) -> None:
    finished(ann, 0, 5, 9)
    data = json.loads(exported(ann))
    assert [player["name"] for player in data["players"]] == ["Ann", "Bob", "Cleo"]
    data["players"][1]["merged_into"] = 1
    assert "can't be imported: someone sits in two seats, by two names." in complaint(
        json.dumps(data).encode()
    )


def test_a_team_comes_in_before_hundreds_of_names_and_then_its_members(dev: Author) -> None:
    document = json.loads(exported(dev))
    names = ["Ann + Zoe", "Ann", *(f"Guest {number:03}" for number in range(600)), "Zoe"]
    document["players"] = [
        {"number": number, "name": name, "archived": False, "merged_into": None}
        for number, name in enumerate(names, start=1)
    ]
    document["players"][0]["members"] = [2, len(names)]
    brought = import_document(read_document(json.dumps(document).encode()), "k", token="zoe's")
    members = select(TeamMember.member_id).where(TeamMember.league_id == brought.league_id)
    found = select(Player.name).where(Player.id.in_(members.scalar_subquery()))
    assert set(db.session.execute(found).scalars()) == {"Ann", "Zoe"}
