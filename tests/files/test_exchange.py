"""A league as one document: written, read back, brought in, merged with ours."""

from __future__ import annotations

import json
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.files.exchange import (
    ImportResult,
    import_document,
    preview_import,
    read_document,
    undo_import,
)
from companion.files.exchange import importing as bringing_module
from companion.games.shown.game_lists import regulars
from companion.people.sample import add_sample
from companion.store import authors
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device, Game, House, db
from tests.leagues.copies import copied, exported, finished, games, wins
from tests.leagues.full_league import live_on
from tests.leagues.game_driver import Table, check_sound, unchanged
from tests.leagues.looked_back import check_league
from tests.support.reports import THREE
from tests.support.same_moment import at_once


def test_what_is_brought_in_is_what_was_written(app: Flask, ann: Author) -> None:
    live_on(ann)
    text = exported(ann)
    assert text == exported(ann)
    brought = copied(text)
    assert brought.league_id != ann.league_id
    assert exported(brought) == text
    for number in games(brought):
        check_sound(number)
    assert wins(brought) == wins(ann)
    check_league(brought.league_id)


@pytest.mark.parametrize("seal", ["412 3F9A-77C2-01BE-5D20", None])
def test_a_file_of_a_version_with_seals_comes_in(app: Flask, ann: Author, seal: str | None) -> None:
    finished(ann, 0, 5, 9)
    text = exported(ann)
    sealed = json.dumps(json.loads(text) | {"seal": seal}).encode()
    assert exported(copied(sealed)) == text


@pytest.mark.sql
def test_until_the_last_part_is_there_nothing_is_seen(
    app: Flask, ann: Author, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))

    def pulled_plug(done: int, _: int) -> None:
        assert games(dev) == []
        assert regulars(db.session(), dev.league_id) == []
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_document(document, "once", author=dev, progress=pulled_plug)
    assert games(dev) == []
    import_document(document, "again", author=dev)
    assert wins(dev) == {"Ann": 1, "Bob": 1, "Cleo": 0}


@pytest.mark.sql
def test_a_new_league_that_broke_off_is_nobodys(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))

    def pulled_plug(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_document(document, "once", token="bob's token", progress=pulled_plug)
    mine = select(Device.league_id, Device.id).where(
        Device.token_hash == authors.token_hash("bob's token"), Device.role == "owner"
    )
    assert db.session.execute(mine).all() == []
    import_document(document, "once", token="bob's token")
    bob = Author(*db.session.execute(mine).one())
    assert wins(bob) == {"Ann": 1, "Bob": 1, "Cleo": 0}
    assert json.loads(exported(bob))["players"] == json.loads(exported(ann))["players"]


@pytest.mark.parametrize("most", [1, 25])
@pytest.mark.sql
def test_a_file_sent_twice_at_once_makes_one_league(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", most)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))
    send = partial(import_document, document, "once", token="bob's token")
    answers = at_once(app, [send] * 4)
    brought = [answer for answer in answers if isinstance(answer, ImportResult)]
    assert len(brought) == 4, answers
    assert sorted(answer.repeated for answer in brought) == [False, True, True, True]
    assert len({(answer.league_id, answer.act_id) for answer in brought}) == 1
    assert wins(brought[0]) == {"Ann": 1, "Bob": 1, "Cleo": 0}
    leagues = select(Device.league_id).where(Device.token_hash == authors.token_hash("bob's token"))
    assert len(db.session.execute(leagues).all()) == 1


def test_a_merge_takes_what_is_new_and_keeps_what_is_ours(app: Flask, ann: Author) -> None:
    same, corrected = finished(ann, 0, 5, 9), finished(ann, 5, 0, 9)
    text = exported(ann)
    other = copied(text, "copy")
    bob = _owner(other)
    finished(bob, 9, 5, 0)
    Table.start(bob, "ZOË", "ann", "Éve")
    theirs = read_document(exported(other))
    corrected.restore(3)
    before = preview_import(db.session(), ann.league_id, theirs)
    assert before.sentences() == [
        "2 games are new.",
        "1 game is here already.",
        "1 game was changed here since: it stays as it is here.",
        "New in the list of players: Éve, ZOË.",
        "Here already: Ann, Bob, Cleo.",
    ]
    with unchanged():
        preview_import(db.session(), ann.league_id, theirs)
    import_document(theirs, "merged", author=ann)
    assert len(games(ann)) == 4
    assert wins(ann) == {"Ann": 1, "Bob": 0, "Cleo": 1}
    assert corrected.record.standing().over is False
    assert same.record.standing().over
    again = preview_import(db.session(), ann.league_id, theirs)
    assert again.is_nothing
    with unchanged():
        assert import_document(theirs, "another key", author=ann).act_id is None
        assert import_document(theirs, "merged", author=ann).repeated


def _owner(brought: ImportResult) -> Author:
    db.session.rollback()
    mine = (Device.league_id == brought.league_id, Device.revoked_at.is_(None))
    return Author(
        brought.league_id, db.session.execute(select(Device.id).where(*mine)).scalar_one()
    )


def test_a_game_that_went_on_in_the_other_copy_is_told_apart(app: Flask, ann: Author) -> None:
    table = Table.start(ann, *THREE)
    other = copied(exported(ann))
    table.score(0, 5, 9)
    newer = preview_import(db.session(), other.league_id, read_document(exported(ann)))
    assert newer.sentences()[0] == "1 game went on in the file: it stays as it is here."


def test_games_taken_out_and_tokens_stay_behind(app: Flask, ann: Author) -> None:
    hidden, shown = finished(ann, 0, 5, 9), finished(ann, 5, 0, 9)
    with writing() as session:
        session.execute(update(Game).where(Game.id == hidden.game_id).values(hidden=True))
    text = exported(ann)
    uids = dict(db.session.execute(select(Game.id, Game.uid)).all())
    assert [game["uid"] for game in json.loads(text)["games"]] == [uids[shown.game_id]]
    hashes = db.session.execute(select(Device.token_hash)).scalars().all()
    assert not any(secret.encode() in text for secret in hashes)
    assert b"token" not in text


def test_two_samples_with_the_same_keys_can_be_one_league(app: Flask) -> None:
    first, second = add_sample("one"), add_sample("two")
    assert first
    assert second
    import_document(read_document(exported(first)), "once", author=second)
    assert len(games(second)) == 22
    for number in games(second):
        check_sound(number)


def test_seasons_stay_and_houses_come(app: Flask, ann: Author, dev: Author) -> None:
    live_on(ann)
    finished(dev, 0, 5, 9)
    document = read_document(exported(ann))
    told = preview_import(db.session(), dev.league_id, document).sentences()
    assert "House rules that are new: Contract Rummy, Grandma's 🃏." in told
    assert "Seasons that are not taken over: Winter ❄." in told
    brought = import_document(document, "once", author=dev)
    mine = select(House.key).where(House.league_id == dev.league_id)
    assert set(db.session.execute(mine).scalars()) == {"contract-rummy", "our-grandma-s"}
    assert brought.act_id
    undo_import(dev, brought.act_id)
    db.session.rollback()
    assert db.session.execute(mine).all() == []
